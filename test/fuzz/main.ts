/** `npm run fuzz`: runs hostile inputs against the code that parses untrusted input. `--help` lists the options. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { Finding } from './messages.ts';
import { listTargets, type RegisteredTarget } from './registry.ts';
import { prepareSanitizers } from './sanitizers.ts';
import { type FuzzRun, type Progress, runTarget } from './watch.ts';

const help = `Usage: npm run fuzz -- [options]

  --target NAMES   targets, separated by commas; a name that ends in * stands for all that begin so [all]
  --seconds N      seconds of generated inputs per target [60]
  --runs N         number of generated inputs per target, instead of --seconds
  --seeds FOLDER   seeds in addition to the target's own, one per file
  --seed S         a number that decides all generated inputs [random, printed]
  --input FILE     run this one input of the target and print the outcome
  --output FOLDER  folder for failing inputs [test/fuzz/findings]
  --sanitize       use an addon with AddressSanitizer and UndefinedBehaviorSanitizer; native targets only
  --list           list the targets
  --help           print this help

Add a target: one file in test/fuzz/targets/ that exports \`targets\`, and seeds in test/fuzz/corpus/NAME/.
Exit status: 0 nothing found, 1 findings, 2 wrong usage.`;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: '*' },
      seconds: { type: 'string', default: '60' },
      runs: { type: 'string' },
      seeds: { type: 'string' },
      seed: { type: 'string', default: '' },
      input: { type: 'string' },
      output: { type: 'string', default: join(import.meta.dirname, 'findings') },
      sanitize: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(help);
  const all = (await listTargets()).filter(({ target }) => !values.sanitize || target.isNative === true);
  if (values.list) {
    return say(all.map(({ target: { name, summary } }) => `${name.padEnd(26)} ${summary}`).join('\n'));
  }
  const chosen = chooseTargets(all, values.target);
  const seconds = Number(values.seconds);
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  const seed = values.seed === '' ? Date.now() % 1_000_000_000 : Number(values.seed);
  if (!(seconds >= 0) || !Number.isSafeInteger(seed)) throw new RangeError('--seconds and --seed must be numbers');
  if (runs !== undefined && !(Number.isSafeInteger(runs) && runs >= 0)) {
    throw new RangeError('--runs must be a whole number');
  }
  if (values.input !== undefined && chosen.length !== 1) throw new RangeError('--input needs one --target');
  const sanitizers = values.sanitize ? prepareSanitizers() : undefined;
  if (typeof sanitizers === 'string') return say(`skipped: ${sanitizers}`);
  const run: FuzzRun = {
    ...{ seed, seconds },
    ...(values.input === undefined ? {} : { inputPath: values.input }),
    ...(runs === undefined ? {} : { runs }),
    ...(values.seeds === undefined ? {} : { seedsPath: values.seeds }),
    ...(sanitizers === undefined ? {} : { sanitizers }),
  };
  let findings = 0;
  for (const registered of chosen) findings += await runAndPrint(registered, run, values.output);
  return findings > 0 ? 1 : 0;
}

function chooseTargets(all: readonly RegisteredTarget[], names: string): readonly RegisteredTarget[] {
  const chosen = names.split(',').flatMap((name) => {
    const matches = all.filter(({ target }) =>
      name.endsWith('*') ? target.name.startsWith(name.slice(0, -1)) : target.name === name,
    );
    if (matches.length === 0) {
      throw new RangeError(`unknown target ${name}; known: ${all.map(({ target }) => target.name).join(', ')}`);
    }
    return matches;
  });
  return [...new Set(chosen)];
}

/** @returns the number of findings */
async function runAndPrint(registered: RegisteredTarget, run: FuzzRun, output: string): Promise<number> {
  const { name } = registered.target;
  const onFinding = (finding: Finding) => console.log(describe(name, finding, run, output));
  const onProgress = (progress: Progress) => console.log(`${name}: ${summarize(progress)}`);
  const { findings, outcome, ...progress } = await runTarget(registered, { ...run, onFinding, onProgress });
  if (run.inputPath === undefined) {
    console.log(`${name}: ${summarize(progress)}, ${findings.length} findings, seed ${run.seed}`);
  } else if (outcome !== undefined) console.log(`${name}: ${outcome}`);
  return findings.length;
}

function summarize({ steps, refused, costs }: Progress): string {
  const slowest = `at most ${Math.round(costs.cpuMsMax)} ms of processor time (step ${costs.cpuMsMaxStep})`;
  return `${steps} inputs, ${refused} refused, ${slowest}, ${Math.round(costs.grownBytesMax / 2 ** 20)} MiB above the start`;
}

/** Writes the failing input, if there is one. */
function describe(name: string, { kind, step, what, input }: Finding, run: FuzzRun, output: string): string {
  const lines = [`${name}: ${kind} in step ${step} of seed ${run.seed}: ${what}`];
  if (input.length > 0 && run.inputPath === undefined) {
    mkdirSync(output, { recursive: true });
    const path = join(output, `${name}-${run.seed}-${step}`);
    writeFileSync(path, input);
    lines.push(`  again: npm run fuzz -- --target ${name} --input ${relative(process.cwd(), path)}`);
  }
  return lines.join('\n');
}

function say(text: string): number {
  console.log(text);
  return 0;
}
