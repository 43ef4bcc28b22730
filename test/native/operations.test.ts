/** Operations on sequences that a step runs before it computes: trim, copy, move, save and restore, for every kind of state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { PreparedChat, Step } from '../../models/interface/model.ts';
import { ask, generate, greedy, loadTiny } from './models.ts';

describe.each([
  ['separate streams', {}, {}],
  ['unified state', {}, { unifiedKv: true }],
  ['quantised state', {}, { kvCacheType: 'q8_0' as const }],
  ['no flash attention', {}, { flashAttention: 'off' as const }],
  ['a sliding window', { architecture: 'gemma3' as const }, {}],
])('operations, with %s', (_, modelOptions, engineOptions) => {
  let own: LlamaText;
  let chat: PreparedChat;
  let expected: number[];

  beforeAll(async () => {
    own = await loadTiny(modelOptions, engineOptions);
    chat = await own.prepareChat(ask);
    expected = await generate(own, { prepared: chat }, { sequence: 0, count: 10 });
  });
  afterAll(() => own.close());

  /** Continues from the prompt less its last token, which `sequence` must hold. */
  const continueOn = (sequence: number, operations: Step['operations']) => {
    const position = chat.tokens.length - 1;
    const tokens = chat.tokens.subarray(position);
    return generate(own, { prepared: chat, tokens, position, operations }, { sequence, count: 10 });
  };
  const prefix = () => chat.tokens.length - 1;

  it('trims a sequence to a shorter prefix', async () => {
    expect(await continueOn(0, [{ kind: 'trim', sequence: 0, from: prefix() }])).toEqual(expected);
  });

  it('copies a prefix into another sequence, even one in use', async () => {
    const copy = { kind: 'copy', sequence: 0, to: 1, length: prefix() } as const;
    expect(await continueOn(1, [copy])).toEqual(expected);
    expect(await continueOn(1, [copy])).toEqual(expected);
    expect(await continueOn(2, [{ ...copy, sequence: 1, to: 2 }])).toEqual(expected);
  });

  it('moves an answer to another sequence in the middle of a word', async () => {
    const sampling = { ...greedy, temperature: 1, presencePenalty: 0.5, seed: 3 };
    const run = async (operations: Step['operations']) => {
      await own.step({ operations: [0, 1, 2].map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
      const answer = await generate(own, { prepared: chat }, { sequence: 0, sampling, count: 4 });
      let position = chat.tokens.length + 3;
      for (let index = 0; index < 6; index += 1) {
        const row = { position, tokens: Int32Array.of(answer.at(-1)!), sample: true };
        const sequence = operations.length > 0 ? 2 : 0;
        const before = index === 0 ? operations : [];
        answer.push((await own.step({ operations: before, rows: [{ sequence, ...row }] })).tokens[0]!);
        position += 1;
      }
      return answer;
    };
    const moved = await run([{ kind: 'move', sequence: 0, to: 2 }]);
    // Its old place is free.
    expect(await continueOn(0, [{ kind: 'copy', sequence: 2, to: 0, length: prefix() }])).toEqual(expected);
    expect(moved).toEqual(await run([]));
    await generate(own, { prepared: chat }, { sequence: 1, count: 1 });
    await own.step({ operations: [0, 1, 2].map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
    await generate(own, { prepared: chat }, { sequence: 0, count: 10 });
  });

  it('saves a state, restores it into any sequence, and drops it', async () => {
    const to = prefix();
    await own.step({
      operations: [
        { kind: 'trim', sequence: 0, from: to },
        { kind: 'save', sequence: 0, state: 77, from: 0, to },
        { kind: 'trim', sequence: 0, from: 0 },
      ],
      rows: [],
    });
    expect(await continueOn(3, [{ kind: 'restore', sequence: 3, state: 77, from: 0, length: to }])).toEqual(expected);
    const again = [{ kind: 'restore', sequence: 0, state: 77, from: 0, length: to }] as const;
    expect(await continueOn(0, [...again, { kind: 'drop', state: 77 }])).toEqual(expected);
    await expect(continueOn(0, again)).rejects.toMatchObject({ code: 'ERR_STATE' });
  });

  it('keeps the order of operations on the same sequence', async () => {
    const to = prefix();
    const operations = [
      { kind: 'trim', sequence: 0, from: to },
      { kind: 'copy', sequence: 0, to: 1, length: to },
      { kind: 'save', sequence: 1, state: 5, from: 0, to },
      { kind: 'trim', sequence: 0, from: 0 },
      { kind: 'trim', sequence: 1, from: 0 },
      { kind: 'restore', sequence: 2, state: 5, from: 0, length: to },
      { kind: 'copy', sequence: 2, to: 0, length: to },
      { kind: 'trim', sequence: 2, from: 0 },
      { kind: 'drop', state: 5 },
    ] as const;
    expect(await continueOn(0, operations)).toEqual(expected);
  });
});

describe.each([
  ['F16', {}],
  ['Q8_0', { kvCacheType: 'q8_0' as const }],
])('a %s state saved in parts', (_, engineOptions) => {
  let own: LlamaText;
  let chat: PreparedChat;
  let expected: number[];
  let end: number;

  beforeAll(async () => {
    own = await loadTiny({}, engineOptions);
    chat = await own.prepareChat(ask);
    expected = await generate(own, { prepared: chat }, { sequence: 0, count: 10 });
    end = chat.tokens.length - 1;
    // The parts are saved out of order, and one of them is longer than the prompt.
    await own.step({
      operations: [
        { kind: 'save', sequence: 0, state: 2, from: 3, to: end + 4 },
        { kind: 'save', sequence: 0, state: 1, from: 0, to: 3 },
        { kind: 'trim', sequence: 0, from: 0 },
      ],
      rows: [],
    });
  });
  afterAll(() => own.close());

  const continueOn = (sequence: number, position: number, operations: Step['operations']) =>
    generate(
      own,
      { prepared: chat, tokens: chat.tokens.subarray(position), position, operations },
      { sequence, count: 10 },
    );
  const parts = (sequence: number, length: number) =>
    [
      { kind: 'restore', sequence, state: 1, from: 0, length: 3 },
      { kind: 'restore', sequence, state: 2, from: 3, length: length - 3 },
    ] as const;

  it('gives the same answer when its parts are joined in any sequence, in whole or up to any position', async () => {
    expect(own.info.canSplit).toBe(true);
    for (const sequence of [0, 2, 3]) {
      for (const length of [4, end - 1, end]) {
        expect(await continueOn(sequence, length, parts(sequence, length))).toEqual(expected);
      }
    }
  });

  it('has the same bytes after it was joined and saved again', async () => {
    await own.step({
      operations: [
        ...parts(1, end),
        { kind: 'save', sequence: 1, state: 3, from: 0, to: 5 },
        { kind: 'save', sequence: 1, state: 4, from: 5, to: end },
        { kind: 'trim', sequence: 1, from: 0 },
      ],
      rows: [],
    });
    const joined = [
      { kind: 'restore', sequence: 1, state: 3, from: 0, length: 5 },
      { kind: 'restore', sequence: 1, state: 4, from: 5, length: end - 5 },
    ] as const;
    expect(await continueOn(1, end, joined)).toEqual(expected);
  });

  it('is not joined with a gap, beyond a part, or to an unknown part', async () => {
    const [first, second] = parts(1, end);
    for (const operations of [[second], [first, { ...second, from: 4 }], [first, { ...second, length: end + 2 }]]) {
      await expect(own.step({ operations, rows: [] })).rejects.toMatchObject({ code: 'ERR_STATE' });
    }
    const unknown = [first, { ...second, state: 99 }];
    await expect(own.step({ operations: unknown, rows: [] })).rejects.toMatchObject({ code: 'ERR_STATE' });
  });

  it('is not saved beyond its end', async () => {
    const save = { kind: 'save', sequence: 1, state: 9, from: 0, to: end + 1 } as const;
    const operations = [...parts(1, end), save];
    await expect(own.step({ operations, rows: [] })).rejects.toMatchObject({ code: 'ERR_STATE' });
  });
});

/** The runtime copies and saves such states only as a whole: they contain only the last window. */
it('a sliding window can be trimmed where it was computed, and continued where it was copied as a whole', async () => {
  const own = await loadTiny({ architecture: 'gemma3' });
  const tokens = Int32Array.from({ length: 400 }, (_, index) => 10 + (index % 200));
  const prepared = await own.prepareChat(ask);
  const continued = (sequence: number, length: number, operations: Step['operations']) => {
    const position = length - 1;
    return generate(
      own,
      { prepared, tokens: tokens.subarray(position, length), position, operations },
      { sequence, count: 5 },
    );
  };
  const fresh = await generate(own, { prepared, tokens: tokens.subarray(0, 200) }, { sequence: 1, count: 5 });
  const whole = await generate(own, { prepared, tokens }, { sequence: 0, count: 5 });
  expect(await continued(0, 400, [{ kind: 'trim', sequence: 0, from: 399 }])).toEqual(whole);
  const copy = [
    { kind: 'trim', sequence: 0, from: 399 },
    { kind: 'copy', sequence: 0, to: 2, length: 399 },
  ] as const;
  expect(await continued(2, 400, copy)).toEqual(whole);
  expect(await continued(0, 200, [{ kind: 'trim', sequence: 0, from: 199 }])).toEqual(fresh);
  await own.close();
});

it.each([
  ['unified state', {}, { unifiedKv: true }],
  ['no flash attention', {}, { flashAttention: 'off' as const }],
  ['a sliding window', { architecture: 'gemma3' as const }, {}],
])('a state with %s is saved only as a whole', async (_, modelOptions, engineOptions) => {
  const own = await loadTiny(modelOptions, engineOptions);
  const chat = await own.prepareChat(ask);
  await generate(own, { prepared: chat }, { sequence: 0, count: 1 });
  expect(own.info.canSplit).toBe(false);
  const operations = [{ kind: 'save', sequence: 0, state: 1, from: 2, to: 4 }] as const;
  await expect(own.step({ operations, rows: [] })).rejects.toMatchObject({ code: 'ERR_STATE' });
  await own.close();
});
