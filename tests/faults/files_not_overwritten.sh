#!/usr/bin/env bash
# Files that sdca did not create are never replaced, renamed or removed, even under the
# name of a file that sdca would write; inputs are not outputs.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"

# snapshot - all files of this test, except the output of the last command.
snapshot() {
    find . -path ./.mpi -prune -o -path ./out -o -path ./err -o -name '*.tsv' -o -type f -exec cksum {} + \
        -o -printf '%y %p %l\n' | sort
}

# refuse CODE TEXTS... -- COMMAND... - rejected with a message that contains TEXTS; no file has changed.
refuse() {
    local before
    part "${@:2}"
    before=$(snapshot)
    expect_exit "$1" "${arguments[@]}"
    expect_says "${words[@]}"
    [ "$(snapshot)" = "$before" ] ||
        fail "files have changed: $(diff <(echo "$before") <(snapshot)): ${arguments[*]}"
}

# write_own FILE..., expect_kept FILE... - create user files, and check that they are unchanged.
write_own() {
    local file
    for file in "$@"; do
        echo "my only $file" >"$file"
    done
}
expect_kept() {
    local file
    for file in "$@"; do
        [ "$(cat "$file")" = "my only $file" ] || fail "$file has changed"
    done
}

"$sdca" generate cov1 data.h5 --scale 0.001 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-3 --history history.csv --quiet
printf '1 1:1\n-1 1:2\n' >rows.txt
printf 'label,size\nyes,1\nno,2\n' >table.csv
train=("$sdca" train data.h5 -o out.h5 --lambda 1e-3 --quiet --solver sdca)
expect_exit 0 "${train[@]}" --checkpoint run.h5 --checkpoint-every 1r
expect_exit 0 "${train[@]}" --checkpoint other.h5
[ -e run.h5.1 ] || fail "expected an older checkpoint"
cp run.h5 run.h5.old

# Inputs that are also files of the checkpoint, by name or through a link.
for input in run.h5 run.h5.1 run.h5.old; do
    refuse 64 "'run.h5' would replace the input '$input'" -- "${train[@]}" --warm-start "$input" --checkpoint run.h5
done
ln -s run.h5.1 start.h5
refuse 64 "'start.h5'" -- "${train[@]}" --warm-start start.h5 --checkpoint ./run.h5
for beside in .1 .5 .99 .old .lock .sdca-checkpoint-1-0123abcd.tmp; do
    cp data.h5 "set$beside"
    refuse 64 "'set' would replace the input 'set$beside'" -- \
        "$sdca" train "set$beside" -o out.h5 --lambda 1e-3 --checkpoint set
    refuse 64 "'set' would replace the input 'set$beside'" -- \
        "${train[@]}" --test "set$beside" --checkpoint set --resume
    rm "set$beside"
done
for beside in .lock .sdca-checkpoint-1-0123abcd.tmp; do
    cp run.h5 "set$beside"
    refuse 64 "'set$beside'" -- "${train[@]}" --resume --from "set$beside" --checkpoint set
    rm "set$beside"
done

# Inputs of other commands, also through another name.
ln data.h5 hard.h5
ln -s model.h5 soft.h5
cp data.h5 like.h5
refuse 64 "replace the input" -- "$sdca" predict model.h5 data.h5 -o hard.h5
refuse 64 "replace the input" -- "$sdca" predict model.h5 data.h5 -o soft.h5
refuse 64 "replace the input" -- "$sdca" convert rows.txt rows.txt
refuse 64 "replace the input" -- "$sdca" convert table.csv like.h5 --like like.h5
refuse 64 "replace the input" -- "$sdca" export model.h5 soft.h5
refuse 64 "replace the input" -- "$sdca" report model.h5 history.csv -o history.csv --format html
refuse 64 "one file" -- "$sdca" generate cov1 new.h5 --test ./new.h5 --scale 0.001
refuse 64 "replace the input" -- "${train[@]}" --history hard.h5

# User files named like a checkpoint, an older one, one moved aside, or a lock.
for start in "" --resume "--resume --from run.h5"; do
    for beside in "" .1 .57 .99 .old .lock; do
        write_own "notes$beside"
        # shellcheck disable=SC2086 # words
        refuse 73 "'notes$beside' is not a " -- "${train[@]}" --checkpoint notes --keep 1 $start
        rm "notes$beside"
    done
done
for beside in "" .1 .old .lock; do
    cp data.h5 "notes$beside"
    refuse 73 "'notes$beside' is not a " -- "${train[@]}" --checkpoint notes
    rm "notes$beside"
done
for beside in .1 .old .lock; do
    ln -s run.h5 "notes$beside"
    refuse 73 "'notes$beside' is not a " -- "${train[@]}" --checkpoint notes --warm-start model.h5
    rm "notes$beside"
done
mkdir notes.old
refuse 73 "'notes.old' is not a checkpoint" -- "${train[@]}" --checkpoint notes
rmdir notes.old
write_own notes.old
refuse 73 "'notes.old' is not a checkpoint" -- on 2 "${train[@]}" --checkpoint notes
rm notes.old

# User files with names similar to those of sdca are not removed.
own=(new.h5.tmp new.csv.tmp new.json.tmp new.html.tmp new.txt.tmp new.svg.tmp save.h5.tmp save.h5.100 save.h5.bak
    test.h5.tmp)
write_own "${own[@]}"
"$sdca" train data.h5 -o new.h5 --lambda 1e-3 --quiet --solver sdca --history new.csv --summary new.json --checkpoint save.h5 --checkpoint-every 1r
expect_exit 0 "$sdca" info new.h5
expect_kept "${own[@]}"
"$sdca" generate cov1 new.h5 --scale 0.001 --test test.h5 --quiet
"$sdca" convert table.csv new.h5 --quiet
"$sdca" convert - new.h5 --format csv --quiet < <(cat table.csv)
"$sdca" predict model.h5 data.h5 -o new.csv --quiet
"$sdca" predict model.h5 data.h5 -o new.h5 --quiet
"$sdca" export model.h5 new.txt
"$sdca" report model.h5 -o new.html --quiet
! command -v gnuplot >/dev/null || "$sdca" report model.h5 -o new.svg --quiet
expect_kept "${own[@]}"
cp data.h5 same.h5.tmp
expect_exit 0 "$sdca" train same.h5.tmp -o same.h5 --lambda 1e-3
cmp data.h5 same.h5.tmp

# A link with such a name is not followed.
write_own target
for output in new.csv new.h5; do
    rm -f "$output"*
    ln -s target "$output.tmp"
    "$sdca" predict model.h5 data.h5 -o "$output" --quiet
    [ ! -L "$output" ] || fail "$output is a link"
    [ -L "$output.tmp" ] || fail "the link $output.tmp is gone"
done
expect_kept target

# Checkpoints are moved aside and replace an older one there.
rm -f run.h5* other.h5*
expect_exit 0 "${train[@]}" --checkpoint run.h5 --checkpoint-every 1r
cp run.h5 first.h5
expect_exit 0 "${train[@]}" --checkpoint run.h5
cmp first.h5 run.h5.old
cp run.h5 second.h5
expect_exit 0 "${train[@]}" --checkpoint run.h5
cmp second.h5 run.h5.old
rm run.h5
expect_exit 0 "${train[@]}" --checkpoint run.h5 # nothing to move aside
cmp second.h5 run.h5.old

# A link to a checkpoint stays, and refers to the new one.
mkdir elsewhere
mv run.h5 elsewhere/real.h5
ln -s elsewhere/real.h5 run.h5
cp run.h5 was.h5
expect_exit 0 "${train[@]}" --checkpoint run.h5
[ -L run.h5 ] || fail "the link is gone"
cmp was.h5 elsewhere/real.h5.old
expect_exit 0 "$sdca" info run.h5
rm run.h5
mv elsewhere/real.h5 run.h5

# With --from, the checkpoint of another run is moved aside; the one to resume from is read first.
cp run.h5 was.h5
expect_exit 0 "${train[@]}" --resume --from first.h5 --checkpoint run.h5
cmp was.h5 run.h5.old
more=("${train[@]}" --rel-gap 1e-9 --rounds 5000 --checkpoint run.h5 --keep 1 --resume)
for from in run.h5 run.h5.1 run.h5.old; do
    rm -f run.h5*
    cp first.h5 "$from"
    run "${more[@]}" --from "$from"
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || fail "exit status $code from $from: $(cat err)"
    [ "$from" = run.h5 ] || cmp first.h5 "$from"
done

# An empty file has no data to lose, and stays if used as a lock. A stale lock is removed.
rm -f run.h5*
: >run.h5
: >run.h5.lock
expect_exit 0 "${train[@]}" --checkpoint run.h5
[ "$(stat -c %s run.h5.lock)" -eq 0 ] || fail "the empty file has changed"
printf 'sdca lock\nprocess 1 on another\n' >run.h5.lock
expect_exit 0 "${train[@]}" --checkpoint run.h5 --resume
expect_none run.h5.lock

# Temporary checkpoints of dead runs are removed, temporary files of other commands stay.
write_own run.h5.sdca-1-0123abcd.tmp run.h5.sdca-checkpoint-1-0123abcd.tmp
expect_exit 0 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --checkpoint run.h5 --resume
grep -q "^sdca: removed 1 unfinished checkpoint of earlier runs" err || fail "no message: $(cat err)"
[ ! -e run.h5.sdca-checkpoint-1-0123abcd.tmp ] || fail "the temporary checkpoint remains"
expect_kept run.h5.sdca-1-0123abcd.tmp
