/** The reference of metrics lists what the server registers, and nothing else. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openReadiness } from '../../server/features/health/open-readiness.ts';
import { buildLogger } from '../../server/http/request-log.ts';
import { registerTracing } from '../../server/metrics/tracing-metrics.ts';
import { registerMachine } from '../../server/start/machine-metrics.ts';
import { buildMetrics } from '../../server/start/metrics.ts';
import { makeIdentity } from '../../server/tls/tls.ts';

const page = readFileSync(new URL('../../docs/reference/health-and-metrics.md', import.meta.url), 'utf8');

/** Names in the page, without those of whole families. */
const documented = new Set(
  [...page.matchAll(/`((?:cloister_|vllm:)[a-z0-9_]*[a-z0-9])(?:\{[a-z_,]+\})?`/g)].map(([, name]) => name!),
);

/** Names that a listening server registers. */
function registered(): { name: string; isDefault: boolean }[] {
  const { registry } = buildMetrics({ engines: () => [], clock: () => 0 });
  const health = openReadiness({
    config: { readyStepS: 60, readyGraceS: 0, memoryLimitMb: 'auto' },
    models: new Map(),
    accounts: { probe: async () => undefined, ledgerLoad: { waiting: 0, owed: 0, rounds: 0, work: 0, roundMs: 0 } },
    enclave: () => undefined,
    logger: buildLogger({ level: 'silent', destination: { write: () => undefined } }),
    registry,
  });
  registerMachine(registry, {
    config: { gpu: 'auto' },
    shown: { tls: makeIdentity({ host: 'x', now: 0 }) },
    operator: { adminCertificate: () => undefined },
    enclave: () => undefined,
  });
  registerTracing(registry, () => ({}));
  health.close();
  return registry
    .getMetricsAsArray()
    .map(({ name }) => ({ name, isDefault: /^cloister_(process|nodejs)_/.test(name) }));
}

describe('the reference of metrics', () => {
  const names = registered();

  it('lists every metric, and marks those with a name of vLLM', () => {
    const own = names.filter(({ name, isDefault }) => !isDefault && !name.startsWith('vllm:')).map(({ name }) => name);
    expect(own.length).toBeGreaterThan(60);
    expect(own.filter((name) => !documented.has(name))).toEqual([]);
    for (const name of own) {
      const isMarked = new RegExp(`\`${name}(\\{[a-z_,]+\\})?\`¹`).test(page);
      expect(isMarked, name).toBe(names.some((other) => other.name === name.replace('cloister_', 'vllm:')));
    }
  });

  it('lists no metric that does not exist', () => {
    const all = new Set(names.map(({ name }) => name));
    expect([...documented].filter((name) => !all.has(name))).toEqual([]);
  });
});
