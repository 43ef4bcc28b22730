import { readProductPath } from '@cloister/native/measure';
import { describe, expect, it } from 'vitest';
import type { LlamaText, LlamaTextOptions } from '../../models/gguf/llama-text.ts';
import type { PreparedChat } from '../../models/interface/model.ts';
import type { TinyModelOptions } from '../support/models/tiny-models.ts';
import { ask, greedy, loadTiny } from './models.ts';

const { kernels } = readProductPath();
if (kernels === '') console.log('skipped: own kernels, because this CPU has no AVX2');

const shown = { ...greedy, logprobs: 5 };
const quantisedModels: TinyModelOptions[] = [
  { type: 'Q8_0' },
  { architecture: 'qwen3', type: 'Q8_0' },
  { architecture: 'gemma3', type: 'Q8_0' },
  { architecture: 'qwen3moe', type: 'Q8_0' },
  { type: 'Q4_K' },
  { architecture: 'qwen3moe', type: 'Q4_K' },
];
type Options = Partial<LlamaTextOptions>;
const q8Cache = { kvCacheType: 'q8_0' } as const;
/** llama.cpp rotates heads whose size is a multiple of 64 before it rounds them, and others not. */
const cachedModels: TinyModelOptions[] = [
  { type: 'Q8_0' },
  { type: 'Q8_0', headWidth: 96 },
  { architecture: 'gemma3', type: 'Q8_0' },
];
/** Each with and without a quantised KV cache. */
const exactModels: [TinyModelOptions, Options][] = [
  ...quantisedModels.map((model): [TinyModelOptions, Options] => [model, {}]),
  ...cachedModels.map((model): [TinyModelOptions, Options] => [model, q8Cache]),
];
/** Each with the tolerance of log probabilities: rounding to eight bits is coarse, and tiny random models magnify the error. */
const tolerances: [TinyModelOptions, Options, number][] = [
  ...quantisedModels.map((model): [TinyModelOptions, Options, number] => [
    model,
    {},
    model.type === 'Q4_K' ? 0.1 : 0.06,
  ]),
  ...cachedModels.map((model): [TinyModelOptions, Options, number] => [model, q8Cache, 0.06]),
];
const floatModels: [TinyModelOptions, Options, number][] = [
  // ggml rounds activations to half precision for these, and our kernels do not.
  [{ type: 'F16' }, {}, 0.002],
  [{ architecture: 'qwen3', type: 'F16' }, {}, 0.002],
  // ggml also rounds queries to the eight bits of the keys, and our kernels do not.
  [{ type: 'F16' }, q8Cache, 0.02],
  [{ architecture: 'qwen3', type: 'F16' }, q8Cache, 0.02],
];

/** Tokens of a text of any length. */
async function textOf(model: LlamaText, words: number): Promise<PreparedChat> {
  const content = Array.from({ length: words }, (_, word) => `${(word * 7919) % 97}`).join(' ');
  return model.prepareChat({ ...ask, messages: [{ role: 'user', content }] });
}

interface Alone {
  readonly sequence: number;
  readonly words: number;
}

/** The log probabilities of `steps` tokens in a row for each of some texts, which are computed together. */
async function logprobsOf(model: LlamaText, texts: readonly Alone[], steps: number) {
  const rows = await Promise.all(
    texts.map(async ({ sequence, words }) => {
      const prepared = await textOf(model, words);
      model.beginSampling(sequence, shown, prepared);
      return { sequence, tokens: prepared.tokens, position: 0 };
    }),
  );
  const operations = texts.map(({ sequence }) => ({ kind: 'trim' as const, sequence, from: 0 }));
  // Prompts are computed one at a time, so that only the batched steps differ.
  for (const row of rows) {
    const head = { ...row, tokens: row.tokens.subarray(0, -1), sample: false };
    await model.step({ operations: operations.filter(({ sequence }) => sequence === row.sequence), rows: [head] });
  }
  let next = rows.map(({ tokens }) => tokens.subarray(-1));
  const ends = rows.map(({ tokens }) => tokens.length - 1);
  const seen: { token: number; logprob: number }[][] = texts.map(() => []);
  for (let step = 0; step < steps; step += 1) {
    const result = await model.step({
      operations: [],
      rows: rows.map(({ sequence }, row) => ({
        sequence,
        position: ends[row]! + step,
        tokens: next[row]!,
        sample: true,
      })),
    });
    next = [...result.tokens].map((token) => Int32Array.of(token));
    for (const [row, token] of [...result.tokens].entries()) {
      seen[row]!.push({ token, logprob: result.logprobs[row]!.logprob });
    }
  }
  return seen;
}

async function withModel<Result>(
  model: TinyModelOptions,
  options: Options,
  use: (loaded: LlamaText) => Promise<Result>,
): Promise<Result> {
  const loaded = await loadTiny(model, options);
  try {
    return await use(loaded);
  } finally {
    await loaded.close();
  }
}

describe.skipIf(kernels === '')('the CPU kernels', () => {
  it('are for AVX2 if the environment says so', () => {
    expect(kernels).toMatch(process.env.CPU_KERNELS === 'AVX2' ? /^AVX2$/ : /^(VNNI|AVX2)$/);
  });

  it('are listed in the device description when in use, and can be disabled', async () => {
    expect(await withModel({}, {}, async ({ info }) => info.device)).toMatch(
      /^CPU \([\w.]+, own kernels on (AMX and VNNI|VNNI|AVX2)\), 1 thread$/,
    );
    expect(await withModel({}, { ownKernels: false }, async ({ info }) => info.device)).toMatch(
      /^CPU \([\w.]+\), 1 thread$/,
    );
  });

  it.each([{}, q8Cache])('compute the attention: %o', async (options) => {
    const micros = await withModel({ type: 'Q8_0' }, options, async (loaded) => {
      const rows = [{ sequence: 0, position: 0, tokens: (await textOf(loaded, 100)).tokens, sample: false }];
      return (await loaded.step({ operations: [], rows })).attentionMicros;
    });
    expect(micros).toBeGreaterThan(0);
  });

  it.each([...tolerances, ...floatModels])(
    'agree with llama.cpp on a prompt computed as a whole: %o %o',
    async (model, options, tolerance) => {
      const stepCount = 12;
      const [steps, tokens] = await withModel(model, options, async (loaded) => {
        const found = await logprobsOf(loaded, [{ sequence: 0, words: 60 }], stepCount);
        return [found[0]!, (await textOf(loaded, 60)).tokens] as const;
      });
      const wholes = await withModel(model, { ...options, ownKernels: false }, async (loaded) => {
        const prepared = await textOf(loaded, 60);
        const found: number[] = [];
        for (const [step, { token }] of steps.entries()) {
          const before = steps.slice(0, step).map((earlier) => earlier.token);
          loaded.beginSampling(0, shown, prepared);
          const { logprobs } = await loaded.step({
            operations: [{ kind: 'trim', sequence: 0, from: 0 }],
            rows: [{ sequence: 0, position: 0, tokens: Int32Array.of(...tokens, ...before), sample: true }],
          });
          found.push(logprobs[0]!.top.find((likely) => likely.token === token)!.logprob);
        }
        return found;
      });
      const errors = steps.map(({ logprob }, step) => Math.abs(logprob - wholes[step]!));
      expect(errors.reduce((sum, error) => sum + error, 0) / stepCount).toBeLessThan(tolerance);
    },
  );

  it.each(exactModels)('give a text the same bits alone and among others: %o %o', async (model, options) => {
    const mine = { sequence: 1, words: 45 };
    const others = [
      { sequence: 0, words: 3 },
      { sequence: 2, words: 110 },
      { sequence: 3, words: 70 },
    ];
    const [alone, among] = await withModel(model, options, async (loaded) => [
      await logprobsOf(loaded, [mine], 8),
      await logprobsOf(loaded, [mine, ...others], 8),
    ]);
    expect(among![0]).toEqual(alone![0]);
  });

  it.each([{}, q8Cache])('give the same bits with any number of threads: %o', async (options) => {
    const texts = [
      { sequence: 0, words: 100 },
      { sequence: 1, words: 20 },
    ];
    const answers = [];
    for (const threads of [1, 2, 3]) {
      answers.push(
        await withModel({ type: 'Q8_0' }, { ...options, threads }, (loaded) => logprobsOf(loaded, texts, 6)),
      );
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each([{}, q8Cache])('are unaffected by earlier contents of a sequence: %o', async (options) => {
    const short = [{ sequence: 0, words: 5 }];
    const fresh = await withModel({ type: 'Q8_0' }, options, (loaded) => logprobsOf(loaded, short, 6));
    const used = await withModel({ type: 'Q8_0' }, options, async (loaded) => {
      await logprobsOf(loaded, [{ sequence: 0, words: 120 }], 6);
      return logprobsOf(loaded, short, 6);
    });
    expect(used).toEqual(fresh);
  });

  it.each([{}, q8Cache])('verify draft tokens with the same bits as single tokens: %o', async (options) => {
    const [one, several] = await withModel({ type: 'Q8_0' }, { ...options, draftTokens: 8 }, async (loaded) => {
      const single = await logprobsOf(loaded, [{ sequence: 0, words: 80 }], 4);
      const prepared = await textOf(loaded, 80);
      loaded.beginSampling(1, shown, prepared);
      await loaded.step({
        operations: [{ kind: 'trim', sequence: 1, from: 0 }],
        rows: [{ sequence: 1, position: 0, tokens: prepared.tokens.subarray(0, -1), sample: false }],
      });
      const guesses = single[0]!.slice(0, 3).map(({ token }) => token);
      const result = await loaded.step({
        operations: [],
        rows: [
          {
            sequence: 1,
            position: prepared.tokens.length - 1,
            tokens: Int32Array.of(prepared.tokens.at(-1)!, ...guesses),
            sample: true,
            guesses: 3,
          },
        ],
      });
      return [single[0]!.map(({ token }) => token), [...result.tokens]];
    });
    expect(several).toEqual(one);
  });
});
