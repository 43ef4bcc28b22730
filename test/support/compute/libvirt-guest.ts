/**
 * The smallest machine that can run a pod: a distribution's kernel, busybox and an SSH server in memory. It reads the parts of
 * the seed disk that the tests check, like cloud-init: the user `ubuntu`, the keys, the hostname.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './podman.ts';

export interface Guest {
  readonly kernel: string;
  readonly initrd: string;
}

const modules = ['virtio_pci', 'virtio_blk', 'virtio_net', 'isofs'];

const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
mkdir -p /dev/pts /mnt /home/ubuntu/.ssh /var/run; mount -t devpts none /dev/pts
while read -r module; do insmod "/modules/$module"; done < /modules/order
mount -t iso9660 -o ro /dev/vdb /mnt || echo "no seed"
tr ',' '\\n' < /mnt/user-data | grep -o '\\(ssh\\|ecdsa\\)-[^"]*' > /home/ubuntu/.ssh/authorized_keys
hostname "$(tr ',' '\\n' < /mnt/meta-data | sed -n 's/.*"local-hostname":"\\([^"]*\\)".*/\\1/p')"
hash=$(tr ',' '\\n' < /mnt/user-data | sed -n 's/.*"hashed_passwd":"\\([^"]*\\)".*/\\1/p')
echo "ubuntu:\${hash:-!}:19000:0:99999:7:::" > /etc/shadow
chmod 700 /home/ubuntu /home/ubuntu/.ssh; chmod 600 /home/ubuntu/.ssh/authorized_keys
chown -R 1000:1000 /home/ubuntu
ip link set lo up; ip link set eth0 up
udhcpc -i eth0 -q -s /bin/lease
mkdir -p /.cloister/host-keys
/.cloister/bin/dropbearkey -t ed25519 -f /.cloister/host-keys/ed25519 > /dev/null 2>&1
exec /.cloister/bin/dropbear -F -s -r /.cloister/host-keys/ed25519 -p 22
`;

const lease = `#!/bin/sh
[ "$1" = bound ] && ip addr add "$ip/24" dev "$interface"
[ -n "$router" ] && ip route add default via "$router"
exit 0
`;

/** @param folder where it is built @returns paths of kernel and initial memory disk, or what is missing for them */
export function buildGuest(folder: string): Guest | { readonly missing: string } {
  const kernels = readdirSync('/boot').filter((name) => /^vmlinuz-.*-cloud-amd64$/.test(name));
  const kernel = kernels.sort().at(-1);
  if (kernel === undefined) return { missing: 'no kernel in /boot for a guest (package linux-image-cloud-amd64)' };
  for (const program of ['cpio', 'dropbear', 'dropbearkey', 'patchelf', 'modprobe']) {
    if (!onPath(program)) return { missing: `${program} is not installed` };
  }
  const root = join(folder, 'guest');
  for (const path of ['bin', 'modules', 'etc', 'proc', 'sys', 'dev', 'root', 'home']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  execFileSync('cp', [execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(root, 'bin/busybox')]);
  const kit = join(folder, 'guest-kit.tar');
  execFileSync(join(import.meta.dirname, '../../../compute/ssh-kit/build.sh'), [kit]);
  execFileSync('tar', ['-C', root, '-xf', kit]);
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nubuntu:x:1000:1000::/home/ubuntu:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nubuntu:x:1000:\n');
  writeFileSync(join(root, 'bin/lease'), lease);
  writeFileSync(join(root, 'init'), init);
  for (const path of ['bin/lease', 'init']) chmodSync(join(root, path), 0o755);
  copyModules(kernel.replace('vmlinuz-', ''), join(root, 'modules'));
  const initrd = join(folder, 'guest.cpio.gz');
  execFileSync('sh', ['-c', 'cd "$0" && find . | cpio --quiet -o -H newc | gzip -1 > "$1"', root, initrd]);
  return { kernel: join('/boot', kernel), initrd };
}

/** Copies the modules with their dependencies, and the order in which to load them. */
function copyModules(version: string, to: string): void {
  const order: string[] = [];
  for (const name of modules) {
    const shown = execFileSync('modprobe', ['-S', version, '--show-depends', name], { encoding: 'utf8' });
    for (const [, path] of shown.matchAll(/^insmod (\S+)/gm)) {
      const file = path!.split('/').at(-1)!;
      if (order.includes(file)) continue;
      order.push(file);
      execFileSync('cp', [path!, join(to, file)]);
    }
  }
  writeFileSync(join(to, 'order'), `${order.join('\n')}\n`);
}
