#!/usr/bin/env bash
# Commands interrupted by a signal while writing: they die by that signal, and leave no
# files, whether the file was complete or not.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
injected=${SDCA_INJECTED:?is the program that gets signals: run it by ctest}

"$sdca" generate cov1 data.h5 --scale 0.001 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-2 --history history.csv --quiet
printf '1 1:1\n-1 1:2\n' >rows.txt
printf 'label,size\nyes,1\nno,2\n' >table.csv

# A file is complete and about to be renamed. The test's parent may have ignored signals.
signals=(env "--default-signal=INT,TERM,HUP")

# ended NAME:N CODE [on RANKS] -- COMMAND... - a signal arrives before the N+1st file is renamed.
ended() {
    part "${@:3}"
    expect_exit "$2" "${words[@]}" "${signals[@]}" SDCA_INJECT="$1" "$injected" "${arguments[@]}"
    expect_none out.txt out.h5 out.html out.svg out.csv
}

for signal in INT:130 TERM:143 HUP:129; do
    ended "${signal%:*}:0" "${signal#*:}" -- convert rows.txt out.h5
    ended "${signal%:*}:0" "${signal#*:}" -- generate cov1 out.h5 --scale 0.001
    ended "${signal%:*}:0" "${signal#*:}" -- export model.h5 out.txt
    ended "${signal%:*}:0" "${signal#*:}" -- predict model.h5 data.h5 -o out.csv
    ended "${signal%:*}:0" "${signal#*:}" -- report model.h5 -o out.html
done
ended TERM:0 143 -- convert table.csv out.h5
ended TERM:0 143 -- export model.h5 out.txt --format text
ended TERM:0 143 -- predict model.h5 data.h5 -o out.h5
ended TERM:0 143 on 2 -- predict model.h5 data.h5 -o out.csv
ended TERM:0 143 -- report history.csv -o out.svg
ended TERM:0 143 -- generate cov1 out.h5 --scale 0.001 --test out.csv

# Existing files stay, and ignored signals stay ignored.
cp rows.txt out.h5
expect_exit 143 "${signals[@]}" SDCA_INJECT=TERM:0 "$injected" convert rows.txt out.h5
cmp -s rows.txt out.h5 || fail "expected the old out.h5"
rm out.h5
expect_exit 0 env --ignore-signal=HUP SDCA_INJECT=HUP:0 "$injected" convert rows.txt out.h5 --quiet
expect_exit 0 "$sdca" info out.h5
rm out.h5

# end_half SIGNAL CODE OUT COMMAND... - signal the process while the file is half written.
end_half() {
    yes '1 1:1' | "${signals[@]}" "$sdca" "${@:4}" --quiet &
    pid=$!
    for _ in {1..500}; do
        [ -z "$(leftovers "$3")" ] || break
        sleep 0.02
    done
    [ -n "$(leftovers "$3")" ] || fail "expected a started $4"
    kill "-$1" "$pid"
    code=0
    wait "$pid" || code=$?
    [ "$code" -eq "$2" ] || fail "expected a death by SIG$1, came exit status $code"
}
end_half INT 130 out.h5 convert - out.h5
expect_none out.h5
for signal in INT:130 TERM:143; do
    end_half "${signal%:*}" "${signal#*:}" out.csv predict model.h5 - --format svmlight -o out.csv
    expect_none out.csv
done

# Leftovers of SIGKILL neither block later commands nor are removed by them.
end_half KILL 137 out.h5 convert - out.h5
left=$(leftovers out.h5)
[ ! -e out.h5 ] || fail "unexpected out.h5"
expect_exit 0 "$sdca" convert rows.txt out.h5
expect_exit 0 "$sdca" info out.h5
[ "$(leftovers out.h5)" = "$left" ] || fail "expected $left as before, got $(leftovers out.h5)"
