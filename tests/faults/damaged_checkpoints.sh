#!/usr/bin/env bash
# Damage of every kind to a checkpoint is detected before use. The older checkpoint
# replaces it; without one, the run ends with an error message. Complete checkpoints of
# another version, other data or another problem are rejected too.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph data.h5 --scale 0.01 --quiet
what=(data.h5 -o model.h5 --lambda 1e-3 --local-steps 0.2)
expect_exit 3 "$sdca" train "${what[@]}" --checkpoint good.h5 --checkpoint-every 5r --rounds 10 --rel-gap 1e-12 --quiet
[ "$(checkpoint round good.h5)" -eq 10 ] || fail "expected a checkpoint of round 10"
[ "$(checkpoint round good.h5.1)" -eq 5 ] || fail "expected one of round 5"

found=$("$python" "$here/../faults/damaged_checkpoints.py" "$sdca" $((repeat > 8 ? repeat : 0)))
for ((k = 0; k < found; k++)); do
    tally fault
    tally damage
done

# spoiled - damage run.h5, but not run.h5.1.
spoiled() {
    rm -f run.h5* model.h5
    cp good.h5 run.h5
    cp good.h5.1 run.h5.1
    checkpoint flip-alpha run.h5
}

# On several ranks; both damaged; other commands; --from reads only the named file.
resume=(--checkpoint run.h5 --resume --quiet)
spoiled
expect_exit 0 on 3 "$sdca" train "${what[@]}" "${resume[@]}"
expect_says "'run.h5' is damaged" "resuming from 'run.h5.1'"
spoiled
checkpoint flip-alpha run.h5.1
expect_exit 65 on 2 "$sdca" train "${what[@]}" "${resume[@]}"
expect_says "'run.h5' is damaged" "no older checkpoint"
spoiled
expect_exit 65 "$sdca" info run.h5
expect_says "damaged"
expect_exit 65 "$sdca" train "${what[@]}" --resume --from run.h5 --quiet
expect_says "damaged"
expect_exit 65 on 2 "$sdca" train "${what[@]}" --warm-start run.h5 --quiet
expect_says "damaged"
expect_none model.h5
expect_exit 65 on 2 "$sdca" predict run.h5 data.h5
expect_says "damaged"
expect_exit 65 "$sdca" export run.h5 w.txt --format text
expect_says "damaged"

# HDF5 never opens a damaged file: this damage could make it hang.
cp good.h5 texts.h5
checkpoint zero-heap texts.h5
for command in "info texts.h5" "predict texts.h5 data.h5" "export texts.h5 w.txt" "report texts.h5 -o r.html" \
    "bound --model texts.h5 --data data.h5" "train ${what[*]} --warm-start texts.h5" "train ${what[*]} --resume --from texts.h5"; do
    # shellcheck disable=SC2086 # words
    expect_exit 65 timeout --signal=KILL 20 "$sdca" $command
    expect_says "'texts.h5' is damaged"
done
expect_none w.txt r.html model.h5

# A new run moves the latest complete checkpoint aside.
spoiled
expect_exit 0 "$sdca" train "${what[@]}" --checkpoint run.h5 --quiet
[ "$(checkpoint round run.h5.old)" -eq 5 ] || fail "expected the one of round 5 as run.h5.old"

# refuse CODE TEXTS OPTION... - resuming from the good checkpoint is rejected.
refuse() {
    rm -f model.h5
    expect_exit "$1" on 2 timeout 30 "$sdca" train "${what[@]}" --quiet --resume --from good.h5 "${@:3}"
    expect_says "$2"
    expect_none model.h5
    expect_exit 0 on 2 timeout 30 "$sdca" train "${what[@]}" --quiet --warm-start good.h5 "${@:3}"
}

what=(data.h5 -o model.h5)
refuse 64 "--warm-start" --lambda 2e-3
refuse 64 "--warm-start" --lambda 1e-3 --loss logistic
what=(other.h5 -o model.h5 --lambda 1e-3)
for part in y X/data; do
    cp data.h5 other.h5
    checkpoint change-data other.h5 "$part"
    refuse 65 "other values"
done
what=(data.h5 -o model.h5 --lambda 1e-3)
cp good.h5 newer.h5
checkpoint version newer.h5 2
expect_exit 65 on 2 "$sdca" train "${what[@]}" --quiet --resume --from newer.h5
expect_says "'newer.h5' is a checkpoint of format 2; this version of sdca knows formats up to 1"
checkpoint version newer.h5 1
expect_exit 0 on 2 "$sdca" train "${what[@]}" --quiet --resume --from newer.h5
cp model.h5 a-model.h5
expect_exit 65 on 2 "$sdca" train "${what[@]}" --quiet --resume --from a-model.h5
