/** The decision when a draft model is used, on a simulated machine: what it gains, and what it costs if its drafts are wrong. */
import { describe, expect, it } from 'vitest';
import { Drafter, Speculation } from '../../../runtime/chat/speculation.ts';

interface Machine {
  /** Time of a pass by its tokens, and of the draft model's passes, in microseconds. */
  readonly pass: (tokens: number) => number;
  readonly draftPass: number;
  readonly readMicros: number;
}

/** Two cores: rows that share the weights cost a tenth of a pass each. */
const machine: Machine = { pass: (tokens) => 9_000 + 1_000 * tokens, draftPass: 1_500, readMicros: 200 };

/** Numbers in 0…1 that are equal in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Generates answers one after another. @returns their speed compared with a machine without drafts, and the draft lengths */
function run({ acceptance, answers, rows = 1, costs = machine }: Run): { speed: number; counts: number[] } {
  const random = seeded(7);
  const { pass, draftPass, readMicros } = costs;
  const draftCosts = { sequences: 4, readMicros, passMicros: () => draftPass };
  const draftModel = { costs: draftCosts, mode: 'auto' } as const;
  const speculation = new Speculation({ mode: 'off', draftTokensMax: 64, endTokens: new Set(), draftModel });
  let [micros, plain] = [0, 0];
  const counts: number[] = [];
  for (const { prompt, tokens } of answers) {
    const drafter = speculation.begin(Int32Array.of(1), 10)!;
    let read = 0;
    for (let sampled = 1; sampled < tokens; ) {
      const unread = prompt + sampled - read;
      const candidate = { drafter, draftTokensMax: tokens - sampled - 1, unread };
      const { modelTokens } = speculation.next(new Array(rows).fill(candidate), 512);
      let accepted = 0;
      while (accepted < modelTokens && random() < acceptance) accepted += 1;
      const readTime = modelTokens > 0 ? Math.max(0, unread - 2) * rows * readMicros : 0;
      const draftMicros = modelTokens * draftPass + readTime;
      const rowTokens = new Array(rows).fill(1 + modelTokens);
      const passMicros = pass(rows * (1 + modelTokens));
      speculation.observe({ rowTokens, sampled: rows * (1 + accepted), micros: passMicros, draftMicros });
      if (modelTokens > 0) {
        for (let row = 0; row < rows; row += 1) drafter.record(modelTokens, accepted, 'model');
        read = prompt + sampled + accepted;
        counts.push(modelTokens);
      }
      for (let token = 0; token <= accepted; token += 1) drafter.push(5);
      sampled += 1 + accepted;
      micros += passMicros + draftMicros;
      plain += (1 + accepted) * pass(rows);
    }
  }
  return { speed: plain / micros, counts };
}

interface Run {
  readonly acceptance: number;
  readonly answers: readonly { readonly prompt: number; readonly tokens: number }[];
  readonly rows?: number;
  readonly costs?: Machine;
}

const many = (prompt: number, tokens: number, count = 40) => Array.from({ length: count }, () => ({ prompt, tokens }));

describe('speculation with a draft model', () => {
  it.each([
    ['short answers to short prompts', many(20, 40)],
    ['short answers to long prompts', many(3000, 60)],
    ['long answers', many(200, 600)],
  ])('costs at most 3 % if every draft is wrong, for %s', (_, answers) => {
    const { speed, counts } = run({ acceptance: 0, answers });
    expect(speed).toBeGreaterThan(0.97);
    expect(counts.length).toBeLessThan(0.1 * answers.length * answers[0]!.tokens);
  });

  it('makes one answer at least 1.5 times as fast if nine of ten draft tokens are accepted', () => {
    expect(run({ acceptance: 0.9, answers: many(100, 200) }).speed).toBeGreaterThan(1.5);
  });

  it('drafts longer while more is accepted', () => {
    const mean = (acceptance: number) => {
      const { counts } = run({ acceptance, answers: many(50, 400, 10) });
      return counts.reduce((sum, count) => sum + count, 0) / counts.length;
    };
    expect(mean(0.95)).toBeGreaterThan(mean(0.75) + 1);
  });

  it('does not draft if drafts take as long as the model itself', () => {
    const costs = { ...machine, draftPass: machine.pass(1) };
    expect(run({ acceptance: 0.9, answers: many(10, 100), costs }).counts).toHaveLength(0);
  });

  it('does not draft for more answers than the draft model has sequences', () => {
    expect(run({ acceptance: 1, answers: many(10, 100), rows: 4 }).counts.length).toBeGreaterThan(0);
    expect(run({ acceptance: 1, answers: many(10, 100), rows: 5 }).counts).toHaveLength(0);
  });

  it('does not draft for an answer that the draft model cannot follow', () => {
    const draftModel = { costs: { sequences: 4, readMicros: 1, passMicros: () => 1 }, mode: 'on' } as const;
    const speculation = new Speculation({ mode: 'off', draftTokensMax: 64, endTokens: new Set(), draftModel });
    const candidate = (unread: number | undefined) => ({
      drafter: new Drafter(Int32Array.of(), 9),
      draftTokensMax: 9,
      unread,
    });
    expect(speculation.next([candidate(1), candidate(1)], 99).modelTokens).toBe(4);
    expect(speculation.next([candidate(1), candidate(undefined)], 99).modelTokens).toBe(0);
  });
});
