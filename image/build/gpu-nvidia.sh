#!/bin/sh
# gpu-nvidia.sh <folder>: writes the additions of the NVIDIA image to <folder>/root and <folder>/modules. Based on NVIDIA's
# documentation; not tested on NVIDIA hardware.
set -eu
out=$1
lock=/inputs/nvidia.lock
[ -e $lock ] || { echo "nvidia.lock not found: see image/inputs/nvidia.txt" >&2; exit 1; }
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
# Build without BTF, since NVIDIA's makefile calls its tools in a way that Linux 7.2 does not support.
KBUILD_BUILD_TIMESTAMP=1970-01-01 make -s -C /tmp/driver/kernel-open modules KERNEL_UNAME="$release" \
  NV_EXCLUDE_KERNEL_MODULES="nvidia-drm nvidia-modeset nvidia-peermem" CONFIG_DEBUG_INFO_BTF_MODULES=

# Modules in load order. They lack Debian's signature, so this image's command line has no lockdown.
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
# libcuda loads this library by its full name to encrypt transfers to a confidential GPU. It links to OpenSSL, which Node
# contains only statically, so OpenSSL's shared library is added.
install -m 644 "/tmp/driver/libnvidia-pkcs11-openssl3.so.$version" "$libraries/"
sh /inputs/fetch.sh /inputs/gpu.lock /tmp/gpu-debs
for package in /tmp/gpu-debs/*.deb; do dpkg-deb -x "$package" /tmp/gpu-libraries; done
for name in libcrypto.so.3 libz.so.1 libzstd.so.1; do
  library=$(readlink -f "/tmp/gpu-libraries/usr/lib/x86_64-linux-gnu/$name")
  install -m 644 "$library" "$libraries/$name"
done
# nvidia-persistenced writes its socket and PID file to /var/run, which is not configurable.
mkdir "$out/root/var"
ln -s ../run "$out/root/var/run"
for archive in /tmp/cuda_cudart-*.tar.xz /tmp/libcublas-*.tar.xz; do
  tar -xf "$archive" -C /tmp --wildcards '*/lib/lib*.so.*'
done
cp -P /tmp/cuda_cudart-*/lib/libcudart.so.* /tmp/libcublas-*/lib/libcublas.so.* /tmp/libcublas-*/lib/libcublasLt.so.* "$libraries/"
