/** The tree of saved blocks: what prompts share, what is dropped first, and that operations always fit the contents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepOperation } from '../../../models/interface/model.ts';
import { PrefixCache, type PrefixCacheOptions } from '../../../runtime/chat/prefix-cache.ts';
import { SavedPrefixes, type SavedPrefixesOptions } from '../../../runtime/chat/saved-prefixes.ts';

const sizes = { stateBytesFixed: 0, stateBytesPerToken: 1, canTrim: true, canSplit: true };
const tokens = (length: number, from = 0) => Int32Array.from({ length }, (_, index) => from + index);
const join = (...parts: readonly Int32Array[]) => Int32Array.from(parts.flatMap((part) => [...part]));

function tree(options: Partial<SavedPrefixesOptions> = {}) {
  const saved = new SavedPrefixes({ stateBytesMax: 10_000, ...sizes, ...options });
  const save = (cells: Int32Array, salt = 'a') => saved.save({ sequence: 0, salt, cells });
  const found = (cells: Int32Array, salt: string | undefined = 'a') => saved.find(cells, salt).length;
  return { saved, save, found };
}

describe('SavedPrefixes', () => {
  it('stores the common beginning of two prompts once', () => {
    const { saved, save, found } = tree();
    save(join(tokens(640), tokens(100, 5000)));
    expect(saved.bytes).toBe(740);
    expect(save(join(tokens(640), tokens(100, 6000)))).toEqual([
      { kind: 'save', sequence: 0, state: 13, from: 640, to: 704 },
      { kind: 'save', sequence: 0, state: 14, from: 704, to: 740 },
    ]);
    expect(saved.bytes).toBe(840);
    expect(found(join(tokens(640), tokens(100, 6000), tokens(9)))).toBe(740);
  });

  it('finds a part of a block', () => {
    const { save, found } = tree();
    save(tokens(200));
    expect(found(tokens(150))).toBe(150);
  });

  it('replaces the last block of a conversation by its continuation', () => {
    const { saved, save } = tree();
    save(tokens(100));
    expect(save(tokens(150)).map(({ kind }) => kind)).toEqual(['drop', 'save', 'save']);
    expect(saved.bytes).toBe(150);
    expect(save(tokens(150))).toEqual([]);
  });

  it('drops branches before their trunk', () => {
    const { saved, save, found } = tree({ stateBytesMax: 640 + 300 });
    for (const branch of [1, 2, 3, 4, 5, 6]) save(join(tokens(640), tokens(128, 10_000 * branch)));
    expect(found(tokens(640))).toBe(640);
    expect(saved.bytes).toBeLessThanOrEqual(940);
    expect([1, 2, 3, 4, 5, 6].map((branch) => found(join(tokens(640), tokens(128, 10_000 * branch))))).toEqual([
      ...new Array(4).fill(640),
      768,
      768,
    ]);
  });

  it('keeps a prefix that was used again longer than newer ones that were not', () => {
    const { saved, save, found } = tree({ stateBytesMax: 1024 });
    save(tokens(512));
    saved.use(saved.find(tokens(512), 'a').parts);
    for (const other of [1, 2, 3, 4, 5]) save(tokens(256, 10_000 * other));
    expect(found(tokens(512))).toBe(512);
    expect(found(tokens(256, 50_000))).toBe(256);
  });

  it('lets new prefixes displace those that were used long ago', () => {
    const { saved, save, found } = tree({ stateBytesMax: 1024 });
    save(tokens(1024));
    saved.use(saved.find(tokens(1024), 'a').parts);
    for (const other of [1, 2, 3, 4, 5, 6, 7, 8]) {
      save(tokens(512, 10_000 * other));
      saved.use(saved.find(tokens(512, 10_000 * other), 'a').parts);
    }
    expect(found(tokens(1024))).toBe(0);
  });

  it('saves the beginning of a prompt for which there is not enough room', () => {
    const { saved, save, found } = tree({ stateBytesMax: 200 });
    save(tokens(1000));
    expect([saved.bytes, found(tokens(1000))]).toEqual([192, 192]);
  });

  it('stores only what follows a pinned prefix', () => {
    const { saved, save } = tree();
    saved.pin(0, tokens(100));
    expect(save(tokens(180))).toEqual([
      { kind: 'save', sequence: 0, state: 3, from: 100, to: 164 },
      { kind: 'save', sequence: 0, state: 4, from: 164, to: 180 },
    ]);
    expect([saved.bytes, saved.pinnedBytes]).toEqual([180, 100]);
    expect(saved.find(tokens(200), 'a')).toMatchObject({ length: 180, shared: 100 });
    expect(saved.find(tokens(200), 'b')).toMatchObject({ length: 100, shared: 100 });
    expect(saved.find(tokens(99), 'a')).toMatchObject({ length: 0, shared: 0 });
  });

  it('stores two pinned prefixes with a common beginning once', () => {
    const { saved } = tree();
    saved.pin(0, tokens(100));
    saved.pin(0, join(tokens(100), tokens(50, 1000)));
    expect(saved.pinnedBytes).toBe(150);
    expect(saved.find(tokens(120), 'a').length).toBe(100);
    expect(saved.find(tokens(90), 'a').length).toBe(0);
  });

  it('drops what continues a lost block, and reports the pinned prefixes that it belonged to', () => {
    const { saved, save } = tree();
    saved.pin(0, tokens(64));
    saved.pin(0, tokens(128));
    save(tokens(200));
    expect(saved.lose([2])).toEqual({
      operations: [
        { kind: 'drop', state: 2 },
        { kind: 'drop', state: 4 },
        { kind: 'drop', state: 3 },
      ],
      pinned: [tokens(128)],
    });
    expect(saved.bytes).toBe(64);
    expect(saved.find(tokens(200), 'a').length).toBe(64);
  });
});

/** Carries out operations on lists of tokens, and rejects those that a model would reject. */
class Contents {
  readonly states = new Map<number, { readonly from: number; readonly cells: Int32Array }>();
  readonly sequences: Int32Array[];

  constructor(count: number) {
    this.sequences = Array.from({ length: count }, () => new Int32Array());
  }

  run(operations: readonly StepOperation[]): void {
    for (const operation of operations) this.#run(operation);
  }

  #run(operation: StepOperation): void {
    switch (operation.kind) {
      case 'trim':
        this.sequences[operation.sequence] = this.sequences[operation.sequence]!.slice(0, operation.from);
        return;
      case 'copy':
        this.sequences[operation.to] = this.sequences[operation.sequence]!.slice(0, operation.length);
        return;
      case 'save': {
        const { sequence, state, from, to } = operation;
        if (to > this.sequences[sequence]!.length || from >= to) throw new Error('saves cells that are not there');
        this.states.set(state, { from, cells: this.sequences[sequence]!.slice(from, to) });
        return;
      }
      case 'restore': {
        const { sequence, state, from, length } = operation;
        const saved = this.states.get(state)!;
        const before = from === 0 ? new Int32Array() : this.sequences[sequence]!;
        if (saved.from !== from || before.length !== from || saved.cells.length < length)
          throw new Error('bad restore');
        this.sequences[sequence] = join(before, saved.cells.subarray(0, length));
        return;
      }
      case 'drop':
        this.states.delete(operation.state);
        return;
      case 'move':
        this.sequences[operation.to] = this.sequences[operation.sequence]!;
        this.sequences[operation.sequence] = new Int32Array();
    }
  }
}

describe('PrefixCache on a tree of blocks', () => {
  /** Prompts that share long beginnings: paths of up to four pieces, each one of three. */
  const prompt = fc
    .array(fc.record({ piece: fc.integer({ min: 0, max: 2 }), length: fc.integer({ min: 1, max: 150 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((pieces) => join(...pieces.map(({ piece, length }, depth) => tokens(length, 1000 * (3 * depth + piece)))));
  const request = fc.record({
    prompt,
    account: fc.constantFrom('a', 'b'),
    isPinned: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    isHeld: fc.boolean(),
  });
  const shape = fc.record({
    sequences: fc.integer({ min: 1, max: 3 }),
    stateBytesMax: fc.integer({ min: 0, max: 1500 }),
    canSplit: fc.boolean(),
  });

  it('fills each sequence with the prompt, within its budget, from prefixes of the same account or pinned ones', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 40 }), shape, (requests, options) => {
        const cache = new PrefixCache({ ...sizes, ...options } satisfies PrefixCacheOptions);
        const contents = new Contents(options.sequences);
        const seen = new Map<string, Int32Array[]>([
          ['a', []],
          ['b', []],
        ]);
        const pinned: Int32Array[] = [];
        const held: number[] = [];
        for (const { prompt, account, isPinned, isHeld } of requests) {
          if (isPinned && !cache.canPin(prompt)) continue;
          const claim = cache.claim(prompt, isPinned ? undefined : account);
          if (claim === undefined) {
            for (const sequence of held.splice(0)) cache.release(sequence);
            continue;
          }
          contents.run(claim.operations);
          const { sequence, reused } = claim;
          expect(contents.sequences[sequence]).toEqual(prompt.slice(0, reused));
          expect(reused).toBeLessThan(prompt.length);
          if (!isPinned) expect(reused).toBeLessThanOrEqual(reusable(prompt, { own: seen.get(account)!, pinned }));
          contents.sequences[sequence] = prompt;
          cache.append(sequence, prompt.subarray(reused));
          if (isPinned) {
            contents.run(cache.pin(sequence));
            pinned.push(prompt);
          } else {
            seen.get(account)!.push(prompt);
            if (isHeld) held.push(sequence);
            else cache.release(sequence);
          }
          const bytes = [...contents.states.values()].reduce((sum, { cells }) => sum + cells.length, 0);
          expect(cache.stateBytes.all).toBe(bytes);
          expect(bytes).toBeLessThanOrEqual(options.stateBytesMax);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The longest prefix that an account may reuse: common with its own prompts, or a whole pinned prefix. */
function reusable(prompt: Int32Array, { own, pinned }: { own: readonly Int32Array[]; pinned: readonly Int32Array[] }) {
  const common = (other: Int32Array) => {
    const end = other.findIndex((token, index) => token !== prompt[index]);
    return end === -1 ? other.length : end;
  };
  const whole = pinned.map((one) => (common(one) === one.length ? one.length : 0));
  return Math.max(0, ...own.map(common), ...whole);
}
