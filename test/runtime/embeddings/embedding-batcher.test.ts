import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batcherFor,
  bucketOf,
  EmbeddingBatcher,
  type WaitingText,
} from '../../../runtime/embeddings/embedding-batcher.ts';

interface Text extends WaitingText {
  readonly name: string;
}

function text(name: string, length: number, { account = 'a', priority = 0, arrivedMs = 0 } = {}): Text {
  return { name, account, priority, arrivedMs, tokens: new Int32Array(length) };
}

function batcher(texts: readonly Text[], { batchTokensMax = 1024, isPadded = true } = {}): EmbeddingBatcher<Text> {
  const one = new EmbeddingBatcher<Text>({ batchTokensMax, isPadded });
  for (const waiting of texts) one.push(waiting);
  return one;
}

const names = (batch: readonly Text[]) => batch.map(({ name }) => name);

describe('EmbeddingBatcher', () => {
  it('returns an empty batch if no text waits', () => {
    expect(batcher([]).take(0)).toEqual([]);
  });

  it('batches equally long texts in order, up to the token budget', () => {
    const one = batcher(
      ['a', 'b', 'c'].map((name) => text(name, 100)),
      { batchTokensMax: 200 },
    );
    expect(names(one.take(0))).toEqual(['a', 'b']);
    expect(names(one.take(0))).toEqual(['c']);
    expect(one.length).toBe(0);
  });

  it('puts a text that exceeds the budget in a batch alone', () => {
    const one = batcher([text('long', 500), text('other', 490)], { batchTokensMax: 256 });
    expect(names(one.take(0))).toHaveLength(1);
    expect(names(one.take(0))).toHaveLength(1);
  });

  it('never pads a short text to the length of a long one', () => {
    const one = batcher([text('long', 512), text('short', 10)]);
    expect(names(one.take(0))).toEqual(['short']);
    expect(names(one.take(0))).toEqual(['long']);
  });

  it('pads a few short texts a little to avoid another pass', () => {
    const one = batcher([3, 5, 6, 8, 9].map((length) => text(String(length), length)));
    expect(names(one.take(0)).sort()).toEqual(['3', '5', '6', '8', '9']);
  });

  it('batches many short texts by length', () => {
    const one = batcher(Array.from({ length: 60 }, (_, index) => text(`${4 + (index % 6)}`, 4 + (index % 6))));
    for (let batch = one.take(0); batch.length > 0; batch = one.take(0)) {
      const tokens = batch.reduce((sum, { tokens }) => sum + tokens.length, 0);
      expect(batch.length * Math.max(...batch.map(({ tokens }) => tokens.length)) - tokens).toBeLessThanOrEqual(16);
    }
  });

  it('counts padding against the budget', () => {
    const one = batcher([text('a', 117), text('b', 140), text('c', 117)], { batchTokensMax: 400 });
    // 3 × 140 would be more than the budget.
    expect(names(one.take(0))).toEqual(['a', 'b']);
  });

  it('divides waiting texts among free threads, above a minimum', () => {
    const eight = batcher(Array.from({ length: 8 }, (_, index) => text(String(index), 100)));
    expect(eight.take(0, { threads: 2 })).toHaveLength(4);
    expect(eight.take(0)).toHaveLength(4);
    const two = batcher([text('a', 100), text('b', 100)]);
    expect(two.take(0, { threads: 2 })).toHaveLength(2);
  });

  it('uses smaller batches if texts are computed one by one', () => {
    const short = (name: string) => text(name, 16);
    const [eight, four] = [8, 4].map((count) => {
      const one = batcherFor<Text>({ batching: 'none' }, { batchTokensMax: 4096 });
      for (let index = 0; index < count; index++) one.push(short(String(index)));
      return one;
    });
    expect(names(eight!.take(0, { threads: 2 }))).toEqual(['0', '1', '2', '3']);
    expect(names(four!.take(0, { threads: 2 }))).toEqual(['0', '1', '2', '3']);
  });

  it('takes a short text before long ones that arrived earlier', () => {
    const long = Array.from({ length: 8 }, (_, index) => text(`long ${index}`, 512));
    const one = batcher([...long, text('short', 10, { arrivedMs: 5 })], { batchTokensMax: 512 });
    expect(names(one.take(6))).toEqual(['short']);
  });

  it('does not starve a long text while short ones keep arriving', () => {
    const one = batcher([text('long', 500)], { batchTokensMax: 64 });
    for (let now = 1; now < 2000; now++) {
      one.push(text('short', 10, { arrivedMs: now }));
      if (names(one.take(now)).includes('long')) return;
    }
    expect.unreachable('the long text was never taken');
  });

  it('alternates between accounts by tokens, independent of their number of texts', () => {
    const many = Array.from({ length: 10 }, (_, index) => text(`many ${index}`, 100, { account: 'many' }));
    const few = [text('few 0', 100, { account: 'few' }), text('few 1', 100, { account: 'few' })];
    const one = batcher([...many, ...few], { batchTokensMax: 200 });
    expect(names(one.take(0)).sort()).toEqual(['few 0', 'many 0']);
    expect(names(one.take(0)).sort()).toEqual(['few 1', 'many 1']);
  });

  it('gives an account no credit for the time it was idle', () => {
    const one = batcher([], { batchTokensMax: 100 });
    for (let index = 0; index < 50; index++) {
      one.push(text('busy', 100, { account: 'busy' }));
      one.take(index);
    }
    for (let index = 0; index < 4; index++) {
      one.push(text('new', 100, { account: 'new' }));
      one.push(text('busy', 100, { account: 'busy' }));
    }
    const order = Array.from({ length: 8 }, () => names(one.take(100))[0]);
    expect(order.slice(0, 4).filter((name) => name === 'new')).toHaveLength(2);
  });

  it('serves higher priorities first', () => {
    const one = batcher([text('low', 100), text('high', 100, { account: 'b', priority: 1 })], { batchTokensMax: 100 });
    expect(names(one.take(0))).toEqual(['high']);
  });

  it('fills a batch with texts of similar length from several accounts', () => {
    const one = batcher([text('a', 60, { account: 'a' }), text('b', 57, { account: 'b' })]);
    expect(names(one.take(0)).sort()).toEqual(['a', 'b']);
  });

  it('counts no padding if the model does not pad, and adds shorter texts', () => {
    const texts = [text('a', 90), text('b', 40), text('c', 60), text('d', 10)];
    const one = batcher(texts, { batchTokensMax: 190, isPadded: false });
    expect(names(one.take(0))).toEqual(['d']);
    expect(names(one.take(0))).toEqual(['a', 'b', 'c']);
  });

  it('removes the texts of cancelled requests', () => {
    const one = batcher([text('a', 10), text('b', 90), text('c', 10, { account: 'other' })]);
    expect(one.remove('a', ({ name }) => name === 'b')).toBe(1);
    expect(one.length).toBe(2);
    expect(names(one.take(0)).sort()).toEqual(['a', 'c']);
  });

  it('takes every text once, in batches within the budget, with at most a fifth or 16 tokens of padding each', () => {
    const anyText = fc.record({
      length: fc.integer({ min: 1, max: 600 }),
      account: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom(0, 1),
      arrivedMs: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 80 }), fc.integer({ min: 1, max: 2000 }), (all, batchTokensMax) => {
        const texts = all.map(({ length, ...rest }, index) => text(String(index), length, rest));
        const one = batcher(texts, { batchTokensMax });
        const taken: string[] = [];
        for (let batch = one.take(100); batch.length > 0; batch = one.take(100)) {
          const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
          expect(batch.length === 1 || batch.length * longest <= batchTokensMax).toBe(true);
          const tokens = batch.reduce((sum, one) => sum + one.tokens.length, 0);
          expect(batch.length * longest - tokens).toBeLessThanOrEqual(Math.max(16, (batch.length * longest) / 5));
          taken.push(...names(batch));
        }
        expect(taken.map(Number).sort((a, b) => a - b)).toEqual(texts.map((_, index) => index));
        expect(one.length).toBe(0);
      }),
    );
  });
});

describe('bucketOf', () => {
  it('grows by a quarter from 4 tokens on', () => {
    expect([1, 4, 5, 6, 7, 8, 9, 10].map((length) => bucketOf(length))).toEqual([0, 0, 1, 2, 3, 4, 4, 5]);
  });
});
