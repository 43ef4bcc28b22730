/** Rows of prompts with images. `test/native/vision.test.ts` runs them on a model. */
import { describe, expect, it } from 'vitest';
import { tokensOfOneKind, withoutImages } from '../../../runtime/chat/prompt-kinds.ts';
import { Scheduler } from '../../../runtime/chat/scheduler.ts';
import { greedy } from '../../support/runtime/chat-request.ts';

const prompt = Int32Array.of(1, 2, -5, -6, -7, -8, 3, -5, -6, 4, 5);

describe('a prompt with images', () => {
  it('is fed in rows of text or of an image, within the budget of a step', () => {
    const scheduler = new Scheduler({
      ...{ sequences: 2, contextPerSequence: 256, stepTokensMax: 3, canTrim: true, canSplit: true, draftTokensMax: 0 },
      ...{ promptLookup: 'off', queuedRequestsMax: 1, stateBytesMax: 0, stateBytesFixed: 0, stateBytesPerToken: 1 },
      endTokens: new Set<number>(),
    });
    const job = { prompt, hasImages: true, salt: 'a', account: 'a', priority: 0, choices: 1, maxTokens: 1 };
    scheduler.submit({ ...job, sampling: greedy });
    const rows: number[][] = [];
    for (let planned = scheduler.nextStep({ prefillTokens: 3 }); planned; ) {
      const { step } = planned;
      rows.push(...step.rows.map(({ tokens }) => [...tokens]));
      const drawn = new Int32Array(step.rows.filter(({ sample }) => sample).length).fill(1);
      const result = { drawn, tokens: drawn, failures: new Map(), logprobs: [...drawn].map(() => undefined) };
      const micros = { decodeMicros: 1, productMicros: 0, attentionMicros: 0, sampleMicros: 1 };
      scheduler.complete(step, { ...result, ...micros, threads: 1 });
      planned = scheduler.nextStep({ prefillTokens: 3 });
    }
    expect(rows.flat()).toEqual([...prompt]);
    for (const row of rows) expect(new Set(row.map((token) => token < 0)).size).toBe(1);
  });

  it('is not searched if it is text alone', () => {
    expect(tokensOfOneKind({ prompt }, 1)).toBe(10);
    expect(tokensOfOneKind({ prompt, hasImages: true }, 3)).toBe(3);
  });

  it('gives no draft tokens from its images', () => {
    expect([...withoutImages(Int32Array.of(7, 8, -1, 9))]).toEqual([7, 8]);
    expect([...withoutImages(Int32Array.of(7, 8))]).toEqual([7, 8]);
  });
});
