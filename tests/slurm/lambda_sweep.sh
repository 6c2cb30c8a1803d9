#!/usr/bin/env bash
# launch/slurm/array.sbatch: one task per lambda, then launch/pick selects the model with
# the smallest recomputed error; the model of a failed task is left out. launch/slurm/train.sbatch
# chooses lambda in one job.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$(dirname "$0")/../e2e/launch_tree.sh"
. "$(dirname "$0")/jobs.sh"

"$sdca" generate astro-ph train.h5 --scale 0.02 --test validate.h5 --quiet
edit launch/slurm/array.sbatch "lambdas=(1 1e-1 wrong 1e-3 1e-7)" \
    "options=(--solver sdca --epochs 9 --rel-gap 1e-3)"
mkdir sweep
echo "of an earlier sweep" | tee sweep/wrong.h5 >sweep/best.h5

said() {
    tail -n +1 sweep/*.log
}
job=$(launch/slurm/array.sbatch | sed -n 's/^Submitted batch job //p')
expect_end COMPLETED 0:0
expect_log 1 "wrong.h5: missing"
[ "$(scontrol show job -o | grep 'ArrayTaskId=' | grep -c 'JobState=COMPLETED')" -eq 4 ] ||
    fail "expected 4 tasks to succeed, got $(scontrol show job -o)"
"$python" "$here/../slurm/lambda_sweep.py" 1 1e-1 1e-3 1e-7
expect_none sweep/wrong.h5

# launch/pick alone.
expect_exit 0 launch/pick last.h5 sweep/1e-7.h5
expect_exit 66 launch/pick nothing.h5 sweep/wrong.h5
expect_none nothing.h5
cmp last.h5 sweep/1e-7.h5

# One job: stopped early, then submitted again.
said() {
    cat log
}
choice=(--solver sdca --lambda 1:1e-3:4 --folds 3 --deterministic)
expect_exit 0 "$sdca" train train.h5 -o whole.h5 "${choice[@]}" --selection whole.csv
edit launch/slurm/train.sbatch "options=(${choice[*]} --selection chosen.csv)"
expect_exit 75 "$sdca" train train.h5 -o model.h5 "${choice[@]}" --checkpoint checkpoint.h5 --time 0.001
submit launch/slurm/train.sbatch
expect_end COMPLETED 0:0
cut -d, -f1,2 whole.csv >expected
cut -d, -f1,2 chosen.csv | cmp - expected || fail "another choice: $(cat chosen.csv whole.csv)"
