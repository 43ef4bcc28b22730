#!/bin/sh
# gpu-nvidia.sh <folder>: what the image for NVIDIA GPUs adds, below <folder>/root and <folder>/modules. Written from NVIDIA's
# documentation; not run on such hardware.
set -eu
out=$1
lock=/inputs/nvidia.lock
[ -e $lock ] || { echo "there is no nvidia.lock: see server/guest-image/inputs/nvidia.txt" >&2; exit 1; }
ca=
[ -e /run/secrets/ca ] && ca="-o Acquire::https::CAInfo=/run/secrets/ca"
while read -r sha256 url; do
  /usr/lib/apt/apt-helper -q -o APT::Sandbox::User=root $ca download-file "$url" "/tmp/${url##*/}" "SHA256:$sha256" > /dev/null
done < $lock

sh /inputs/fetch.sh /inputs/headers.lock /tmp/headers
dpkg --force-downgrade --unpack /tmp/headers/*.deb > /dev/null
dpkg --configure --pending > /dev/null
release=$(ls /lib/modules)

sh /tmp/NVIDIA-Linux-*.run --extract-only --target /tmp/driver > /dev/null
version=$(basename /tmp/NVIDIA-Linux-x86_64-*.run .run)
version=${version##*-}
KBUILD_BUILD_TIMESTAMP=1970-01-01 make -s -C /tmp/driver/kernel-open modules KERNEL_UNAME="$release" NV_EXCLUDE_BUILD_MODULES="nvidia-drm nvidia-modeset nvidia-peermem"

# In the order in which they are loaded. Without Debian's signature: the command line of this image locks nothing down.
mkdir -p "$out/modules" "$out/root/usr/lib/x86_64-linux-gnu" "$out/root/usr/lib/firmware/nvidia/$version" "$out/root/usr/bin"
for module in nvidia nvidia-uvm; do
  strip --strip-debug -o "$out/modules/$module.ko" "/tmp/driver/kernel-open/$module.ko"
  echo "$module.ko" >> "$out/modules/order"
done
install -m 644 /tmp/driver/firmware/gsp_*.bin "$out/root/usr/lib/firmware/nvidia/$version/"
install -m 755 /tmp/driver/nvidia-persistenced /tmp/driver/nvidia-smi "$out/root/usr/bin/"
libraries=$out/root/usr/lib/x86_64-linux-gnu
for library in libcuda libnvidia-ml libnvidia-ptxjitcompiler libnvidia-cfg; do
  install -m 644 "/tmp/driver/$library.so.$version" "$libraries/"
  ln -s "$library.so.$version" "$libraries/$library.so.1"
done
for archive in /tmp/cuda_cudart-*.tar.xz /tmp/libcublas-*.tar.xz; do
  tar -xf "$archive" -C /tmp --wildcards '*/lib/lib*.so.*'
done
cp -P /tmp/cuda_cudart-*/lib/libcudart.so.* /tmp/libcublas-*/lib/libcublas.so.* /tmp/libcublas-*/lib/libcublasLt.so.* "$libraries/"
