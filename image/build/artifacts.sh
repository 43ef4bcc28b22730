#!/bin/sh
# Completes OUT with firmware, systemd's stub, command line, unified kernel image, measurements and digests. The command line
# enables kernel lockdown: only modules with Debian's signature load, and kernel memory cannot be read. After a panic the kernel
# reboots, which ends the machine. NVIDIA's modules lack that signature, so their image has no lockdown; it disables module
# loading after its own modules.
set -eu
export LC_ALL=C
out=$1
dpkg-deb --fsys-tarfile /debs/firmware/*.deb | tar -x -O ./usr/share/ovmf/OVMF.fd > "$out/OVMF.fd"
dpkg-deb --fsys-tarfile /debs/stub/*.deb | tar -x -O ./usr/lib/systemd/boot/efi/linuxx64.efi.stub > "$out/stub.efi"
lockdown=' lockdown=confidentiality'
[ -e /gpu/modules/order ] && lockdown=
printf 'console=ttyS0 quiet panic=-1%s %s' "$lockdown" "$(cat "$out/root.words")" > "$out/cmdline"
rm "$out/root.words"
(cd /payload/app && node cli/cloister.mjs image boot-disk "$out/uki.efi" "$out" --uki)
(cd /payload/app && node cli/cloister.mjs measure "$out" --json) > /work/measurements.json
mv /work/measurements.json "$out/measurements.json"
(cd "$out" && sha256sum OVMF.fd cmdline initrd.img measurements.json rootfs.img stub.efi uki.efi vmlinuz > SHA256SUMS)
chmod 644 "$out"/*
touch -d "@${SOURCE_DATE_EPOCH:?}" "$out"/*
