# shellcheck shell=bash disable=SC2154,SC2034
# small_filesystem.sh - a small private file system for a test; source it after
# common.sh. If it cannot be mounted, the test is skipped.

# mount_small OPTIONS - mount a tmpfs on the directory small; unmounted at exit.
mount_small() {
    mkdir -p small
    if ! mount -t tmpfs -o "$1" sdca-test small 2>mount.err; then
        skip "cannot mount a tmpfs, which needs root: $(cat mount.err)"
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
