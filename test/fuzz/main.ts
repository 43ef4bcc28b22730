/**
 * `npm run fuzz -- parser --seconds 600`: hostile bytes for every parser of evidence, for as long as one likes. Instead of
 * `parser`, the name of one target, or `oracle`: changed evidence beside @phala/dcap-qvl.
 * A thread does the work and this one watches it, so that a parser that never returns is found too.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FuzzJob, FuzzMessage } from './worker.ts';

const stuckMs = 10_000;
const watchMs = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, from: { type: 'string', default: '' } },
});
const seconds = Number(values.seconds);
// Another beginning each time, so that many short runs are worth a long one.
const from = values.from === '' ? Date.now() % 1_000_000_000 : Number(values.from);
if (!(seconds > 0) || !Number.isSafeInteger(from)) throw new TypeError('--seconds and --from are numbers');

process.exitCode = await run({ name: positionals[0] ?? 'parser', from, seconds, progress: new SharedArrayBuffer(4) });

async function run(job: FuzzJob): Promise<number> {
  const steps = new Int32Array(job.progress);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job });
  let findings = 0;
  worker.on('message', (message: FuzzMessage) => {
    if (message.kind === 'finding') findings += 1;
    console.log(message.text);
  });
  let [seen, seenAt] = [-1, Date.now()];
  const watch = setInterval(() => {
    const now = Atomics.load(steps, 0);
    if (now !== seen) [seen, seenAt] = [now, Date.now()];
    if (Date.now() - seenAt < stuckMs) return;
    findings += 1;
    console.log(`hang: step ${now} after ${job.from} has not returned for ${stuckMs} ms; again: --from ${job.from}`);
    void worker.terminate();
  }, watchMs);
  const [code] = (await once(worker, 'exit')) as [number];
  clearInterval(watch);
  console.log(`${Atomics.load(steps, 0)} steps from ${job.from}, ${findings} findings`);
  return findings > 0 || code !== 0 ? 1 : 0;
}
