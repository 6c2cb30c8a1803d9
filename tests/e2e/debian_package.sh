#!/usr/bin/env bash
# The Debian package installs with its dependencies, works when installed, and leaves
# nothing when removed. All in a scratch root with a copy of dpkg's package list: the
# machine is not changed.
set -euo pipefail
. "$(dirname "$0")/common.sh"
for tool in dpkg dpkg-shlibdeps cpack gzip; do
    if ! command -v "$tool" >/dev/null; then
        skip "a Debian package cannot be built without $tool"
    fi
done
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v fakeroot >/dev/null; then
        skip "installing the package needs root or fakeroot"
    fi
    as_root=(fakeroot)
fi

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/pack" >log 2>&1 || fail "cpack: $(cat log)"
package=$(echo pack/sdca_*.deb)
[ -f "$package" ] || fail "expected one package, got '$(ls pack)'"
dpkg -c "$package" | sed 's| -> .*||; s|.* \./|/|' | grep -v '/$' | sort >files
for file in /usr/bin/sdca /usr/lib/libsdca.a /usr/lib/libsdca.so.0 /usr/include/sdca/sdca.h \
    /usr/lib/cmake/sdca/sdcaConfig.cmake /usr/lib/pkgconfig/sdca.pc \
    /usr/share/man/man1/sdca.1.gz /usr/share/man/man1/sdca-train.1.gz \
    /usr/share/bash-completion/completions/sdca /usr/share/doc/sdca/copyright \
    /usr/share/doc/sdca/tutorial.md /usr/share/doc/sdca/restart.md \
    /usr/share/sdca/launch/{local,hosts,pick,attempts,program,slurm/train.sbatch,slurm/array.sbatch}; do
    grep -qx "$file" files || fail "expected $file in the package, got $(cat files)"
done
case $(ldd "$sdca") in
*libmpich.so*) mpi=(mpich libmpich libhdf5-mpich) ;;
*) mpi=(openmpi-bin libopenmpi libhdf5-openmpi) ;;
esac
for needed in "${mpi[@]}" libarchive zlib1g libc6; do
    dpkg -f "$package" Depends | grep -q "$needed" || fail "it does not depend on $needed"
done
# Suppressed tags: maintainer address, and packages not built by Debian.
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --suppress-tags \
        bogus-mail-host,pkg-config-multi-arch-wrong-dir "$package" >lint 2>&1 || fail "lintian: $(cat lint)"
fi

root=$scratch/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
cp /var/lib/dpkg/status "$root/var/lib/dpkg/status"
# The other packages are listed but have no files; dpkg warns about each.
in_root() {
    "${as_root[@]}" dpkg --root="$root" --force-script-chrootless --log="$scratch/dpkg.log" "$@" \
        >log 2>&1 || fail "dpkg $*: $(grep -v 'files list file' log)"
}
here_now() {
    (cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | sort)
}
here_now >before
in_root --install "$package"

PATH=$root/usr/bin:$PATH
[ "$(command -v sdca)" = "$root/usr/bin/sdca" ] || fail "the installed program is not found"
[ "$(sdca --version)" = "$("$sdca" --version)" ] || fail "another version is installed"
sdca generate cov1 data.h5 --scale 0.001 --quiet
expect_exit 0 on 2 sdca train data.h5 -o model.h5 --lambda 1e-2
expect_prints "Target reached"
expect_exit 0 "$root/usr/share/sdca/launch/local" data.h5 -o launched.h5 --lambda 1e-2
expect_prints "Target reached"
for page in sdca sdca-train; do
    man -M "$root/usr/share/man" "$page" | grep -q NAME || fail "no manual page $page"
done
# bash-completion, if installed, finds the script.
loader=/usr/share/bash-completion/bash_completion
if [ -f "$loader" ]; then
    XDG_DATA_DIRS=$root/usr/share bash --norc -c '. "$0"; _completion_loader sdca; complete -p sdca' \
        "$loader" | grep -q _sdca || fail "bash-completion does not find the script"
fi
"$here/../installed/build_against" "$root/usr" "$mpirun" "$python" >log 2>&1 || fail "a program with the library: $(cat log)"

in_root --purge sdca
here_now | diff before - || fail "files remain after removal"
