# shellcheck shell=bash disable=SC2034
# common.sh - shared by all end-to-end, fault and Slurm tests; to be sourced.
#
# CTest hands in the program, mpirun and Python as the first three arguments.
# A test works in a scratch directory that goes when it ends, and begins with
# empty hands: only what it makes is there. A failed expectation says what was
# expected and what came, and ends the test.
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
# Of its own, too: tests that end while others begin would remove the directory that these make.
export OMPI_MCA_orte_tmpdir_base=$scratch/.mpi

# The complaint of a failure is kept, with its exit status, for error_messages.sh, which compares them with the
# table in docs/errors.md.
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

# summary FIELD [FILE] - a field of a summary, by default of summary.json.
summary() {
    "$python" -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" "${2:-summary.json}"
}

# run [on RANKS] COMMAND... - leaves its exit status in $code, its words in ./out
# and ./err. One rank is without mpirun, and several all work, however small the data.
# More than a minute is a hang.
run() {
    local launch=()
    if [ "$1" = on ]; then
        [ "$2" -eq 1 ] || launch=("$mpirun" -np "$2")
        shift 2
        [ "${2:-}" != train ] || [ ${#launch[@]} -eq 0 ] || set -- "$@" --all-ranks
    fi
    code=0
    timeout --kill-after=5 60 "${launch[@]}" "$@" >out 2>err || code=$?
    case $code in
    0 | 3 | 75) ;;
    *) complaints | tail -n 1 | sed "s/^sdca: /$code\t/" >>"$record" ;;
    esac
}

# expect_exit CODE [on RANKS] COMMAND... - run it, and want this exit status.
expect_exit() {
    local expected=$1
    shift
    run "$@"
    [ "$code" -eq "$expected" ] && return
    echo "expected exit status $expected, came $code: $*" >&2
    sed 's/^/stdout: /' out >&2
    sed 's/^/stderr: /' err >&2
    fail "wrong exit status"
}

# What the program itself has said on stderr; the rest is mpirun's.
complaints() {
    grep '^sdca: ' err || true
}

# expect_says TEXT... - the last command has complained once, in a sentence with
# all of these parts.
expect_says() {
    local text said
    said=$(complaints)
    [ "$(complaints | wc -l)" -eq 1 ] || fail "expected one complaint, came '$said' in: $(cat err)"
    for text in "$@"; do
        case $said in
        *"$text"*) ;;
        *) fail "expected words with '$text', came '$said'" ;;
        esac
    done
}

# expect_prints TEXT - the last command has this in its standard output.
expect_prints() {
    grep -qF -- "$1" out || fail "expected output with '$1', came '$(cat out)'"
}

# leftovers FILE - the temporary files of this output.
leftovers() {
    compgen -G "$1.sdca-*.tmp" || true
}

# expect_none FILE... - none of these is there, nor what might have become one.
expect_none() {
    local file
    for file in "$@"; do
        [ ! -e "$file" ] || fail "expected no file $file, but there is one"
        [ -z "$(leftovers "$file")" ] || fail "expected nothing left over, but there is $(leftovers "$file")"
    done
}

# part WORDS... [-- ARGUMENTS...] - what stands before and behind the dashes: $words, $arguments.
part() {
    words=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    arguments=("${@:2}")
}

# expect_refusal CODE [on RANKS] COMMAND... - it ends so, in a sentence with all of $words, and makes no out.h5.
expect_refusal() {
    expect_exit "$@"
    expect_says "${words[@]}"
    expect_none out.h5
}

# processes WORDS - those alive whose command line begins so. One that has ended, and
# that nobody has waited for, has none.
processes() {
    local entry words
    for entry in /proc/[0-9]*; do
        mapfile -d '' words 2>/dev/null <"$entry/cmdline" || continue
        [[ "${words[*]}" != "$1"* ]] || echo "${entry##*/}"
    done
}
