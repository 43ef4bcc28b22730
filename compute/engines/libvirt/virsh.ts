/** Starts `virsh`, and is the only file that does: without a shell, with a time limit and a minimal environment. */
import { execFile, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { lostAnswer, Refusal } from '../answers.ts';
import type { EngineCall } from '../engine-call.ts';
import { deadline } from '../waiting.ts';

const outputBytesMax = 16 * 1024 * 1024;
/** Messages of failures before the request was sent. */
const notConnected =
  /failed to connect|unable to connect|connection refused|no such file or directory.*socket|cannot connect|host key verification|no route to host|unable to resolve|tls handshake/;
/** Messages of failures after the request was sent. */
const connectionLost =
  /end of file while reading|cannot (recv|write|send) data|client socket is closed|connection reset|broken pipe|keepalive/;

/** @returns the output of virsh · @throws {Refusal} · {EngineError} ERR_ENGINE_UNREACHABLE, ERR_OUTCOME_UNKNOWN */
export type Virsh = (call: EngineCall, args: readonly string[]) => Promise<string>;

/** @param program path of virsh */
export function virshAt(uri: string, program = '/usr/bin/virsh'): Virsh {
  return ({ signal, timeoutMs, changes }, args) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    if (signal.aborted) {
      reject(lostAnswer(false, signal.reason));
      return promise;
    }
    const options = {
      env: environment(),
      signal: deadline(signal, timeoutMs),
      maxBuffer: outputBytesMax,
      killSignal: 'SIGKILL',
    } as const;
    execFile(program, ['--quiet', '--connect', uri, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(explain(error, stderr.toLowerCase(), args[0]!, changes));
    });
    return promise;
  };
}

/** @returns the output lines of a continuous virsh command until the signal aborts · @throws if virsh cannot be started */
export async function* virshLines(
  uri: string,
  args: readonly string[],
  signal: AbortSignal,
  program = '/usr/bin/virsh',
): AsyncGenerator<string> {
  const child = spawn(program, ['--quiet', '--connect', uri, ...args], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let rest = '';
  try {
    for await (const chunk of child.stdout) {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop()!;
      yield* parts.filter((line) => line !== '');
    }
    await Promise.race([failed, new Promise((resolve) => setImmediate(resolve))]);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function explain(error: Error & { code?: unknown }, words: string, command: string, changes: boolean): Error {
  // A numeric code is virsh's exit status; otherwise virsh could not be started or was killed by the time limit.
  if (typeof error.code !== 'number') return lostAnswer(changes && error.code !== 'ENOENT', error);
  if (notConnected.test(words)) return lostAnswer(false, error);
  if (connectionLost.test(words)) return lostAnswer(changes, error);
  return new Refusal(`virsh ${command} was refused`, words);
}

/** English messages for parsing; PATH and HOME because remote URIs start `ssh`. */
function environment(): Record<string, string> {
  return { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() };
}
