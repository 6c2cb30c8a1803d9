# shellcheck shell=bash disable=SC2034
# jobs.sh - functions for jobs of a test's cluster; source it after common.sh.

# submit ARGUMENT... - call sbatch; the job number is stored in $job, its output goes to ./log.
submit() {
    rm -f log
    job=$(sbatch --parsable --output=log "$@") || fail "cannot submit $*"
}

# The output of the jobs.
said() {
    cat log
}

# fact NAME - this field of $job in Slurm.
fact() {
    scontrol show job -o "$job" | grep -o " $1=[^ ]*" | cut -d = -f 2-
}

# has NAME=VALUE... - $job has all these fields.
has() {
    local pair
    for pair; do
        [ "$(fact "${pair%%=*}")" = "${pair#*=}" ] || return
    done
}

# wait_until COMMAND... - wait until it succeeds, at most a minute.
wait_until() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "timeout after a minute: $*: $(scontrol show job -o "$job"; said)"
        sleep 0.1
    done
}

# expect_requeue TIMES [SETTING=VALUE]... - $job is requeued for the TIMES-th time, at
# the round stored in $round. It restarts soon with these settings, but not within the second
# of its end: nodes would confuse the new credential with the revoked one.
expect_requeue() {
    wait_until is_requeued_or_ended "$1"
    has JobState=PENDING || fail "expected a requeue, got $(fact JobState) $(fact ExitCode): $(said)"
    round=$(round_of checkpoint.h5)
    scontrol update "jobid=$job" starttime=now+2seconds "${@:2}"
}

is_requeued_or_ended() {
    has JobState=PENDING "Restarts=$1" || has_ended
}

# expect_end STATE STATUS - $job ends with these.
expect_end() {
    wait_until has_ended
    has "JobState=$1" "ExitCode=$2" || fail "expected $1 $2, got $(fact JobState) $(fact ExitCode): $(said)"
}

# expect_end_at_last STATE STATUS - the same; allows one more attempt if leftovers of the last
# attempt on the nodes make it fail.
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

# expect_log COUNT TEXT - COUNT lines of the output contain TEXT.
expect_log() {
    [ "$(said | grep -cF -- "$2")" -eq "$1" ] || fail "expected '$2' $1 times, got $(said)"
}

# round_of CHECKPOINT - its round.
round_of() {
    build/sdca info "$1" | awk '$1 == "round" { print $2 }'
}

# is_under_way - $job prints rounds.
is_under_way() {
    grep -qsE '^ +[1-9][0-9]* +[0-9.]+ ' log
}

# is_further ROUND - checkpoint.h5 is past ROUND.
is_further() {
    [ "$(round_of checkpoint.h5)" -gt "$1" ]
}
