#!/usr/bin/env bash
# datasets/get downloads, verifies, converts and splits; a failure leaves no file under a
# final name. datasets/debian computes the same tf-idf as scikit-learn. Downloads come
# from a local server on 127.0.0.1.
set -euo pipefail
. "$(dirname "$0")/common.sh"
get=$(cd "$tree/datasets" && pwd)/get
debian=${get%get}debian
export SDCA=$sdca no_proxy=127.0.0.1

mkdir web
"$python" "$here/datasets_get.py" serve web port log &
server=$!
finish() {
    kill $server 2>/dev/null || true
    rm -rf "$scratch"
}
at_exit=(finish)
for _ in $(seq 100); do [ -s port ] || sleep 0.1; done
[ -s port ] || fail "the test server does not start"
web=http://127.0.0.1:$(cat port)

# refused STATUS TEXTS... - the last command exited with STATUS and one message with TEXTS.
refused() {
    local text
    [ "$code" -eq "$1" ] || fail "expected exit status $1, got $code: $(cat out err)"
    shift
    [ "$(grep -c '^datasets/' err)" -eq 1 ] || fail "expected one message, got '$(cat err)'"
    for text in "$@"; do grep -qF -- "$text" err || fail "expected '$text', got '$(cat err)'"; done
}

# nothing DIRECTORY - it has no data file, complete or partial.
nothing() {
    local found
    found=$(find "$1" -name '*.h5*')
    [ -z "$found" ] || fail "unexpected data files: $found"
}

count() { "$sdca" info "$1" | sed -nE "s/^ *size .*[^0-9]([0-9]+) $2.*/\1/p"; }

# ---- A table of recipes. The rows have three labels: label 1 against the rest.
"$python" "$here/datasets_get.py" rows 1003 >web/plain
bzip2 <web/plain >web/packed.bz2
ln web/packed.bz2 web/x
head -n 200 web/plain | xz >web/test.xz
awk '{ print (NR % 3 == 1 ? "GOOD " : "BAD ") NR " 1" }' web/plain | gzip >web/topics.gz
awk '{ $1 = NR " "; print }' web/plain | gzip >web/numbered.gz
sum=$(sha256sum <web/plain | cut -d ' ' -f 1)
bytes=$(stat -c %s web/plain)
nonzeros=$(grep -o : web/plain | wc -l)
recipe() { (IFS=$'\t' && echo "$*") >>recipes; }
recipe name part task label rows columns nonzeros bytes sha256 files licence note
recipe plain all classification 1 1003 30 "$nonzeros" "$bytes" "$sum" "$web/plain" none -
recipe packed all classification 1 1003 30 - - - "$web/packed.bz2" none -
recipe parts train classification 1 1003 30 - - - "$web/x#packed.bz2" none -
recipe parts test classification 1 200 30 - - - "$web/test.xz" none -
recipe topics train classification GOOD 1003 30 - - - "$web/numbered.gz" none -
recipe topics topics classification - - - - - - "$web/topics.gz" none -
recipe twice train regression - 2006 30 - - - "$web/plain $web/packed.bz2" none -
recipe sum all classification 1 1003 30 - - "${sum//[0-9]/0}" "$web/plain" none -
recipe size all classification 1 1003 30 - 7 - "$web/plain" none -
recipe rows all classification 1 1004 30 - - - "$web/plain" none -
recipe nonzeros all classification 1 1003 30 1 - - "$web/plain" none -
recipe columns all classification 1 1003 29 - - - "$web/plain" none -
recipe labels all classification - 1003 30 - - - "$web/plain" none -
recipe absent all classification 1 1003 30 - - - "$web/absent" none -
recipe short all classification 1 1003 30 - - "$sum" "$web/short/plain" none -
recipe range all classification 1 1003 30 - - "$sum" "$web/range/plain" none -
recipe nowhere all classification 1 1003 30 - - - - none "in nobody's hands"
recipe unreachable all classification 1 1003 30 - - - http://127.0.0.1:9/plain none -
recipe damaged all classification 1 1003 30 - - - "$web/damaged.bz2" none -
head -c 2000 web/packed.bz2 >web/damaged.bz2

# ---- With curl and with wget; a private PATH hides the other.
tools=()
for tool in curl wget; do ! command -v $tool >/dev/null || tools+=("$tool"); done
if [ ${#tools[@]} -eq 0 ]; then
    skip "neither curl nor wget is installed"
fi
for tool in "${tools[@]}"; do
    mkdir "bin-$tool" "$tool"
    for other in "$tool" env bash awk sed stat sha256sum cut head tail od tr gzip bzip2 xz cat mv rm mkdir \
        dirname wc timeout; do
        ln -s "$(command -v "$other")" "bin-$tool/$other"
    done
    get() { PATH=$scratch/bin-$tool run "$get" "$1" "$tool/$1" --recipes "$scratch/recipes" "${@:2}"; }

    for name in plain packed; do
        get $name
        [ "$code" -eq 0 ] || fail "$tool, $name: $(cat err)"
        expect_prints "labels       -1 as -1"
        [ "$(count "$tool/$name/$name.train.h5" rows)" -eq 903 ] || fail "$name: training rows"
        [ "$(count "$tool/$name/$name.test.h5" rows)" -eq 100 ] || fail "$name: test rows"
        [ ! -e "$tool/$name/plain.part" ] || fail "a .part is left over"
    done
    get parts
    [ "$code" -eq 0 ] || fail "$tool, parts: $(cat err)"
    [ "$(count "$tool/parts/parts.train.h5" rows)" -eq 1003 ] || fail "parts: training rows"
    [ "$(count "$tool/parts/parts.test.h5" rows)" -eq 200 ] || fail "parts: test rows"
    get twice
    [ "$code" -eq 0 ] || fail "twice: $(cat err)"
    [ "$(count "$tool/twice/twice.train.h5" rows)" -eq 2006 ] || fail "twice: $(cat err)"

    # Download failures: one message; only reusable files remain.
    get absent
    refused 69 "$web/absent" 404 --file
    get unreachable
    refused 69 http://127.0.0.1:9/plain "Without a network" "$tool/unreachable/plain" --file
    get short
    refused 69 "$web/short/plain" "bytes are in $tool/short/plain.part"
    [ -s "$tool/short/plain.part" ] || fail "a broken transfer loses its .part"
    [ ! -e "$tool/short/plain" ] || fail "a broken transfer gets its final name"
    for name in absent unreachable short; do nothing "$tool/$name"; done

    # A partial download resumes if the server supports ranges, else it restarts.
    for name in range plain; do
        rm -rf "${tool:?}/$name"
        mkdir "$tool/$name"
        head -c 1000 web/plain >"$tool/$name/plain.part"
        echo mine >"$tool/$name/plain.part.old"
        : >log
        get $name
        [ "$code" -eq 0 ] || fail "$tool, resuming $name: $(cat out err)"
        grep -q 'bytes=1000-' log || fail "$tool does not request the rest: $(cat log)"
        cmp web/plain "$tool/$name/plain"
        [ "$(cat "$tool/$name/plain.part.old")" = mine ] || fail "another program's file has changed"
    done
done
unset -f get
get() { run "$get" "$1" "$1" --recipes "$scratch/recipes" "${@:2}"; }

# ---- A second run, without downloading; labels, test fractions, other sources.
get plain
cp plain/plain.train.h5 first.h5
: >log
get plain
[ "$code" -eq 0 ] || fail "downloaded again: $(cat log err)"
[ ! -s log ] || fail "downloaded again: $(cat log err)"
cmp first.h5 plain/plain.train.h5
awk 'NR % 10 == 0 { print ($1 == 1 ? "+1" : "-1") substr($0, 2) }' web/plain >tenth
"$sdca" convert tenth tenth.h5 --columns 30 --quiet
cmp tenth.h5 plain/plain.test.h5
get topics
cp topics/topics.train.h5 topics.h5
get plain --test-share 0
cmp topics.h5 plain/plain.train.h5 || fail "topics give different labels"
get plain --test-share 0.25
[ "$(count plain/plain.test.h5 rows)" -eq 250 ] || fail "test fraction 0.25"
rm -r plain
get plain --file web/packed.bz2
refused 65 bytes "$bytes"
get packed --file web/plain
[ "$code" -eq 0 ] || fail "--file: $(cat err)"
[ ! -e packed/plain ] || fail "--file: $(cat err)"
get nowhere --file web/plain
[ "$code" -eq 0 ] || fail "--file without an address: $(cat err)"
rm -r packed
get packed --url "$web/plain"
[ "$code" -eq 0 ] || fail "--url: $(cat err)"
rm -rf parts
get parts --url "$web/"
[ "$code" -eq 0 ] || fail "--url of a folder: $(cat err)"

get labels
[ "$code" -eq 0 ] || fail "three classes: $(cat err)"

# ---- Downloads with wrong content.
get sum
refused 65 "sha256 $sum" "${sum//[0-9]/0}" plain.wrong
get size
refused 65 "$bytes bytes, where the recipe has 7"
get rows
refused 65 "1003 rows, where the recipe has 1004" plain.wrong
get nonzeros
refused 65 "$nonzeros non-zeros, where the recipe has 1"
get columns
refused 65 "cannot be converted"
complaints | grep -q 30 || fail "sdca does not name the column: $(cat err)"
get damaged
refused 65 "damaged.bz2: damaged" damaged.bz2.wrong
for name in sum size rows nonzeros columns damaged; do nothing $name; done
[ ! -e rows/plain ] || fail "a wrong download keeps its name"

# ---- The command line.
get nowhere
refused 69 "no public address" "in nobody's hands"
get nosuch
refused 64 nosuch --list
get plain --test-share 1
refused 64 --test-share
get plain --file absent
refused 66 absent
get parts --url "$web/plain"
refused 64 --url
get plain --frobnicate
refused 64 --frobnicate
expect_exit 0 "$get" --help
expect_prints "usage: datasets/get"
expect_exit 0 "$get" --list
for name in astro-ph ccat cov1 a9a url E2006-tfidf; do expect_prints $name; done
awk -F '\t' 'NF != 12 { exit 1 }' "${get%get}recipes.tsv" || fail "a recipe does not have 12 fields"

# ---- Package descriptions.
# ---- Two runs in one directory: the second waits.
mkdir shared
exec {lock}<shared
flock "$lock"
"$get" plain shared --recipes recipes >second 2>&1 {lock}<&- &
second=$!
for _ in $(seq 100); do [ -s second ] || sleep 0.1; done
grep -q '^Waiting for another datasets/get' second || fail "the second run does not wait: $(cat second)"
nothing shared
exec {lock}<&-
wait $second || fail "after waiting: $(cat second)"
[ "$(count shared/plain.train.h5 rows)" -gt 0 ] || fail "no rows: $(cat second)"

"$python" "$here/datasets_get.py" lists lists
expect_exit 0 "$debian" words --lists lists --lambda 1e-3
expect_prints "Certified: P(w)"
expect_prints "Test error:"
expect_prints "in section libs"
"$python" "$here/datasets_get.py" check words lists
mkdir again
echo mine >again/debian.train.txt.tmp
expect_exit 0 "$debian" again --lists lists --lambda 1e-3
[ "$(cat again/debian.train.txt.tmp)" = mine ] || fail "another program's file has changed"
for file in train.txt test.txt train.h5 test.h5; do cmp words/debian.$file again/debian.$file; done
expect_exit 0 "$debian" python --lists lists --section python --lambda 1e-3
mkdir empty
run "$debian" none --lists empty
refused 1 "apt-get update"
run "$debian" none --lists lists --section nosuch
refused 1 nosuch --section
[ ! -e none ] || fail "debian leaves files behind"
