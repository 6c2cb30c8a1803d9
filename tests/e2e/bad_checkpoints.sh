#!/usr/bin/env bash
# An unusable checkpoint is rejected before training, with a message that gives the reason.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.002 --test other.h5 --quiet
"$sdca" generate regression real.h5 --scale 0.001 --quiet
"$sdca" train real.h5 -o real-model.h5 --lambda 1e-2 --loss squared --quiet
train=("$sdca" train data.h5 -o out.h5 --lambda 1e-3 --quiet)
expect_exit 75 "${train[@]}" --gap 1e-300 --evaluate 1e6 --time 0.2 --checkpoint run.h5

# refuse CODE TEXTS... -- COMMAND... - rejected with a message that contains TEXTS.
refuse() {
    part "${@:2}"
    expect_refusal "$1" "${arguments[@]}"
}

refuse 66 "missing.h5" -- "${train[@]}" --resume --from missing.h5
refuse 65 "other data" -- "$sdca" train other.h5 -o out.h5 --lambda 1e-3 --quiet --resume --from run.h5
refuse 64 "--normalize none" -- "${train[@]}" --resume --from run.h5 --normalize rows
refuse 64 "--bias 0" -- "${train[@]}" --resume --from run.h5 --bias 1
refuse 64 "lambda 0.001" "--warm-start" -- "$sdca" train data.h5 -o out.h5 --lambda 1e-2 --quiet \
    --resume --from run.h5
refuse 64 "--solver sgd" -- "${train[@]}" --resume --from run.h5 --solver sgd --epochs 1000000
refuse 64 "too far" -- "${train[@]}" --resume --from run.h5 --output average --epochs 1000000 \
    --average-from 1
refuse 65 "columns" -- "${train[@]}" --warm-start real-model.h5

refuse 65 "not a checkpoint" -- "${train[@]}" --resume --from real-model.h5

# The starting checkpoint is replaced only by later checkpoints of the run.
for output in "-o run.h5" "-o out.h5 --history run.h5" "-o out.h5 --summary run.h5"; do
    # shellcheck disable=SC2086 # words
    expect_exit 64 "$sdca" train data.h5 $output --lambda 1e-3 --resume --from run.h5
    expect_says "would replace the input"
done
expect_exit 64 "$sdca" train real.h5 -o real-model.h5 --loss squared --lambda 1e-3 --warm-start real-model.h5
expect_exit 64 "${train[@]}" --checkpoint run.h5 --warm-start run.h5
expect_says "would replace the input"
cp run.h5 again.h5
expect_exit 75 "${train[@]}" --gap 1e-300 --evaluate 1e6 --time 0.4 --resume --from again.h5 --checkpoint again.h5
expect_exit 75 "${train[@]}" --gap 1e-300 --evaluate 1e6 --time 0.2 --checkpoint again.h5
[ -z "$(complaints)" ] || fail "--quiet printed: $(cat err)"

cp run.h5 hurt.h5
printf x | dd of=hurt.h5 bs=1 seek=9000 conv=notrunc status=none
refuse 65 "hurt.h5" "damaged" -- "${train[@]}" --resume --from hurt.h5
refuse 65 "hurt.h5" "damaged" "no older" -- "${train[@]}" --resume --checkpoint hurt.h5

# An unreadable checkpoint may be all that is left of a run: do not start a new run over it.
ln -s loop.h5 loop.h5
refuse 74 "cannot open 'loop.h5'" -- "${train[@]}" --resume --from loop.h5

# Files of other users, and files that are no checkpoints or locks; see also faults/files_not_overwritten.sh.
refuse 73 "in use" -- "$python" -c '
import fcntl, subprocess, sys
with open("run.h5.lock", "w") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    sys.exit(subprocess.run(sys.argv[1:]).returncode)' "${train[@]}" --resume --checkpoint run.h5
for beside in "" .1 .old; do
    cp real-model.h5 "other-run.h5$beside"
    refuse 73 "'other-run.h5$beside' is not a checkpoint" -- "${train[@]}" --checkpoint other-run.h5 --resume
    rm "other-run.h5$beside"
done
echo mine >run.h5.lock
refuse 73 "'run.h5.lock' is not a lock" -- "${train[@]}" --checkpoint run.h5
