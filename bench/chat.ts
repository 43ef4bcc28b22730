/**
 * `npm run bench:chat -- --peer /path/to/llama-server`: compares Cloister with llama-server on one GGUF.
 * Progress goes to stderr, tables to stdout, results to `bench/results/`.
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
  --peer <file>         llama-server for the comparison; see bench/peers/llama-server.md
  --ik <file>           llama-server of ik_llama.cpp for the comparison
  --peer-args "<…>"     additional flags for llama-server
  --cloister-args "<…>" additional flags for Cloister
  --only <name>         run only cloister, llama-server or ik_llama.cpp
  --model <file.gguf>   model [generated: random weights, 135 M shape, Q8_0]
  --end-tokens <ids>    tokens to suppress if the model ends its responses early
  --scenarios <names>   scenarios [throughput,unequal,long-prompt,choices,cancel,prefix]
  --concurrency <list>  numbers of clients [1,4,8,16,32]
  --repeats <count>     number of repeats [5]
  --threads <count>     number of threads [2]
  --cpus <list>         pin the servers to these CPUs and this program to the others, for example 0,1
  --name <text>         name of the results file [chat]
  --quick               one minimal run to test the bench, not the servers
`;

const scenarios: readonly Scenario[] = [throughput, unequal, longPrompt, choices, cancel, prefix];

async function main(): Promise<void> {
  const values = readOptions(help, {
    peer: { type: 'string' },
    ik: { type: 'string' },
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

/** @throws {RangeError} for an unknown scenario */
function chooseScenarios(names: string): Scenario[] {
  return names.split(',').map((name) => {
    const scenario = scenarios.find((each) => each.name === name);
    if (!scenario)
      throw new RangeError(`unknown scenario ${name}, expected one of ${scenarios.map((each) => each.name).join()}`);
    return scenario;
  });
}

function parseNumbers(list: string): number[] {
  return list.split(',').filter(Boolean).map(Number);
}

if (import.meta.main) await main();
