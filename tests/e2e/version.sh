#!/usr/bin/env bash
# sdca --version is one line; with --verbose it names commit, compiler and libraries, without MPI.
set -euo pipefail
. "$(dirname "$0")/common.sh"

expect_exit 0 "$sdca" --version
[[ $(cat out) =~ ^sdca\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "expected one line, got $(cat out)"
mv out short

# expect_fact NAME PATTERN - a line of the long form.
expect_fact() {
    grep -qE "^  $1 +$2" out || fail "expected $1 with '$2', got $(cat out)"
}
expect_exit 0 on 2 "$sdca" --version --verbose
head -n 1 out | diff short - || fail "the first lines differ"
[ "$(wc -l <out)" -eq 8 ] || fail "expected 8 lines, got $(cat out)"
[ ! -s err ] || fail "expected nothing on stderr, got $(cat err)"
expect_fact compiler '(GNU|Clang) [0-9]+\.'
expect_fact flags '.*-ffp-contract=off'
expect_fact vectors '[A-Z]'
expect_fact HDF5 '[0-9]+\.[0-9]+\.[0-9]+, parallel$'
expect_fact libarchive 'libarchive [0-9]+\.'
case $(ldd "$sdca") in
*libmpich.so*) expect_fact MPI 'MPICH' ;;
*libopen-pal.so*) expect_fact MPI 'Open MPI v[0-9]+\.' ;;
esac
if [ -e "$tree/.git" ] && command -v git >/dev/null; then # the build may be older than the last commit
    expect_fact commit '[0-9a-f]{40}$'
    git -C "$tree" cat-file -e "$(awk '$1 == "commit" { print $2 }' out)" || fail "no such commit: $(cat out)"
fi

expect_exit 64 "$sdca" --version --verbos
expect_says "unknown option '--verbos': did you mean --verbose?"
