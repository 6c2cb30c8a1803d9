#!/usr/bin/env bash
# bash completes subcommands, options, values of options, and matching files.
set -euo pipefail
. "$(dirname "$0")/common.sh"
script=$(dirname "$sdca")/completion/sdca
bash -n "$script"

mkdir work work/folder
cd work
touch a.h5 b.h5 c.csv d.json 'e f.txt' folder/g.h5

# offers WORD... - the completions of the last word, sorted. Words are split as in
# bash: --loss=x is three words.
offers() {
    # shellcheck disable=SC2016
    bash --norc -u -c '
        . "$0"
        COMP_WORDS=(sdca "$@") COMP_CWORD=$#
        _sdca
        printf "%s\n" "${COMPREPLY[@]}"' "$script" "$@" | sort -u
}

# expect_offers WORDS WORD... - the completions are exactly these words.
expect_offers() {
    local expected
    expected=$(tr ' ' '\n' <<<"$1" | sort -u)
    shift
    [ "$(offers "$@")" = "$expected" ] ||
        fail "'$*' expects '$expected', got '$(offers "$@")'"
}

# Compare with --help: all subcommands and their options.
subcommands=$("$sdca" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p' | paste -sd ' ')
expect_offers "$subcommands" ""
expect_offers "--version --help" --
for subcommand in $subcommands; do
    options=$("$sdca" "$subcommand" --help | sed -n 's/^  \(-., \|    \)\(--[A-Za-z-]*\).*/\2/p' | paste -sd ' ')
    [[ $options == *--help ]] || fail "no options in sdca $subcommand --help"
    expect_offers "$options" "$subcommand" --
done
expect_offers "train" tr
expect_offers "" nonsense ""
expect_offers "--gamma --gap" train a.h5 --ga

# Values of options.
losses="hinge smooth-hinge squared-hinge logistic squared absolute epsilon-insensitive huber"
expect_offers "$losses" train --loss ""
expect_offers "$losses" train --loss =
expect_offers "squared-hinge squared" train --loss = sq
expect_offers "auto" train --sigma ""
expect_offers "" train --lambda ""
expect_offers "json liblinear text" export a.h5 c.csv --format ""
expect_offers "astro-ph ccat cov1 ctr digits regression topics" generate ""

# Files with matching suffixes, and directories where allowed. Options and their values do
# not count as operands.
expect_offers "a.h5 b.h5 folder" train ""
expect_offers "a.h5 b.h5 folder" train --lambda 1e-3 --quiet ""
expect_offers "folder/g.h5" train -o folder/
expect_offers "a.h5 b.h5 folder" train a.h5 -o ""
expect_offers "a.h5 b.h5 folder" train a.h5 -o b.h5 --test ""
expect_offers "c.csv folder" train a.h5 --history ""
expect_offers "d.json folder" train a.h5 --summary = ""
expect_offers "a.h5 b.h5 c.csv folder" predict a.h5 b.h5 -o ""
expect_offers "" train a.h5 ""
expect_offers "a.h5 b.h5 folder" generate cov1 ""
expect_offers "a.h5 b.h5 folder" convert c.csv --task regression ""
[ "$(offers convert e)" = "e f.txt" ] || fail "convert takes any file"
expect_offers "a.h5" report c.csv b.h5 a

# In a terminal, with keystrokes and a file name that needs quoting.
# shellcheck disable=SC2016
printf '%s\n' '. "$script"' 'sdca() { printf "<%s>" "$@"; }' 'PS1=ready' >../rc
script=$script "$python" - ../rc >typed <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp("bash", ["bash", "--noprofile", "--rcfile", sys.argv[1], "-i"])
seen = b""
while b"ready" not in seen:
    seen += os.read(terminal, 4096)
os.write(terminal, b"sdca conv\te\tfold\tg\t --tas\treg\t\nexit\n")
try:
    while text := os.read(terminal, 4096):
        sys.stdout.buffer.write(text)
except OSError:  # the other end is closed
    pass
os.waitpid(child, 0)
END
grep -qF '<convert><e f.txt><folder/g.h5><--task><regression>' typed ||
    fail "in a terminal: got '$(cat typed)'"
