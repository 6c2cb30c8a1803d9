#!/usr/bin/env bash
# A report shows the runs correctly, whatever their values and names, and input that is
# not a run is rejected without creating a page.
set -euo pipefail
. "$(dirname "$0")/common.sh"

header=round,epoch,seconds,primal,dual,gap,test_error,eta,sigma,local_steps,bytes
# history FILE ROW... - write a history with these rows.
history() {
    local file=$1
    shift
    printf '%s\n' "$header" "$@" >"$file"
}

history known.csv 0,0,0,1,0,1,0.5,,,, 1,1,0.125,0.6,0.4,0.2,0.25,1,1,1,800 \
    2,2,0.25,0.55,0.53,0.02,0.125,1,1,1,1600 3,4.5,0.5,0.54,0.5398,0.0002,0.12,1,1,1,2400
history fallen.csv 0,0,0,1,0,1,,,,, 1,1,0.1,0.5,-28.5,29,,,,, 2,2,0.2,0.4,0.34,0.06,,,,, 3,3,0.3,0.4,0.3,0.1,,,,,
history one.csv 0,0,0,1,0,1,,,,,
history zero.csv 0,0,0,1,0,1,0.5,,,, 1,1,0.1,0.5,0.5,0,nan,1,1,1,8 2,2,0.2,0.5,0.5,0,,1,1,1,16
history nothing.csv 0,0,0,0,0,0,,,,,
history holes.csv 0,0,0,1,0,1,,,,, 1,1,0.1,0.9,0.1,0.8,0.3,,,, 2,2,0.2,0.8,0.2,0.6,0.2,,,, \
    3,3,0.3,,,,nan,,,, 4,4,0.4,0.6,0.4,0.2,0.1,,,,
history wild.csv 0,0,0,1e308,-1e308,1e309,,,,, 1,1,1,1e99,-1e99,1e99,,,,, \
    2,1e9,1e-320,1e-320,-1e-320,1e-320,,,,,
"$python" - >long.csv <<'END'
print("epoch,seconds,primal,dual,gap,test_error,round,unknown")
for k in range(5000):
    print(f"{k / 10},{k * 0.01},{0.3 + 0.7 * 0.99**k},{0.3 - 0.3 * 0.99**k},{0.99**k},0.1,{k},7")
END

# Histories, alone and together. A long one shows some of its points, and its full range.
for run in known fallen one zero nothing holes wild; do
    expect_exit 0 "$sdca" report $run.csv -o page.html
    "$python" "$here/report_contents.py" check page.html $run.csv
done
expect_exit 0 "$sdca" report known.csv zero.csv one.csv -o page.html
"$python" "$here/report_contents.py" check page.html known.csv zero.csv one.csv
expect_exit 0 "$sdca" report long.csv known.csv -o page.html
"$python" "$here/report_contents.py" names page.html long.csv known.csv
"$python" "$here/report_contents.py" check page.html long.csv known.csv

# A model shows the same as its history file, and its certificate and settings.
"$sdca" generate cov1 train.h5 --scale 0.001 --test test.h5 --quiet
"$sdca" train train.h5 -o model.h5 --loss smooth-hinge --lambda 1e-3 --test test.h5 \
    --seed 5 --history model.csv >words 2>/dev/null
expect_exit 0 "$sdca" report model.h5 --quiet -o page.html
[ ! -s out ] || fail "--quiet prints output"
sed 's/model\.h5: epochs/model.csv: epochs/; s/model\.h5: seconds/model.csv: seconds/' \
    page.html >as_csv.html
"$python" "$here/report_contents.py" check as_csv.html model.csv
sed -i $'s/\xc2\xa0/ /g' page.html # non-breaking spaces
certified=$(sed -n 's/^Certified: \(.*\),$/\1/p' words)
for text in "$certified" 'smooth-hinge, gamma 1' '>0.001</td>' '>5</td>' \
    '--loss smooth-hinge --lambda 1e-3' 'Target reached'; do
    grep -qF -- "$text" page.html || fail "the report of a model lacks '$text'"
done
for page in page again; do
    expect_exit 0 "$sdca" report model.h5 -o $page.html
done
cmp page.html again.html || fail "the same run gives a different page"
"$python" "$here/report_contents.py" model page.html model.h5
expect_exit 0 "$sdca" train train.h5 -o bias.h5 --lambda 1e-3 --bias 2 --quiet
expect_exit 0 "$sdca" report bias.h5 -o bias.html
"$python" "$here/report_contents.py" model bias.html bias.h5

# Settings chosen per round are drawn per round, even with many rounds or a wide range;
# for other runs, as far as recorded.
expect_exit 3 on 4 "$sdca" train train.h5 -o ranks.h5 --solver sdca --lambda 1e-4 --rel-gap 1e-12 --epochs 30 \
    --history ranks.csv --quiet
"$python" - <<'END'
import h5py, numpy as np, shutil
with h5py.File("ranks.h5") as model:
    assert len(model["rounds/eta"]) > 200 and "sigma_along" in model["rounds"], dict(model["rounds"])
    assert all(len(set(model["rounds"][name])) > 3 for name in ("eta", "sigma", "sigma_along"))
for name in ("early", "wide"):
    shutil.copy("ranks.h5", name + ".h5")
with h5py.File("early.h5", "r+") as early:
    del early["rounds"]
with h5py.File("wide.h5", "r+") as wide:
    rounds, k = wide["rounds"], np.arange(1, 4096)
    for name in list(rounds):
        del rounds[name]
    rounds.update(round=k, epoch=k / 8, seconds=k / 1000, eta=np.where(k == 1000, 3.0, 1 + k % 2), sigma=1 + 1e3 / k,
                  local_steps=1e-4 * 2.0**(k // 400))
END
for runs in ranks.h5 early.h5 wide.h5 "ranks.h5 ranks.csv early.h5 model.h5"; do
    # shellcheck disable=SC2086 # several runs are several words
    expect_exit 0 "$sdca" report $runs -o page.html
    # shellcheck disable=SC2086
    "$python" "$here/report_contents.py" check page.html $runs
    # shellcheck disable=SC2086
    "$python" "$here/report_contents.py" names page.html $runs
done
grep -qF 'sigma along the mean row' page.html || fail "no label for sigma along the mean row"
expect_exit 0 "$sdca" info wide.h5
expect_prints "4095 rounds in the log"

# Models of earlier versions lack timings; an unfinished run is shown from its checkpoint.
"$python" - <<'END'
import h5py, shutil
shutil.copy("model.h5", "old.h5")
with h5py.File("old.h5", "r+") as old:
    del old["seconds"]
END
expect_exit 0 "$sdca" report old.h5 -o page.html
"$python" "$here/report_contents.py" names page.html old.h5
grep -qF '<h2>Time by activity' page.html && fail "the page shows timings that the model lacks"
expect_exit 0 "$sdca" info old.h5
expect_exit 75 "$sdca" train train.h5 -o never.h5 --lambda 1e-6 --gap 1e-15 --time 0.2 --quiet \
    --checkpoint checkpoint.h5 --history checkpoint.csv
expect_exit 0 "$sdca" report checkpoint.h5 -o page.html
grep -qF 'Not finished: a checkpoint' page.html || fail "a checkpoint is shown as a model"
sed 's/checkpoint\.h5: epochs/checkpoint.csv: epochs/; s/checkpoint\.h5: seconds/checkpoint.csv: seconds/' \
    page.html >as_csv.html
"$python" "$here/report_contents.py" check as_csv.html checkpoint.csv

# A checkpoint's certificate is from its last evaluation: info and report say if it applies to the weights.
# expect_certified yes|no STATUS OPTION... - train, and compute P and D of the checkpoint's w and alpha.
"$sdca" generate regression plane.h5 --scale 0.002 --quiet
expect_certified() {
    rm -f saved.h5*
    expect_exit "$2" "$sdca" train plane.h5 -o plane.model.h5 --loss squared --lambda 1e-6 --solver sdca --quiet \
        --checkpoint saved.h5 "${@:3}"
    "$python" - "$1" <<'END'
import sys
import h5py, numpy, scipy.sparse
with h5py.File("plane.h5") as f:
    X = scipy.sparse.csr_matrix((f["X/data"][:].astype(float), f["X/indices"][:], f["X/indptr"][:]), f["X"].attrs["shape"])
    y = f["y"][:]
with h5py.File("saved.h5") as f:
    w, alpha, lam, certified = f["w"][:], f["alpha"][:], f.attrs["lambda"], dict(f["certificate"].attrs)
at_alpha = X.T @ alpha / (lam * len(y))
primal = ((X @ w - y) ** 2).mean() + lam / 2 * w @ w
dual = (y * alpha - alpha ** 2 / 4).mean() - lam / 2 * at_alpha @ at_alpha
same = abs(primal - certified["primal"]) <= 1e-9 * primal and abs(dual - certified["dual"]) <= 1e-9 * abs(dual)
assert same == (sys.argv[1] == "yes"), (primal, dual, certified)
END
    expect_exit 0 "$sdca" info saved.h5
    mv out info
    expect_exit 0 "$sdca" report saved.h5 -o page.html
    if [ "$1" = yes ]; then
        grep -q 'certificate .*not of these weights' info && fail "info rejects a valid certificate: $(cat info)"
        grep -q 'not for the weights of the checkpoint' page.html && fail "the page rejects a valid certificate"
    else
        grep -qE 'certificate .*of the evaluation at epoch [0-9.]+ \(round [0-9]+\), not of these weights' info ||
            fail "info attributes an earlier evaluation to the weights: $(cat info)"
        grep -q 'Certified at that evaluation, not for the weights of the checkpoint: P(w)' page.html ||
            fail "the page attributes an earlier evaluation to the weights"
    fi
    return 0
}
expect_certified no 3 --epochs 12 --evaluate 8 --rel-gap 1e-14 --output last --checkpoint-every 1r
expect_certified yes 0 --rel-gap 1e-3 --output last

# A regression shows the test RMSE instead of the test error, in every table and chart.
expect_exit 0 "$sdca" train plane.h5 -o plane.model.h5 --loss squared --lambda 1e-6 --solver sdca --evaluate 1 --quiet --test plane.h5
expect_exit 0 "$sdca" report plane.model.h5 -o page.html
[ "$(grep -c 'test RMSE' page.html)" -ge 4 ] || fail "the page of a regression lacks test RMSE in some places"
grep -q '<h2>Test RMSE</h2>' page.html || fail "the page of a regression has no chart of the RMSE"
! grep -qi 'test error' page.html || fail "the page of a regression has a test error: $(grep -io '.\{20\}test error' page.html | head -3)"
expect_exit 0 "$sdca" train train.h5 -o classes.h5 --lambda 1e-3 --solver sdca --evaluate 1 --quiet --test train.h5
expect_exit 0 "$sdca" report plane.model.h5 classes.h5 -o page.html
for title in 'Test error' 'Test RMSE'; do
    grep -q "<h2>$title</h2>" page.html || fail "the page of a regression and a classification has no chart '$title'"
done
expect_certified no 0 --rel-gap 0.5 --epochs 40 --output average --average-from 1

# The checkpoint of a run that reached its target, whether one was due in that round or not,
# and with a bias.
for due in 1 1000; do
    expect_exit 0 "$sdca" train train.h5 -o out.h5 --lambda 1e-3 --bias 2 --solver sdca --quiet \
        --checkpoint reached.h5 --checkpoint-every ${due}r
    expect_exit 0 "$sdca" report reached.h5 -o page.html
    for text in 'Target reached after' '"row">solver</th><td class="r0">sdca<' \
        '"row">bias column</th><td class="r0">2; the bias is '; do
        grep -qF -- "$text" page.html || fail "the report of a checkpoint at its target has no '$text'"
    done
    expect_exit 0 "$sdca" info reached.h5
    expect_prints 'certificate  converged: '
    expect_exit 0 "$sdca" train train.h5 -o out.h5 --lambda 1e-3 --bias 2 --solver sdca --quiet \
        --checkpoint reached.h5 --resume
    rm reached.h5
done
expect_exit 0 "$sdca" train train.h5 -o out.h5 --loss logistic --solver newton --lambda 1e-3 --quiet
expect_exit 0 "$sdca" info out.h5
expect_prints 'solver       newton'
expect_exit 0 "$sdca" report out.h5 -o page.html
grep -qF '"row">solver</th><td class="r0">newton<' page.html || fail "the report does not show the solver"
grep -qF 'bias column' page.html && fail "the report shows a bias that the model lacks"

# The same curves drawn by gnuplot.
for run in known fallen one zero nothing holes wild long; do
    expect_exit 0 "$sdca" report $run.csv -o picture.svg
    "$python" "$here/report_contents.py" plot picture.svg $run.csv
done
expect_exit 0 "$sdca" report known.csv one.csv model.csv -o picture --format svg
expect_prints "Report: picture"
"$python" "$here/report_contents.py" plot picture known.csv one.csv model.csv
expect_exit 0 "$sdca" report model.h5 -o picture.png
"$python" - picture.png <<'END'
import sys
picture = open(sys.argv[1], "rb").read()
assert picture.startswith(b"\x89PNG\r\n\x1a\n") and picture.endswith(b"IEND\xae\x42\x60\x82"), picture[:8]
assert int.from_bytes(picture[16:20], "big") == 2 * 920, "not in double resolution"
END

# A picture of models says what is proven, has the target, and the ROC curve of test data; it has colours for dark screens.
expect_exit 0 "$sdca" report model.h5 --test test.h5 -o card.svg
"$python" - <<'END'
import h5py, json, re, subprocess
import xml.etree.ElementTree as tree
SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse("card.svg").getroot()
words = ["".join(e.itertext()) for e in root.iter(SVG + "text")]
with h5py.File("model.h5") as model:
    certificate = dict(model["certificate"].attrs)
proven = 100 * certificate["gap"] / certificate["primal"]
[(error, told), (bound, how)] = [words[k:k + 2] for k, w in enumerate(words) if re.fullmatch(r"\S+\xa0%", w)]
assert told.startswith("error on test data; of the majority vote: "), words
assert how == "above the minimum of the objective, at most: proven", words
assert abs(float(bound[:-2]) - proven) <= 0.051 * proven, (bound, proven)
assert abs(float(error[:-2]) / 100 - certificate["test_error"]) < 1e-4, (error, certificate)
assert sum(w.startswith("ROC curve on test data (AUC 0.") for w in words) == 1, words
assert {"Scores of test data by class", "label -1", "label 1"} <= set(words), words
assert words.count("target") == 1 and any("dotted: target" in w for w in words), words
assert "prefers-color-scheme: dark" in root.find(SVG + "style").text
END
expect_exit 0 "$sdca" report model.h5 known.csv -o card.svg
! grep -q proven card.svg || fail "a headline claims what a history does not prove"

# Labels of a picture do not overlap: the ticks of a short run, and long or many names.
history short.csv 0,0,0.00001,1,0,1,,,,, 1,7,0.00038,0.5,0.49,0.01,,,,,
long=$(printf 'a-name-of-%d-words-' {1..12})
cp short.csv "$long.csv"
expect_exit 0 "$sdca" report short.csv "$long.csv" one.csv nothing.csv -o words.svg
"$python" "$here/report_contents.py" words words.svg "$long"

# Large labels of a regression: numbers with all digits, and ticks that fit.
"$python" - <<'END'
import h5py, numpy
for name, size in ("large", 1e5), ("tiny", 2e-5):
    draw = numpy.random.default_rng(1)
    x = draw.normal(size=(400, 4))
    with h5py.File(name + "-labels.h5", "w") as file:
        file["X"], file["y"] = numpy.float32(x), size * (x @ [1, -0.9, 0.8, -0.7] + 0.3 * draw.normal(size=400))
END
for size in large tiny; do
    expect_exit 0 "$sdca" train $size-labels.h5 -o $size.h5 --loss squared --lambda 1e-4 --quiet --test $size-labels.h5
    expect_exit 0 "$sdca" report $size.h5 --test $size-labels.h5 -o $size.svg
    "$python" "$here/report_contents.py" words $size.svg
done
expect_exit 0 "$sdca" report large.h5 --test large-labels.h5 -o large.html
for page in large.svg large.html; do
    grep -q '>[23][0-9]\{4\}<' $page || fail "$page has no RMSE with five digits"
    grep -qE 'of the mean label: 1[0-9]{5}<' $page || fail "$page has no RMSE of the mean with six digits"
done
! grep -qE '<dd>[^<]*e\+|<td[^>]*>-?[0-9.]+e\+0[45]<' large.html || fail "numbers below a million with an exponent"

# gnuplot missing, failing, or with a full disk: one message, no picture.
mkdir none fails half
printf '#!/bin/sh\necho "line 7: no such thing" >&2\nexit 1\n' >fails/gnuplot
printf '#!/bin/sh\nprintf "<svg>"\n' >half/gnuplot
chmod +x fails/gnuplot half/gnuplot
for format in svg png; do
    expect_exit 73 env PATH="$PWD/none" "$sdca" report known.csv -o no.$format
    expect_says gnuplot "not installed" no.$format
    expect_exit 73 env PATH="$PWD/fails:$PATH" "$sdca" report known.csv -o no.$format
    expect_says gnuplot "no such thing" no.$format
    expect_exit 74 env PATH="$PWD/half:$PATH" "$sdca" report known.csv -o no.$format
    expect_says gnuplot unfinished no.$format
    expect_none no.$format
done

# Names are escaped.
evil='x<script>alert("1")&'\''<b>.csv'
cp known.csv "$evil"
cp known.csv $'caf\xc3\xa9.csv'
cp known.csv $'not\xff utf8\x01.csv'
expect_exit 0 "$sdca" report "$evil" $'caf\xc3\xa9.csv' $'not\xff utf8\x01.csv' -o page.html
"$python" "$here/report_contents.py" names page.html "$evil" $'caf\xc3\xa9.csv' \
    $'not\xef\xbf\xbd utf8\xef\xbf\xbd.csv'
obeyed=$'it\'s `touch owned`\n"$(touch owned)" {Bold @}_^.csv'
cp known.csv "$obeyed"
expect_exit 0 "$sdca" report "$evil" $'not\xff utf8\x01.csv' "$obeyed" -o names.svg
"$python" - <<'END'
import xml.etree.ElementTree as tree
words = {"".join(e.itertext()) for e in tree.parse("names.svg").iter("{http://www.w3.org/2000/svg}text")}
for name in ("x<script>alert(\"1\")&'<b>", "not? utf8?", "it's `touch owned`?\"$(touch owned)\" {Bold @}_^"):
    assert name in words, (name, words)
END
expect_none owned
"$sdca" train train.h5 -o '<i>.h5' --lambda 1e-3 --summary '<b onclick="1">.json' --quiet
expect_exit 0 "$sdca" report '<i>.h5' -o page.html
"$python" "$here/report_contents.py" names page.html '<i>.h5'

# Input that is not a run, and wrong command lines.
refused() {
    local code=$1
    shift
    rm -f no.html
    expect_exit "$code" "$sdca" report "$@"
    expect_none no.html
}
refused 66 missing.csv -o no.html
expect_says missing.csv
refused 66 known.csv missing.h5 -o no.html
refused 65 train.h5 -o no.html
expect_says "'train.h5' is not a model"
printf 'a,b\n1,2\n' >other.csv
refused 65 other.csv -o no.html
expect_says "neither a model nor a history" epoch
: >empty.csv
refused 65 empty.csv -o no.html
history header_only.csv
refused 65 header_only.csv -o no.html
history word.csv 0,0,0,1,zero,1,,,,,
refused 65 word.csv -o no.html
expect_says "line 2" "'zero' is not a number"
history short.csv 0,0,0,1,0,1,,,,, 1,2,3
refused 65 short.csv -o no.html
expect_says "line 3"
history blank.csv 0,0,0,,,,,,,,
refused 65 blank.csv -o no.svg
expect_none no.svg
expect_says "no values to draw"
expect_exit 0 "$sdca" report blank.csv -o page.html
"$python" "$here/report_contents.py" check page.html blank.csv
head -c 2000 model.h5 >cut.h5
refused 65 cut.h5 -o no.html
refused 64 known.csv
refused 64 -o no.html
expect_exit 64 "$sdca" report known.csv -o no.pdf
expect_says "--format"
expect_none no.pdf
expect_exit 0 "$sdca" report known.csv -o no.pdf --format html
"$python" "$here/report_contents.py" check no.pdf known.csv
mkdir -p v1.2
expect_exit 0 "$sdca" report known.csv -o v1.2/report
"$python" "$here/report_contents.py" check v1.2/report known.csv
refused 73 known.csv -o no/where.html
cp known.csv same.csv
refused 64 same.csv -o ./same.csv --format html
expect_says "would replace the input"
cmp known.csv same.csv || fail "a history was overwritten"

# The test error beside a certificate belongs to the weights that are kept, not to the last ones.
"$sdca" generate cov1 best.h5 --scale 0.02 --test best-test.h5 --quiet
expect_exit 3 "$sdca" train best.h5 -o best-model.h5 --lambda 1e-6 --solver sdca --epochs 12 --evaluate 0.5 --rel-gap 1e-9 \
    --seed 4 --test best-test.h5 --summary best.json --history best.csv
expect_exit 0 "$sdca" report best-model.h5 -o best.html
"$python" - <<'END'
import json
kept = json.load(open("best.json", encoding="utf-8"))["test_error"]
last = float(open("best.csv", encoding="utf-8").readlines()[-1].split(",")[6])
assert abs(kept - last) > 0.01, (kept, last)
assert f"<dt>test error</dt><dd>{100 * kept:.2f}\xa0%</dd>" in open("best.html", encoding="utf-8").read()
END
