/** Every command of `cloister`, in the order of the help. */
import type { CommandEntry } from './command-tree.ts';

export const commands: readonly CommandEntry[] = [
  { name: 'serve', summary: "serve the API on this machine's GPU or CPU", load: () => import('./serve.ts') },
  {
    name: 'config',
    summary: 'show and check the configuration of serve',
    load: () => import('./config.ts'),
    alsoTakes: 'serve',
  },
  {
    name: 'accounts',
    summary: 'create, credit, audit and close accounts, and change their plan',
    load: () => import('./accounts/accounts.ts'),
  },
  { name: 'keys', summary: 'create, list and revoke API keys', load: () => import('./accounts/keys.ts') },
  { name: 'plans', summary: 'list, create and change plans', load: () => import('./accounts/plans.ts') },
  {
    name: 'compute',
    summary: 'serve the compute API, check its file, audit its ledger, announce system news',
    load: () => import('./compute/compute.ts'),
  },
  { name: 'models', summary: 'add, pull, list and verify models', load: () => import('./models/models.ts') },
  { name: 'ps', summary: 'list the models of a running server', load: () => import('./ps.ts') },
  { name: 'bench', summary: 'measure this machine: matrix products and memory', load: () => import('./bench.ts') },
  {
    name: 'verify',
    summary: "verify a server's evidence: its machine, software and keys",
    load: () => import('./verify.ts'),
  },
  { name: 'verify-receipt', summary: 'verify the receipt of a response', load: () => import('./verify-receipt.ts') },
  {
    name: 'proxy',
    summary: 'forward requests of programs on this machine to a verified server',
    load: () => import('./proxy.ts'),
  },
  {
    name: 'score',
    summary: "print the factors by which auditors score a server's evidence",
    load: () => import('./score.ts'),
  },
  {
    name: 'fleet',
    summary: 'run several simulated nodes behind one address: start, replace, scale, stop',
    load: () => import('./fleet/fleet.ts'),
  },
  {
    name: 'image',
    summary: "build and run the confidential VM's image, make its disks, provision its secrets",
    load: () => import('./image/image.ts'),
  },
  {
    name: 'measure',
    summary: "compute an image's expected measurements, and the policy for verify",
    load: () => import('./image/measure.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    async load() {
      const { completionCommand } = await import('./completion.ts');
      return completionCommand(commands);
    },
  },
];
