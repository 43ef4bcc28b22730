/** Compiles a character map as SentencePiece stores it: a double array (Darts-clone) and the replacements. */

/** @returns base64, for `Precompiled` in a `tokenizer.json` */
export function compileCharsmap(replacements: ReadonlyMap<string, string>): string {
  const texts = [...new Set(replacements.values())];
  const blobs = texts.map((text) => Buffer.from(`${text}\0`));
  const offsets = new Map<string, number>();
  let offset = 0;
  texts.forEach((text, index) => {
    offsets.set(text, offset);
    offset += blobs[index]!.length;
  });
  const units = buildDoubleArray(
    [...replacements].map(([key, text]) => ({ key: Buffer.from(key), value: offsets.get(text)! })),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(units.byteLength);
  return Buffer.concat([size, Buffer.from(units.buffer), ...blobs]).toString('base64');
}

interface TrieNode {
  readonly children: Map<number, TrieNode>;
  value: number | undefined;
}

function buildDoubleArray(entries: readonly { key: Uint8Array; value: number }[]): Uint32Array {
  const root: TrieNode = { children: new Map(), value: undefined };
  for (const { key, value } of entries) {
    let node = root;
    for (const byte of key) {
      let child = node.children.get(byte);
      if (child === undefined) {
        child = { children: new Map(), value: undefined };
        node.children.set(byte, child);
      }
      node = child;
    }
    node.value = value;
  }
  const units = new Uint32Array(1 << 18);
  const taken = new Uint8Array(units.length);
  taken[0] = 1;
  let firstBase = 1;
  let used = 256;
  const place = (node: TrieNode, position: number) => {
    const labels = [...(node.value === undefined ? [] : [0]), ...node.children.keys()];
    // Find a base with free cells for all labels; only offsets below 2^21 have a single encoding.
    let base = firstBase;
    while (labels.some((label) => taken[base ^ label]) || (position ^ base) >>> 21 !== 0) base += 1;
    if (labels.length > 8) firstBase = base;
    for (const label of labels) taken[base ^ label] = 1;
    units[position] =
      (units[position]! & 0xff) | (((position ^ base) << 10) >>> 0) | (node.value === undefined ? 0 : 0x100);
    if (node.value !== undefined) units[base] = (0x80000000 | node.value) >>> 0;
    used = Math.max(used, (base | 0xff) + 1);
    for (const [label, child] of node.children) {
      units[base ^ label] = label;
      place(child, base ^ label);
    }
  };
  place(root, 0);
  return units.slice(0, used);
}

/** NFKC of single characters, with unified spaces and without controls: similar to `nmt_nfkc`. */
export function nfkcLikeMap(): Map<string, string> {
  const map = new Map<string, string>();
  for (let code = 1; code < 0x30000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const replaced = /\p{White_Space}/u.test(character)
      ? ' '
      : /[\p{Cc}\u200b-\u200f\ufeff]/u.test(character)
        ? ''
        : character.normalize('NFKC');
    if (replaced !== character && Buffer.byteLength(character) <= 4) map.set(character, replaced);
  }
  for (const base of 'aeiouAEIOUnN') {
    for (const mark of '\u0300\u0301\u0302\u0303\u0308') map.set(base + mark, (base + mark).normalize('NFC'));
  }
  map.set('\r\n', ' ');
  return map;
}
