#!/usr/bin/env bash
# Starting processes: ranks with different command lines, launchers that do not
# connect them, and serial subcommands, which each process runs independently.
# shellcheck disable=SC2016 # what the shells of the ranks expand
set -euo pipefail
. "$(dirname "$0")/common.sh"
export sdca

"$sdca" generate cov1 data.h5 --scale 0.004 --quiet
train=(train data.h5 -o out.h5 --lambda 1e-3)

# on_each_rank CODE WORD COMMAND... - run sdca with an additional WORD that each rank's shell expands.
on_each_rank() {
    expect_exit "$1" on 2 sh -c "exec \"\$sdca\" \"\$@\" $2" - "${@:3}"
}

# differs WORD... - expect the message about these words, and no out.h5.
differs() {
    expect_says "the command lines of the ranks differ" "$@"
    expect_none out.h5
}

on_each_rank 64 '--seed $OMPI_COMM_WORLD_RANK' "${train[@]}"
differs "'0' on rank 0, '1' on rank 1"
on_each_rank 64 '$([ $OMPI_COMM_WORLD_RANK = 0 ] || echo --test data.h5)' "${train[@]}"
differs "nothing on rank 0, '--test' on rank 1"
on_each_rank 64 '$([ $OMPI_COMM_WORLD_RANK = 1 ] || echo --nonsense)' "${train[@]}"
differs "'--nonsense' on rank 0, nothing on rank 1"
on_each_rank 64 '$([ $OMPI_COMM_WORLD_RANK = 0 ] || echo --help)' "${train[@]}"
differs "'--help' on rank 1"
on_each_rank 64 '$([ $OMPI_COMM_WORLD_RANK = 0 ] && echo train || echo predict) data.h5 data.h5'
differs "'train' on rank 0, 'predict' on rank 1"

# The same error on all ranks is reported once.
expect_exit 64 on 3 "$sdca" trian
expect_says "unknown subcommand 'trian'"
expect_exit 64 on 3 "$sdca"
expect_says "a subcommand is missing"
expect_exit 0 on 3 "$sdca" --version
[ "$(wc -l <out)" -eq 1 ] || fail "expected one version, got '$(cat out)'"

# A launcher of another MPI: the processes are not connected. The first one reports it.
for variables in "PMI_RANK PMI_SIZE" "SLURM_PROCID SLURM_STEP_NUM_TASKS"; do
    read -r rank size <<<"$variables"
    for command in "${train[*]}" "predict data.h5 data.h5" "train --nonsense"; do
        # shellcheck disable=SC2086 # words
        expect_exit 64 env SLURM_STEP_ID=0 "$rank=0" "$size=4" "$sdca" $command
        expect_says "has started 4 processes that MPI does not connect" "--mpi=pmix" "mpirun of Open MPI"
    done
    expect_exit 64 env SLURM_STEP_ID=0 "$rank=1" "$size=4" "$sdca" "${train[@]}"
    [ ! -s err ] || fail "expected no output, got '$(cat err)'"
done
expect_none out.h5

# A single process runs normally, also in a batch script for several.
expect_exit 0 env SLURM_PROCID=0 SLURM_NTASKS=4 "$sdca" "${train[@]}"
expect_exit 0 env SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 "$sdca" predict out.h5 data.h5

# A serial subcommand runs independently in each process, with its own exit status.
printf '+1 1:1\n-1 2:1\n' | tee part0.txt part1.txt >part2.txt
expect_exit 0 on 3 sh -c '"$sdca" convert part$OMPI_COMM_WORLD_RANK.txt part$OMPI_COMM_WORLD_RANK.h5'
for part in part{0,1,2}.h5; do
    cmp part0.h5 "$part"
done
[ "$(grep -c '^Note: convert does not run in parallel' err)" -eq 1 ] || fail "expected one note, got '$(cat err)'"
on_each_rank 64 '$([ $OMPI_COMM_WORLD_RANK = 0 ] || echo --nonsense)' info data.h5
expect_says "unknown option"
expect_exit 64 env SLURM_PROCID=1 "$sdca" convert nothere.txt none.h5 --nonsense
expect_says "unknown option '--nonsense'"
expect_exit 66 env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 "$sdca" convert nothere.txt none.h5
expect_says "nothere.txt"

# bound uses MPI only at startup: its result is printed once.
bound=(bound --n 1000 --lambda 1e-3 --gap 1e-3)
expect_exit 0 on 2 "$sdca" "${bound[@]}"
cp out once
expect_exit 0 "$sdca" "${bound[@]}"
cmp out once
