/**
 * SentencePiece's normalizer: a compiled map from byte sequences to replacements, the `Precompiled` type of a
 * `tokenizer.json`. The library uses NFKC instead, which is similar but not equal to what models were trained with.
 * @see https://github.com/huggingface/spm_precompiled for the layout
 */

/** Longer clusters are looked up character by character only, as in the reference. */
const clusterBytesMax = 5;
/** Characters that can be part of a cluster of several characters; texts without them need no segmentation. */
const mayCluster =
  /[\p{M}\p{Cf}\p{Grapheme_Extend}\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]|\r\n/u;

const utf8 = new TextEncoder();

/** @param base64 the `precompiled_charsmap` of the file · @throws {Error} if it is not one */
export function charsmapNormalizer(base64: string): (text: string) => string {
  const map = readCharsmap(Buffer.from(base64, 'base64'));
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const cache = new Map<string, string>();
  // The cache contains only replacements from the map, per character, so it retains no text of a user.
  const replaceCharacter = (character: string) => {
    let replacement = cache.get(character);
    if (replacement === undefined) {
      replacement = map(character) ?? character;
      if (cache.size < 4096) cache.set(character, replacement);
    }
    return replacement;
  };
  const replaceCluster = (cluster: string) => {
    if (Buffer.byteLength(cluster) <= clusterBytesMax) {
      const replacement = map(cluster);
      if (replacement !== undefined) return replacement;
    }
    let replaced = '';
    for (const character of cluster) replaced += replaceCharacter(character);
    return replaced;
  };
  return (text) => {
    let normalized = '';
    if (!mayCluster.test(text)) {
      for (const character of text) normalized += replaceCharacter(character);
      return normalized;
    }
    for (const { segment } of segmenter.segment(text)) normalized += replaceCluster(segment);
    return normalized;
  };
}

/** @returns a function that returns the replacement of the shortest prefix of a key that is in the map */
function readCharsmap(bytes: Buffer): (key: string) => string | undefined {
  const trieBytes = bytes.length >= 4 ? bytes.readUInt32LE(0) : -1;
  if (trieBytes < 4 || trieBytes % 4 !== 0 || 4 + trieBytes > bytes.length) {
    throw new Error('precompiled_charsmap is not a compiled map');
  }
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, index) => bytes.readUInt32LE(4 + index * 4));
  const replacements = bytes.subarray(4 + trieBytes);
  return (key) => {
    const at = findShortest(units, utf8.encode(key));
    if (at === undefined) return undefined;
    const end = replacements.indexOf(0, at);
    return replacements.toString('utf8', at, end < 0 ? replacements.length : end);
  };
}

/** Walks the double array (Darts-clone). */
function findShortest(units: Uint32Array, key: Uint8Array): number | undefined {
  let position = offsetOf(units[0]!);
  for (const byte of key) {
    if (byte === 0) return undefined;
    position ^= byte;
    const unit = units[position];
    // The highest bit marks a value, which no byte matches.
    if (unit === undefined || (unit & 0x800000ff) !== byte) return undefined;
    position ^= offsetOf(unit);
    const hasLeaf = ((unit >>> 8) & 1) === 1;
    if (hasLeaf) return units[position]! & 0x7fffffff;
  }
  return undefined;
}

function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}
