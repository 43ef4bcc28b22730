/**
 * `node bench/agents.ts --peer /path/to/llama-server [--cpus 0,1]`: nine agents mixed at random, Cloister and llama-server
 * side by side on one GGUF. Progress on stderr, tables on stdout, everything in `bench/results/`.
 */
import { agents } from '../agents/registry.ts';
import { agentScenario } from './agent-load.ts';
import { ensureAgentModel } from './agent-model.ts';
import { readOptions } from './command-line.ts';
import type { ServerSpec } from './servers.ts';
import { chooseServers, measureSideBySide } from './side-by-side.ts';

const help = `node bench/agents.ts [options]
  --peer <file>         llama-server to compare with; bench/peers/llama-server.md builds it
  --variants <names>    of its flags, side by side [best]; all: ${'`'}best${'`'} and those it was found among
  --cloister-args "<…>" further flags for Cloister
  --only <name>         one server alone
  --repeats <count>     [3]
  --threads <count>     [2]
  --cpus <list>         pin the servers to these CPUs and this programme to the others, e.g. 0,1
  --quick               once, with 2 clients: tests the bench, not the servers
`;

/** Flags of llama-server that decide what it caches, on top of those of every bench; later flags win. */
const variants: Readonly<Record<string, string>> = {
  // Its own default of memory for cached prompts, which is sixteen times Cloister's.
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

/** Agents answer in an enclave only; a simulated one computes the same. @throws {RangeError} naming the variants there are */
function serversOf(choice: Choice): ServerSpec[] {
  const names = choice.variants === 'all' ? Object.keys(variants) : choice.variants.split(',');
  const cloister = chooseServers({ 'cloister-args': `--simulate-tdx ${choice['cloister-args']}` });
  const peers = names.flatMap((name) => {
    const flags = variants[name];
    if (flags === undefined) throw new RangeError(`no variant ${name}: there are ${Object.keys(variants).join()}`);
    const [, peer] = chooseServers({ peer: choice.peer, 'peer-args': flags });
    return peer === undefined ? [] : [{ ...peer, name: name === 'best' ? peer.name : `${peer.name}, ${name}` }];
  });
  return [...cloister, ...peers].filter(({ name }) => choice.only === undefined || name === choice.only);
}

if (import.meta.main) await main();
