/** The processes of a fleet on this machine: they outlive the command that starts them, and are found by their recorded ids. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '@cloister/server/http/errors';

/** A started process. The kernel gives ids again, so its start time identifies it too. */
export interface FleetProcess {
  readonly pid: number;
  /** In clock ticks since the machine booted. */
  readonly startTicks: string;
}

export interface ProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Files that receive standard output and standard error; one file may receive both. */
  readonly output: string;
  readonly errors: string;
  readonly owner?: ProcessOwner | undefined;
}

/** Ids of the user that runs a process. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const pollMs = 50;

/** Starts a process in a session of its own, which Ctrl-C does not reach. @throws {ServerError} ERR_START */
export async function startProcess(options: ProcessOptions): Promise<FleetProcess> {
  const { program, args, env, cwd, owner } = options;
  const files = [openSync(options.output, 'a', 0o600), openSync(options.errors, 'a', 0o600)] as const;
  try {
    const child = spawn(program, args, { env, cwd, ...owner, detached: true, stdio: ['ignore', ...files] });
    const failed = await new Promise<Error | undefined>((resolve) => {
      child.once('error', resolve).once('spawn', () => resolve(undefined));
    });
    if (failed !== undefined || child.pid === undefined)
      throw new ServerError('ERR_START', `${program} cannot be started: ${failed?.message}`, { cause: failed });
    child.unref();
    // A process that has ended already is recorded as one that never matches.
    return { pid: child.pid, startTicks: statOf(child.pid)?.startTicks ?? '' };
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Whether the process still runs; one that has ended and was not collected by its parent does not. */
export function isRunning({ pid, startTicks }: FleetProcess): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.startTicks === startTicks && stat.state !== 'Z';
}

/** Sends a signal if the process still runs. @returns whether it did */
export function signalProcess(process_: FleetProcess, signal: NodeJS.Signals): boolean {
  if (!isRunning(process_)) return false;
  try {
    return process.kill(process_.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Waits until the process has ended. @returns false if it still runs after `timeoutMs` · @throws the reason of the signal */
export async function hasEnded(
  process_: FleetProcess,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; isRunning(process_); ) {
    if (Date.now() >= deadline) return false;
    await sleep(pollMs, undefined, signal === undefined ? {} : { signal });
  }
  return true;
}

/** Ends a process: by `first`, and by SIGKILL if it still runs after `graceMs`. */
export async function endProcess(
  process_: FleetProcess,
  { first, graceMs }: { first: NodeJS.Signals; graceMs: number },
): Promise<void> {
  signalProcess(process_, first);
  if (await hasEnded(process_, { timeoutMs: graceMs })) return;
  signalProcess(process_, 'SIGKILL');
  await hasEnded(process_, { timeoutMs: graceMs });
}

function statOf(pid: number): { state: string; startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; proc(5) counts the state as field 3 and the start time as field 22.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
