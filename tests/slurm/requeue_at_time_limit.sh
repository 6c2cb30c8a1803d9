#!/usr/bin/env bash
# launch/slurm/train.sbatch is signalled before its time limit, requeued, and resumed on
# another number of nodes; the certificate is as good as that of an undisturbed run.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$(dirname "$0")/../e2e/launch_tree.sh"
. "$(dirname "$0")/jobs.sh"

gap=1e-6 lambda=1e-4
"$sdca" generate cov1 train.h5 --scale 0.03 --quiet
problem=(--solver sdca --loss hinge --lambda "$lambda" --gap "$gap")
expect_exit 0 "$sdca" train train.h5 -o undisturbed.h5 --summary undisturbed.json "${problem[@]}"

# The first attempt never finishes: its target is unreachable.
as_program <<END
[ "\${SLURM_RESTART_COUNT:-0}" -gt 0 ] || set -- "\${@/%$gap/1e-300}"
exec $sdca "\$@"
END
edit launch/slurm/train.sbatch "options=(${problem[*]} --summary model.json)"

# An exhausted budget with a model is a success. Arguments are passed to sdca.
submit launch/slurm/train.sbatch --rounds 5
expect_end COMPLETED 0:0
expect_log 1 "Budget exhausted"
expect_none checkpoint.h5.attempts
rm -f checkpoint.h5*

# expect_going_on RANKS - the run resumes on RANKS ranks and finishes.
expect_going_on() {
    [ "$round" -gt 0 ] || fail "the checkpoint is at round '$round'"
    expect_end COMPLETED 0:0
    expect_log 1 "exit status 75"
    expect_log 1 "attempt 1 from round $round"
    expect_log 1 "resumed   from checkpoint.h5"
    expect_none checkpoint.h5.attempts
    "$python" "$here/compare_certificates.py" train.h5 "$lambda" "$gap" undisturbed model
    grep -q "\"ranks\": $1," model.json || fail "expected $1 ranks, got $(cat model.json)"
    rm checkpoint.h5* model.h5 model.json
}

# With mpirun; Slurm sends the signal. The shortest limit is a minute, and Slurm checks it
# twice a minute. From two nodes to three.
edit launch/slurm/train.sbatch "launch=(mpirun)"
submit --time=1 --signal=B:USR1@50 launch/slurm/train.sbatch
expect_requeue 1 numnodes=3-3 timelimit=9
expect_going_on 6

# With srun; the test sends the signal. From two nodes to one.
edit launch/slurm/train.sbatch "launch=(srun --mpi=pmix)"
submit launch/slurm/train.sbatch
wait_until is_under_way
scancel --signal=USR1 --batch "$job"
expect_requeue 1 numnodes=1 numtasks=2 numcpus=2
expect_going_on 2
