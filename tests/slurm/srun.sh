#!/usr/bin/env bash
# sdca under srun: connected by PMIx or rejected, differing command lines, shards, and
# batch scripts without srun.
# shellcheck disable=SC2016 # what the shells of the tasks expand
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$(dirname "$0")/jobs.sh"

"$sdca" generate cov1 data.h5 --scale 0.004 --quiet
train=("$sdca" train data.h5 -o out.h5 --lambda 1e-3 --quiet)
export sdca

# step MPI COMMAND... - run it with two tasks. Tasks that MPI does not connect would make
# and remove the same directory for MPI's files at once, where Open MPI fails now and then:
# each gets a directory of its own.
step() {
    local own=()
    [ "$1" != none ] || own=(sh -c 'OMPI_MCA_orte_tmpdir_base=$PWD/.mpi$SLURM_PROCID exec "$@"' -)
    srun --ntasks=2 --nodes=1 --mpi="$1" --quiet "${own[@]}" "${@:2}"
}
export -f step

# expect_step STATUS MPI COMMAND...
expect_step() {
    expect_exit "$1" bash -c 'step "$@"' - "${@:2}"
}

expect_step 0 pmix "${train[@]}" --summary - --all-ranks
expect_prints '"ranks": 2,'
rm out.h5
expect_step 64 none "${train[@]}"
expect_says "has started 2 processes that MPI does not connect" "srun --mpi=pmix"
expect_none out.h5

# A rank with a different option, valid or not, does not block the others.
for option in '--seed $SLURM_PROCID' '$([ $SLURM_PROCID = 0 ] || echo --nonsense)'; do
    expect_step 64 pmix sh -c "exec \"\$@\" $option" - "${train[@]}"
    expect_says "the command lines of the ranks differ" "on rank 1"
done
expect_step 64 pmix "${train[@]}" --nonsense
expect_says "unknown option '--nonsense'"

# Shards, and a wrong option of one task.
printf '+1 1:1\n-1 2:1\n' | tee part0.txt >part1.txt
expect_step 0 none sh -c '"$sdca" convert part$SLURM_PROCID.txt part$SLURM_PROCID.h5 --quiet'
cmp part0.h5 part1.h5
expect_step 64 pmix sh -c '"$sdca" info data.h5 $([ $SLURM_PROCID = 0 ] || echo --nonsense)'
expect_says "unknown option '--nonsense'"
expect_prints "data set"

# Runs that are meant to be separate.
expect_step 0 none env -u SLURM_STEP_ID sh -c '"$@" -o out$SLURM_PROCID.h5' - "$sdca" train data.h5 --lambda 1e-3
expect_exit 0 "$sdca" info out0.h5
expect_exit 0 "$sdca" info out1.h5

# The script of a job with two tasks is a single process.
submit --ntasks=2 --wrap "${train[*]}"
expect_end COMPLETED 0:0
