import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Drafter, Speculation, type StepDrafts } from '../../../runtime/chat/speculation.ts';
import { StepCost } from '../../../runtime/chat/step-cost.ts';
import { alone, start } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { endToken } from '../../support/runtime/fake-model.ts';

/** A model that quotes: it mostly repeats the token that followed the same two tokens before, sometimes not. */
function quote(cells: readonly number[], { seed }: { seed: number }): number {
  let hash = seed;
  for (const token of cells) hash = (Math.imul(hash, 31) + token) >>> 0;
  const [before, last] = cells.slice(-2);
  for (let at = cells.length - 3; at > 0 && hash % 7 > 0; at -= 1) {
    if (cells[at] === last && cells[at - 1] === before) return cells[at + 1]!;
  }
  return hash % 41 === 0 ? endToken : 97 + (hash % 5);
}

describe('an engine with speculative decoding', () => {
  it('gives the same answers as without speculative decoding, for any concurrent requests', async () => {
    const request = fc.record({
      prompt: fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 1, maxLength: 150 }),
      maxTokens: fc.integer({ min: 1, max: 60 }),
      choices: fc.integer({ min: 1, max: 3 }),
      stop: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 5 }), { maxLength: 2 }),
    });
    const shape = fc.record({
      sequences: fc.integer({ min: 1, max: 5 }),
      stepTokensMax: fc.integer({ min: 6, max: 40 }),
      draftTokensMax: fc.integer({ min: 1, max: 40 }),
    });
    const mode = fc.constantFrom('on', 'auto');
    let drafted = 0;
    let right = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 10 }), shape, mode, async (all, shape, mode) => {
        const options = { ...shape, next: quote, contextPerSequence: 180 };
        const { recorder, engine, model } = start(options, { prefixCacheBytes: 300, promptLookup: mode });
        await Promise.all(
          all.map(({ prompt, ...rest }, id) =>
            engine.submit(id, chatRequest(prompt, { account: `a${id % 3}`, ...rest })),
          ),
        );
        for (const [id, { prompt, choices, ...rest }] of all.entries()) {
          await recorder.ended(id);
          for (let choice = 0; choice < choices; choice += 1) {
            const sampling = { ...chatRequest('').sampling, seed: 1 + choice };
            const expected = await alone(chatRequest(prompt, { ...rest, sampling }), options);
            expect(recorder.text(id, choice)).toBe(expected);
            expect(recorder.finish(id, choice)!.completionTokens).toBeLessThanOrEqual(rest.maxTokens);
          }
        }
        drafted += engine.stats.draftTokens;
        right += engine.stats.acceptedDraftTokens;
        await engine.drain();
        expect(model.closed).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(drafted).toBeGreaterThan(100);
    expect(right / drafted).toBeGreaterThan(0.2);
  });

  it('needs fewer steps for a quotation', async () => {
    const text = 'the quick brown fox jumps over a lazy dog; ';
    const echo = (cells: readonly number[]) => text.charCodeAt(cells.length % text.length);
    const steps = async (promptLookup: 'on' | 'off') => {
      const { recorder, engine, model } = start({ next: echo }, { promptLookup });
      await engine.submit(1, chatRequest(text, { maxTokens: 80 }));
      await recorder.ended(1);
      expect(recorder.text(1)).toBe((text + text).slice(0, 80));
      return model.steps.length;
    };
    expect(await steps('off')).toBe(80);
    expect(await steps('on')).toBeLessThan(15);
  });

  it('neither emits nor counts the tokens after a stop string', async () => {
    const text = 'one two three four five six seven; ';
    const echo = (cells: readonly number[]) => text.charCodeAt(cells.length % text.length);
    const { recorder, engine } = start({ next: echo }, { promptLookup: 'on' });
    await engine.submit(1, chatRequest(text, { maxTokens: 80, stop: ['five'] }));
    await recorder.ended(1);
    expect(recorder.text(1)).toBe('one two three four ');
    expect(recorder.finish(1)).toMatchObject({ reason: 'stop', completionTokens: 23 });
    expect(recorder.of(1).filter(({ kind }) => kind === 'finished' || kind === 'done')).toHaveLength(2);
  });
});

describe('Speculation', () => {
  const prompt = Int32Array.from({ length: 60 }, (_, index) => index % 20);
  const speculation = (mode: 'auto' | 'on' | 'off' = 'auto', endTokens: number[] = []) =>
    new Speculation({ mode, draftTokensMax: 32, endTokens: new Set(endTokens) });
  const candidate = (draftTokensMax = 100) => ({ drafter: new Drafter(prompt, 100), draftTokensMax });
  const lengths = ({ tokens }: StepDrafts) => tokens.map(({ length }) => length);

  const step = (rowTokens: readonly number[], micros: number) => ({ rowTokens, sampled: 1, micros, draftMicros: 0 });

  it('creates no drafts if it is off', () => {
    expect(speculation('off').begin(prompt, 100)).toBeUndefined();
    expect(lengths(speculation('off').next([candidate()], 100))).toEqual([0]);
  });

  it('uses drafts of one length for all answers, within the maximum of a step', () => {
    expect(lengths(speculation('on').next([candidate(), candidate(), undefined], 100))).toEqual([4, 4, 0]);
    expect(lengths(speculation('on').next([candidate(), candidate()], 7))).toEqual([4, 0]);
    expect(lengths(speculation('on').next([candidate(3)], 100))).toEqual([3]);
    expect(lengths(speculation('on').next([candidate(0)], 100))).toEqual([0]);
  });

  it('cuts a draft before an end token', () => {
    expect(speculation('on', [2]).next([candidate()], 100).tokens[0]).toEqual(Int32Array.of(0, 1));
  });

  it('in mode `auto`, uses no drafts before the first plain step, then uses them if passes are cheap', () => {
    const auto = speculation();
    expect(lengths(auto.next([candidate()], 100))).toEqual([0]);
    auto.observe(step([1], 1000));
    expect(lengths(auto.next([candidate()], 100))).toEqual([4]);
    auto.observe(step([5], 1200));
    expect(lengths(auto.next([candidate()], 100))).toEqual([4]);
  });

  it('stops using drafts if a longer pass costs more than it gains', () => {
    const auto = speculation();
    auto.observe(step([1], 1000));
    auto.observe(step([5], 5000));
    expect(lengths(auto.next([candidate()], 100))).toEqual([0]);
  });

  it('uses drafts for few answers among many only if a second pass pays off', () => {
    const auto = speculation();
    const eight = [candidate(), ...new Array(7).fill(undefined)];
    auto.observe(step([1], 1000));
    auto.observe(step([4], 1000));
    auto.observe(step(new Array(8).fill(1), 1100));
    expect(lengths(auto.next(eight, 100))[0]).toBe(0);
  });

  it('lengthens drafts while they are accepted, and pauses longer after each rejected draft', () => {
    const drafter = new Drafter(prompt, 1000);
    drafter.record(4, 4);
    expect(drafter.draft(100)).toHaveLength(8);
    drafter.record(8, 0);
    const pauses = [1, 2, 3].map(() => {
      let pushed = 0;
      for (; drafter.draft(100).length === 0; pushed += 1) drafter.push((60 + pushed) % 20);
      drafter.record(2, 0);
      return pushed;
    });
    expect(pauses[0]).toBeLessThan(pauses[2]!);
  });
});

describe('StepCost', () => {
  it('returns measured times, and interpolates between sizes', () => {
    const cost = new StepCost();
    expect(cost.estimate(1)).toBeUndefined();
    cost.observe(1, 100);
    cost.observe(9, 500);
    expect([cost.estimate(1), cost.estimate(5), cost.estimate(9)]).toEqual([100, 300, 500]);
  });

  it('is optimistic about larger sizes, and discards old measurements', () => {
    const cost = new StepCost();
    cost.observe(8, 1000);
    expect(cost.estimate(16)).toBe(1100);
    cost.observe(16, 9000);
    for (let step = 0; step < 2001; step += 1) cost.observe(8, 1000);
    expect(cost.estimate(16)).toBe(1100);
  });
});
