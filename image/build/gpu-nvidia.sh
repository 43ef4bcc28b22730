#!/bin/sh
# gpu-nvidia.sh <folder>: what the image for NVIDIA GPUs adds, below <folder>/root and <folder>/modules. Written from NVIDIA's
# documentation; not run on such hardware.
set -eu
out=$1
lock=/inputs/nvidia.lock
[ -e $lock ] || { echo "there is no nvidia.lock: see image/inputs/nvidia.txt" >&2; exit 1; }
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
# Without the kernel's type information, whose tools NVIDIA's makefile calls in a way that Linux 7.2 no longer understands.
KBUILD_BUILD_TIMESTAMP=1970-01-01 make -s -C /tmp/driver/kernel-open modules KERNEL_UNAME="$release" \
  NV_EXCLUDE_KERNEL_MODULES="nvidia-drm nvidia-modeset nvidia-peermem" CONFIG_DEBUG_INFO_BTF_MODULES=

# In the order in which they are loaded. Without Debian's signature: the command line of this image locks nothing down.
mkdir -p "$out/modules" "$out/root/usr/lib/x86_64-linux-gnu" "$out/root/usr/lib/firmware/nvidia/$version" "$out/root/usr/bin"
for module in nvidia nvidia-uvm; do
  strip --strip-debug -o "$out/modules/$module.ko" "/tmp/driver/kernel-open/$module.ko"
  echo "$module.ko" >> "$out/modules/order"
done
install -m 644 /tmp/driver/firmware/gsp_*.bin "$out/root/usr/lib/firmware/nvidia/$version/"
install -m 755 /tmp/driver/nvidia-persistenced /tmp/driver/nvidia-smi "$out/root/usr/bin/"
libraries=$out/root/usr/lib/x86_64-linux-gnu
for name in libcuda.so.1 libnvidia-ml.so.1 libnvidia-ptxjitcompiler.so.1 libnvidia-cfg.so.1 libnvidia-nvvm.so.4; do
  library=${name%.so.*}.so.$version
  install -m 644 "/tmp/driver/$library" "$libraries/"
  ln -s "$library" "$libraries/$name"
done
# What libcuda encrypts with on its way to a confidential GPU, found by its whole name; it is linked to OpenSSL, which Node has
# within itself.
install -m 644 "/tmp/driver/libnvidia-pkcs11-openssl3.so.$version" "$libraries/"
sh /inputs/fetch.sh /inputs/gpu.lock /tmp/gpu-debs
for package in /tmp/gpu-debs/*.deb; do dpkg-deb -x "$package" /tmp/gpu-libraries; done
for name in libcrypto.so.3 libz.so.1 libzstd.so.1; do
  library=$(readlink -f "/tmp/gpu-libraries/usr/lib/x86_64-linux-gnu/$name")
  install -m 644 "$library" "$libraries/$name"
done
# nvidia-persistenced keeps its socket and its number below /var/run, and cannot be told another place.
mkdir "$out/root/var"
ln -s ../run "$out/root/var/run"
for archive in /tmp/cuda_cudart-*.tar.xz /tmp/libcublas-*.tar.xz; do
  tar -xf "$archive" -C /tmp --wildcards '*/lib/lib*.so.*'
done
cp -P /tmp/cuda_cudart-*/lib/libcudart.so.* /tmp/libcublas-*/lib/libcublas.so.* /tmp/libcublas-*/lib/libcublasLt.so.* "$libraries/"
