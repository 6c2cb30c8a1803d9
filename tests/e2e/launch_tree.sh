# shellcheck shell=bash disable=SC2154
# launch_tree.sh - scripts of launch/ as users have them; to be sourced after common.sh.
#
# The scratch directory becomes a tree: launch/ is there to be edited, and build/sdca is
# the program or what a test puts there.
cp -R "$tree/launch" launch
mkdir build
ln -s "$sdca" build/sdca

# edit SCRIPT NAME=VALUE... - change what its header says can be changed.
edit() {
    local setting name
    for setting in "${@:2}"; do
        name=${setting%%=*}
        grep -q "^$name=" "$1" || fail "$1 has no setting $name"
        sed -i "s|^$name=.*|$setting|" "$1"
    done
}

# as_program - what comes on standard input is build/sdca from now on.
as_program() {
    rm -f build/sdca
    (echo "#!/usr/bin/env bash" && cat) >build/sdca
    chmod +x build/sdca
}
