/**
 * The speed at which threads read memory: the limit of a step that reads all weights once. `node bench/memory-bandwidth.ts [threads]` prints
 * bytes per second.
 */
import { execFileSync } from 'node:child_process';
import { measureMemory } from '@cloister/native/measure';

/**
 * Measures in a process of its own, because this one may be kept off the servers' CPUs.
 * @param cpus as for taskset: `0,1`; undefined: all
 * @returns bytes per second, the best of several reads
 */
export function measureMemoryBandwidth({ threads, cpus }: { threads: number; cpus: string | undefined }): number {
  const command = [process.execPath, import.meta.filename, String(threads)];
  const pinned = cpus === undefined ? command : ['taskset', '-c', cpus, ...command];
  return Number(execFileSync(pinned[0]!, pinned.slice(1), { encoding: 'utf8' }));
}

if (import.meta.main) console.log(Math.round(await measureMemory({ threads: Number(process.argv[2] ?? 2) })));
