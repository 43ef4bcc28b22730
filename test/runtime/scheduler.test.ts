/** How the choices of one request share its prompt; what a step holds beyond that is in `engine.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { StepOperation } from '../../models/model.ts';
import { type Job, Scheduler, type SchedulerOptions } from '../../runtime/scheduler.ts';
import { GREEDY } from '../support/chat-request.ts';

/** Runs one job to its end on a model that draws token 1 for ever. @returns rows and operations of every step */
function run(job: Partial<Job>, options: Partial<SchedulerOptions> = {}) {
  const scheduler = new Scheduler({
    sequences: 12,
    contextPerSequence: 256,
    stepTokensMax: 64,
    canTrim: true,
    queuedRequestsMax: 1,
    stateBytesMax: 0,
    stateBytesFixed: 0,
    stateBytesPerToken: 1,
    endTokens: new Set(),
    ...options,
  });
  const prompt = Int32Array.from({ length: 40 }, (_, index) => index);
  scheduler.submit({
    prompt,
    salt: 'a',
    account: 'a',
    priority: 0,
    choices: 1,
    maxTokens: 4,
    sampling: GREEDY,
    ...job,
  });
  const rows: number[][] = [];
  const operations: StepOperation[][] = [];
  for (let planned = scheduler.nextStep({ prefillTokens: 64 }); planned; ) {
    const { step } = planned;
    rows.push(step.rows.map(({ tokens }) => tokens.length));
    operations.push([...step.operations]);
    const count = step.rows.filter(({ sample }) => sample).length;
    const logprobs = Array.from({ length: count }, () => undefined);
    scheduler.complete(step, { tokens: new Int32Array(count).fill(1), logprobs, decodeMicros: 1, sampleMicros: 1 });
    planned = scheduler.nextStep({ prefillTokens: 64 });
  }
  return { rows, operations };
}

describe('ten choices', () => {
  it('all begin in the step after the one that fed their prompt', () => {
    const { rows } = run({ choices: 10 });
    expect(rows.map(({ length }) => length)).toEqual([1, 10, 10, 10, 9]);
    expect(rows[0]).toEqual([40]);
  });

  it('of a model that cannot be cut back begin where all but the last token is fed, which each feeds itself', () => {
    const { rows, operations } = run({ choices: 10 }, { canTrim: false });
    expect(rows.map(({ length }) => length)).toEqual([1, 10, 10, 10, 10]);
    expect(rows[0]).toEqual([39]);
    expect(operations[1]!.map(({ kind }) => kind)).toEqual(new Array(9).fill('copy'));
    expect(operations[1]![0]).toMatchObject({ kind: 'copy', length: 39 });
  });

  it('begin as sequences come free where there are fewer', () => {
    const { rows } = run({ choices: 10 }, { sequences: 4 });
    expect(Math.max(...rows.map(({ length }) => length))).toBe(4);
    expect(rows.flat().length).toBe(1 + 9 + 10 * 3);
  });
});

describe('one choice', () => {
  it.each([true, false])('feeds its prompt in one piece, whether the model can be cut back (%s) or not', (canTrim) => {
    expect(run({}, { canTrim }).rows).toEqual([[40], [1], [1], [1]]);
  });
});
