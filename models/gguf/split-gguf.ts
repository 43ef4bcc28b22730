/** Split GGUF files are named `name-00001-of-00003.gguf`; the name of one part refers to all parts. Pure. */

const partsMax = 1000;

/** @returns the paths of all parts in order, or the path itself if it is not a part */
export function splitParts(path: string): string[] {
  const match = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/s.exec(path);
  const [, stem, index, count] = match ?? [];
  const parts = Number(count);
  if (match === null || Number(index) < 1 || Number(index) > parts || parts > partsMax) return [path];
  return Array.from({ length: parts }, (_, part) => `${stem}-${String(part + 1).padStart(5, '0')}-of-${count}.gguf`);
}
