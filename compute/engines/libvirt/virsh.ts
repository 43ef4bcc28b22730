/** The one place that starts `virsh`: a program with arguments, no shell, its own time limit, and a small environment. */
import { execFile, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { lostAnswer, Refusal } from '../answers.ts';
import type { Question } from '../question.ts';
import { deadline } from '../waiting.ts';

const outputBytesMax = 16 * 1024 * 1024;
/** Before the question was sent. */
const notConnected =
  /failed to connect|unable to connect|connection refused|no such file or directory.*socket|cannot connect|host key verification|no route to host|unable to resolve|tls handshake/;
/** After it was sent. */
const connectionLost =
  /end of file while reading|cannot (recv|write|send) data|client socket is closed|connection reset|broken pipe|keepalive/;

/** @returns what virsh printed @throws {Refusal} · {EngineError} ERR_ENGINE_UNREACHABLE, ERR_OUTCOME_UNKNOWN */
export type Virsh = (question: Question, args: readonly string[]) => Promise<string>;

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

/** @returns the lines that a virsh which does not end prints, until the signal aborts @throws where it ends by itself */
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
  // A number is virsh's own answer; else it could not be started, or was ended by the time limit.
  if (typeof error.code !== 'number') return lostAnswer(changes && error.code !== 'ENOENT', error);
  if (notConnected.test(words)) return lostAnswer(false, error);
  if (connectionLost.test(words)) return lostAnswer(changes, error);
  return new Refusal(`virsh ${command} was refused`, words);
}

/** In English, so that it can be read; with a path and a home, because remote forms start `ssh`. */
function environment(): Record<string, string> {
  return { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() };
}
