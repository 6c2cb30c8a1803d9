# shellcheck shell=bash disable=SC2034
# common.sh - shared by all end-to-end, fault and Slurm tests; source it.
#
# CTest passes the program, mpirun and Python as the first three arguments. A test runs in
# an empty scratch directory, which is removed at exit. A failed expectation prints the
# expected and the actual value, and ends the test.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sdca=$1 mpirun=$2 python=$3
tree=$(cd "$here/../.." && pwd)
build=$(dirname "$sdca")
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
export MALLOC_PERTURB_=190 # glibc fills new memory: as doubles, 2261634.5

scratch=$(mktemp -d "${TMPDIR:-/tmp}/sdca-test.XXXXXX")
at_exit=(rm -rf "$scratch")
trap '"${at_exit[@]}"' EXIT
cd "$scratch" || exit
# Private as well: otherwise a test that exits removes the directory of one that starts.
export OMPI_MCA_orte_tmpdir_base=$scratch/.mpi

# Each error message is recorded with its exit status for error_messages.sh, which compares them with docs/errors.md.
record=${SDCA_SAID:-$scratch}/$(basename "$0" .sh).tsv
: >"$record"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# skip REASON - end the test as skipped; tests/run prints the reason.
skip() {
    echo "SKIPPED: $*"
    exit 77
}

# summary FIELD [FILE] - a field of a run summary, by default of summary.json.
summary() {
    "$python" -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" "${2:-summary.json}"
}

# run [on RANKS] COMMAND... - store its exit status in $code, its output in ./out and
# ./err. One rank runs without mpirun; several ranks all train, however small the data.
# The timeout is three minutes, for machines that do other work.
run() {
    local launch=()
    if [ "$1" = on ]; then
        [ "$2" -eq 1 ] || launch=("$mpirun" -np "$2")
        shift 2
        [ "${2:-}" != train ] || [ ${#launch[@]} -eq 0 ] || set -- "$@" --all-ranks
    fi
    code=0
    timeout --kill-after=5 180 "${launch[@]}" "$@" >out 2>err || code=$?
    case $code in
    0 | 3 | 75) ;;
    *) complaints | tail -n 1 | sed "s/^sdca: /$code\t/" >>"$record" ;;
    esac
}

# expect_exit CODE [on RANKS] COMMAND... - run it and require this exit status.
expect_exit() {
    local expected=$1
    shift
    run "$@"
    [ "$code" -eq "$expected" ] && return
    echo "expected exit status $expected, got $code: $*" >&2
    sed 's/^/stdout: /' out >&2
    sed 's/^/stderr: /' err >&2
    fail "wrong exit status"
}

# The program's own messages on stderr, without those of mpirun.
complaints() {
    grep '^sdca: ' err || true
}

# expect_says TEXT... - the last command printed one error message, which contains all
# of these texts.
expect_says() {
    local text said
    said=$(complaints)
    [ "$(complaints | wc -l)" -eq 1 ] || fail "expected one message, got '$said' in: $(cat err)"
    for text in "$@"; do
        case $said in
        *"$text"*) ;;
        *) fail "expected a message with '$text', got '$said'" ;;
        esac
    done
}

# expect_prints TEXT - standard output of the last command contains TEXT.
expect_prints() {
    grep -qF -- "$1" out || fail "expected output with '$1', got '$(cat out)'"
}

# leftovers FILE - the temporary files of this output.
leftovers() {
    compgen -G "$1.sdca-*.tmp" || true
}

# expect_none FILE... - none of these exists, nor a temporary file of one.
expect_none() {
    local file
    for file in "$@"; do
        [ ! -e "$file" ] || fail "unexpected file $file"
        [ -z "$(leftovers "$file")" ] || fail "unexpected leftover $(leftovers "$file")"
    done
}

# part TEXTS... [-- ARGUMENTS...] - split at -- into $words and $arguments.
part() {
    words=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    arguments=("${@:2}")
}

# expect_refusal CODE [on RANKS] COMMAND... - it fails with this exit status and one message that
# contains all of $words, and creates no out.h5.
expect_refusal() {
    expect_exit "$@"
    expect_says "${words[@]}"
    expect_none out.h5
}

# processes WORDS - live processes whose command line begins with WORDS. A zombie has no
# command line.
processes() {
    local entry words
    for entry in /proc/[0-9]*; do
        mapfile -d '' words 2>/dev/null <"$entry/cmdline" || continue
        [[ "${words[*]}" != "$1"* ]] || echo "${entry##*/}"
    done
}
