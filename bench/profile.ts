/**
 * `npm run bench:profile -- <file.gguf>…`: where the time of a step goes, for each file and number of clients. Progress goes to stderr, the
 * table to stdout.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBenchModel } from './make-model.ts';
import type { Case, Sample } from './results.ts';
import { runScenario, say } from './scenario.ts';
import { throughput } from './scenarios/throughput.ts';
import { chooseServers } from './side-by-side.ts';
import { spread } from './statistics.ts';

const help = `node bench/profile.ts [options] [file.gguf …]
  --clients <list>   numbers of clients [1,8,32]
  --repeats <count>  number of repeats, of which the medians are shown [3]
  --threads <count>  number of threads [2]
Without files: the generated 135 M model in Q8_0.
`;

interface Column {
  readonly title: string;
  readonly figure: string;
  readonly digits: number;
  readonly scale?: number;
}

const columns: readonly Column[] = [
  { title: 'tokens/s', figure: 'outputTokensPerSecond', digits: 1 },
  { title: 'between tokens, ms', figure: 'betweenTokensP50Ms', digits: 2 },
  { title: 'products, %', figure: 'productShare', digits: 1, scale: 100 },
  { title: 'attention, %', figure: 'attentionShare', digits: 1, scale: 100 },
  { title: 'other operations, %', figure: 'otherOperationsShare', digits: 1, scale: 100 },
  { title: 'sampler, %', figure: 'sampleShare', digits: 1, scale: 100 },
  { title: 'JavaScript, %', figure: 'scriptShare', digits: 1, scale: 100 },
  { title: 'no step, % of the time', figure: 'idleShare', digits: 1, scale: 100 },
  { title: 'of the limit of memory, %', figure: 'memoryLimitShare', digits: 0, scale: 100 },
];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      clients: { type: 'string', default: '1,8,32' },
      repeats: { type: 'string', default: '3' },
      threads: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const concurrency = values.clients.split(',').map(Number);
  const rows: string[][] = [];
  for (const model of positionals.length > 0 ? positionals : [ensureBenchModel('135m')]) {
    say(basename(model));
    const { cases } = await runScenario(throughput, chooseServers({}), {
      ...{ model, concurrency, threads: Number(values.threads), repeats: Number(values.repeats) },
      ...{ cpus: undefined, endTokens: [], quick: false },
    });
    rows.push(...cases.map((each) => [basename(model, '.gguf'), each.label, ...profileOf(each)]));
  }
  const header = ['file', 'load', ...columns.map(({ title }) => title)];
  for (const cells of [header, header.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}

function profileOf({ samples }: Case): string[] {
  const own: readonly Sample[] = samples.cloister ?? [];
  return columns.map(({ figure, digits, scale = 1 }) => {
    const values = own.map((sample) => sample[figure]).filter((value) => value !== undefined);
    return values.length === 0 ? '–' : (spread(values).median * scale).toFixed(digits);
  });
}

await main();
