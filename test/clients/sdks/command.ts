/** Runs a coding agent in a process of its own: an empty home, no telemetry, and a hard time limit. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Finished {
  /** Undefined if the time limit ended it. */
  readonly code: number | undefined;
  readonly output: string;
}

const timeoutMs = 150_000;
/** More output than this is dropped. */
const outputCharactersMax = 100_000;

/**
 * Runs a script of `examples/`. @param options.folder where it works; its home is below · @param options.programs executable files
 * by name, which it finds on its path · @param options.env its environment; nothing is inherited
 */
export async function runAgentExample(
  script: string,
  { folder, bin, env }: { folder: string; bin: string; env: Readonly<Record<string, string>> },
): Promise<Finished> {
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  for (const each of [home, work]) mkdirSync(each, { recursive: true });
  const path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const child = spawn('bash', [join(import.meta.dirname, '../../../examples', script)], {
    cwd: work,
    // Its own group, so that the limit also ends what the agent started.
    ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    // A proxy that does not exist: the agent reaches the server of the suite, and no other.
    env: { HOME: home, TMPDIR: folder, PATH: path, HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'localhost', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream!.on('data', (chunk: Buffer) => {
      if (output.length < outputCharactersMax) output += chunk.toString();
    });
  }
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  const limit = setTimeout(end, timeoutMs);
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  clearTimeout(limit);
  end();
  return { code: code ?? undefined, output };
}
