#!/bin/sh
# Builds the SSH kit that standard pods get: `build.sh OUT.tar`. Needs Debian's or Ubuntu's dropbear-bin, busybox-static and
# patchelf. The programs bring their own loader and libraries, so they run in any linux/amd64 image, even an empty one.
set -eu
out=${1:?usage: build.sh OUT.tar}
here=$(cd "$(dirname "$0")" && pwd)
for program in busybox dropbear dropbearkey patchelf; do
  command -v "$program" >/dev/null || { echo "missing: $program (packages: busybox-static dropbear-bin patchelf)" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kit=$work/.cloister
# Where it is mounted read-only, memory is put over the last one.
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
# Users are looked up through these, which no program is linked against.
for library in libnss_files.so.2; do
  found=$(ldconfig -p | sed -n "s/.* => \(.*\/$library\)\$/\1/p" | head -n 1)
  [ -z "$found" ] || cp -L "$found" "$kit/lib/"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" -cf "$out" .cloister
