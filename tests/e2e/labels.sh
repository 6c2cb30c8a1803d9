#!/usr/bin/env bash
# Labels of more than two classes, in text, tables, AnnData and files by h5py; and one
# label against all others.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/labels.py" write
how=(--loss smooth-hinge --lambda 0.01 --rel-gap 1e-7 --quiet)

# convert and info list the classes and their rows, the first 20 of them.
expect_exit 0 "$sdca" convert words.csv words.h5 --label kind
expect_prints "labels: 4 classes, ape (41 rows), bee (40 rows), cat (40 rows), dog, a big one (39 rows)"
expect_exit 0 "$sdca" info words.h5
expect_prints "labels       160 of 4 classes: ape (41 rows), bee (40 rows), cat (40 rows), dog, a big one (39 rows)"
expect_exit 0 "$sdca" convert numbers.txt numbers.h5
expect_prints "labels: 4 classes, -1 (40 rows), 0 (41 rows), 2.5 (40 rows), 7 (39 rows)"
expect_exit 0 "$sdca" info names.h5
expect_prints "labels       160 of 4 classes: ape (41 rows), bee (40 rows), cat (40 rows), dog, a big one (39 rows)"
expect_exit 0 "$sdca" convert many.txt many.h5
expect_prints ", 18 (3 rows), 19 (3 rows), and 30 more"
expect_exit 0 "$sdca" info many.h5
expect_prints "labels       160 of 50 classes: 0 (4 rows), 1 (4 rows), "
expect_prints ", 19 (3 rows), and 30 more"
# A table without some of the labels keeps the numbers of the others.
expect_exit 0 "$sdca" convert part.csv part.h5 --label kind --like words.h5 --quiet

# refuse TEXTS... -- ARGUMENTS... - train fails with a message with these texts.
refuse() {
    part "$@"
    expect_refusal 65 on "$ranks" "$sdca" train "${arguments[@]}" -o out.h5 "${how[@]}"
}
# accept TEXT ARGUMENTS... - train works, and its settings have this text.
accept() {
    expect_exit 0 on "$ranks" "$sdca" train "${@:2}" -o out.h5 --lambda 0.1 --rel-gap 0.1
    grep -qF -- "$1" err || fail "expected settings with '$1': $(cat err)"
    rm out.h5
}
# The same classes on any number of ranks, and from any file.
for ranks in 1 4; do
    kinds="4 classes, each against the rest: 'ape', 'bee', 'cat' and 'dog, a big one'"
    accept "$kinds" words.h5
    accept "$kinds" names.h5
    accept "$kinds" cells.h5ad --label kind
    accept "4 classes, each against the rest: -1, 0, 2.5 and 7" numbers.h5
    accept "50 classes, each against the rest: 0, 1, 2, 3 and 46 more" many.h5
    refuse "'words.h5' has no row with the positive label 'cow': it has 'ape', 'bee', 'cat' and" -- words.h5 --positive cow
    refuse "'numbers.h5'" "'seven': it has -1, 0, 2.5 and 7" -- numbers.h5 --positive seven
    refuse "'cells.h5ad'" "'eel': it has 'ape'" -- cells.h5ad --label kind --positive eel
    refuse "real.h5" "more than 100 different labels, not all" "--loss squared" -- real.h5
    refuse "large.h5" "more than 10000 different labels" "--loss squared" -- large.h5
    refuse "large-names.h5" "more than 10000 different labels, which are too many classes" -- large-names.h5
done

# One label against all others, whatever these are in other data.
expect_exit 0 "$sdca" train signs.h5 -o model-signs.h5 "${how[@]}"
expect_exit 0 "$sdca" train words.h5 -o model-words.h5 "${how[@]}" --positive cat --test part.h5 --summary summary.json
expect_exit 0 "$sdca" train names.h5 -o model-names.h5 "${how[@]}" --positive cat
expect_exit 0 "$sdca" train cells.h5ad --label kind -o model-cells.h5 "${how[@]}" --positive cat
expect_exit 0 "$sdca" train numbers.h5 -o model-numbers.h5 "${how[@]}" --positive 2.50
expect_exit 0 on 3 "$sdca" train words.h5 -o model-ranks.h5 "${how[@]}" --positive cat
for name in words numbers; do
    expect_exit 0 on 2 "$sdca" predict model-$name.h5 $name.h5 -o $name.csv
    cp out $name.out
done
expect_exit 0 "$sdca" predict model-words.h5 others.h5
expect_prints "of 160 rows)"
cmp out words.out || fail "labels that the model does not know: $(cat out)"
# The order of two labels is a choice as well.
expect_exit 0 "$sdca" train signs.h5 -o model-turned.h5 "${how[@]}" --positive -1
expect_exit 0 "$sdca" predict model-turned.h5 signs.h5 -o turned.csv
"$python" "$here/labels.py" check

# A run is not resumed with another label, and bound finds the labels of the model.
long=(words.h5 -o out.h5 --lambda 0.01 --gap 1e-300 --evaluate 1e6 --checkpoint run.h5 --quiet)
expect_exit 75 "$sdca" train "${long[@]}" --positive cat --time 0.2
expect_exit 65 "$sdca" train "${long[@]}" --positive ape --resume
expect_says "run.h5" "other values"
expect_exit 0 "$sdca" train words.h5 -o hinge.h5 --lambda 0.1 --positive ape --quiet
expect_exit 0 "$sdca" bound --model hinge.h5 --data words.h5
# Names without rows are mentioned.
expect_exit 0 "$sdca" train names.h5 -o out.h5 --lambda 0.1 --positive ape
grep -q "1 name of a label has no rows and is no class" err || fail "a name without rows: $(cat err)"
