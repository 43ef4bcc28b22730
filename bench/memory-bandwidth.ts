/**
 * The speed at which threads read memory: the limit of a step that reads all weights once. `node bench/memory-bandwidth.ts [threads]` prints
 * bytes per second.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Far more than any cache holds. */
const bytesPerThread = 256 * 1024 * 1024;
const reads = 12;

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

async function main(): Promise<void> {
  const threads = Number(process.argv[2] ?? 2);
  const workers = Array.from({ length: threads }, () => new Worker(import.meta.filename));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  let best = 0;
  for (let read = 0; read < reads; read++) {
    const start = performance.now();
    const ended = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage('read');
    await Promise.all(ended);
    best = Math.max(best, (threads * bytesPerThread) / ((performance.now() - start) / 1000));
  }
  console.log(Math.round(best));
  await Promise.all(workers.map((worker) => worker.terminate()));
}

/** Searches a byte that is not there: the C library's vectorised search reads every byte once, and writes none. */
function serveReads(): void {
  const memory = Buffer.alloc(bytesPerThread, 1);
  parentPort!.on('message', () => parentPort!.postMessage(memory.indexOf(2)));
  parentPort!.postMessage('ready');
}

if (!isMainThread) serveReads();
else if (import.meta.main) await main();
