/**
 * Which flags are best for llama-server? `node bench/peers/flags.ts --peer <llama-server> [--cpus 0,1] [--repeats 3]`
 * runs it against itself with one flag changed at a time, all variants in turns.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBenchModel } from '../make-model.ts';
import { longPrompt } from '../scenarios/long-prompt.ts';
import { throughput } from '../scenarios/throughput.ts';
import type { ServerSpec } from '../servers.ts';
import { measureSideBySide } from '../side-by-side.ts';

/** In addition to `peerArgs` in `servers.ts`; later flags win. Words with `=` go into the environment. */
const variants: Readonly<Record<string, string>> = {
  'as in the bench': '',
  '-fa off': '-fa off',
  '--kv-unified': '--kv-unified',
  '-b 512': '-b 512',
  '-b 128 -ub 128': '-b 128 -ub 128',
  '-ub 1024': '-ub 1024',
  '--poll 0': '--poll 0',
  '--poll 100': '--poll 100',
  '-cram 0': '-cram 0',
  '-cram 8192': '-cram 8192',
  '--no-repack': '--no-repack',
  '--backend-sampling': '--backend-sampling',
  'OMP_PROC_BIND=true': 'OMP_PROC_BIND=true',
  'OMP_WAIT_POLICY=passive': 'OMP_WAIT_POLICY=passive',
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      peer: { type: 'string' },
      cpus: { type: 'string' },
      repeats: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '1,4,16,32' },
      variants: { type: 'string', default: Object.keys(variants).join() },
      scenarios: { type: 'string', default: 'throughput,long-prompt' },
      quick: { type: 'boolean', default: false },
    },
  });
  if (!values.peer) throw new TypeError('--peer <llama-server> is needed');
  const command = [resolve(values.peer)];
  await measureSideBySide({
    name: 'llama-server-flags',
    scenarios: [throughput, longPrompt].filter(({ name }) => values.scenarios.split(',').includes(name)),
    servers: values.variants.split(',').map((name) => ({ name, kind: 'llama-server', command, ...parseVariant(name) })),
    options: {
      model: ensureBenchModel('135m'),
      threads: 2,
      cpus: values.cpus,
      repeats: Number(values.repeats),
      concurrency: values.concurrency.split(',').map(Number),
      endTokens: [],
      quick: values.quick,
    },
  });
}

function parseVariant(name: string): Pick<ServerSpec, 'extraArgs' | 'env'> {
  const words = (variants[name] ?? name).split(' ').filter(Boolean);
  const variables = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]);
  return { extraArgs: words.filter((word) => !word.includes('=')), env: Object.fromEntries(variables) };
}

if (import.meta.main) await main();
