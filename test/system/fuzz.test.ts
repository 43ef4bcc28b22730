/** A second of each fuzz target: its seed corpus, then inputs from a fixed seed. `npm run fuzz` runs for longer. */
import { expect, it } from 'vitest';
import { listTargets } from '../fuzz/registry.ts';
import { runTarget } from '../fuzz/watch.ts';

const targets = (await listTargets()).filter(({ target }) => target.hasOwnTest !== true);

it.each(targets.map((registered) => [registered.target.name, registered] as const))(
  '%s neither crashes, hangs nor leaks memory, and rejects input only with documented errors',
  async (_, registered) => {
    const { findings } = await runTarget(registered, { seed: 1, seconds: 1 });
    expect(findings.map(({ kind, step, what }) => `${kind} in step ${step}: ${what}`)).toEqual([]);
  },
);
