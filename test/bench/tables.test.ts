import { describe, expect, it } from 'vitest';
import type { Results } from '../../bench/results.ts';
import { renderTables, replaceTables } from '../../bench/tables.ts';

const results: Results = {
  name: 'chat',
  date: '2026-11-20T10:00:00.000Z',
  quick: false,
  machine: {
    cpu: 'Test CPU',
    cores: 2,
    cpuFlags: 'avx2',
    memoryGb: 8,
    kernel: '6.1',
    node: 'v24.0.0',
    llamaCpp: 'v1',
    commit: 'abc',
    loadAverage: 0,
  },
  settings: { model: 'm.gguf', threads: 2 },
  servers: { cloister: ['abc', 'throughput: node …'], 'llama-server': ['version 1', 'throughput: llama-server …'] },
  cases: [
    {
      scenario: 'throughput',
      label: '4 clients',
      samples: {
        cloister: [{ outputTokensPerSecond: 220 }, { outputTokensPerSecond: 200 }, { outputTokensPerSecond: 240 }],
        'llama-server': [{ outputTokensPerSecond: 200 }],
      },
    },
  ],
};

describe('renderTables', () => {
  it('shows median, spread and the ratio of medians', () => {
    expect(renderTables(results)).toContain('| 4 clients | output tokens/s | 220.0 (200.0–240.0) | 200.0 | 1.10× |');
  });

  it('names machine, settings and versions', () => {
    const text = renderTables(results);
    expect(text).toContain('Test CPU, 2 cores (avx2), 8 GB');
    expect(text).toContain('model m.gguf, threads 2');
    expect(text).toContain('llama-server: version 1');
  });

  it('has no ratio if a server ran alone', () => {
    const samples = { cloister: [{ firstTokenP50Ms: 12.4 }] };
    const text = renderTables({ ...results, cases: [{ scenario: 's', label: 'a', samples }] });
    expect(text).toContain('| case | figure | cloister |\n');
    expect(text).toContain('| a | first token p50, ms | 12 |');
  });

  it('shows a dash if a server does not report a figure', () => {
    const samples = { cloister: [{ scriptShare: 0.004 }], 'llama-server': [{}] };
    const text = renderTables({ ...results, cases: [{ scenario: 's', label: 'a', samples }] });
    expect(text).toContain("| a | JavaScript's share of a step, % | 0.40 | – | – |");
  });

  it('warns of a quick run', () => {
    expect(renderTables({ ...results, quick: true })).toContain('these figures mean nothing');
  });
});

describe('replaceTables', () => {
  const page = 'before\n<!-- tables: node bench/tables.ts -->\nold\n<!-- end of tables -->\nafter\n';

  it('replaces only the text between the markers, repeatedly', () => {
    const once = replaceTables(page, 'new');
    expect(once).toBe('before\n<!-- tables: node bench/tables.ts -->\n\nnew\n\n<!-- end of tables -->\nafter\n');
    expect(replaceTables(once, 'new')).toBe(once);
  });

  it('refuses a page without markers', () => {
    expect(() => replaceTables('nothing here', 'new')).toThrow(/needs the lines/);
  });
});
