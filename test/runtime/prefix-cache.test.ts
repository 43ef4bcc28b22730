import { describe, expect, it } from 'vitest';
import { PrefixCache, type PrefixCacheOptions, PUBLIC_SALT } from '../../runtime/prefix-cache.ts';

const tokens = (length: number, from = 0) => Int32Array.from({ length }, (_, index) => from + index);

function cache(options: Partial<PrefixCacheOptions> = {}) {
  return new PrefixCache({
    sequences: 2,
    stateBytesMax: 1000,
    stateBytesFixed: 0,
    stateBytesPerToken: 1,
    canTrim: true,
    ...options,
  });
}

/** Claims, feeds the rest of the prompt, gives back. */
function use(cache: PrefixCache, prompt: Int32Array, salt = 'a') {
  const claim = cache.claim(prompt, salt)!;
  cache.append(claim.sequence, prompt.subarray(claim.reused));
  cache.release(claim.sequence);
  return claim;
}

describe('PrefixCache', () => {
  it('hands out each sequence once until it comes back', () => {
    const prefixes = cache();
    const first = prefixes.claim(tokens(3), 'a')!;
    const second = prefixes.claim(tokens(3), 'a')!;
    expect(new Set([first.sequence, second.sequence])).toEqual(new Set([0, 1]));
    expect(prefixes.claim(tokens(3), 'a')).toBeUndefined();
    prefixes.release(first.sequence);
    expect(prefixes.claim(tokens(3), 'a')?.sequence).toBe(first.sequence);
  });

  it('leaves the last prompt token to be fed even when all of the prompt is known', () => {
    const prefixes = cache();
    use(prefixes, tokens(100));
    expect(prefixes.claim(tokens(100), 'a')).toMatchObject({
      reused: 99,
      operations: [{ kind: 'trim', sequence: 0, from: 99 }],
    });
  });

  it('copies from a busy sequence and leaves it alone', () => {
    const prefixes = cache();
    const busy = prefixes.claim(tokens(100), 'a')!;
    prefixes.append(busy.sequence, tokens(100));
    const claim = prefixes.claim(tokens(50), 'a')!;
    expect(claim).toMatchObject({
      reused: 49,
      operations: [{ kind: 'copy', sequence: busy.sequence, to: claim.sequence, length: 49 }],
    });
  });

  it('lets anyone reuse what is public, and nobody what is another account’s', () => {
    const prefixes = cache({ sequences: 1 });
    use(prefixes, tokens(100), PUBLIC_SALT);
    expect(use(prefixes, tokens(100), 'b').reused).toBe(99);
    expect(use(prefixes, tokens(100), 'c').reused).toBe(0);
  });

  it('rewinds nothing on a model that cannot be cut back', () => {
    const prefixes = cache({ canTrim: false });
    use(prefixes, tokens(100));
    expect(use(prefixes, tokens(90)).reused).toBe(0);
    expect(use(prefixes, tokens(120)).reused).toBe(100);
  });

  it('saves what it displaces, drops the oldest beyond its budget, and never holds more', () => {
    const prefixes = cache({ sequences: 1, stateBytesMax: 250 });
    const kinds = [0, 1000, 2000, 3000].map((from) =>
      use(prefixes, tokens(100, from)).operations.map(({ kind }) => kind),
    );
    expect(kinds).toEqual([[], ['save', 'trim'], ['save', 'trim'], ['drop', 'save', 'trim']]);
    expect(prefixes.stateBytes).toBe(200);
  });

  it('counts a state of fixed size the same however long its text is', () => {
    const sizes = { stateBytesMax: 250, stateBytesFixed: 100, stateBytesPerToken: 0 };
    const prefixes = cache({ sequences: 1, canTrim: false, ...sizes });
    for (const from of [0, 10_000, 20_000]) use(prefixes, tokens(5000, from));
    expect(prefixes.stateBytes).toBe(200);
    expect(use(prefixes, tokens(5001)).reused).toBe(5000);
  });

  it('keeps the state it is about to restore while it makes room', () => {
    const prefixes = cache({ sequences: 1, stateBytesMax: 150 });
    use(prefixes, tokens(100));
    use(prefixes, tokens(100, 1000));
    const claim = use(prefixes, tokens(110));
    expect(claim.reused).toBe(100);
    expect(claim.operations).toEqual([{ kind: 'restore', sequence: 0, state: 1 }]);
  });

  it('replaces a saved conversation by its continuation', () => {
    const prefixes = cache({ sequences: 1 });
    use(prefixes, tokens(100));
    use(prefixes, tokens(100, 1000));
    use(prefixes, tokens(200));
    const { operations } = use(prefixes, tokens(100, 1000));
    expect(operations.map(({ kind }) => kind)).toEqual(['drop', 'save', 'restore', 'trim']);
  });

  it('trusts nothing of a sequence after a failed step', () => {
    const prefixes = cache();
    const claim = prefixes.claim(tokens(100), 'a')!;
    prefixes.append(claim.sequence, tokens(100));
    expect(prefixes.discard(claim.sequence)).toEqual({ kind: 'trim', sequence: claim.sequence, from: 0 });
    expect(prefixes.claim(tokens(100), 'a')!.reused).toBe(0);
  });
});
