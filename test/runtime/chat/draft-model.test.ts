/** An engine with a draft model, on fake models: the same answers, and which tokens it keeps for which account. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step, StepResult } from '../../../models/interface/model.ts';
import { DraftModel } from '../../../runtime/chat/draft-model.ts';
import type { EngineOptions } from '../../../runtime/chat/engine.ts';
import { alone, start } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { endToken, FakeModel, type FakeModelOptions } from '../../support/runtime/fake-model.ts';

type Next = NonNullable<FakeModelOptions['next']>;

/** A fake model that remembers its errors, which a draft model hides from the engine. */
class CheckedModel extends FakeModel {
  readonly errors: unknown[] = [];

  override async step(step: Step): Promise<StepResult> {
    return await super.step(step).catch((error: unknown) => {
      this.errors.push(error);
      throw error;
    });
  }
}

/** Letters by a hash of all cells and the seed; sometimes the answer ends. */
const target: Next = (cells, { seed }) => {
  let hash = seed;
  for (const token of cells) hash = (Math.imul(hash, 31) + token) >>> 0;
  return hash % 43 === 0 ? endToken : 97 + (hash % 26);
};

/** Agrees with the target except for a share of all positions. */
function agreeing(share: number): Next {
  return (cells, sampling) => {
    const token = target(cells, sampling);
    return (cells.length * 7919) % 100 < share * 100 ? token : 97 + ((token + 1) % 26);
  };
}

async function startWith(
  draftOptions: FakeModelOptions,
  modelOptions: FakeModelOptions = {},
  options: Partial<EngineOptions> = {},
) {
  const draft = new CheckedModel({ sequences: 2, ...draftOptions });
  const { info } = new FakeModel(modelOptions);
  const model = await DraftModel.open(async () => draft, { target: info, now: () => 0 });
  return { draft, ...start(modelOptions, { ...options, draft: { model, mode: 'on' } }) };
}

describe('an engine with a draft model', () => {
  it('gives the same answers as without it, for any concurrent requests', async () => {
    const request = fc.record({
      prompt: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 120 }),
      maxTokens: fc.integer({ min: 1, max: 60 }),
      choices: fc.integer({ min: 1, max: 3 }),
      stop: fc.array(fc.string({ unit: fc.constantFrom('d', 'e', 'f'), minLength: 1, maxLength: 2 }), { maxLength: 1 }),
    });
    const shape = fc.record({
      sequences: fc.integer({ min: 1, max: 5 }),
      stepTokensMax: fc.integer({ min: 6, max: 40 }),
      draftTokensMax: fc.integer({ min: 1, max: 40 }),
    });
    const draftShape = fc.record({
      sequences: fc.integer({ min: 1, max: 3 }),
      stepTokensMax: fc.integer({ min: 4, max: 40 }),
      contextPerSequence: fc.constantFrom(100, 180),
    });
    const agreement = fc.constantFrom(0, 0.5, 0.9, 1);
    const requests = fc.array(request, { minLength: 1, maxLength: 6 });
    const lookup = fc.constantFrom('on', 'off');
    let [drafted, accepted] = [0, 0];
    await fc.assert(
      fc.asyncProperty(requests, shape, draftShape, agreement, lookup, async (all, shape, own, share, promptLookup) => {
        const options = { ...shape, next: target, contextPerSequence: 180 };
        const started = await startWith({ ...own, next: agreeing(share) }, options, {
          prefixCacheBytes: 300,
          promptLookup,
        });
        const { recorder, engine, model, draft } = started;
        const submit = (one: (typeof all)[number], id: number) =>
          engine.submit(id, chatRequest(one.prompt, { account: `a${id % 3}`, ...one }));
        await Promise.all(all.map(submit));
        for (const [id, { prompt, choices, ...rest }] of all.entries()) {
          await recorder.ended(id);
          for (let choice = 0; choice < choices; choice += 1) {
            const sampling = { ...chatRequest('').sampling, seed: 1 + choice };
            expect(recorder.text(id, choice)).toBe(await alone(chatRequest(prompt, { ...rest, sampling }), options));
          }
        }
        drafted += engine.stats.draftTokens;
        accepted += engine.stats.acceptedDraftTokens;
        await engine.drain();
        expect(draft.errors).toEqual([]);
        expect([model.closed, draft.closed]).toEqual([true, true]);
      }),
      { numRuns: 40 },
    );
    expect(drafted).toBeGreaterThan(1000);
    expect(accepted / drafted).toBeGreaterThan(0.05);
  });

  it('needs few steps for an answer that the draft model predicts', async () => {
    const next: Next = (cells) => 97 + (cells.length % 26);
    const { recorder, engine, model } = await startWith({ next }, { next });
    await engine.submit(1, chatRequest('a', { maxTokens: 80 }));
    await recorder.ended(1);
    expect(recorder.finish(1)).toMatchObject({ completionTokens: 80 });
    expect(model.steps.length).toBeLessThan(20);
    expect(engine.stats.acceptedDraftTokens).toBe(engine.stats.draftTokens);
  });

  it('draws drafts with the seed of each choice and the number of tokens that its answer has', async () => {
    const drawn: [seed: number, drawn: number | undefined, cells: number][] = [];
    const next: Next = (cells, { seed }) => 97 + ((cells.length + seed) % 26);
    const noted: Next = (cells, sampling) => {
      drawn.push([sampling.seed, sampling.drawn, cells.length]);
      return next(cells, sampling);
    };
    const { recorder, engine } = await startWith({ next: noted }, { next });
    await engine.submit(1, chatRequest('ab', { maxTokens: 12, choices: 2 }));
    await recorder.ended(1);
    expect(engine.stats.acceptedDraftTokens).toBe(engine.stats.draftTokens);
    expect(new Set(drawn.map(([seed]) => seed))).toEqual(new Set([1, 2]));
    // A draft begins after all tokens of prompt and answer.
    const [, sampled, cells] = drawn[0]!;
    expect(cells).toBe(2 + sampled!);
  });

  it('never shows the draft model the tokens of one account after those of another', async () => {
    const letters = ['abc', 'xyz'] as const;
    const mixed: string[] = [];
    // Each account's answers repeat its own letters.
    const next: Next = (cells) => cells[Math.max(0, cells.length - 3)]!;
    const noted: Next = (cells, sampling) => {
      const text = String.fromCharCode(...cells);
      if (!/^[abc]*$|^[xyz]*$/.test(text)) mixed.push(text);
      return next(cells, sampling);
    };
    const { recorder, engine, draft } = await startWith({ sequences: 1, next: noted }, { sequences: 2, next });
    for (let id = 0; id < 8; id += 1) {
      const own = letters[id % 2]!;
      await engine.submit(id, chatRequest(own.repeat(10), { account: own, maxTokens: 20 }));
      await recorder.ended(id);
      expect(recorder.text(id)).toBe(own.repeat(7).slice(0, 20));
    }
    expect(mixed).toEqual([]);
    // Another account's tokens are trimmed; the account's own next prompt is reused only if nothing came between.
    const rows = draft.steps
      .flatMap((step) => step.rows)
      .filter(({ position, tokens }) => tokens.length > 16 && position === 0);
    expect(rows.length).toBeGreaterThanOrEqual(8);
  });

  it('copies the prompt for a further choice, and continues a conversation where it was left', async () => {
    const { recorder, engine, draft } = await startWith({ next: target, sequences: 3 }, { next: target });
    const prompt = 'abcdefghij'.repeat(6);
    await engine.submit(1, chatRequest(prompt, { maxTokens: 30, choices: 2 }));
    await recorder.ended(1);
    const operations = draft.steps.flatMap((step) => step.operations);
    expect(operations.some((operation) => operation.kind === 'copy' && operation.length > 40)).toBe(true);
    const before = draft.steps.length;
    await engine.submit(2, chatRequest(prompt + recorder.text(1), { maxTokens: 30 }));
    await recorder.ended(2);
    const read = draft.steps
      .slice(before)
      .flatMap((step) => step.rows)
      .map(({ tokens }) => tokens.length);
    expect(Math.max(...read)).toBeLessThan(40);
  });

  it('frees the sequence of an answer that is cancelled while its draft is computed', async () => {
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    let isHeld = true;
    const beforeStep = async ({ rows }: Step) => {
      if (!isHeld || !rows.some(({ sample }) => sample)) return;
      isHeld = false;
      entered.resolve();
      await left.promise;
    };
    const { recorder, engine, draft } = await startWith({ sequences: 1, next: target, beforeStep }, { next: target });
    await engine.submit(1, chatRequest('abc', { maxTokens: 50 }));
    await entered.promise;
    engine.cancel(1);
    left.resolve();
    await engine.submit(2, chatRequest('cab', { maxTokens: 50 }));
    await recorder.ended(2);
    expect(recorder.text(2)).toBe(await alone(chatRequest('cab', { maxTokens: 50 }), { next: target }));
    expect(engine.stats.acceptedDraftTokens).toBeGreaterThan(10);
    expect(draft.errors).toEqual([]);
    await engine.drain();
  });

  it('continues without drafts if the draft model fails, and stops using it after three failures', async () => {
    let isBroken = false;
    const beforeStep = () => {
      if (isBroken) throw new Error('device lost');
    };
    const { recorder, engine, draft } = await startWith({ next: target, beforeStep }, { next: target });
    isBroken = true;
    await engine.submit(1, chatRequest('abc', { maxTokens: 30 }));
    await recorder.ended(1);
    expect(recorder.text(1)).toBe(await alone(chatRequest('abc', { maxTokens: 30 }), { next: target }));
    expect(draft.errors).toHaveLength(3);
    await engine.drain();
    expect(draft.closed).toBe(true);
  });

  it('drafts again after a failure', async () => {
    let failures = 0;
    const beforeStep = ({ rows }: Step) => {
      if (rows.some(({ sample }) => sample) && failures++ === 0) throw new Error('device busy');
    };
    const { recorder, engine, draft } = await startWith({ next: target, beforeStep }, { next: target });
    await engine.submit(1, chatRequest('abc', { maxTokens: 30 }));
    await recorder.ended(1);
    expect(recorder.text(1)).toBe(await alone(chatRequest('abc', { maxTokens: 30 }), { next: target }));
    expect(draft.errors).toHaveLength(1);
    expect(engine.stats.acceptedDraftTokens).toBeGreaterThan(5);
  });
});

describe('DraftModel.open', () => {
  const open = (draft: FakeModel, target = new FakeModel()) =>
    DraftModel.open(async () => draft, { target: target.info, now: () => 0 });

  /** A fake model with facts that differ. */
  function changed(change: (info: FakeModel['info']) => Partial<FakeModel['info']>): FakeModel {
    const model = new FakeModel();
    Object.assign(model, { info: { ...model.info, ...change(model.info) } });
    return model;
  }

  it.each([
    [
      'another number of tokens',
      /256 tokens, the model has 257/,
      ({ vocabulary }) => ({ vocabulary: { ...vocabulary, size: 256 } }),
    ],
    [
      'another text of a token',
      /token 98 has another text/,
      ({ vocabulary }) => ({
        vocabulary: { ...vocabulary, bytes: vocabulary.bytes.with(98, 99) },
      }),
    ],
    [
      'another control token',
      /token 7 is a control token in only one/,
      ({ vocabulary }) => ({
        vocabulary: { ...vocabulary, control: vocabulary.control.with(7, 1) },
      }),
    ],
    ['another end token', /token 3 ends an answer in only one/, () => ({ endTokens: new Set([256, 3]) })],
    ['a recurrent state', /recurrent state of its draft model/, () => ({ canTrim: false })],
  ] as [string, RegExp, Parameters<typeof changed>[0]][])(
    'refuses and closes a model with %s',
    async (_, message, change) => {
      const draft = changed(change);
      await expect(open(draft)).rejects.toMatchObject({
        code: 'ERR_MODEL_LOAD',
        message: expect.stringMatching(message),
      });
      await expect(open(draft)).rejects.toThrow('remove it from --draft-model');
      expect(draft.closed).toBe(true);
    },
  );

  it('refuses to draft for a model with a recurrent state', async () => {
    await expect(open(new FakeModel(), new FakeModel({ canTrim: false }))).rejects.toThrow(
      /recurrent state of this model/,
    );
  });

  it('leaves the sequences of the model empty', async () => {
    const draft = new CheckedModel();
    await open(draft);
    await draft.step({
      operations: [],
      rows: [{ sequence: 0, position: 0, tokens: Int32Array.of(97), sample: false }],
    });
    expect(draft.errors).toEqual([]);
  });
});
