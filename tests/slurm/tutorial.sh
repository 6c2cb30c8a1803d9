#!/usr/bin/env bash
# The Slurm commands in docs/tutorial.md, line by line.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$(dirname "$0")/../e2e/launch_tree.sh"
. "$(dirname "$0")/jobs.sh"

# Stop following a log when the job has ended.
tail() {
    timeout 2 tail "$@" || [ $? -eq 124 ]
}

"$sdca" generate cov1 train.h5 --scale 0.01 --quiet
mapfile -t commands < <(awk '/^## / { here = /Slurm/ } /^```/ { code = !code; next } here && code && !/^#/' \
    "$tree/docs/tutorial.md")
for command in "${commands[@]}"; do
    eval "$command" >out || fail "$command"
    cat out
    case $command in
    sbatch*)
        job=$(awk '/^Submitted batch job/ { print $4 }' out)
        ln -s "sdca-$job.log" log # the name that jobs.sh uses
        ;;
    squeue*) # wait for the log first
        grep -q "^ *$job " out || fail "the job is not in the queue: $(cat out)"
        wait_until test -s log
        ;;
    tail*) grep -qF "train.sbatch: job $job on " out || fail "the log is not shown: $(cat out)" ;;
    esac
done
[ -n "${job:-}" ] || fail "the tutorial submits no job: ${commands[*]}"
expect_end COMPLETED 0:0
expect_log 1 "Target reached"
expect_exit 0 "$sdca" info model.h5
