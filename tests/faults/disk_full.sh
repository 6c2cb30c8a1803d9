#!/usr/bin/env bash
# A full disk: every command that writes ends with exit status 74 and an error message; an
# existing file is untouched, and nothing is left over.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/small_filesystem.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
"$python" -c 'for i in range(40000): print(f"{1 - 2 * (i % 2)} 1:{i * 0.37} 2:{i * i % 97 + 1} 3:5")' >rows.txt
"$sdca" convert rows.txt rows.h5 --quiet
"$sdca" generate cov1 few.h5 --scale 0.0001 --quiet
"$sdca" generate cov1 many.h5 --scale 0.01 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-3 --quiet
"$sdca" train rows.h5 -o rows-model.h5 --lambda 1e-3 --normalize rows --quiet
(echo 'y,a,b,c' && sed 's/ [0-9]*:/,/g' rows.txt) >rows.csv
many=() # enough runs for a large page
for k in {0..19}; do
    { echo epoch,seconds,primal,dual,gap,test_error && seq -f '%g,1,1,0,1,0.5' 1 900; } >"run$k.csv"
    many+=("run$k.csv")
done
mount_small size=600k

# refuse OLD RANKS ARGUMENT... - no space in small/ for the output; OLD, an existing file,
# stays.
refuse() {
    local old=$1 ranks=$2
    shift 2
    rm -f small/*
    printf 'precious' >"small/$old"
    expect_exit 74 on "$ranks" timeout 30 "$sdca" "$@"
    expect_says "No space left"
    [ "$(cat "small/$old")" = precious ] || fail "the older file has changed: $*"
    rm "small/$old"
    [ -z "$(ls -A small)" ] || fail "left over after $*: $(ls small)"
}

refuse out.h5 1 convert rows.txt small/out.h5
refuse out.h5 1 convert rows.txt small/out.h5 --values float64 --quiet
refuse out.h5 1 convert rows.csv small/out.h5
refuse out.h5 1 convert - small/out.h5 --format csv < <(cat rows.csv)
refuse out.h5 1 generate astro-ph small/out.h5 --scale 0.05
refuse test.h5 1 generate cov1 small/out.h5 --scale 0.0001 --test small/test.h5
refuse out.h5 1 train data.h5 -o small/out.h5 --lambda 1e-3 --quiet
refuse out.h5 2 train data.h5 -o small/out.h5 --lambda 1e-3 --quiet
refuse out.csv 1 predict rows-model.h5 rows.h5 -o small/out.csv
refuse out.csv 2 predict rows-model.h5 rows.h5 -o small/out.csv
refuse out.csv 1 predict rows-model.h5 rows.txt -o small/out.csv
refuse out.csv 2 predict rows-model.h5 - --format svmlight -o small/out.csv < <(cat rows.txt)
refuse out.h5 1 predict rows-model.h5 rows.txt -o small/out.h5
refuse out.h5 1 predict rows-model.h5 rows.h5 -o small/out.h5
refuse out.h5 3 predict rows-model.h5 rows.h5 -o small/out.h5
refuse out.txt 1 export model.h5 small/out.txt
refuse out.html 1 report "${many[@]}" -o small/out.html
refuse out.svg 1 report "${many[@]}" -o small/out.svg

# No space at all, for small files.
rm -f small/*
printf 'precious' >small/old.h5
head -c 700000 /dev/zero >small/filler 2>/dev/null || true
expect_exit 74 "$sdca" train few.h5 -o small/old.h5 --lambda 1 --quiet
expect_says "No space left"
expect_exit 74 "$sdca" train few.h5 -o few-model.h5 --history small/h.csv --lambda 1 --quiet
expect_says "small/h.csv" "No space left"
expect_exit 74 "$sdca" train few.h5 -o few-model.h5 --summary small/s.json --lambda 1 --quiet
expect_says "small/s.json" "No space left"
# A growing file that cannot be written costs one warning, not the run.
expect_exit 0 "$sdca" train few.h5 -o few-model.h5 --progress small/run.jsonl --evaluate 1 --lambda 1 --quiet
[ "$(cat err)" = "Warning: cannot write 'small/run.jsonl': No space left on device" ] || fail "expected one warning, got $(cat err)"
[ ! -s small/run.jsonl ] || fail "a partial line is left: $(cat small/run.jsonl)"
rm small/run.jsonl
"$sdca" train many.h5 -o long.h5 --history small/run.csv --gap 1e-15 --lambda 1e-7 --evaluate 3 --solver sdca --time 60 --quiet 2>warned &
long=$!
for ((k = 0; k < 1500 && $(wc -c <warned) == 0; k++)); do sleep 0.02; done
mv small/filler . # free space again
kill -USR1 "$long"
code=0
wait "$long" || code=$?
[ "$code" -eq 3 ] || fail "expected exit status 3, got $code and $(cat warned)"
[ "$(cat warned)" = "Warning: cannot write 'small/run.csv': No space left on device" ] || fail "expected one warning, got $(cat warned)"
[ -s small/run.csv ] || fail "expected the history at the end"
rm small/run.csv
mv filler small
[ "$(cat small/old.h5)" = precious ] || fail "the older file has changed"
[ "$(cd small && echo *)" = "filler old.h5" ] || fail "left over: $(ls small)"
