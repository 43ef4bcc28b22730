import { describe, expect, it } from 'vitest';
import { PrefixCache, type PrefixCacheOptions } from '../../../runtime/chat/prefix-cache.ts';
import { saltOf } from '../../../runtime/chat/salt.ts';

const tokens = (length: number, from = 0) => Int32Array.from({ length }, (_, index) => from + index);

function cache(options: Partial<PrefixCacheOptions> = {}) {
  return new PrefixCache({
    sequences: 2,
    stateBytesMax: 1000,
    stateBytesFixed: 0,
    stateBytesPerToken: 1,
    canTrim: true,
    canSplit: true,
    ...options,
  });
}

/** Claims a sequence, feeds the rest of the prompt, and releases the sequence. */
function use(cache: PrefixCache, prompt: Int32Array, salt = 'a') {
  const claim = cache.claim(prompt, salt)!;
  cache.append(claim.sequence, prompt.subarray(claim.reused));
  cache.release(claim.sequence);
  return claim;
}

describe('PrefixCache', () => {
  it('does not claim a sequence again until it is released', () => {
    const prefixes = cache();
    const first = prefixes.claim(tokens(3), 'a')!;
    const second = prefixes.claim(tokens(3), 'a')!;
    expect(new Set([first.sequence, second.sequence])).toEqual(new Set([0, 1]));
    expect(prefixes.claim(tokens(3), 'a')).toBeUndefined();
    prefixes.release(first.sequence);
    expect(prefixes.claim(tokens(3), 'a')?.sequence).toBe(first.sequence);
  });

  it('leaves the last prompt token to be fed when the whole prompt is cached', () => {
    const prefixes = cache();
    use(prefixes, tokens(100));
    expect(prefixes.claim(tokens(100), 'a')).toMatchObject({
      reused: 99,
      operations: [{ kind: 'trim', sequence: 0, from: 99 }],
    });
  });

  it('copies the prefix of a busy sequence without changing it', () => {
    const prefixes = cache();
    const busy = prefixes.claim(tokens(100), 'a')!;
    prefixes.append(busy.sequence, tokens(100));
    const claim = prefixes.claim(tokens(50), 'a')!;
    expect(claim).toMatchObject({
      reused: 49,
      operations: [{ kind: 'copy', sequence: busy.sequence, to: claim.sequence, length: 49 }],
    });
  });

  it('never reuses the prefixes of another account', () => {
    const prefixes = cache({ sequences: 1 });
    use(prefixes, tokens(100), 'b');
    expect(use(prefixes, tokens(100), 'c').reused).toBe(0);
    expect(use(prefixes, tokens(100), 'c').reused).toBe(99);
  });

  it('never reuses for one adapter what was computed with another, or with none', () => {
    const prefixes = cache({ sequences: 1 });
    const reused = (adapter: number) => use(prefixes, tokens(100), saltOf('a', adapter)).reused;
    expect([0, 1, 2, 1, 0].map(reused)).toEqual([0, 0, 0, 99, 99]);
  });

  it('never begins the prompt of an adapter with a pinned prefix, which is computed without one', () => {
    const prefixes = cache();
    const pinned = prefixes.claim(tokens(64), undefined)!;
    prefixes.append(pinned.sequence, tokens(64));
    prefixes.pin(pinned.sequence);
    expect(use(prefixes, tokens(100), saltOf('a', 0)).reused).toBe(64);
    expect(use(prefixes, tokens(100), saltOf('a', 1)).reused).toBe(0);
    use(prefixes, tokens(100, 1000), 'b');
    use(prefixes, tokens(100, 2000), 'b');
    expect(use(prefixes, tokens(100), saltOf('a', 1)).reused).toBe(99);
  });

  it('never trims a sequence of a model that cannot trim', () => {
    const prefixes = cache({ canTrim: false, canSplit: false });
    use(prefixes, tokens(100));
    expect(use(prefixes, tokens(90)).reused).toBe(0);
    expect(use(prefixes, tokens(120)).reused).toBe(100);
  });

  it('trims a sequence that cannot be copied in part only where it is, and not before what was copied into it', () => {
    const prefixes = cache({ canSplit: false, sequences: 3 });
    const first = prefixes.claim(tokens(100), 'a')!;
    prefixes.append(first.sequence, tokens(100));
    expect(prefixes.claim(tokens(50), 'a')!.reused).toBe(0);
    prefixes.release(first.sequence);
    const trimmed = use(prefixes, tokens(80));
    expect(trimmed).toMatchObject({ reused: 79, operations: [{ kind: 'trim', sequence: first.sequence, from: 79 }] });
    const busy = prefixes.claim(tokens(120), 'a')!;
    expect(busy).toMatchObject({ reused: 80, sequence: first.sequence });
    const copied = use(prefixes, tokens(81));
    expect(copied).toMatchObject({ reused: 80, operations: [{ kind: 'copy', length: 80 }] });
    expect(use(prefixes, tokens(60)).reused).toBe(0);
  });

  it('saves evicted contents, drops the least recently used states, and never exceeds its budget', () => {
    const prefixes = cache({ sequences: 1, stateBytesMax: 250, canSplit: false });
    const kinds = [0, 1000, 2000, 3000].map((from) =>
      use(prefixes, tokens(100, from)).operations.map(({ kind }) => kind),
    );
    expect(kinds).toEqual([[], ['save', 'trim'], ['save', 'trim'], ['drop', 'save', 'trim']]);
    expect(prefixes.stateBytes.all).toBe(200);
  });

  it('counts a state of fixed size independently of the length of its text', () => {
    const sizes = { stateBytesMax: 250, stateBytesFixed: 100, stateBytesPerToken: 0 };
    const prefixes = cache({ sequences: 1, canTrim: false, canSplit: false, ...sizes });
    for (const from of [0, 10_000, 20_000]) use(prefixes, tokens(5000, from));
    expect(prefixes.stateBytes.all).toBe(200);
    expect(use(prefixes, tokens(5001)).reused).toBe(5000);
  });

  it('does not evict the state that it is about to restore', () => {
    const prefixes = cache({ sequences: 1, stateBytesMax: 150, canSplit: false });
    use(prefixes, tokens(100));
    use(prefixes, tokens(100, 1000));
    const claim = use(prefixes, tokens(110));
    expect(claim.reused).toBe(100);
    expect(claim.operations).toEqual([{ kind: 'restore', sequence: 0, state: 1, from: 0, length: 100 }]);
  });

  it('replaces a saved conversation by its continuation', () => {
    const prefixes = cache({ sequences: 1, canSplit: false });
    use(prefixes, tokens(100));
    use(prefixes, tokens(100, 1000));
    use(prefixes, tokens(200));
    const { operations } = use(prefixes, tokens(100, 1000));
    expect(operations.map(({ kind }) => kind)).toEqual(['drop', 'save', 'trim']);
  });

  it('reuses no contents of a sequence after a failed step', () => {
    const prefixes = cache();
    const claim = prefixes.claim(tokens(100), 'a')!;
    prefixes.append(claim.sequence, tokens(100));
    expect(prefixes.discard(claim.sequence)).toEqual({ kind: 'trim', sequence: claim.sequence, from: 0 });
    expect(prefixes.claim(tokens(100), 'a')!.reused).toBe(0);
  });

  describe('a pinned prefix', () => {
    const pinned = (options: Partial<PrefixCacheOptions> = {}, length = 100) => {
      const prefixes = cache(options);
      const claim = prefixes.claim(tokens(length), '')!;
      prefixes.append(claim.sequence, tokens(length));
      return { prefixes, operations: prefixes.pin(claim.sequence) };
    };

    it('is saved once, and its sequence is cleared', () => {
      const { prefixes, operations } = pinned({ canSplit: false });
      expect(operations).toEqual([
        { kind: 'save', sequence: 0, state: 1, from: 0, to: 100 },
        { kind: 'trim', sequence: 0, from: 0 },
      ]);
      expect(prefixes.isPinned(tokens(100))).toBe(true);
      expect(prefixes.stateBytes).toEqual({ all: 100, pinned: 100 });
    });

    it('is restored for every account, but only whole', () => {
      const { prefixes } = pinned();
      for (const account of ['a', 'b']) {
        expect(use(prefixes, tokens(150), account)).toMatchObject({ reused: 100, shared: 100 });
      }
      expect(use(prefixes, tokens(99), 'c')).toMatchObject({ reused: 0, shared: 0 });
      const others = Int32Array.from([...tokens(99), 7, 8, 9]);
      expect(use(prefixes, others, 'd')).toMatchObject({ reused: 0, shared: 0 });
    });

    it('is restored from host memory even if a sequence of another account has the same tokens', () => {
      const { prefixes } = pinned({ sequences: 1 });
      use(prefixes, tokens(150), 'a');
      expect(use(prefixes, tokens(160), 'b').operations[0]).toMatchObject({ kind: 'restore', state: 1 });
    });

    it('is never evicted by a conversation', () => {
      const { prefixes } = pinned({ sequences: 1, stateBytesMax: 250 });
      for (const from of [1000, 2000, 3000, 4000]) use(prefixes, tokens(120, from));
      expect(prefixes.stateBytes).toEqual({ all: 220, pinned: 100 });
      expect(use(prefixes, tokens(101)).shared).toBe(100);
    });

    it('does not count as part of a conversation to be saved', () => {
      const { prefixes } = pinned({ sequences: 1 });
      use(prefixes, tokens(130));
      expect(use(prefixes, tokens(80, 1000)).operations.map(({ kind }) => kind)).toEqual(['trim']);
    });

    it('is refused if it exceeds the budget', () => {
      const { prefixes } = pinned({ stateBytesMax: 150 });
      expect([prefixes.canPin(tokens(50, 500)), prefixes.canPin(tokens(51, 500))]).toEqual([true, false]);
    });

    it('is dropped and reported if the step that saves it fails', () => {
      const { prefixes } = pinned({ canSplit: false });
      expect(prefixes.lose([1])).toEqual({ operations: [{ kind: 'drop', state: 1 }], pinned: [tokens(100)] });
      expect(prefixes.isPinned(tokens(100))).toBe(false);
      expect(prefixes.stateBytes).toEqual({ all: 0, pinned: 0 });
    });
  });

  describe('with several idle sequences', () => {
    /** A cache of eight sequences, of which the given ones are busy. */
    const busy = (...indexes: number[]) => {
      const prefixes = cache({ sequences: 8 });
      const claims = Array.from({ length: 8 }, (_, index) => prefixes.claim(tokens(20, 1000 * index), 'a')!.sequence);
      expect(claims).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      for (let index = 0; index < 8; index += 1) if (!indexes.includes(index)) prefixes.discard(index);
      return prefixes;
    };

    it('claims a sequence that closes a gap before one that starts a new run', () => {
      expect(busy(0, 1, 3).claim(tokens(5), 'b')!.sequence).toBe(2);
      expect([4, 6]).toContain(busy(5).claim(tokens(5), 'b')!.sequence);
      expect(busy(0, 4).claim(tokens(5), 'b')!.sequence).toBe(1);
    });

    it('moves a conversation that continues next to the busy sequences', () => {
      const prefixes = busy(0, 1, 2, 7);
      prefixes.append(7, tokens(100));
      prefixes.release(7);
      const prompt = Int32Array.from([...tokens(20, 7000), ...tokens(100), 1]);
      prefixes.truncate(7, 0);
      prefixes.append(7, prompt.subarray(0, 120));
      expect(prefixes.claim(prompt, 'a')).toEqual({
        sequence: 3,
        reused: 120,
        shared: 0,
        operations: [
          { kind: 'copy', sequence: 7, to: 3, length: 120 },
          { kind: 'trim', sequence: 7, from: 0 },
        ],
      });
    });

    it('continues a conversation in its own sequence if it is too large to move', () => {
      const prefixes = cache({ sequences: 4, stateBytesPerToken: 2 ** 22 });
      prefixes.claim(tokens(5, 500), 'a');
      const own = prefixes.claim(tokens(5, 600), 'a')!;
      const far = prefixes.claim(tokens(5, 700), 'a')!;
      prefixes.append(far.sequence, tokens(100));
      prefixes.discard(own.sequence);
      prefixes.release(far.sequence);
      expect(prefixes.claim(tokens(101), 'a')!.sequence).toBe(far.sequence);
    });
  });
});
