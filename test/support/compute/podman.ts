/** A private podman service: its own storage and socket, removed at the end. Needs root and Debian's packages. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Podman {
  readonly socketPath: string;
  readonly folder: string;
  /** Runs `podman` with this storage. @returns what it printed */
  run(args: readonly string[], input?: Buffer): string;
  start(): Promise<void>;
  /** Ends the service at once, as if its machine disappeared; containers keep running. */
  kill(): Promise<void>;
  /** Suspends it, so that it accepts connections and does not answer. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

const containersConf = `
[containers]
default_ulimits = ["nofile=4096:4096","nproc=8192:8192"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
exit_command_delay = 1
`;

/** @param insecureRegistry `host:port` that may be used without TLS @returns the reason if podman cannot run */
export async function startPodman(insecureRegistry = '127.0.0.1:1'): Promise<Podman | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'podman is tested as root' };
  for (const program of ['podman', 'runc']) {
    if (!onPath(program)) return { missing: `${program} is not installed` };
  }
  const folder = mkdtempSync(join(tmpdir(), 'podman-'));
  const socketPath = join(folder, 'podman.sock');
  writeFileSync(join(folder, 'containers.conf'), containersConf);
  const registry = `[[registry]]\nlocation = "${insecureRegistry}"\ninsecure = true\n`;
  writeFileSync(join(folder, 'registries.conf'), registry);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
    TMPDIR: folder,
  };
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  let service: ChildProcess | undefined;
  const podman: Podman = {
    socketPath,
    folder,
    run: (args, input) =>
      execFileSync('podman', [...storage, ...args], { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }),
    async start() {
      rmSync(socketPath, { force: true });
      service = spawn('podman', [...storage, 'system', 'service', '--time=0', `unix://${socketPath}`], {
        env,
        stdio: 'ignore',
      });
      const exited = new Promise<never>((_, reject) => {
        service?.once('exit', (code) => reject(new Error(`podman's service ended with ${code}`)));
      });
      exited.catch(() => undefined);
      while (!existsSync(socketPath)) await Promise.race([pause(20), exited]);
    },
    async kill() {
      const ended = new Promise((resolve) => service?.once('exit', resolve));
      service?.kill('SIGKILL');
      await ended;
    },
    freeze: () => void service?.kill('SIGSTOP'),
    thaw: () => void service?.kill('SIGCONT'),
    async remove() {
      try {
        podman.run(['rm', '--all', '--force', '--time', '0', '--volumes']);
      } finally {
        if (service?.exitCode === null) await podman.kill();
        await waitForProcesses(folder);
        unmountBelow(folder);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  await podman.start();
  return podman;
}

/** Imports an image that contains only busybox. @returns its name */
export function importBusybox(podman: Podman, name = 'localhost/busybox:1'): string {
  const archive = execFileSync('tar', ['-C', busyboxRoot(podman.folder), '-c', '.'], { maxBuffer: 64 * 2 ** 20 });
  podman.run(['import', '--change', 'CMD=["/bin/sleep","1000"]', '-', name], archive);
  return name;
}

/** Imports the same image with a `jupyter` that only records its arguments. @returns its name */
export function importWithJupyter(podman: Podman): string {
  const script = '#!/bin/sh\necho "$JUPYTER_TOKEN $*" > /tmp/told && mv /tmp/told /tmp/jupyter-was-told\n';
  return importChanged(podman, 'jupyter', (root) => writeFileSync(join(root, 'bin/jupyter'), script, { mode: 0o755 }));
}

/** Imports the same image with a locked root account. @returns its name */
export function importWithoutLogin(podman: Podman): string {
  const users = 'root:x:0:0:root:/root:/sbin/nologin\nada:x:1000:1000::/home/ada:/bin/sh\n';
  return importChanged(podman, 'no-login', (root) => writeFileSync(join(root, 'etc/passwd'), users));
}

function importChanged(podman: Podman, name: string, change: (root: string) => void): string {
  const root = join(podman.folder, `${name}-root`);
  execFileSync('cp', ['-a', busyboxRoot(podman.folder), root]);
  change(root);
  const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 2 ** 20 });
  const image = `localhost/${name}:1`;
  podman.run(['import', '--change', 'CMD=["/bin/sleep","1000"]', '-', image], archive);
  return image;
}

/** @returns a root folder with little more than busybox, created below `folder` */
export function busyboxRoot(folder: string): string {
  const root = join(folder, 'busybox-root');
  if (existsSync(root)) return root;
  for (const name of ['bin', 'etc', 'root', 'tmp', 'proc', 'sys', 'dev']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  execFileSync('cp', [execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(root, 'bin/busybox')]);
  for (const applet of ['sh', 'ls', 'cat', 'sleep', 'env', 'id', 'touch', 'tr', 'hostname', 'mv']) {
    symlinkSync('busybox', join(root, 'bin', applet));
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  return root;
}

/** @returns whether a program of this name is on the path */
export function onPath(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The monitor of a container that ended starts `podman container cleanup` a second later, which mounts the storage again. */
async function waitForProcesses(folder: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(50)) {
    if (!readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && commandLine(entry).includes(folder))) return;
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Storage that a killed service left mounted could not be deleted. */
function unmountBelow(folder: string): void {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const below = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(folder));
  for (const path of below.reverse()) execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
}
