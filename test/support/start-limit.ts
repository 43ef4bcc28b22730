/** How long a start may take. The promise of three seconds is for a machine that is not busy; a test machine may be. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const cli = join(import.meta.dirname, '../../cli/cloister.mjs');
const promisedMs = 3000;
/** On an idle machine, a start takes 25 times as long as the command that prints the version; every further model adds to it. */
const commandsPerStart = 40;
const commandsPerModel = 10;

/** @returns milliseconds: what is promised, or more if the smallest command is slow at this moment */
export function startLimitMs({ models }: { models: number }): number {
  const times = [1, 2, 3].map(() => {
    const started = performance.now();
    spawnSync(process.execPath, [cli, '--version']);
    return performance.now() - started;
  });
  const commands = commandsPerStart + commandsPerModel * (models - 1);
  return Math.max(promisedMs, commands * times.sort((a, b) => a - b)[1]!);
}
