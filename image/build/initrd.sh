#!/bin/sh
# Builds OUT/initrd.img, with the static /init and the kernel's modules in load order, and OUT/vmlinuz.
set -eu
export LC_ALL=C TZ=UTC
umask 022
out=$1
epoch=${SOURCE_DATE_EPOCH:?}
tree=/work/initrd
kernel=/work/kernel
mkdir -p "$out" "$tree/modules" "$tree/dev" "$tree/proc" "$tree/sys" "$tree/root" "$kernel"

for package in /debs/kernel/*.deb; do dpkg-deb -x "$package" "$kernel"; done
version=$(ls "$kernel/usr/lib/modules")
depmod -b "$kernel/usr" "$version"
install -m 644 "$kernel/usr/lib/modules/$version/vmlinuz" "$out/vmlinuz"

g++ -std=c++20 -O2 -static -s -fno-exceptions -fno-rtti -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wall -Wextra -Werror \
  -ffile-prefix-map=/sources=. -Wl,--build-id=none -o "$tree/init" /sources/image/init/*.cc

# add <order> <module>: adds a module to a list once, after its dependencies.
add() {
  for needed in $(modinfo -b "$kernel/usr" -k "$version" -F depends "$2" | tr ',' ' '); do add "$1" "$needed"; done
  path=$(modinfo -b "$kernel/usr" -k "$version" -F filename "$2")
  file=$(basename "${path%%.ko*}").ko
  case $path in *builtin*) return ;; esac
  cat "$tree/modules/order" "$tree/modules/cloud-order" | grep -qx "$file" && return
  xz -dc "$path" > "$tree/modules/$file"
  echo "$file" >> "$tree/modules/$1"
}
: > "$tree/modules/order"
: > "$tree/modules/cloud-order"
for module in virtio_blk virtio_net af_packet dm-verity erofs configfs tsm_report tdx-guest vmw_vsock_virtio_transport; do
  add order "$module"
done
# Disks and network interfaces of Google's cloud. Only a machine that boots from a disk loads them.
for module in nvme gve; do add cloud-order "$module"; done

# GPU modules load after the kernel's own.
if [ -e /gpu/modules/order ]; then
  for module in ecdh_generic; do add order "$module"; done
  cp /gpu/modules/*.ko "$tree/modules/"
  cat /gpu/modules/order >> "$tree/modules/order"
fi

find "$tree" -exec touch -h -d "@$epoch" {} +
(cd "$tree" && find . -print0 | sort -z | cpio --null -o -H newc --owner +0:+0 --reproducible --quiet) |
  zstd -q -T1 -19 > "$out/initrd.img"
