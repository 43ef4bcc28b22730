import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeGap, idleNextToBusy } from '../../../runtime/chat/sequence-runs.ts';

/** '#' is a busy sequence, '.' an idle one. */
const busy = (text: string) => [...text].map((sign) => sign === '#');
const runs = (sequences: readonly boolean[]) =>
  sequences.filter((isBusy, index) => isBusy && sequences[index - 1] !== true).length;

describe('idleNextToBusy', () => {
  it.each([
    ['........', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['###.....', [3]],
    ['##.#....', [2]],
    ['...##...', [2, 5]],
    ['##.##.#.', [2, 5]],
    ['########', []],
  ])('of %s offers %j', (text, expected) => {
    expect(idleNextToBusy(busy(text))).toEqual(expected);
  });
});

describe('closeGap', () => {
  const always = () => true;

  it.each([
    ['####....', undefined],
    ['##.##...', { from: 1, to: [2, 5] }],
    ['###..#..', { from: 5, to: [3] }],
    ['#.###...', { from: 0, to: [1, 5] }],
    ['##.#.##.', { from: 3, to: [2, 4, 7] }],
    ['##.##.#.', { from: 6, to: [2] }],
    ['........', undefined],
  ])('of %s moves %j', (text, expected) => {
    expect(closeGap(busy(text), always)).toEqual(expected);
  });

  it('does not move a sequence that is not movable', () => {
    expect(closeGap(busy('###..##.'), (sequence) => sequence !== 6)).toEqual({ from: 5, to: [3] });
    expect(closeGap(busy('###..##.'), () => false)).toBeUndefined();
  });

  it('reaches one run from any state, and never has more than one additional run on the way', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), fc.nat(), (start, pick) => {
        let sequences = start;
        let moves = 0;
        for (let move = closeGap(sequences, always); move !== undefined; move = closeGap(sequences, always)) {
          const to = move.to[pick % move.to.length]!;
          expect([sequences[move.from], sequences[to]]).toEqual([true, false]);
          const next = sequences.with(move.from, false).with(to, true);
          expect(runs(next)).toBeLessThanOrEqual(runs(sequences));
          sequences = next;
          moves += 1;
          expect(moves).toBeLessThanOrEqual(start.length);
        }
        expect(runs(sequences)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
