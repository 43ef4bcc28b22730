/** The process that runs one target. It reports its findings; its watching process detects crashes and hangs. */
import { readFileSync } from 'node:fs';
import { loadSanitizedAddon } from './load-sanitized-addon.ts';
import type { ChildMessage, FindingKind, FuzzJob } from './messages.ts';
import { ProgressWriter } from './progress-file.ts';
import { inputOfStep, loadTarget, readCorpus } from './registry.ts';
import { ResourceWatch } from './resources.ts';
import type { FuzzSubject, FuzzTarget } from './target.ts';

/** Number of warm-up inputs after the corpus, before memory is measured: caches fill and code is compiled. */
const warmUpSteps = 200;
const progressEveryMs = 10_000;

const job = JSON.parse(process.argv[2]!) as FuzzJob;

if (job.sanitized) loadSanitizedAddon();
const target = await loadTarget(job.file, job.target);
const subject = await target.open();
await send({ kind: 'opened' });
if (job.inputPath === undefined) await runSteps(target, subject);
else await runInput(readFileSync(job.inputPath), subject);
await subject.close?.();
process.disconnect();

/** Runs the corpus, then generated inputs up to the job's number or time. */
async function runSteps(target: FuzzTarget, subject: FuzzSubject): Promise<void> {
  const corpus = readCorpus(target, subject, job.seedsPath);
  const progress = new ProgressWriter(job.progressPath);
  const watch = new ResourceWatch(target, job);
  const endMs = job.runs === undefined ? Date.now() + 1_000 * job.seconds : Infinity;
  const endStep = job.runs === undefined ? Infinity : corpus.length + job.runs;
  let [step, refused] = [job.firstStep, 0];
  let toldMs = Date.now();
  for (; step < corpus.length || (step < endStep && Date.now() < endMs); step++) {
    // A hanging generator is a finding of its step, without an input.
    progress.write(step, new Uint8Array());
    const input = inputOfStep(target, corpus, job.seed, step);
    progress.write(step, input);
    watch.begin();
    try {
      await subject.run(input);
    } catch (error) {
      if (subject.isRefusal(error)) refused += 1;
      else await report('error', step, describe(error), input);
    }
    const excess = watch.end(step);
    if (excess !== undefined) await report(excess.kind, step, excess.what, input);
    if (step === job.firstStep + corpus.length + warmUpSteps) watch.setBaseline();
    const growth = watch.growth();
    if (growth !== undefined) {
      await report('memory', step, growth, new Uint8Array());
      break;
    }
    if (Date.now() - toldMs < progressEveryMs) continue;
    toldMs = Date.now();
    await send({ kind: 'progress', steps: step - job.firstStep, refused, costs: watch.costs });
  }
  const growth = watch.growth({ now: true });
  if (growth !== undefined) await report('memory', step, growth, new Uint8Array());
  progress.close();
  await send({ kind: 'end', steps: step - job.firstStep, refused, costs: watch.costs });
}

async function runInput(input: Uint8Array, subject: FuzzSubject): Promise<void> {
  const startMs = performance.now();
  let outcome: string;
  try {
    await subject.run(new Uint8Array(input));
    outcome = 'accepted';
  } catch (error) {
    const isRefusal = subject.isRefusal(error);
    outcome = isRefusal ? `refused: ${String(error)}` : `failed: ${describe(error)}`;
    if (!isRefusal) await report('error', 0, describe(error), input);
  }
  await send({ kind: 'outcome', text: `${outcome} (${Math.round(performance.now() - startMs)} ms)` });
}

function report(kind: FindingKind, step: number, what: string, input: Uint8Array): Promise<void> {
  return send({ kind: 'finding', finding: { kind, step, what, input: Buffer.from(input).toString('base64') } });
}

/** Resolves when the message is sent: a message still queued when the process ends is lost. */
function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
