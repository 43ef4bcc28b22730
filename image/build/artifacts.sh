#!/bin/sh
# Completes OUT: firmware, command line, measurements and digests. The command line locks the kernel down: only modules with
# Debian's signature, nothing of the kernel's memory to be read; it restarts, which ends the machine, where it panics. NVIDIA's
# modules have no such signature: that image forbids further modules once its own are loaded, and has no lockdown.
set -eu
export LC_ALL=C
out=$1
dpkg-deb --fsys-tarfile /debs/firmware/*.deb | tar -x -O ./usr/share/ovmf/OVMF.fd > "$out/OVMF.fd"
lockdown=' lockdown=confidentiality'
[ -e /gpu/modules/order ] && lockdown=
printf 'console=ttyS0 quiet panic=-1%s %s' "$lockdown" "$(cat "$out/root.words")" > "$out/cmdline"
rm "$out/root.words"
(cd /payload/app && node cli/cloister.mjs measure "$out" --json) > /work/measurements.json
mv /work/measurements.json "$out/measurements.json"
(cd "$out" && sha256sum OVMF.fd cmdline initrd.img measurements.json rootfs.img vmlinuz > SHA256SUMS)
chmod 644 "$out"/*
touch -d "@${SOURCE_DATE_EPOCH:?}" "$out"/*
