/** Programs that run on the hosts of a network. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from './network.ts';

const pollMs = 50;

export interface Program {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** PostgreSQL refuses to run as root. Default: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export class HostProcess {
  readonly child: ChildProcess;
  readonly #name: string;
  #log = '';

  constructor(host: Host, { command, env = {}, user }: Program) {
    this.#name = `${command[0]} on ${host.name}`;
    const asUser =
      user === undefined ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    const [program, ...args] = [...host.enter, ...asUser, ...command];
    this.child = spawn(program!, args, {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (piece) => (this.#log += String(piece)));
    }
  }

  /** Standard output and standard error of the process. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves when `isReady` does with true. @throws with the log if the program ends earlier, or after the time */
  async ready(isReady: () => Promise<boolean>, { timeoutMs }: { timeoutMs: number }): Promise<void> {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && this.isRunning; await sleep(pollMs)) {
      if (await isReady().catch(() => false)) return;
    }
    throw new Error(`${this.#name} did not start:\n${this.#log.slice(-4000)}`);
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** Processes of a host whose name is one of these; all without names. */
export function processesOf(host: Host, names: readonly string[] = []): readonly number[] {
  const space = host.enter.at(-1)!;
  const pids = execFileSync('ip', ['netns', 'pids', space], { encoding: 'utf8' }).trim().split('\n').filter(Boolean);
  return pids.map(Number).filter((pid) => names.length === 0 || names.includes(nameOf(pid)));
}

/** Kills processes of a host, as a crash of the machine would. */
export function killProcesses(host: Host, names: readonly string[] = []): void {
  for (const pid of processesOf(host, names)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended together with another one.
    }
  }
}

function nameOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
