/**
 * `npm run bench:chat -- --peer /path/to/llama-server`: Cloister and llama-server side by side on one GGUF.
 * Progress on stderr, tables on stdout, everything in `bench/results/`.
 */
import { resolve } from 'node:path';
import { readOptions } from './command-line.ts';
import { ensureBenchModel } from './make-model.ts';
import type { Scenario } from './scenario.ts';
import { cancel } from './scenarios/cancel.ts';
import { choices } from './scenarios/choices.ts';
import { longPrompt } from './scenarios/long-prompt.ts';
import { prefix } from './scenarios/prefix.ts';
import { throughput } from './scenarios/throughput.ts';
import { unequal } from './scenarios/unequal.ts';
import { chooseServers, measureSideBySide } from './side-by-side.ts';

const help = `node bench/chat.ts [options]
  --peer <file>         llama-server to compare with; bench/peers/llama-server.md builds it
  --peer-args "<…>"     further flags for it
  --cloister-args "<…>" further flags for Cloister
  --only <name>         cloister or llama-server alone
  --model <file.gguf>   [random weights of 135 M shape, Q8_0, made on the spot]
  --end-tokens <ids>    tokens to forbid, where a model would end its answers early
  --scenarios <names>   [throughput,unequal,long-prompt,choices,cancel,prefix]
  --concurrency <list>  [1,4,8,16,32]
  --repeats <count>     [5]
  --threads <count>     [2]
  --cpus <list>         pin the servers to these CPUs and this programme to the others, e.g. 0,1
  --name <text>         of the results file [chat]
  --quick               once and as short as possible: tests the bench, not the servers
`;

const scenarios: readonly Scenario[] = [throughput, unequal, longPrompt, choices, cancel, prefix];

async function main(): Promise<void> {
  const values = readOptions(help, {
    peer: { type: 'string' },
    'peer-args': { type: 'string' },
    'cloister-args': { type: 'string' },
    only: { type: 'string' },
    model: { type: 'string' },
    'end-tokens': { type: 'string', default: '' },
    scenarios: { type: 'string', default: scenarios.map(({ name }) => name).join() },
    concurrency: { type: 'string', default: '1,4,8,16,32' },
    repeats: { type: 'string', default: '5' },
    threads: { type: 'string', default: '2' },
    cpus: { type: 'string' },
    name: { type: 'string', default: 'chat' },
    quick: { type: 'boolean', default: false },
  });
  await measureSideBySide({
    name: values.name,
    scenarios: chooseScenarios(values.scenarios),
    servers: chooseServers(values),
    options: {
      model: values.model ? resolve(values.model) : ensureBenchModel('135m'),
      threads: Number(values.threads),
      cpus: values.cpus,
      repeats: values.quick ? 1 : Number(values.repeats),
      concurrency: parseNumbers(values.concurrency),
      endTokens: parseNumbers(values['end-tokens']),
      quick: values.quick,
    },
  });
}

/** @throws {RangeError} naming what there is */
function chooseScenarios(names: string): Scenario[] {
  return names.split(',').map((name) => {
    const scenario = scenarios.find((each) => each.name === name);
    if (!scenario) throw new RangeError(`no scenario ${name}: there are ${scenarios.map((each) => each.name).join()}`);
    return scenario;
  });
}

function parseNumbers(list: string): number[] {
  return list.split(',').filter(Boolean).map(Number);
}

if (import.meta.main) await main();
