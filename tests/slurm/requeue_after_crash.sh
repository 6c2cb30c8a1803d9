#!/usr/bin/env bash
# launch/slurm/train.sbatch resumes after crashes and failed nodes only while it makes
# progress; it is not requeued when cancelled or given wrong input.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$(dirname "$0")/../e2e/launch_tree.sh"
. "$(dirname "$0")/jobs.sh"

# A program that always fails.
as_program <<'END'
case $1 in
info) echo "  round        7" ;;
train) kill -9 $$ ;;
esac
END
submit launch/slurm/train.sbatch
expect_requeue 1
expect_requeue 2
expect_end FAILED 137:0
expect_log 1 "attempt 3 from round 7"
expect_log 1 "giving up after 3 attempts from round 7"

# Missing data. The limit does not apply to a resubmitted job.
as_program <<END
exec $sdca "\$@"
END
submit launch/slurm/train.sbatch
expect_end FAILED 66:0
has Restarts=0 || fail "requeued without data: $(said)"

# Two attempts that do not finish.
gap=1e-6 lambda=1e-4
problem=(--solver sdca --loss hinge --lambda "$lambda" --gap "$gap")
"$sdca" generate cov1 train.h5 --scale 0.03 --quiet
expect_exit 0 "$sdca" train train.h5 -o undisturbed.h5 --summary undisturbed.json "${problem[@]}"
as_program <<END
[ "\${SLURM_RESTART_COUNT:-0}" -gt 1 ] || set -- "\${@/%$gap/1e-300}"
exec -a "$scratch/rank" $sdca "\$@"
END
edit launch/slurm/train.sbatch "options=(${problem[*]} --summary model.json --checkpoint-every 1s)"

# scancel is final.
submit launch/slurm/train.sbatch
wait_until is_under_way
scancel "$job"
expect_end CANCELLED 0:15
has Restarts=0 || fail "requeued after scancel: $(said)"
rm -f checkpoint.h5*

# A rank dies, then a node fails, then the run finishes.
submit launch/slurm/train.sbatch
wait_until test -s checkpoint.h5
kill -9 "$(processes "$scratch/rank train" | head -n 1)"
expect_requeue 1
wait_until is_further "$round"
scontrol update nodename=n2 state=down reason=test
expect_requeue 2
expect_end_at_last COMPLETED 0:0
expect_log 3 "attempt 1 from round"
expect_log 2 "resumed   from checkpoint.h5"
"$python" "$here/compare_certificates.py" train.h5 "$lambda" "$gap" undisturbed model
