#!/usr/bin/env bash
# Every subcommand has a manual page; man and mandoc report no problems with it, and it
# agrees with --help.
set -euo pipefail
. "$(dirname "$0")/common.sh"
pages=$(dirname "$sdca")/man
export LC_ALL=C.UTF-8

# render PAGE WIDTH - the formatted page without bold and underlined letters.
render() {
    MANWIDTH=$2 MANROFFOPT=-c man --warnings -E utf8 -l "$1" 2>warnings | col -bx
    [ ! -s warnings ] || fail "man on $1: $(cat warnings)"
}

# part FROM TO - the lines between FROM and TO, with single blanks.
part() {
    sed -n "/^$1/,/^$2/p" | sed '1d;$d' | tr -s ' \n' ' '
}

mapfile -t subcommands < <("$sdca" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
[ ${#subcommands[@]} -ge 8 ] || fail "no subcommands in sdca --help"
printf '%s\n' sdca.1 "${subcommands[@]/#/sdca-}" | sed 's/\(-.*\)/\1.1/' | sort >expected
find "$pages" -type f -printf '%f\n' | sort | diff expected - || fail "pages and subcommands differ"

for name in "" "${subcommands[@]}"; do
    page=$pages/sdca${name:+-$name}.1
    # shellcheck disable=SC2086
    "$sdca" $name --help >help
    # shellcheck disable=SC2086
    "$sdca" help $name | cmp - help || fail "'sdca help $name' differs from --help"
    # shellcheck disable=SC2086
    "$sdca" $name --help=man | cmp - "$page"
    render "$page" 80 >narrow
    render "$page" 1000 >wide
    for text in help narrow; do
        awk -v text="$text" 'length > 80 { print text ": " $0; wrong = 1 } END { exit wrong }' \
            "$text" || fail "lines of '$name' are wider than a terminal"
    done
    part OPTIONS "EXIT STATUS" <wide >options
    [ -s options ] || fail "no options in $page"
    sed -n '/ options:$/,/^$/p' help | sed 's/ options:$/ options/' | tr -s ' \n' ' ' | sed 's/^/ /' | diff - options ||
        fail "$page and --help list different options"
    grep -q "^ *sdca${name:+-$name} - [a-z].*[a-z]$" wide || fail "no name in $page"
    # The missing date is intended: it keeps builds reproducible.
    mandoc -T lint -W warning "$page" | grep -v 'missing date' && fail "mandoc on $page"
done

# Parts that only the manual has, and verbatim examples.
render "$pages/sdca-train.1" 80 >train
part FILES EXAMPLE <train | grep -q '^ MODEL.h5 the weights' || fail "no files"
part EXAMPLE "SEE ALSO" <train | grep -qF 'mpirun -np 4 sdca train data.h5 -o model.h5 --loss' ||
    fail "no example"
