#!/usr/bin/env bash
# Strings from files never send control sequences to a terminal, and never add a line.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# Output is UTF-8 lines without control characters, and without a line injected by the file.
expect_plain() {
    local file
    for file in out err; do
        iconv -f UTF-8 -t UTF-8 "$file" >/dev/null || fail "$1: $file is not UTF-8: $(cat -v "$file")"
        ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$file" ||
            fail "$1: control characters in $file: $(cat -v "$file")"
        ! grep -q '^sdca: all is well' "$file" || fail "$1: an injected line in $file: $(cat -v "$file")"
    done
}

# shown CODE [on RANKS] COMMAND... - it exits with CODE, its output is plain; an error is one line.
shown() {
    expect_exit "$@"
    expect_plain "$*"
    case $1:$2 in
    0:* | 3:* | *:on) ;;
    *) [ "$(wc -l <err)" -eq 1 ] || fail "$*: expected one line, got $(cat -v err)" ;;
    esac
}

"$python" "$here/terminal_escapes.py" data
for data in labels raw_labels encoding obs names normalize; do
    case $data in encoding) expected=65 ;; *) expected=0 ;; esac
    shown 0 "$sdca" info "evil-$data.h5"
    expect_prints "evil-$data.h5: data set"
    shown "$expected" "$sdca" train "evil-$data.h5" -o "$data-model.h5" --lambda 0.1
    shown "$expected" on 2 "$sdca" train "evil-$data.h5" -o "$data-model.h5" --lambda 0.1 --verbose
done
grep -q ' is -1, ' err || fail "expected labels among the settings, got $(cat err)"
shown 0 "$sdca" info labels-model.h5
expect_prints "?[31mred?[0m?back?sdca: all is well"
shown 65 "$sdca" predict labels-model.h5 evil-obs.h5
shown 0 "$sdca" predict labels-model.h5 evil-labels.h5 -o out.csv
shown 65 "$sdca" predict names-model.h5 evil-obs.h5 --label "$(printf 'no\033[1m\nne')"
shown 0 "$sdca" export names-model.h5 out.txt --format text --names
! LC_ALL=C grep -qP '\x1b' out.txt || fail "escape sequences in an export: $(cat -v out.txt)"
shown 0 "$sdca" report labels-model.h5 names-model.h5 -o report.html
! LC_ALL=C grep -qP '\x1b' report.html || fail "escape sequences in a report"

for text in /:loss /:format /:normalize certificate:status origin:sdca-version origin:options origin:solver \
    origin:data-fingerprint; do
    "$python" "$here/terminal_escapes.py" model obs-model.h5 "$text"
    case $text in *:loss | *:format | *:normalize) expected=65 ;; *) expected=0 ;; esac
    shown "$expected" "$sdca" info "evil-${text#*:}.h5"
    shown "$expected" "$sdca" predict "evil-${text#*:}.h5" evil-obs.h5
    shown "$expected" "$sdca" report "evil-${text#*:}.h5" -o report.html
done

printf 'size,label\n1,\033[31mred\033[0m\n2,"two\nlines"\n' >table.csv
shown 0 "$sdca" convert table.csv table.h5
expect_prints "?[31mred?[0m is stored as -1"
shown 66 "$sdca" info "$(printf 'no\nfile\033[2J')"

# Notes are printed only by commands that succeed.
printf '1 1:1 3:1\n-1 2:1\n' | "$sdca" convert - wide.h5 --quiet
shown 65 "$sdca" predict labels-model.h5 table.h5
shown 65 "$sdca" predict labels-model.h5 wide.h5 --label none
