/**
 * A Docker Swarm of two or more nodes on one machine: Docker daemons, each in network, mount and host name namespaces of its
 * own, joined by a bridge whose links can be cut.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { busyboxRoot, onPath } from './podman.ts';

export interface Swarm {
  /** The first is the manager. */
  readonly nodes: readonly SwarmTestNode[];
  readonly folder: string;
  /** Address of this machine, as the nodes see it. */
  readonly address: string;
  remove(): Promise<void>;
}

export interface SwarmTestNode {
  readonly hostname: string;
  readonly address: string;
  readonly socketPath: string;
  docker(...args: string[]): string;
  cutLink(): void;
  healLink(): void;
}

const bridge = 'clstrsw0';
const subnet = '10.213.78';
/** The resources that both nodes report, without a real device. */
export const gpuResource = 'gpu';

/** @returns why it cannot run */
export async function startSwarm({
  count = 2,
}: {
  count?: number;
} = {}): Promise<Swarm | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'Docker is tested as root' };
  const programs = ['dockerd', 'docker', 'containerd', 'unshare', 'nsenter', 'ip', 'iptables', 'busybox'];
  const absent = [...programs, 'dropbear', 'patchelf'].find((program) => !onPath(program));
  if (absent !== undefined) return { missing: `${absent} is not installed` };
  const folder = mkdtempSync(join(tmpdir(), 'cloister-swarm-'));
  run('ip', 'link', 'add', bridge, 'type', 'bridge');
  run('ip', 'addr', 'add', `${subnet}.1/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  const nodes = Array.from({ length: count }, (_, index) => new Node(folder, index + 2));
  const swarm: Swarm = {
    nodes,
    folder,
    address: `${subnet}.1`,
    async remove() {
      await Promise.all(nodes.map((node) => node.stop()));
      run('ip', 'link', 'del', bridge);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const [manager, ...workers] = nodes as [Node, ...Node[]];
    manager.docker('swarm', 'init', '--advertise-addr', manager.address);
    const token = manager.docker('swarm', 'join-token', '--quiet', 'worker').trim();
    for (const worker of workers) worker.docker('swarm', 'join', '--token', token, `${manager.address}:2377`);
    return swarm;
  } catch (error) {
    await swarm.remove();
    throw error;
  }
}

/** Imports an image that contains only busybox on every node. @returns its name */
export function importEverywhere({ nodes, folder }: Swarm, name = 'localhost/busybox:1'): string {
  const archive = execFileSync('tar', ['-C', busyboxRoot(folder), '-c', '.'], { maxBuffer: 64 * 2 ** 20 });
  for (const { socketPath } of nodes) {
    const args = ['--host', `unix://${socketPath}`, 'import', '--change', 'CMD ["/bin/sleep","1000"]', '-', name];
    execFileSync('docker', args, { input: archive, stdio: ['pipe', 'ignore', 'pipe'] });
  }
  return name;
}

class Node implements SwarmTestNode {
  readonly hostname: string;
  readonly address: string;
  readonly socketPath: string;
  readonly #folder: string;
  readonly #link: string;
  #namespace: ChildProcess | undefined;
  #daemon: ChildProcess | undefined;

  constructor(parent: string, number: number) {
    this.hostname = `node-${number}`;
    this.address = `${subnet}.${number}`;
    this.#folder = join(parent, this.hostname);
    this.#link = `clstrsw${number}`;
    this.socketPath = join(this.#folder, 'docker.sock');
    mkdirSync(this.#folder);
    const settings = { 'node-generic-resources': [`gpu=GPU-${number}`], 'insecure-registries': [`${subnet}.0/24`] };
    writeFileSync(join(this.#folder, 'daemon.json'), JSON.stringify(settings));
  }

  async start(): Promise<void> {
    const ready = join(this.#folder, 'ready');
    const script = 'hostname "$0"; mount -t tmpfs none /run; touch "$1"; exec sleep infinity';
    const isolated = ['--net', '--mount', '--uts', 'sh', '-c', script, this.hostname, ready];
    this.#namespace = spawn('unshare', isolated, { stdio: 'ignore' });
    while (!existsSync(ready)) await pause(10);
    const pid = String(this.#namespace.pid);
    run('ip', 'link', 'add', this.#link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid);
    run('ip', 'link', 'set', this.#link, 'master', bridge, 'up');
    for (const args of [
      ['addr', 'add', `${this.address}/24`, 'dev', 'eth0'],
      ['link', 'set', 'eth0', 'up'],
      ['link', 'set', 'lo', 'up'],
      ['route', 'add', 'default', 'via', `${subnet}.1`],
    ]) {
      run('nsenter', '--target', pid, '--net', 'ip', ...args);
    }
    const options = ['config-file=daemon.json', 'data-root=data', 'exec-root=exec', 'pidfile=docker.pid'];
    const paths = options.map((option) => `--${option.replace('=', `=${this.#folder}/`)}`);
    const daemon = ['dockerd', ...paths, '--host', `unix://${this.socketPath}`, '--storage-driver', 'overlay2'];
    const enter = ['--target', pid, '--net', '--mount', '--uts'];
    this.#daemon = spawn('nsenter', [...enter, ...daemon], { stdio: 'ignore' });
    for (let tries = 0; !this.#answers(); tries++) {
      if (tries > 600 || this.#daemon.exitCode !== null) throw new Error('dockerd did not start');
      await pause(100);
    }
  }

  docker(...args: string[]): string {
    const host = ['--host', `unix://${this.socketPath}`];
    return execFileSync('docker', [...host, ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  cutLink(): void {
    run('ip', 'link', 'set', this.#link, 'down');
  }

  healLink(): void {
    run('ip', 'link', 'set', this.#link, 'up');
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon;
    if (daemon?.exitCode === null) {
      // Containers would outlive their daemon and keep its folders and links in use.
      this.docker('swarm', 'leave', '--force');
      for (const id of this.docker('ps', '--all', '--quiet').split('\n').filter(Boolean)) {
        this.docker('rm', '--force', id);
      }
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill('SIGTERM');
      await ended;
    }
    // The kernel removes it with its namespace, but only later, and the next Swarm needs a link of this name.
    if (daemon !== undefined) run('ip', 'link', 'del', this.#link);
    this.#namespace?.kill('SIGKILL');
  }

  #answers(): boolean {
    if (!existsSync(this.socketPath)) return false;
    try {
      this.docker('version');
      return true;
    } catch {
      return false;
    }
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}
