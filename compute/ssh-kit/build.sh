#!/bin/sh
# Builds the SSH kit for standard pods: `build.sh OUT.tar`. Requires Debian's or Ubuntu's dropbear-bin, busybox-static and
# patchelf. The kit includes the loader and libraries of its programs, so they run in any linux/amd64 image, even an empty one.
set -eu
out=${1:?usage: build.sh OUT.tar}
here=$(cd "$(dirname "$0")" && pwd)
for program in busybox dropbear dropbearkey patchelf; do
  command -v "$program" >/dev/null || { echo "missing: $program (packages: busybox-static dropbear-bin patchelf)" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kit=$work/.cloister
# If the kit is mounted read-only, a tmpfs is mounted over host-keys.
mkdir -p "$kit/bin" "$kit/lib" "$kit/host-keys"
cp "$(command -v busybox)" "$kit/bin/busybox"
ln -s busybox "$kit/bin/sh"
cp "$here/start" "$kit/start"
chmod 755 "$kit/start"
loader=$(patchelf --print-interpreter "$(command -v dropbear)")
cp -L "$loader" "$kit/lib/loader"
for program in dropbear dropbearkey; do
  cp "$(command -v "$program")" "$kit/bin/$program"
  ldd "$(command -v "$program")" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | while read -r library; do
    cp -Ln "$library" "$kit/lib/" 2>/dev/null || true
  done
  patchelf --set-interpreter /.cloister/lib/loader --set-rpath /.cloister/lib --force-rpath "$kit/bin/$program"
done
# libc loads this library at run time to look up users, so ldd does not list it.
for library in libnss_files.so.2; do
  found=$(ldconfig -p | sed -n "s/.* => \(.*\/$library\)\$/\1/p" | head -n 1)
  [ -z "$found" ] || cp -L "$found" "$kit/lib/"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" -cf "$out" .cloister
