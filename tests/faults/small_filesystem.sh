# shellcheck shell=bash disable=SC2154,SC2034
# small_filesystem.sh - a small file system of our own for a test; to be sourced after
# common.sh. Where the kernel does not let us mount one, the test is skipped.

# mount_small OPTIONS - a tmpfs in the directory small, to be unmounted at the end.
mount_small() {
    mkdir -p small
    if ! mount -t tmpfs -o "$1" sdca-test small 2>mount.err; then
        skip "this test needs to mount a tmpfs, which only root may: $(cat mount.err)"
    fi
    at_exit=(unmount_small)
}

unmount_small() {
    cd /
    umount "$scratch/small" || umount -l "$scratch/small"
    rm -rf "$scratch"
}

# remount_small OPTIONS
remount_small() {
    mount -o "remount,$1" "$PWD/small"
}
