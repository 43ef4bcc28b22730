#!/bin/sh
# Builds OUT/rootfs.img, the guest's read-only root followed by its dm-verity hash tree, and OUT/root.words, its kernel
# parameter. Packages are only unpacked: their scripts do not run. Needs no privileges, mounts or loop devices.
set -eu
export LC_ALL=C TZ=UTC
umask 022
out=$1
epoch=${SOURCE_DATE_EPOCH:?}
root=/work/root
block=4096

mkdir -p "$out" "$root"/usr/bin "$root"/usr/lib "$root"/usr/lib64 "$root"/etc
for folder in dev proc sys run tmp app; do mkdir "$root/$folder"; done
for folder in bin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done

# Copy only libraries from the packages: the image has no shell, no package manager and no other interpreters.
for package in /debs/guest/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --no-same-owner --wildcards \
    './usr/lib/x86_64-linux-gnu/*.so*' './usr/lib64/*' 2> /dev/null || true
done
[ -e "$root/usr/lib64/ld-linux-x86-64.so.2" ] && [ -e "$root/usr/lib/x86_64-linux-gnu/libstdc++.so.6" ]
install -m 755 /node/bin/node "$root/usr/bin/node"
cp -R /payload/app/. "$root/app/"
if [ -d /gpu/root ]; then cp -R /gpu/root/. "$root/"; fi
du -sk "$root/usr/bin" "$root/usr/lib" "$root/app/node_modules" "$root/app/models" "$root/app"

echo 'root:x:0:0::/:/none' > "$root/etc/passwd"
echo 'runtime:x:1000:1000::/tmp:/none' >> "$root/etc/passwd"
echo 'dhcp:x:1001:1001::/:/none' >> "$root/etc/passwd"
printf 'root:x:0:\nruntime:x:1000:\ndhcp:x:1001:\n' > "$root/etc/group"
printf 'hosts: files dns\n' > "$root/etc/nsswitch.conf"
printf '127.0.0.1 localhost\n::1 localhost\n' > "$root/etc/hosts"
ln -s /run/resolv.conf "$root/etc/resolv.conf"

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -perm -100 -exec chmod 644 {} +
find "$root" -exec touch -h -d "@$epoch" {} +
mkfs.erofs --quiet -zlz4hc -T "$epoch" -U 00000000-0000-4000-8000-000000000001 --all-root -x-1 "$out/rootfs.img" "$root"

# The salt distinguishes this tree from those of other images. It is not secret.
salt=$(printf 'cloister root' | sha256sum | cut -d ' ' -f 1)
blocks=$((($(stat -c %s "$out/rootfs.img") + block - 1) / block))
truncate -s $((blocks * block)) "$out/rootfs.img"
hash=$(veritysetup format --no-superblock --hash=sha256 --data-block-size=$block --hash-block-size=$block --salt="$salt" \
  --data-blocks="$blocks" --hash-offset=$((blocks * block)) "$out/rootfs.img" "$out/rootfs.img" | awk '/^Root hash/ { print $3 }')
[ ${#hash} -eq 64 ]
printf 'cloister.root=%s:%s:%s' "$hash" "$blocks" "$salt" > "$out/root.words"
