/** The Python verifier as a process that judges one case per line. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The folder of the Python package. */
export const pythonFolder = join(import.meta.dirname, '../../../clients/python');
const env = { ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' };

const found = spawnSync('python3', ['-c', 'import cryptography'], { encoding: 'utf8' });
export const hasPython = found.status === 0;

/** For the title of a `describe.skipIf(!hasPython)`. */
export const pythonNote = hasPython ? '' : ' (skipped: no python3 with the package cryptography)';

export interface Judged {
  readonly verdict?: string;
  /** Id, outcome, and whether the verdict requires it. */
  readonly checks?: readonly (readonly [string, string, boolean])[];
  readonly titles?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Runs the command. */
export function runPython(...args: string[]) {
  return spawn('python3', ['-m', 'cloister_verify', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts the process. `judge` may be called again before it has settled; answers come in the order of the calls. */
export function startPythonVerifier() {
  const process = spawn('python3', [join(import.meta.dirname, 'judge.py')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: ((answer: Judged) => void)[] = [];
  createInterface({ input: process.stdout }).on('line', (line) => waiting.shift()!(JSON.parse(line)));
  return {
    judge: (one: object) =>
      new Promise<Judged>((resolve) => {
        waiting.push(resolve);
        process.stdin.write(`${JSON.stringify(one)}\n`);
      }),
    close: async () => {
      process.stdin.end();
      await once(process, 'close');
    },
  };
}
