/**
 * A node of the throughput bench, in a process of its own: the real application on HTTPS, with accounts on PostgreSQL, and a model that
 * takes the same time for each answer, in as many slots. So a node needs little of a processor, and two processors carry a fleet.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts } from '../../accounts/store.ts';
import { modelChecks } from '../../server/features/health/model-checks.ts';
import { Readiness } from '../../server/features/health/readiness.ts';
import { PendingImages } from '../../server/features/images/pending-images.ts';
import { buildLogger } from '../../server/http/request-log.ts';
import { buildApp } from '../../server/start/app.ts';
import { buildMetrics } from '../../server/start/metrics.ts';
import { makeIdentity } from '../../server/tls/tls.ts';
import { type FakeChat, FakeEngine } from '../../test/support/runtime/fake-engine.ts';
import { modelId, terms } from '../../test/support/server/test-app.ts';

export interface NodeTask {
  /** Of the accounts. */
  readonly url: string;
  readonly slots: number;
  readonly answerMs: number;
}

/** Message to the parent. */
export interface NodeReady {
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
}

process.once('disconnect', () => process.exit());
process.once('message', async ({ url, slots, answerMs }: NodeTask) => {
  const waiting: FakeChat[] = [];
  let free = slots;
  const engine = new FakeEngine({
    async script(chat) {
      waiting.push(chat);
      if (free === 0) return;
      free -= 1;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await sleep(answerMs);
        next.answer('an', ' answer');
      }
      free += 1;
    },
  });
  const accounts = await openAccounts({ kind: 'postgres', url }, { role: 'server' });
  const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
  const model = { kind: 'chat' as const, id: modelId, engine, created: 1_700_000_000, fingerprint: 'fp_bench', terms };
  const models = new Map([[model.id, model]]);
  const metrics = buildMetrics({
    engines: () => [{ id: model.id, stats: engine.stats }],
    clock: () => performance.now(),
  });
  const logger = buildLogger({ level: 'silent', destination: process.stderr });
  const checks = [...modelChecks(() => models.values(), { stepMsMax: 60_000 })];
  const app = buildApp({
    ...{ models, metrics, accounts, logger, tls: identity },
    readiness: new Readiness({ checks, logger, registry: metrics.registry }),
    pendingImages: new PendingImages({ bytesMax: 1024, lifetimeMs: 60_000 }),
    ...{ bodyBytesMax: 1024 * 1024, connectionsMax: 4096, requestTimeoutMs: 60_000 },
    now: Date.now,
    randomSeed: () => 42,
    publicUrl: () => 'https://localhost/v1',
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const ready: NodeReady = {
    port: Number(new URL(address).port),
    certificate: identity.certificate,
  };
  process.send?.(ready);
});
