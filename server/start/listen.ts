/** Opens the ports of the server: the API, and those of the operator. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Accounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';
import { MemoryClearing } from '../enclave/freed-memory.ts';
import type { ConfidentialSurface } from '../features/agents/surface.ts';
import { openReadiness } from '../features/health/open-readiness.ts';
import { PendingImages } from '../features/images/pending-images.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Logger } from '../http/request-log.ts';
import type { Announcer } from '../program/announcements.ts';
import type { Config } from '../program/config.ts';
import { baseUrl, portError } from '../program/ports.ts';
import { statePaths } from '../program/state-folder.ts';
import type { ServedModels } from '../serving/served-model.ts';
import type { SharedName } from '../tls/shared-name.ts';
import { type TlsIdentity, useIdentity } from '../tls/tls.ts';
import { buildApp } from './app.ts';
import type { Attestation } from './attestation.ts';
import { registerMachine } from './machine-metrics.ts';
import { buildMetrics } from './metrics.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';
import { openTracing } from './open-tracing.ts';
import { type OperatorPorts, openOperatorPorts } from './operator-ports.ts';
import { operatorViews } from './operator-views.ts';
import { makeStartKey, signInUrl } from './start-key.ts';

/** What the ports serve. */
export interface Listening {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly attestation: Attestation;
  readonly models: ServedModels;
  readonly lifecycle: ModelLifecycle;
  readonly confidential: ConfidentialSurface;
  readonly fleet: Fleet | undefined;
  readonly sharedName: SharedName | undefined;
  /** Starts to stop the server. */
  readonly drainNow: () => void;
  readonly logger: Logger;
  readonly say: Announcer;
}

/** Listening servers. */
export interface Ports {
  readonly app: FastifyInstance;
  readonly operator: OperatorPorts;
  /** The certificate that the API shows. */
  readonly shown: { tls: TlsIdentity };
}

/** Opens all ports and announces them. */
export async function listen(parts: Listening) {
  const { config, accounts, attestation, models, lifecycle, confidential, fleet, sharedName, drainNow, logger, say } =
    parts;
  const { host, port, tlsCert } = config;
  const certificatePath = tlsCert === undefined ? statePaths(config).certificate : undefined;
  const all = () => [...models.values()];
  const metrics = buildMetrics({
    engines: () =>
      all().flatMap((model) => (model.kind === 'chat' ? [{ id: model.id, stats: model.engine.stats }] : [])),
    embeddingEngines: () =>
      all().flatMap((model) =>
        model.kind === 'embedding' || model.kind === 'reranker' ? [{ id: model.id, stats: model.engine.stats }] : [],
      ),
    imageEngines: () =>
      all().flatMap((model) => (model.kind === 'image' ? [{ id: model.id, stats: model.engine.stats }] : [])),
    clock: () => performance.now(),
  });
  const proven = attestation.appParts((id) => lifecycle.find(id));
  const { registry } = metrics;
  const tracing = await openTracing(config, registry);
  const isDraining = () => fleet?.isDraining === true;
  const health = openReadiness({ config, models, accounts, ...proven.aci, isDraining, logger, registry });
  const app: FastifyInstance = buildApp({
    models,
    metrics,
    readiness: health.readiness,
    accounts,
    logger,
    ...proven,
    tracing,
    confidential,
    fleet,
    sharedName,
    compute: config.computeUrl === undefined ? undefined : { url: config.computeUrl, caPath: config.computeCa },
    bodyBytesMax: config.bodyLimitMb * 1024 * 1024,
    connectionsMax: config.connections,
    openAiErrors: config.openaiErrors,
    requestTimeoutMs: config.requestTimeoutS * 1000,
    now: Date.now,
    randomSeed: () => randomInt(2 ** 32),
    publicUrl: () => config.publicUrl ?? baseUrl(host, app.server.address() as AddressInfo),
    pendingImages: new PendingImages({
      bytesMax: config.imagePendingMb * 1024 * 1024,
      lifetimeMs: config.imageLinkTtlS * 1000,
    }),
  });
  await app.listen({ host, port }).catch((cause) => {
    throw portError(cause, { port, setting: '--port' });
  });
  // Written only after the port is bound: a server that already runs on this folder keeps its certificate and its key.
  if (certificatePath !== undefined && !attestation.isForDevelopment)
    writeFileSync(certificatePath, attestation.tls.certificate);
  const clearing = new MemoryClearing();
  clearing.follow(app.server);
  const views = operatorViews({ models, lifecycle, idleTtlS: config.modelIdleTtlS, fleet });
  const shownToOperators = { accounts, registry, tls: attestation.tls, drain: drainNow, views };
  const operator = await openOperatorPorts(config, shownToOperators);
  const shown = { tls: attestation.tls };
  registerMachine(registry, { config, shown, operator, enclave: proven.aci.enclave });
  const ownUrl = baseUrl(host, app.server.address() as AddressInfo);
  const apiKey = await makeStartKey(accounts, { config, attestation });
  say.listening({
    baseUrl: ownUrl,
    metricsUrl: operator.metricsUrl,
    adminUrl: operator.adminUrl,
    webhookUrl: operator.webhookUrl,
    certificatePath,
    apiKey,
    pagesUrl: apiKey === undefined ? new URL('/', ownUrl).href : await signInUrl(accounts, { apiKey, ownUrl }),
    models: [...models.keys()],
  });
  const close = async () => {
    await tracing?.close();
    health.close();
    clearing.close();
    operator.close();
  };
  return { app, operator, shown, close };
}

/** Prints the certificate request, if one is wanted, and loads the chain when it appears. */
export function followChain(
  ports: Ports,
  {
    config,
    attestation,
    logger,
    say,
    signal,
  }: Omit<Listening, 'accounts' | 'models' | 'lifecycle' | 'confidential' | 'fleet' | 'sharedName' | 'drainNow'> & {
    signal: AbortSignal;
  },
): void {
  const request = attestation.followChain({
    onTls: (tls) => showCertificate(ports, tls, { config, attestation }),
    onRefused: (error) => logger.warn({ reason: (error as Error).message }, 'the chain of --tls-chain is not used'),
    signal,
  });
  if (request !== undefined) say.certificateRequest(request);
}

/** The same key with another certificate: open connections continue, new ones see it. */
export function showCertificate(
  { app, operator, shown }: Ports,
  tls: TlsIdentity,
  { config, attestation }: Pick<Listening, 'config' | 'attestation'>,
): void {
  useIdentity(app.server, tls);
  operator.useCertificate(tls);
  shown.tls = tls;
  if (config.tlsCert === undefined && !attestation.isForDevelopment)
    writeFileSync(statePaths(config).certificate, tls.certificate);
}
