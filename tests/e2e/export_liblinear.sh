#!/usr/bin/env bash
# liblinear-predict on an exported model predicts the same as sdca predict, for any label
# names in any order.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" - <<'END'
import numpy as np
generator = np.random.default_rng(11)
x = generator.normal(size=(80, 6))
y = x @ generator.normal(size=6) + 0.5 * generator.normal(size=80) > 0.0
x[:, 3] = np.where(generator.random(80) < 0.7, 0.0, x[:, 3])
def write(name, labels, rows):
    with open(name, "w") as file:
        for i in rows:
            pairs = " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(x[i]) if v != 0.0)
            file.write(f"{labels[int(y[i])]} {pairs}\n")
positive = [i for i in range(80) if y[i]]
first = positive[0]
rows = [first] + [i for i in range(80) if i != first]
negative_first = [i for i in range(80) if not y[i]][:1] + rows
for name, labels in (("signs", ("-1", "+1")), ("01", ("0", "1")), ("12", ("1", "2"))):
    write(name + "-plus.txt", labels, rows)
    write(name + "-minus.txt", labels, negative_first)
write("real-plus.txt", ("-0.5", "2.25"), rows)
END

# compare FILE LOSS
compare() {
    "$sdca" convert "$1.txt" data.h5 --values float64 --quiet
    expect_exit 0 "$sdca" train data.h5 -o model.h5 --loss "$2" --lambda 0.01 --quiet
    expect_exit 0 "$sdca" export model.h5 peer.model --format liblinear
    expect_exit 0 "$sdca" predict model.h5 data.h5 -o ours.csv
    expect_exit 0 liblinear-predict "$1.txt" peer.model theirs.txt
    tail -n +2 ours.csv | cut -d, -f1 >ours.txt
    cmp ours.txt theirs.txt || fail "$1, $2: LIBLINEAR predicts differently"
    [ "$(sort -u ours.txt | wc -l)" -eq 2 ] || fail "this test needs both labels predicted"
}

for labels in signs 01 12; do
    compare $labels-plus hinge
    compare $labels-minus hinge
done
for loss in logistic squared-hinge smooth-hinge; do
    compare 12-minus $loss
done

# A regression: compare scores to the digits that liblinear-predict prints.
"$sdca" convert real-plus.txt data.h5 --values float64 --task regression --quiet
expect_exit 0 "$sdca" train data.h5 -o model.h5 --loss epsilon-insensitive --lambda 0.01 --quiet
expect_exit 0 "$sdca" export model.h5 peer.model
expect_exit 0 "$sdca" predict model.h5 data.h5 -o ours.csv
expect_exit 0 liblinear-predict real-plus.txt peer.model theirs.txt
expect_exit 0 "$sdca" export model.h5 weights.txt --format text
expect_exit 0 "$sdca" export model.h5 - --format text
cmp out weights.txt || fail "expected the weights on standard output, got '$(head -3 out)'"
"$python" - <<'END'
import numpy as np
from oracle import check, near, read_w
ours = np.loadtxt("ours.csv", delimiter=",", skiprows=1)[:, 1]
near(np.loadtxt("theirs.txt"), ours, 1e-5, "scores of a regression")
check(np.array_equal(np.loadtxt("weights.txt"), read_w("model.h5")), "weights as text are not w")
END

# LIBLINEAR does not normalise rows: labels agree, and export notes that probabilities differ.
"$sdca" convert 12-minus.txt data.h5 --values float64 --quiet
for normalize in none rows; do
    expect_exit 0 "$sdca" train data.h5 -o model.h5 --loss logistic --lambda 0.01 --normalize $normalize --quiet
    expect_exit 0 "$sdca" export model.h5 weights.txt --format text
    [ ! -s err ] || fail "unexpected note for weights as text: $(cat err)"
    expect_exit 0 "$sdca" export model.h5 peer.model
    case $normalize,$(cat err) in
    none, | rows,*'probabilities (-b 1) only if'*) ;;
    *) fail "normalize $normalize: '$(cat err)'" ;;
    esac
done
expect_exit 0 "$sdca" predict model.h5 data.h5 -o ours.csv
expect_exit 0 liblinear-predict 12-minus.txt peer.model theirs.txt
tail -n +2 ours.csv | cut -d, -f1 | cmp - theirs.txt || fail "normalised: LIBLINEAR predicts different labels"
