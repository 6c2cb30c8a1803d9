# shellcheck shell=bash disable=SC2154
# launch_tree.sh - the scripts of launch/ as installed by users; source it after common.sh.
#
# The scratch directory becomes a source tree: a copy of launch/ that tests can edit, and
# build/sdca, the program or a test's replacement.
cp -R "$tree/launch" launch
mkdir build
ln -s "$sdca" build/sdca

# edit SCRIPT NAME=VALUE... - change settings in its header.
edit() {
    local setting name
    for setting in "${@:2}"; do
        name=${setting%%=*}
        grep -q "^$name=" "$1" || fail "$1 has no setting $name"
        sed -i "s|^$name=.*|$setting|" "$1"
    done
}

# as_program - install standard input as build/sdca.
as_program() {
    rm -f build/sdca
    (echo "#!/usr/bin/env bash" && cat) >build/sdca
    chmod +x build/sdca
}
