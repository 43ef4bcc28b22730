/** Nonces for joining nodes. */
import { describe, expect, it } from 'vitest';
import { Nonces } from '../../../server/fleet/nonces.ts';

function openNonces() {
  let time = 1_000;
  const nonces = new Nonces(() => time);
  return {
    nonces,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

describe('a nonce', () => {
  it('is accepted once, within a minute', () => {
    const { nonces, advance } = openNonces();
    const [used, waiting] = [nonces.make(), nonces.make()];
    expect([nonces.take(used), nonces.take(used)]).toEqual([true, false]);
    advance(59_999);
    expect(nonces.take(used)).toBe(false);
    expect(nonces.take(waiting)).toBe(true);
    const late = nonces.make();
    advance(60_000);
    expect([nonces.take(late), nonces.take(used), nonces.take(waiting)]).toEqual([false, false, false]);
  });

  it('is accepted only by the process that made it, unchanged', () => {
    const { nonces } = openNonces();
    const nonce = nonces.make();
    expect(openNonces().nonces.take(nonce)).toBe(false);
    const changed = Array.from(
      nonce,
      (digit, at) => nonce.slice(0, at) + (digit === '0' ? '1' : '0') + nonce.slice(at + 1),
    );
    for (const other of [...changed, nonce.toUpperCase(), `${nonce}0`, '']) expect(nonces.take(other)).toBe(false);
    expect(nonces.take(nonce)).toBe(true);
  });

  it('is refused while 1,024 others that were used within the last minute are remembered', () => {
    const { nonces, advance } = openNonces();
    const made = Array.from({ length: 1_025 }, () => nonces.make());
    expect(made.map((nonce) => nonces.take(nonce)).filter(Boolean)).toHaveLength(1_024);
    advance(60_000);
    expect(nonces.take(nonces.make())).toBe(true);
  });
});
