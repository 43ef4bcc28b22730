/**
 * `node bench/agents.ts --peer /path/to/llama-server [--cpus 0,1]`: compares Cloister with llama-server on one GGUF, with
 * requests to nine agents at random. Progress goes to stderr, tables to stdout, results to `bench/results/`.
 */
import { agents } from '../agents/registry.ts';
import { agentScenario } from './agent-load.ts';
import { ensureAgentModel } from './agent-model.ts';
import { readOptions } from './command-line.ts';
import type { ServerSpec } from './servers.ts';
import { chooseServers, measureSideBySide } from './side-by-side.ts';

const help = `node bench/agents.ts [options]
  --peer <file>         llama-server for the comparison; see bench/peers/llama-server.md
  --variants <names>    variants of llama-server's flags [best]; "all" compares every variant
  --cloister-args "<…>" additional flags for Cloister
  --only <name>         run only this server
  --repeats <count>     number of repeats [3]
  --threads <count>     number of threads [2]
  --cpus <list>         pin the servers to these CPUs and this program to the others, for example 0,1
  --quick               one run with 2 clients to test the bench, not the servers
`;

/** Cache flags of llama-server, in addition to those of every bench; later flags take precedence. */
const variants: Readonly<Record<string, string>> = {
  // llama-server's default memory for cached prompts, sixteen times Cloister's.
  best: '--cache-ram 8192',
  'cache-ram 512': '--cache-ram 512',
  'slot similarity 0.5': '--cache-ram 8192 --slot-prompt-similarity 0.5',
  'slot similarity 0': '--cache-ram 8192 --slot-prompt-similarity 0',
  'cache reuse 64': '--cache-ram 8192 --cache-reuse 64',
  'unified KV': '--cache-ram 8192 --kv-unified',
};

async function main(): Promise<void> {
  const values = readOptions(help, {
    peer: { type: 'string' },
    variants: { type: 'string', default: 'best' },
    'cloister-args': { type: 'string', default: '' },
    only: { type: 'string' },
    repeats: { type: 'string', default: '3' },
    threads: { type: 'string', default: '2' },
    cpus: { type: 'string' },
    quick: { type: 'boolean', default: false },
  });
  await measureSideBySide({
    name: 'agents',
    scenarios: [agentScenario(agents)],
    servers: serversOf(values),
    options: {
      model: ensureAgentModel(agents),
      threads: Number(values.threads),
      cpus: values.cpus,
      repeats: values.quick ? 1 : Number(values.repeats),
      concurrency: [],
      endTokens: [],
      quick: values.quick,
    },
  });
}

interface Choice {
  readonly peer?: string | undefined;
  readonly only?: string | undefined;
  readonly variants: string;
  readonly 'cloister-args': string;
}

/** Agents are served only in an enclave; a simulated one computes the same. @throws {RangeError} for an unknown variant */
function serversOf(choice: Choice): ServerSpec[] {
  const names = choice.variants === 'all' ? Object.keys(variants) : choice.variants.split(',');
  const cloister = chooseServers({ 'cloister-args': `--simulate-tdx ${choice['cloister-args']}` });
  const peers = names.flatMap((name) => {
    const flags = variants[name];
    if (flags === undefined)
      throw new RangeError(`unknown variant ${name}, expected one of ${Object.keys(variants).join()}`);
    const [, peer] = chooseServers({ peer: choice.peer, 'peer-args': flags });
    return peer === undefined ? [] : [{ ...peer, name: name === 'best' ? peer.name : `${peer.name}, ${name}` }];
  });
  return [...cloister, ...peers].filter(({ name }) => choice.only === undefined || name === choice.only);
}

if (import.meta.main) await main();
