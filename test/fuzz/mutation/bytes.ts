/** Byte mutations: flipped bits, cuts, repeats, spliced pieces, extreme numbers and tokens of the format. */
import type { Random } from '../../support/random.ts';

const extremes = [0, 1, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xfe, 0xff];

/**
 * Applies one to four mutations to `good`; occasionally returns random bytes.
 * @param words tokens of the format
 */
export function mutate(good: Uint8Array, words: readonly Uint8Array[], random: Random): Uint8Array {
  if (random.below(200) === 0) return Uint8Array.from({ length: random.below(300) }, () => random.below(256));
  let bytes = good;
  for (let count = 1 + random.below(random.pick([1, 1, 2, 4])); count > 0; count--) {
    bytes = random.pick(changes)(bytes, { words, random });
  }
  return bytes;
}

interface Source {
  readonly words: readonly Uint8Array[];
  readonly random: Random;
}
type Change = (bytes: Uint8Array, source: Source) => Uint8Array;

const changes: readonly Change[] = [
  flipped,
  flipped,
  overwritten,
  overwritten,
  cut,
  dropped,
  repeated,
  moved,
  worded,
  counted,
];

function flipped(bytes: Uint8Array, { random }: Source): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = random.below(bytes.length);
  return bytes.with(at, bytes[at]! ^ (1 << random.below(8))) as Uint8Array;
}

function overwritten(bytes: Uint8Array, { random }: Source): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = random.below(bytes.length + 1);
  copy.fill(random.below(2) === 0 ? random.pick(extremes) : random.below(256), at, at + random.pick([1, 1, 2, 4, 48]));
  return copy;
}

function cut(bytes: Uint8Array, { random }: Source): Uint8Array {
  return bytes.slice(0, random.below(bytes.length + 1));
}

function dropped(bytes: Uint8Array, { random }: Source): Uint8Array {
  const at = random.below(bytes.length + 1);
  return spliced(bytes, { at, drop: 1 + random.below(16), add: [] });
}

function repeated(bytes: Uint8Array, { random }: Source): Uint8Array {
  const at = random.below(bytes.length + 1);
  return spliced(bytes, { at, drop: 0, add: bytes.slice(at, at + 1 + random.below(64)) });
}

function moved(bytes: Uint8Array, { random }: Source): Uint8Array {
  const from = random.below(bytes.length + 1);
  const piece = bytes.slice(from, from + 1 + random.below(32));
  return spliced(bytes, { at: random.below(bytes.length + 1), drop: piece.length, add: piece });
}

function worded(bytes: Uint8Array, { words, random }: Source): Uint8Array {
  if (words.length === 0) return flipped(bytes, { words, random });
  return spliced(bytes, { at: random.below(bytes.length + 1), drop: random.below(2) * 4, add: random.pick(words) });
}

/** Writes a little-endian or big-endian number at a possible length field. */
function counted(bytes: Uint8Array, { random }: Source): Uint8Array {
  const number = random.pick([0, 1, bytes.length, 0x7f_ffff, 0xffff_ffff, random.below(0x1_0000)]);
  const digits = [number & 0xff, (number >>> 8) & 0xff, (number >>> 16) & 0xff, number >>> 24];
  const add = random.below(2) === 0 ? digits : digits.toReversed();
  return spliced(bytes, { at: random.below(bytes.length + 1), drop: 4, add });
}

function spliced(bytes: Uint8Array, edit: { at: number; drop: number; add: ArrayLike<number> }): Uint8Array {
  const { at, drop, add } = edit;
  const rest = bytes.subarray(at + drop);
  const whole = new Uint8Array(Math.min(at, bytes.length) + add.length + rest.length);
  whole.set(bytes.subarray(0, at));
  whole.set(add, at);
  whole.set(rest, at + add.length);
  return whole;
}
