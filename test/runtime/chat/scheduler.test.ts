/** How the choices of one request share its prompt, and which sequences are used. `engine.test.ts` tests the contents of steps. */
import { describe, expect, it } from 'vitest';
import type { Step, StepOperation } from '../../../models/interface/model.ts';
import type { Job } from '../../../runtime/chat/answer.ts';
import { Scheduler } from '../../../runtime/chat/scheduler.ts';
import type { SchedulerOptions } from '../../../runtime/chat/scheduler-options.ts';
import { greedy } from '../../support/runtime/chat-request.ts';
import { FakeModel } from '../../support/runtime/fake-model.ts';

/** Completes a step like a model that always samples token 1. */
function completeWithOnes(scheduler: Scheduler<Job>, step: Step) {
  const ones = new Int32Array(step.rows.filter(({ sample }) => sample).length).fill(1);
  scheduler.complete(step, {
    drawn: ones,
    tokens: ones,
    failures: new Map(),
    logprobs: Array.from(ones, () => undefined),
    decodeMicros: 1,
    productMicros: 0,
    attentionMicros: 0,
    sampleMicros: 1,
    threads: 1,
  });
}

function start(options: Partial<SchedulerOptions> = {}): Scheduler<Job> {
  return new Scheduler({
    sequences: 12,
    contextPerSequence: 256,
    stepTokensMax: 64,
    canTrim: true,
    canSplit: true,
    draftTokensMax: 0,
    promptLookup: 'off',
    queuedRequestsMax: 1,
    stateBytesMax: 0,
    stateBytesFixed: 0,
    stateBytesPerToken: 1,
    endTokens: new Set(),
    ...options,
  });
}

function newJob(job: Partial<Job> = {}): Job {
  const prompt = Int32Array.from({ length: 40 }, (_, index) => index);
  return { prompt, salt: 'a', account: 'a', priority: 0, choices: 1, maxTokens: 4, sampling: greedy, ...job };
}

/** Runs one job to its end on a model that always samples token 1. @returns rows and operations of every step */
function run(job: Partial<Job>, options: Partial<SchedulerOptions> = {}) {
  const scheduler = start(options);
  scheduler.submit(newJob(job));
  const rows: number[][] = [];
  const operations: StepOperation[][] = [];
  for (let planned = scheduler.nextStep({ prefillTokens: 64 }); planned; ) {
    const { step } = planned;
    rows.push(step.rows.map(({ tokens }) => tokens.length));
    operations.push([...step.operations]);
    completeWithOnes(scheduler, step);
    planned = scheduler.nextStep({ prefillTokens: 64 });
  }
  return { rows, operations };
}

describe('prompt tokens that are left to compute', () => {
  it('are those of queued jobs and of running ones, until the step that computes them is complete', () => {
    const scheduler = start({ sequences: 1, stepTokensMax: 30 });
    const left: number[] = [];
    for (const account of ['a', 'b']) scheduler.submit(newJob({ account, salt: account, maxTokens: 1 }));
    left.push(scheduler.promptTokensLeft);
    for (let planned = scheduler.nextStep({ prefillTokens: 30 }); planned; ) {
      left.push(scheduler.promptTokensLeft);
      completeWithOnes(scheduler, planned.step);
      left.push(scheduler.promptTokensLeft);
      planned = scheduler.nextStep({ prefillTokens: 30 });
    }
    // Each prompt of 40 tokens takes two steps: before and after each of them.
    expect(left).toEqual([80, 80, 50, 50, 40, 40, 10, 10, 0]);
  });

  it('exclude those of cancelled jobs, and of a failed step', () => {
    const scheduler = start({ sequences: 1, stepTokensMax: 30 });
    const [running, queued] = [newJob(), newJob({ account: 'b' })];
    for (const job of [running, queued]) scheduler.submit(job);
    scheduler.nextStep({ prefillTokens: 30 });
    scheduler.cancel(queued);
    scheduler.cancel(queued);
    expect(scheduler.promptTokensLeft).toBe(40);
    scheduler.fail(new Error('step'));
    expect(scheduler.promptTokensLeft).toBe(0);
  });
});

describe('a job with ten choices', () => {
  it('starts all choices in the step after the prompt was fed', () => {
    const { rows } = run({ choices: 10 });
    expect(rows.map(({ length }) => length)).toEqual([1, 10, 10, 10, 9]);
    expect(rows[0]).toEqual([40]);
  });

  it('on a model that cannot trim, starts the choices before the last prompt token, which each choice feeds itself', () => {
    const { rows, operations } = run({ choices: 10 }, { canTrim: false, canSplit: false });
    expect(rows.map(({ length }) => length)).toEqual([1, 10, 10, 10, 10]);
    expect(rows[0]).toEqual([39]);
    expect(operations[1]!.map(({ kind }) => kind)).toEqual(new Array(9).fill('copy'));
    expect(operations[1]![0]).toMatchObject({ kind: 'copy', length: 39 });
  });

  it('starts choices as sequences become free if there are fewer sequences', () => {
    const { rows } = run({ choices: 10 }, { sequences: 4 });
    expect(Math.max(...rows.map(({ length }) => length))).toBe(4);
    expect(rows.flat().length).toBe(1 + 9 + 10 * 3);
  });
});

describe('a job with 128 choices on four sequences', () => {
  const options = {
    ...{ sequences: 4, contextPerSequence: 256, stepTokensMax: 64, canTrim: true, canSplit: true, draftTokensMax: 0 },
    ...{ promptLookup: 'off' as const, queuedRequestsMax: 64, stateBytesMax: 0, stateBytesFixed: 0 },
    ...{ stateBytesPerToken: 1, endTokens: new Set<number>() },
  };
  const job = (account: string, choices: number, priority = 0): Job => ({
    prompt: Int32Array.from({ length: 40 }, (_, index) => index),
    ...{ salt: account, account, priority, choices, maxTokens: 32, sampling: greedy },
  });

  /** @returns the accounts and choices of the answers in the order in which they begin */
  function order(jobs: readonly Job[], later: readonly Job[] = []) {
    const scheduler = new Scheduler<Job>(options);
    for (const one of jobs) scheduler.submit(one);
    const begun: string[] = [];
    const step = () => {
      const planned = scheduler.nextStep({ prefillTokens: 64 });
      if (planned === undefined) return false;
      begun.push(...planned.begun.map((answer) => answer.job.account));
      completeWithOnes(scheduler, planned.step);
      return true;
    };
    for (let at = 0; at < 20; at++) step();
    for (const one of later) scheduler.submit(one);
    const before = begun.length;
    while (step());
    return { begun, later: begun.slice(before), scheduler };
  }

  it('starts every choice once', () => {
    const { begun, scheduler } = order([job('a', 128)]);
    expect(begun).toEqual(Array(128).fill('a'));
    expect(scheduler.running).toBe(0);
  });

  it('gives the next idle sequence to a job of another account', () => {
    expect(order([job('a', 128)], [job('b', 1)]).later.slice(0, 4)).toContain('b');
  });

  it('shares the sequences equally with another account that has 128 choices too', () => {
    const { begun } = order([job('a', 128), job('b', 128)]);
    const half = begun.slice(0, 128).filter((account) => account === 'a');
    expect(half.length).toBeGreaterThan(56);
    expect(half.length).toBeLessThan(72);
    expect(begun.length).toBe(256);
  });

  it('shares them equally with an account that comes later, which does not get the time before it came', () => {
    const { later } = order([job('a', 128)], [job('b', 128)]);
    const of = (account: string) => later.slice(0, 100).filter((one) => one === account).length;
    expect(Math.abs(of('a') - of('b'))).toBeLessThan(24);
  });

  it('starts before further jobs of its own account, but after those of higher priority', () => {
    expect(order([job('a', 128)], [job('a', 1)]).scheduler.running).toBe(0);
    expect(
      order(
        [job('a', 128)],
        Array(8)
          .fill(undefined)
          .map(() => job('vip', 1, 1)),
      ).later.slice(0, 8),
    ).toEqual(Array(8).fill('vip'));
  });

  it('leaves nothing behind if it is cancelled', () => {
    const scheduler = new Scheduler<Job>(options);
    const cancelled = job('a', 128);
    scheduler.submit(cancelled);
    for (let at = 0; at < 3; at++) completeWithOnes(scheduler, scheduler.nextStep({ prefillTokens: 64 })!.step);
    scheduler.cancel(cancelled);
    expect(scheduler.running).toBe(0);
    expect(scheduler.nextStep({ prefillTokens: 64 })?.step.rows ?? []).toEqual([]);
  });
});

describe('a job with one choice', () => {
  it.each([true, false])('feeds its prompt in one row (model can trim: %s)', (canTrim) => {
    expect(run({}, { canTrim, canSplit: canTrim }).rows).toEqual([[40], [1], [1], [1]]);
  });
});

describe('the sequences of a step', () => {
  /** Runs jobs with these token counts on eight sequences, starting one per step. @returns rows by step */
  function sequences(lengths: readonly number[]): number[][] {
    const scheduler = new Scheduler({
      sequences: 8,
      contextPerSequence: 256,
      stepTokensMax: 64,
      canTrim: true,
      canSplit: true,
      draftTokensMax: 0,
      promptLookup: 'off',
      queuedRequestsMax: 8,
      stateBytesMax: 0,
      stateBytesFixed: 0,
      stateBytesPerToken: 1,
      endTokens: new Set(),
    });
    const steps: number[][] = [];
    for (const [index, maxTokens] of lengths.entries()) {
      const prompt = Int32Array.from({ length: 20 }, (_, at) => 100 * index + at);
      scheduler.submit({ prompt, salt: 'a', account: 'a', priority: 0, choices: 1, maxTokens, sampling: greedy });
    }
    for (let planned = scheduler.nextStep({ prefillTokens: 64 }); planned; ) {
      const { step } = planned;
      steps.push(step.rows.map(({ sequence }) => sequence));
      completeWithOnes(scheduler, step);
      planned = scheduler.nextStep({ prefillTokens: 64 });
    }
    return steps;
  }

  it('are in ascending order', () => {
    for (const rows of sequences([9, 3, 7, 5, 8, 2])) expect(rows).toEqual([...rows].sort((a, b) => a - b));
  });

  it('are moved to close gaps after ended answers, one move per step, while answers are long', () => {
    const steps = sequences([100, 2, 100, 100, 2, 100]);
    expect(steps).toContainEqual([0, 1, 2, 3, 4, 5]);
    const settled = steps.slice(8, 60);
    for (const rows of settled) expect(rows.at(-1)! - rows[0]!).toBe(3);
  });

  it('are not moved for the last tokens of an answer', () => {
    const steps = sequences([10, 2, 10]);
    expect(steps.at(-2)).toEqual([0, 2]);
  });
});

describe('a step that fails before its operations run', () => {
  const tokens = (from: number, length: number) => Int32Array.from({ length }, (_, index) => from + index);
  const job = (prompt: Int32Array, maxTokens: number): Job => ({
    ...{ prompt, salt: 'a', account: 'a', priority: 0, choices: 1, maxTokens, sampling: greedy },
  });

  /** The first answer decodes, the second takes the whole budget, and the third starts with a copy of the first. */
  async function failing() {
    let isBroken = false;
    const model = new FakeModel({
      next: () => 1,
      beforeStep() {
        if (isBroken) throw new Error('device gone');
      },
    });
    const scheduler = new Scheduler({ ...model.info, promptLookup: 'off', queuedRequestsMax: 8, stateBytesMax: 1000 });
    const jobs = { first: job(tokens(0, 40), 200), second: job(tokens(100, 16), 2), third: job(tokens(0, 60), 2) };
    const step = async () => {
      const planned = scheduler.nextStep({ prefillTokens: 16 });
      if (planned === undefined) return undefined;
      for (const { sequence, job: own } of planned.begun) model.beginSampling(sequence, own.sampling);
      try {
        return { lost: [], drawn: scheduler.complete(planned.step, await model.step(planned.step)).drawn };
      } catch (error) {
        return { lost: scheduler.fail(error).map(({ job: own }) => own), drawn: [] };
      }
    };
    scheduler.submit(jobs.first);
    await step();
    scheduler.submit(jobs.second);
    scheduler.submit(jobs.third);
    isBroken = true;
    const outcome = await step();
    isBroken = false;
    return { scheduler, model, jobs, step, outcome };
  }

  it('also fails an answer without a row whose prefix was to be copied', async () => {
    const { model, jobs, outcome } = await failing();
    expect(model.steps.at(-1)!.operations.map(({ kind }) => kind)).toContain('copy');
    expect(model.steps.at(-1)!.rows).toHaveLength(2);
    expect(outcome?.lost).toEqual([jobs.first, jobs.second, jobs.third]);
  });

  it('leaves the sequences in a condition that later answers can rely on', async () => {
    const { scheduler, jobs, step } = await failing();
    for (const again of [jobs.first, jobs.second, jobs.third]) scheduler.submit({ ...again, maxTokens: 2 });
    const ended: Job[] = [];
    for (let next = await step(); next !== undefined; next = await step()) {
      expect(next.lost).toEqual([]);
      ended.push(...next.drawn.filter(({ end }) => end !== undefined).map(({ answer }) => answer.job));
    }
    expect(ended).toHaveLength(3);
  });

  it('runs no further steps until the next request, so that a broken device is not called forever', async () => {
    const { scheduler, step } = await failing();
    expect(scheduler.running).toBe(0);
    expect(await step()).toBeUndefined();
  });
});
