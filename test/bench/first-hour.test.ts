import { describe, expect, it } from 'vitest';
import { type HourOptions, type Part, planHour, runHour } from '../../bench/first-hour.ts';
import type { Results } from '../../bench/results.ts';

const options: HourOptions = {
  gpu: 'cuda',
  ...{ shapes: ['0.5b', '8b'], concurrency: [1, 256], repeats: 3, threads: 2 },
  ...{ skipSuite: false, skipBench: false, quick: false },
};

describe('the plan of the first hour', () => {
  it('checks correctness before it measures, each shape with every server that is installed', () => {
    const parts = planHour({ ...options, peer: '/opt/llama-server', vllm: 'vllm', hfModel: '/models/one' });
    const names = ['gpu', 'suite', 'chat', 'embeddings', 'images', 'bench 0.5b', 'bench 8b'];
    expect(parts.map(({ name }) => name)).toEqual(names);
    expect(parts.at(-1)!.what).toContain('cloister, llama-server, vllm; 1, 256 clients, 3 repeats');
    expect(parts.every(({ missing }) => missing === undefined)).toBe(true);
  });

  it('leaves out vLLM without a model for it, and names a shape or a file that does not exist', () => {
    const [shape] = planHour({ ...options, shapes: ['9b'], vllm: 'vllm' }).slice(-1);
    expect(shape!.what).toContain(': cloister; 1, 256 clients');
    expect(shape!.missing).toBe('no shape is named 9b');
    expect(planHour({ ...options, model: '/nowhere/a.gguf' }).at(-1)!.missing).toBe('a.gguf does not exist');
  });

  it('has neither the suite nor a bench if both are skipped', () => {
    const parts = planHour({ ...options, skipSuite: true, skipBench: true });
    expect(parts.map(({ name }) => name)).toEqual(['gpu', 'chat', 'embeddings', 'images']);
  });
});

describe('the run of the first hour', () => {
  const part = (name: string, run: Part['run'], missing?: string): Part => ({ name, what: name, missing, run });
  const measured = (label: string) => ({
    scenario: 'throughput',
    label,
    samples: { cloister: [{ outputTokensPerSecond: 1 }] },
  });

  it('continues after a part that throws, saves after each part, and reports every fault', async () => {
    const saved: Results[] = [];
    const save = (results: Results) => `${saved.push(results)}`;
    const parts = [
      part('a', async () => ({ cases: [measured('1 client')], faults: [], settings: { gpu: 'one' } })),
      part('b', () => Promise.reject(new Error('out of memory'))),
      part('c', async () => ({ cases: [], faults: ['differs'] }), 'not installed'),
      part('d', async () => ({ cases: [measured('8 clients')], faults: ['slow'], servers: { vllm: ['d'] } })),
    ];
    const { results, faults } = await runHour(parts, { name: 'hour', options, save });
    expect(faults).toEqual(['b: out of memory', 'd: slow']);
    expect(saved.map(({ cases }) => cases.length)).toEqual([1, 1, 2]);
    expect(saved[0]!.settings).not.toHaveProperty('faults');
    expect(results.settings).toMatchObject({ kind: 'cuda', gpu: 'one', faults: 'b: out of memory; d: slow' });
    expect(results.servers).toMatchObject({ vllm: ['d'] });
  });

  it('saves nothing of a quick run', async () => {
    const parts = [part('a', async () => ({ cases: [measured('1 client')], faults: [] }))];
    const save = () => expect.unreachable();
    const { results } = await runHour(parts, { name: 'hour', options: { ...options, quick: true }, save });
    expect(results).toMatchObject({ quick: true, cases: [{ label: '1 client' }] });
  });
});
