/** The fuzz runner on a target with every kind of defect. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { targets } from './faulty-target.ts';
import { inputOfStep, listTargets } from './registry.ts';
import { textOf } from './target.ts';
import { runTarget } from './watch.ts';

const file = join(import.meta.dirname, 'faulty-target.ts');
const registered = (name: string) => ({ file, target: targets.find((target) => target.name === name)! });
const find = (name: string, seconds: number) =>
  // A busy machine may need seconds for a step that does not hang.
  runTarget(registered(name), { seed: 1, seconds, stuckMs: name === 'hang' ? 1_500 : 20_000 });

describe('the fuzz runner', () => {
  it('reports nothing if every input is accepted or rejected', async () => {
    const { steps, refused, findings } = await find('refused', 0.5);
    expect(findings).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(steps);
  });

  it.each([
    ['error', 'error', /TypeError: a defect/],
    ['abort', 'crash', /SIGABRT/],
    ['hang', 'hang', /did not return/],
    ['slow', 'slow', /ms of processor time/],
    ['memory', 'memory', /took [789]\d MiB/],
  ])('reports %s with the input that caused it', async (name, kind, what) => {
    const { findings } = await find(name, 1);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ kind, what: expect.stringMatching(what) });
    expect(textOf(findings[0]!.input)).toBe(name);
  });

  it('continues after an input that crashes the process', async () => {
    const { steps, findings } = await find('abort', 2);
    expect(steps).toBeGreaterThan(findings[0]!.step + 1);
  });

  it('reports a process that leaks memory', async () => {
    const { findings } = await runTarget(registered('leak'), { seed: 1, seconds: 0, runs: 300 });
    expect(findings).toMatchObject([{ kind: 'memory', what: expect.stringMatching(/has grown by/) }]);
  });

  it('runs the given number of inputs after all seeds, and reports their cost', async () => {
    const seedsPath = mkdtempSync(join(tmpdir(), 'cloister-fuzz-seeds-'));
    writeFileSync(join(seedsPath, 'one'), 'seed');
    const run = { seed: 1, seconds: 0, runs: 300 };
    const { steps: without } = await runTarget(registered('refused'), run);
    const { steps, costs } = await runTarget(registered('refused'), { ...run, seedsPath });
    rmSync(seedsPath, { recursive: true });
    expect(without).toBeGreaterThan(300);
    expect(steps).toBe(without + 1);
    expect(costs.cpuMsMax).toBeGreaterThan(0);
    expect(costs.cpuMsMaxStep).toBeLessThan(steps);
  });

  it('generates the same inputs from the same seed', () => {
    const { target } = registered('error');
    const inputs = (seed: number) =>
      Array.from({ length: 50 }, (_, step) => textOf(inputOfStep(target, [new Uint8Array()], seed, step + 1)));
    expect(inputs(7)).toEqual(inputs(7));
    expect(inputs(7)).not.toEqual(inputs(8));
  });
});

describe('the targets', () => {
  it('have unique names, and every corpus folder belongs to one', async () => {
    const names = (await listTargets()).map(({ target }) => target.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(readdirSync(join(import.meta.dirname, 'corpus'))));
  });
});
