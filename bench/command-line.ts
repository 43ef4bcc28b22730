/** A command line as results keep it: what was run with which flags, without the folders of the machine it ran on. */
import { basename, isAbsolute, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Paths inside the repository become relative to it, all others keep their last part. */
export function recordCommandLine(words: readonly string[]): string {
  return words.map(withoutFolder).join(' ');
}

function withoutFolder(word: string): string {
  if (!isAbsolute(word)) return word;
  const inside = relative(ROOT, word);
  return inside.startsWith('..') || inside.startsWith('node_modules') ? basename(word) : inside;
}
