/**
 * Runs a target in a separate process and watches it: an input that crashes or hangs the process is a finding, and the run
 * continues after it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ChildMessage, Costs, Finding, FuzzJob } from './messages.ts';
import { readProgress } from './progress-file.ts';
import type { RegisteredTarget } from './registry.ts';
import type { SanitizedEnvironment } from './sanitizers.ts';

export interface FuzzRun {
  readonly seed: number;
  /** Seconds of generated inputs. */
  readonly seconds: number;
  /** Number of generated inputs, instead of `seconds`. */
  readonly runs?: number;
  /** Folder of seeds in addition to the corpus. */
  readonly seedsPath?: string;
  /** Runs only this input. */
  readonly inputPath?: string;
  /** Loads the sanitizers' libraries; absent: the normal addon. */
  readonly sanitizers?: SanitizedEnvironment;
  /** Milliseconds after which a step counts as hanging. Default: 20,000. */
  readonly stuckMs?: number;
  readonly onFinding?: (finding: Finding) => void;
  /** Called every ten seconds. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly steps: number;
  /** Inputs that the code rejected with a documented error. */
  readonly refused: number;
  readonly costs: Costs;
}

const noProgress: Progress = {
  steps: 0,
  refused: 0,
  costs: { cpuMsMax: 0, cpuMsMaxStep: 0, grownBytesMax: 0 },
};

export interface FuzzResult extends Progress {
  /** The first finding of each kind and place. */
  readonly findings: readonly Finding[];
  /** The result of a single input. */
  readonly outcome: string | undefined;
}

const defaultStuckMs = 20_000;
/** Timeout for opening a target, which builds evidence or loads models. */
const openMsMax = 120_000;
const watchEveryMs = 100;
const findingsMax = 20;
/** Most process restarts for findings that are already known. */
const repeatsMax = 3;
const heapMegabytes = 512;
const stderrKept = 6_000;

export async function runTarget({ target, file }: RegisteredTarget, run: FuzzRun): Promise<FuzzResult> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-'));
  const progressPath = join(folder, 'progress');
  const findings = new Map<string, Finding>();
  const add = (finding: Finding) => {
    const place = placeOf(finding);
    if (findings.has(place)) return;
    findings.set(place, finding);
    run.onFinding?.(finding);
  };
  let progress = noProgress;
  let outcome: string | undefined;
  let msLeft = 1_000 * run.seconds;
  try {
    for (let repeats = 0; repeats < repeatsMax && findings.size < findingsMax; ) {
      const known = findings.size;
      const seconds = Math.max(0, msLeft / 1_000);
      const job: FuzzJob = {
        ...{ file, target: target.name, seed: run.seed, firstStep: progress.steps, seconds, progressPath },
        ...(run.inputPath === undefined ? {} : { inputPath: run.inputPath }),
        ...(run.runs === undefined ? {} : { runs: run.runs }),
        ...(run.seedsPath === undefined ? {} : { seedsPath: run.seedsPath }),
        sanitized: run.sanitizers !== undefined,
      };
      const before = progress;
      const onProgress = (part: Progress) => run.onProgress?.(addProgress(before, part));
      const process = await runProcess(job, { ...run, onProgress }, add);
      progress = addProgress(before, process);
      outcome = process.outcome;
      msLeft -= process.ranMs;
      if (findings.size === known) repeats += 1;
      const isOver = run.runs === undefined && msLeft <= 0;
      if (process.isComplete || run.inputPath !== undefined || isOver) break;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { ...progress, findings: [...findings.values()], outcome };
}

function addProgress(before: Progress, { steps, refused, costs }: Progress): Progress {
  const { cpuMsMax, cpuMsMaxStep } = before.costs.cpuMsMax >= costs.cpuMsMax ? before.costs : costs;
  const grownBytesMax = Math.max(before.costs.grownBytesMax, costs.grownBytesMax);
  return {
    steps: before.steps + steps,
    refused: before.refused + refused,
    costs: { cpuMsMax, cpuMsMaxStep, grownBytesMax },
  };
}

interface ProcessResult extends Progress {
  readonly isComplete: boolean;
  /** Steps since its target was opened. */
  readonly ranMs: number;
  readonly outcome: string | undefined;
}

async function runProcess(
  job: FuzzJob,
  { sanitizers, stuckMs = defaultStuckMs, onProgress }: FuzzRun,
  add: (finding: Finding) => void,
): Promise<ProcessResult> {
  const reportPath = `${job.progressPath}-report`;
  const child = fork(join(import.meta.dirname, 'child.ts'), [JSON.stringify(job)], {
    execArgv: ['--expose-gc', `--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=8'],
    env: { ...process.env, ...sanitizers?.(reportPath) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let openedMs: number | undefined;
  let outcome: string | undefined;
  let hasEnded = false;
  let progress = noProgress;
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'opened') openedMs = Date.now();
    else if (message.kind === 'outcome') outcome = message.text;
    else if (message.kind === 'finding') {
      add({ ...message.finding, input: new Uint8Array(Buffer.from(message.finding.input, 'base64')) });
    } else {
      progress = message;
      hasEnded = message.kind === 'end';
      if (!hasEnded) onProgress?.(message);
    }
  });
  const stderr = keepEnd(child);
  const errors = () => stderr() + readReports(reportPath);
  const stuck = watchSteps(child, job, () => (openedMs === undefined ? openMsMax : stuckMs));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const hung = stuck();
  const ranMs = Date.now() - (openedMs ?? Date.now());
  const isSingle = job.inputPath !== undefined;
  if (code === 0 && (isSingle || hasEnded)) return { ...progress, isComplete: true, ranMs, outcome };
  const last = isSingle ? undefined : readProgress(job.progressPath);
  if (openedMs === undefined || (!isSingle && last === undefined)) {
    throw new Error(`the target ${job.target} ${hung ? 'hangs while it opens' : 'cannot be opened'}:\n${errors()}`);
  }
  add({
    kind: hung ? 'hang' : 'crash',
    step: last?.step ?? 0,
    what: hung ? `did not return for ${stuckMs} ms` : `the process ended with ${signal ?? code}\n${errors()}`,
    input: last?.input ?? new Uint8Array(),
  });
  const steps = (last?.step ?? job.firstStep) + 1 - job.firstStep;
  return { ...progress, steps, isComplete: false, ranMs, outcome };
}

/** Kills a process whose step does not change. @returns a function that stops watching and returns whether it killed the process */
function watchSteps(child: ChildProcess, job: FuzzJob, msMax: () => number): () => boolean {
  let isStuck = false;
  let [seen, seenMs]: [number | undefined, number] = [undefined, Date.now()];
  const timer = setInterval(() => {
    const step = job.inputPath === undefined ? readProgress(job.progressPath)?.step : undefined;
    if (step !== seen) [seen, seenMs] = [step, Date.now()];
    if (Date.now() - seenMs < msMax()) return;
    isStuck = true;
    child.kill('SIGKILL');
  }, watchEveryMs);
  return () => {
    clearInterval(timer);
    return isStuck;
  };
}

function keepEnd(child: ChildProcess): () => string {
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-stderrKept);
  });
  return () => text;
}

/** Reads the sanitizers' reports, one file per process. */
function readReports(path: string): string {
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return names.map((name) => readFileSync(join(dirname(path), name), 'utf8').slice(0, stderrKept)).join('\n');
}

/** Identifies a defect by its kind, its first line without numbers, and its first stack frame. */
function placeOf({ kind, what }: Finding): string {
  const lines = what.split('\n');
  const sanitized = lines.find((line) => /SUMMARY:|runtime error:/.test(line));
  const frame = lines.find((line) => /^\s+at /.test(line)) ?? '';
  return `${kind} ${(sanitized ?? `${lines[0]} ${frame}`).replaceAll(/0x[0-9a-f]+|\d+/g, '#')}`;
}
