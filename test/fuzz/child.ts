/** The process that runs one target. It reports its findings; what it cannot report, its watching process sees. */
import { readFileSync } from 'node:fs';
import { loadSanitizedAddon } from './load-sanitized-addon.ts';
import type { ChildMessage, FindingKind, FuzzJob } from './messages.ts';
import { ProgressWriter } from './progress-file.ts';
import { inputOfStep, loadTarget, readCorpus } from './registry.ts';
import { ResourceWatch } from './resources.ts';
import type { FuzzSubject, FuzzTarget } from './target.ts';

/** Inputs after the corpus, before memory counts: caches fill and code is compiled. */
const warmUpSteps = 200;
const progressEveryMs = 10_000;

const job = JSON.parse(process.argv[2]!) as FuzzJob;

if (job.sanitized) loadSanitizedAddon();
const target = await loadTarget(job.file, job.target);
const subject = await target.open();
await tell({ kind: 'opened' });
if (job.inputPath === undefined) await runSteps(target, subject);
else await runInput(readFileSync(job.inputPath), subject);
await subject.close?.();
process.disconnect();

/** Runs the corpus, then as many generated inputs as the job wants, or until its time is over. */
async function runSteps(target: FuzzTarget, subject: FuzzSubject): Promise<void> {
  const corpus = readCorpus(target, subject, job.seedsPath);
  const progress = new ProgressWriter(job.progressPath);
  const watch = new ResourceWatch(target, job);
  const endMs = job.runs === undefined ? Date.now() + 1_000 * job.seconds : Infinity;
  const endStep = job.runs === undefined ? Infinity : corpus.length + job.runs;
  let [step, refused] = [job.firstStep, 0];
  let toldMs = Date.now();
  for (; step < corpus.length || (step < endStep && Date.now() < endMs); step++) {
    // A generator that hangs is a finding of its own step, without an input.
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
    await tell({ kind: 'progress', steps: step - job.firstStep, refused, costs: watch.costs });
  }
  const growth = watch.growth({ now: true });
  if (growth !== undefined) await report('memory', step, growth, new Uint8Array());
  progress.close();
  await tell({ kind: 'end', steps: step - job.firstStep, refused, costs: watch.costs });
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
  await tell({ kind: 'outcome', text: `${outcome} (${Math.round(performance.now() - startMs)} ms)` });
}

function report(kind: FindingKind, step: number, what: string, input: Uint8Array): Promise<void> {
  return tell({ kind: 'finding', finding: { kind, step, what, input: Buffer.from(input).toString('base64') } });
}

/** Settles when the message is sent: what is still in the process when it ends is lost. */
function tell(message: ChildMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
