/** Command lines: a bench's own options, and what servers were started with, as results keep it. */
import { basename, isAbsolute, join, relative } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');

/** Of a wrong call, as `cloister` has it. */
const usageExitCode = 64;

/** What this process was given. `--help` prints `help` and ends it, and so does an option that there is not. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(help: string, options: Options) {
  if (process.argv.includes('--help')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(usageExitCode);
  }
}

/** Without the folders of the machine it ran on: paths inside the repository become relative to it, all others keep their last part. */
export function recordCommandLine(words: readonly string[]): string {
  return words.map(withoutFolder).join(' ');
}

function withoutFolder(word: string): string {
  if (!isAbsolute(word)) return word;
  const inside = relative(root, word);
  return inside.startsWith('..') || inside.startsWith('node_modules') ? basename(word) : inside;
}
