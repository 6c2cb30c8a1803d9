# shellcheck shell=bash disable=SC2034
# jobs.sh - what a test does with the jobs of its cluster; to be sourced after common.sh.

# submit ARGUMENT... - of sbatch; the job's number is then in $job, its words go to ./log.
submit() {
    rm -f log
    job=$(sbatch --parsable --output=log "$@") || fail "cannot submit $*"
}

# What the jobs have said.
said() {
    cat log
}

# fact NAME - what Slurm knows of $job under this name.
fact() {
    scontrol show job -o "$job" | grep -o " $1=[^ ]*" | cut -d = -f 2-
}

# has NAME=VALUE... - all of these are facts of $job.
has() {
    local pair
    for pair; do
        [ "$(fact "${pair%%=*}")" = "${pair#*=}" ] || return
    done
}

# wait_until COMMAND... - it succeeds within a minute.
wait_until() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "not within a minute: $*: $(scontrol show job -o "$job"; said)"
        sleep 0.1
    done
}

# expect_requeue TIMES [SETTING=VALUE]... - $job goes back into the queue for that time, at
# the round that is then in $round. It goes on soon, with these settings; not at once:
# within the second of its end nodes would take the new credential for the revoked one.
expect_requeue() {
    wait_until is_requeued_or_ended "$1"
    has JobState=PENDING || fail "expected a requeue, came $(fact JobState) $(fact ExitCode): $(said)"
    round=$(round_of checkpoint.h5)
    scontrol update "jobid=$job" starttime=now+2seconds "${@:2}"
}

is_requeued_or_ended() {
    has JobState=PENDING "Restarts=$1" || has_ended
}

# expect_end STATE STATUS - $job ends like this.
expect_end() {
    wait_until has_ended
    has "JobState=$1" "ExitCode=$2" || fail "expected $1 $2, came $(fact JobState) $(fact ExitCode): $(said)"
}

# expect_end_at_last STATE STATUS - the same, even if what the last attempt left behind on
# the nodes costs another one, which then comes soon.
expect_end_at_last() {
    wait_until has_ended_or_hurries
    expect_end "$@"
}

has_ended_or_hurries() {
    ! has_ended || return 0
    if has JobState=PENDING Reason=BeginTime; then
        scontrol update "jobid=$job" starttime=now+2seconds
        sleep 3
    fi
    return 1
}

has_ended() {
    case $(fact JobState) in
    COMPLETED | FAILED | CANCELLED | TIMEOUT) ;;
    *) return 1 ;;
    esac
}

# expect_log COUNT TEXT - that many lines of what was said have this.
expect_log() {
    [ "$(said | grep -cF -- "$2")" -eq "$1" ] || fail "expected '$2' $1 times, came $(said)"
}

# round_of CHECKPOINT - how far it is.
round_of() {
    build/sdca info "$1" | awk '$1 == "round" { print $2 }'
}

# is_under_way - $job shows rounds.
is_under_way() {
    grep -qsE '^ +[1-9][0-9]* +[0-9.]+ ' log
}

# is_further ROUND - than that, checkpoint.h5 is.
is_further() {
    [ "$(round_of checkpoint.h5)" -gt "$1" ]
}
