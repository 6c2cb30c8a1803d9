#!/usr/bin/env bash
# Every command in the documents works; documented_commands.py selects them. Each document
# gets its own directory, in which build/ etc. are placed as in the tree.
set -euo pipefail
. "$(dirname "$0")/common.sh"
export PATH=$build:$PATH python

# check_ignored DOCUMENT - .gitignore covers the files that its commands create.
check_ignored() {
    local file
    git -C "$tree" rev-parse --git-dir >/dev/null 2>&1 || return 0
    for file in *; do
        case $file in
        out | err | commands | build | docs | datasets | launch | tests) ;;
        *) git -C "$tree" check-ignore -q --no-index "$file" || fail "$1 creates $file, which .gitignore lacks" ;;
        esac
    done
}

for document in "$tree"/README.md "$tree"/docs/*.md "$tree"/datasets/README.md; do
    name=${document#"$tree/"}
    mkdir -p "${name//\//-}"
    cd "${name//\//-}"
    ln -s "$build" build
    ln -s "$tree"/{docs,datasets,launch,tests} .
    (cd "$tree" && "$python" "$here/documented_commands.py" "$name") >commands
    # shellcheck disable=SC2016
    timeout --kill-after=5 60 bash -eu -o pipefail -c '
        trap "echo \"FAILED: \$place\" >&2" ERR
        place=; . ./commands' >out 2>err </dev/null ||
        fail "the commands of $name: $(cat out err)"
    grep 'not tested' out || true
    check_ignored "$name"
    echo "$name: $(grep -c '^place=' commands || true) blocks"
    cd ..
done
