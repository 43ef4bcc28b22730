/** Steps that fail at any point: before or between their operations, or with some of their rows fed, while other requests run. */
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../models/interface/model.ts';
import { alone, startOn } from '../../support/compute/recorded-engine.ts';
import { Random } from '../../support/random.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { FakeModel, type FakeModelOptions } from '../../support/runtime/fake-model.ts';

/** A model that executes a part of some steps, then fails. It also records the errors of steps that are invalid. */
class FailingModel extends FakeModel {
  readonly refusals: unknown[] = [];
  readonly #random: Random;
  failuresPercent = 6;

  constructor(random: Random, options: FakeModelOptions) {
    super(options);
    this.#random = random;
  }

  override async step(step: Step) {
    if (this.#random.below(100) >= this.failuresPercent) return await this.#refusing(step);
    const done = this.#random.below(step.operations.length + 1);
    const rows = done < step.operations.length ? [] : step.rows.slice(0, this.#random.below(step.rows.length + 1));
    await this.#refusing({ operations: step.operations.slice(0, done), rows });
    throw new Error('device gone');
  }

  #refusing(step: Step) {
    return super.step(step).catch((error) => {
      this.refusals.push(error);
      throw error;
    });
  }
}

const texts = ['abcdefghijklmnopqrstuvwxyz'.repeat(2), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(2), '0123456789'.repeat(4)];

/** Runs many concurrent requests, cancels some of them, and pins prefixes in between. */
async function serve(seed: number, options: FakeModelOptions) {
  const random = new Random(seed);
  const model = new FailingModel(random, options);
  const promptLookup = random.below(2) === 0 ? 'on' : 'off';
  const { recorder, engine } = startOn(model, { prefixCacheBytes: 600, promptLookup });
  const requests = Array.from({ length: 12 }, () => {
    const text = random.pick(texts).slice(0, 10 + random.below(30)) + 'xyz'.repeat(random.below(20));
    return chatRequest(text, {
      maxTokens: 1 + random.below(30),
      choices: 1 + random.below(3),
      account: `account ${random.below(2)}`,
    });
  });
  const waited: Promise<void>[] = [];
  for (const [id, request] of requests.entries()) {
    await engine.submit(id, request);
    if (random.below(6) === 0) engine.cancel(id);
    else waited.push(recorder.ended(id));
    const content = random.pick(texts).slice(0, 30);
    if (random.below(5) === 0) engine.pinPrefix([{ role: 'system', content }]).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waited);
  const answered = requests.flatMap((request, id) => {
    if (recorder.of(id).at(-1)?.kind !== 'done') return [];
    return [{ request, texts: Array.from({ length: request.choices }, (_, choice) => recorder.text(id, choice)) }];
  });
  return { model, engine, answered };
}

const models: readonly FakeModelOptions[] = [
  { sequences: 1, contextPerSequence: 200, stepTokensMax: 32 },
  { sequences: 3, contextPerSequence: 200, stepTokensMax: 48 },
  { sequences: 4, contextPerSequence: 200, stepTokensMax: 32, canTrim: false },
];

describe('an engine whose steps fail at random', () => {
  it.each(models)('gives completed requests the answers of a model that never fails: %o', async (options) => {
    let count = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const { model, engine, answered } = await serve(seed, options);
      await engine.drain();
      expect(model.refusals).toEqual([]);
      for (const { request, texts: told } of answered) {
        const { sampling } = request;
        for (const [choice, text] of told.entries()) {
          const own = { ...request, choices: 1, sampling: { ...sampling, seed: sampling.seed + choice } };
          expect(text).toBe(await alone(own, options));
        }
      }
      count += answered.length;
    }
    expect(count).toBeGreaterThan(20);
  });

  it('drains even if every step fails', async () => {
    const { model, engine } = await serve(1, models[1]!);
    model.failuresPercent = 100;
    await engine.submit(100, chatRequest('last'));
    await engine.drain();
    expect(model.closed).toBe(true);
  });
});
