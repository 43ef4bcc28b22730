/** Parses a bench's options, and formats the servers' command lines for the results. */
import { basename, isAbsolute, join, relative } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');

/** Exit code for wrong usage, as in `cloister`. */
const usageExitCode = 64;

/** Reads the options of this process. `--help` or an unknown option prints `help` and exits. */
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

/** Removes the machine's folders: paths in the repository become relative, others keep their last part. */
export function recordCommandLine(words: readonly string[]): string {
  return words.map(withoutFolder).join(' ');
}

function withoutFolder(word: string): string {
  if (!isAbsolute(word)) return word;
  const inside = relative(root, word);
  return inside.startsWith('..') || inside.startsWith('node_modules') ? basename(word) : inside;
}
