/**
 * A private libvirt: its own daemon in its own mount namespace, isolated from machines, networks
 * and pools of the system; and a guest of a few megabytes that boots in seconds under emulation.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LibvirtHost } from '../../../compute/engines/libvirt/libvirt-host.ts';
import { buildGuest, type Guest } from './libvirt-guest.ts';
import { onPath } from './podman.ts';

export interface Libvirt {
  readonly uri: string;
  /** The folder of the disks of pods. */
  readonly poolFolder: string;
  readonly host: LibvirtHost;
  /** For a virsh that a test writes. */
  readonly folder: string;
  virsh(...args: string[]): string;
  start(): Promise<void>;
  /** Kills the daemon; machines keep running. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** The daemon's process. */
  pid(): number;
  remove(): Promise<void>;
}

const network = 'cloister-test';
const bridge = 'clstrtest0';
/** An address range that is unlikely to be in use. */
const subnet = '10.213.77';
const baseBytes = 64 * 2 ** 20;

/** @returns a running daemon with a pool, a network and a base image, or why it cannot run */
export async function startLibvirt(): Promise<Libvirt | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'libvirt is tested as root' };
  for (const program of ['libvirtd', 'virsh', 'qemu-system-x86_64', 'qemu-img', 'dnsmasq', 'unshare', 'busybox']) {
    if (!onPath(program)) return { missing: `${program} is not installed` };
  }
  const folder = mkdtempSync(join(tmpdir(), 'cloister-libvirt-'));
  // QEMU and dnsmasq run as other users.
  chmodSync(folder, 0o755);
  const guest = buildGuest(folder);
  if ('missing' in guest) {
    rmSync(folder, { recursive: true, force: true });
    return guest;
  }
  const poolFolder = join(folder, 'pool');
  const baseFolder = join(folder, 'base');
  for (const path of [poolFolder, baseFolder]) mkdirSync(path);
  const image = join(baseFolder, 'base.qcow2');
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', image, String(baseBytes)]);
  const uri = `qemu+unix:///system?socket=${join(folder, 'libvirt-sock')}`;
  const virsh = (...args: string[]): string =>
    execFileSync('virsh', ['--quiet', '--connect', uri, ...args], { encoding: 'utf8', stdio: 'pipe' });
  const daemon = new Daemon(folder);
  const end = async () => {
    await daemon.kill();
    daemon.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await daemon.start();
    virsh('pool-create-as', 'pods', 'dir', '--target', poolFolder);
    virsh('pool-create-as', 'base', 'dir', '--target', baseFolder);
    // A run that was killed leaves its bridge.
    if (existsSync(`/sys/class/net/${bridge}`)) execFileSync('ip', ['link', 'delete', bridge]);
    writeFileSync(join(folder, 'network.xml'), networkXml);
    virsh('net-create', join(folder, 'network.xml'));
  } catch (error) {
    await end();
    throw error;
  }
  return {
    uri,
    poolFolder,
    folder,
    virsh,
    host: hostOf(uri, guest),
    start: () => daemon.start(),
    kill: () => daemon.kill(),
    freeze: () => daemon.signal('SIGSTOP'),
    thaw: () => daemon.signal('SIGCONT'),
    pid: () => daemon.pid,
    async remove() {
      for (const name of virsh('list', '--name').split('\n').filter(Boolean)) virsh('destroy', name);
      virsh('net-destroy', network);
      await end();
    },
  };
}

function hostOf(uri: string, guest: Guest): LibvirtHost {
  return {
    machine: 'm-1',
    uri,
    profile: {
      kind: 'plain-vm-for-tests',
      domainType: 'qemu',
      kernel: { path: guest.kernel, initrd: guest.initrd, commandLine: 'console=ttyS0 quiet' },
    },
    pool: 'pods',
    images: { 'ubuntu-24.04': { pool: 'base', volume: 'base.qcow2', format: 'qcow2' } },
    network: { kind: 'routed', name: network },
    gpus: [],
    wipeDisks: true,
  };
}

const networkXml = `<network><name>${network}</name><bridge name='${bridge}'/><forward mode='nat'/>
<ip address='${subnet}.1' netmask='255.255.255.0'><dhcp><range start='${subnet}.10' end='${subnet}.99'/></dhcp></ip>
</network>`;

/** Empty folders, mounted in its namespace only, cover the state of the system's own daemon. */
const isolate = `set -e
for path in /run/libvirt /var/lib/libvirt /etc/libvirt; do mkdir -p $path; mount -t tmpfs none $path; done
mkdir -p /var/lib/libvirt/qemu /etc/libvirt/qemu
cp "$0/qemu.conf" /etc/libvirt/qemu.conf
exec libvirtd --config "$0/libvirtd.conf" --pid-file "$0/libvirtd.pid"`;

class Daemon {
  readonly #folder: string;
  #namespace: ChildProcess | undefined;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    const socket = `unix_sock_dir = "${folder}"\nauth_unix_rw = "none"\nauth_unix_ro = "none"\n`;
    writeFileSync(join(folder, 'libvirtd.conf'), socket);
    const plain = 'user = "root"\ngroup = "root"\nsecurity_driver = "none"\nstdio_handler = "file"\n';
    writeFileSync(join(folder, 'qemu.conf'), `${plain}cgroup_controllers = []\n`);
  }

  async start(): Promise<void> {
    rmSync(join(this.#folder, 'libvirt-sock'), { force: true });
    rmSync(join(this.#folder, 'libvirtd.pid'), { force: true });
    // The namespace outlives the daemon: a new daemon finds the state of the previous one, as after a crash.
    const command = ['--config', join(this.#folder, 'libvirtd.conf'), '--pid-file', join(this.#folder, 'libvirtd.pid')];
    this.#child =
      this.#namespace === undefined
        ? spawn('unshare', ['--mount', 'sh', '-c', isolate, this.#folder], { stdio: 'ignore' })
        : spawn('nsenter', [`--mount=/proc/${this.#namespace.pid}/ns/mnt`, 'libvirtd', ...command], {
            stdio: 'ignore',
          });
    const child = this.#child;
    const ended = new Promise<never>((_, reject) => {
      child.once('exit', (code) => reject(new Error(`libvirtd ended with ${code}`)));
    });
    ended.catch(() => undefined);
    while (!existsSync(join(this.#folder, 'libvirt-sock'))) await Promise.race([pause(20), ended]);
    this.#namespace ??= spawn('nsenter', [`--mount=/proc/${child.pid}/ns/mnt`, 'sleep', 'infinity'], {
      stdio: 'ignore',
    });
    await pause(50);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Ends the process that keeps the namespace alive. */
  end(): void {
    this.#namespace?.kill('SIGKILL');
  }
}

/** @returns the files of pods' disks */
export function diskFiles({ poolFolder }: Libvirt): string[] {
  return readdirSync(poolFolder).sort();
}
