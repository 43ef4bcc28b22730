/** Shannon entropy of a text's own characters, the usual measure of the randomness of a string. */

/** @returns bits per character, 0 for an empty text @see Shannon, A Mathematical Theory of Communication (1948), §6 */
export function entropyBitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  // Summed in the order of the characters, so that equal texts give equal bits on every machine.
  for (const character of [...counts.keys()].sort()) {
    const share = counts.get(character)! / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
