/** Pseudorandom texts with difficult input for tokenizers: scripts without spaces, emoji, marks, controls, long words. */

const alphabets: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  latin: [
    [0x41, 0x5a],
    [0x61, 0x7a],
    [0xc0, 0x17f],
  ],
  digits: [
    [0x30, 0x39],
    [0x660, 0x669],
    [0xb2, 0xb3],
    [0x2160, 0x216f],
  ],
  punctuation: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
    [0x2010, 0x2027],
    [0x3001, 0x3011],
  ],
  cjk: [
    [0x4e00, 0x9fff],
    [0x3400, 0x4dbf],
    [0x20000, 0x2a6df],
    [0xf900, 0xfaff],
    [0x2f800, 0x2fa1d],
  ],
  kana: [
    [0x3041, 0x30ff],
    [0xff66, 0xff9d],
    [0xac00, 0xd7a3],
    [0x1100, 0x11ff],
  ],
  others: [
    [0x370, 0x3ff],
    [0x400, 0x52f],
    [0x590, 0x5f4],
    [0x600, 0x6ff],
    [0x900, 0x97f],
    [0xe00, 0xe7f],
    [0x1e00, 0x1fff],
  ],
  emoji: [
    [0x1f300, 0x1f64f],
    [0x1f680, 0x1f6ff],
    [0x1f900, 0x1f9ff],
    [0x2600, 0x27bf],
    [0x1f1e6, 0x1f1ff],
  ],
  marks: [
    [0x300, 0x36f],
    [0x1ab0, 0x1abe],
    [0x20d0, 0x20f0],
    [0xfe00, 0xfe0f],
    [0x200b, 0x200f],
  ],
  controls: [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xe000, 0xe010],
    [0xfff9, 0xfffd],
    [0x202a, 0x202e],
    [0xfeff, 0xfeff],
  ],
  spaces: [
    [0x20, 0x20],
    [0x09, 0x0d],
    [0x85, 0x85],
    [0xa0, 0xa0],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x3000, 0x3000],
  ],
  symbols: [
    [0x2100, 0x214f],
    [0x2460, 0x24ff],
    [0xff01, 0xff5e],
    [0xa1, 0xbf],
    [0xfb00, 0xfb06],
    [0x1d400, 0x1d4ff],
    [0x3200, 0x33ff],
  ],
  anything: [
    [0x00, 0xd7ff],
    [0xe000, 0x10ffff],
  ],
};

const sequences = [
  '👩‍👩‍👧‍👦',
  '👍🏽',
  '🇨🇭',
  'e\u0301\u0323',
  'İstanbul',
  'ΑΣ ΟΔΟΣ',
  'STRASSE straße',
  "don't we're I'VE",
  '[CLS] [SEP] [MASK]',
  '<s> </s> <unk>',
  'http://example.com/a?b=c&d=%20',
  '3.14159e-10',
  'ﬁn ﬀ ㍿ ½',
  '   two   spaces  ',
  '\r\n\r\n',
  '▁▁',
  '～〜~',
  '\u0000',
];

/** Pseudorandom unsigned 32-bit numbers, deterministic by seed. */
export function seededNumbers(seed: number): () => number {
  let state = (seed >>> 0) + 0x9e3779b9;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

/** @param words words to mix in, so that a vocabulary of them finds matches */
export function strangeTexts(count: number, { seed, words }: { seed: number; words: readonly string[] }): string[] {
  const next = seededNumbers(seed);
  const below = (end: number) => next() % end;
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)]!;
  const names = Object.keys(alphabets);
  const character = (name: string) => {
    const [first, last] = pick(alphabets[name]!);
    return String.fromCodePoint(first + below(last - first + 1));
  };
  const piece = (): string => {
    const kind = below(16);
    if (kind < 7) return pick(words);
    if (kind === 7) return pick(sequences);
    if (kind === 8) return pick(words).toUpperCase();
    if (kind === 9) return Array.from({ length: 60 + below(120) }, () => character('latin')).join('');
    const name = pick(names);
    return Array.from({ length: 1 + below(8) }, () => character(name)).join('');
  };
  const glue = () => (below(5) === 0 ? '' : below(8) === 0 ? character('spaces') : ' ');
  return Array.from({ length: count }, () => Array.from({ length: below(12) }, () => piece() + glue()).join(''));
}
