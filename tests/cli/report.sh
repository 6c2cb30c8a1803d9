#!/usr/bin/env bash
# A report shows the runs as they are, whatever they hold and are called, and
# what is not a run is refused without leaving a page.
set -euo pipefail
. "$(dirname "$0")/common.sh"

header=round,epoch,seconds,primal,dual,gap,test_error,eta,sigma,local_steps,bytes
# history FILE ROW... - a history with these rows.
history() {
    local file=$1
    shift
    printf '%s\n' "$header" "$@" >"$file"
}

history known.csv 0,0,0,1,0,1,0.5,,,, 1,1,0.125,0.6,0.4,0.2,0.25,1,1,1,800 \
    2,2,0.25,0.55,0.53,0.02,0.125,1,1,1,1600 3,4.5,0.5,0.54,0.5398,0.0002,0.12,1,1,1,2400
history one.csv 0,0,0,1,0,1,,,,,
history zero.csv 0,0,0,1,0,1,0.5,,,, 1,1,0.1,0.5,0.5,0,nan,1,1,1,8 2,2,0.2,0.5,0.5,0,,1,1,1,16
history nothing.csv 0,0,0,0,0,0,,,,,
history holes.csv 0,0,0,1,0,1,,,,, 1,1,0.1,0.9,0.1,0.8,0.3,,,, 2,2,0.2,0.8,0.2,0.6,0.2,,,, \
    3,3,0.3,,,,nan,,,, 4,4,0.4,0.6,0.4,0.2,0.1,,,,
history wild.csv 0,0,0,1e308,-1e308,1e309,,,,, 1,1,1,1e99,-1e99,1e99,,,,, \
    2,1e9,1e-320,1e-320,-1e-320,1e-320,,,,,
"$python" - >long.csv <<'END'
print("epoch,seconds,primal,dual,gap,test_error,round,unknown")
for k in range(5000):
    print(f"{k / 10},{k * 0.01},{0.3 + 0.7 * 0.99**k},{0.3 - 0.3 * 0.99**k},{0.99**k},0.1,{k},7")
END

# Histories, alone and together. A long one shows some of its points only.
for run in known one zero nothing holes wild; do
    expect_exit 0 "$sdca" report $run.csv -o page.html
    "$python" "$here/report.py" check page.html $run.csv
done
expect_exit 0 "$sdca" report known.csv zero.csv one.csv -o page.html
"$python" "$here/report.py" check page.html known.csv zero.csv one.csv
expect_exit 0 "$sdca" report long.csv known.csv -o page.html
"$python" "$here/report.py" names page.html long.csv known.csv
[ "$(grep -c '<circle' page.html)" -lt 2100 ] || fail "a long history has too many points"

# A model shows what its history file shows, and its certificate and settings.
"$sdca" generate cov1 train.h5 --scale 0.001 --test test.h5 --quiet
"$sdca" train train.h5 -o model.h5 --loss smooth-hinge --lambda 1e-3 --test test.h5 \
    --seed 5 --history model.csv >words 2>/dev/null
expect_exit 0 "$sdca" report model.h5 --quiet -o page.html
[ ! -s out ] || fail "--quiet is not quiet"
sed 's/model\.h5: epochs/model.csv: epochs/; s/model\.h5: seconds/model.csv: seconds/' \
    page.html >as_csv.html
"$python" "$here/report.py" check as_csv.html model.csv
certified=$(sed -n 's/^Certified: \(.*\),$/\1/p' words)
for text in "$certified" 'smooth-hinge, gamma 1' '<td>0.001</td>' '<td>5</td>' \
    '--loss smooth-hinge --lambda 1e-3' 'Target reached'; do
    grep -qF -- "$text" page.html || fail "the report of a model has no '$text'"
done
expect_exit 0 "$sdca" report model.h5 -o again.html
cmp page.html again.html || fail "the same run makes another page"

# Names are shown, never obeyed.
evil='x<script>alert("1")&'\''<b>.csv'
cp known.csv "$evil"
cp known.csv $'caf\xc3\xa9.csv'
cp known.csv $'not\xff utf8\x01.csv'
expect_exit 0 "$sdca" report "$evil" $'caf\xc3\xa9.csv' $'not\xff utf8\x01.csv' -o page.html
"$python" "$here/report.py" names page.html "$evil" $'caf\xc3\xa9.csv' \
    $'not\xef\xbf\xbd utf8\xef\xbf\xbd.csv'
"$sdca" train train.h5 -o '<i>.h5' --lambda 1e-3 --summary '<b onclick="1">.json' --quiet
expect_exit 0 "$sdca" report '<i>.h5' -o page.html
"$python" "$here/report.py" names page.html '<i>.h5'

# What is not a run, and what is no command line.
refused() {
    local code=$1
    shift
    rm -f no.html
    expect_exit "$code" "$sdca" report "$@"
    expect_none no.html
}
refused 66 missing.csv -o no.html
expect_says missing.csv
refused 66 known.csv missing.h5 -o no.html
refused 65 train.h5 -o no.html
expect_says "'train.h5' is not a model"
printf 'a,b\n1,2\n' >other.csv
refused 65 other.csv -o no.html
expect_says "neither a model nor a history" epoch
: >empty.csv
refused 65 empty.csv -o no.html
history header_only.csv
refused 65 header_only.csv -o no.html
history word.csv 0,0,0,1,zero,1,,,,,
refused 65 word.csv -o no.html
expect_says "line 2" "'zero' is not a number"
history short.csv 0,0,0,1,0,1,,,,, 1,2,3
refused 65 short.csv -o no.html
expect_says "line 3"
head -c 2000 model.h5 >cut.h5
refused 65 cut.h5 -o no.html
refused 64 known.csv
refused 64 -o no.html
refused 73 known.csv -o no/where.html
cp known.csv same.csv
refused 64 same.csv -o same.csv
cmp known.csv same.csv || fail "a history was overwritten"
