/** The composition root of the runtime: config → models → engines → accounts → app → listen → drain. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type Accounts, openAccounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';
import { MemoryClearing } from '../enclave/freed-memory.ts';
import { prefillAgents } from '../features/agents/prefixes.ts';
import { type ConfidentialSurface, openConfidentialSurface } from '../features/agents/surface.ts';
import { openReadiness } from '../features/health/open-readiness.ts';
import { PendingImages } from '../features/images/pending-images.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { SharedSecrets } from '../fleet/shared-secrets.ts';
import type { Logger } from '../http/request-log.ts';
import { accountDatabase } from '../program/account-database.ts';
import { type Announcer, announcer } from '../program/announcements.ts';
import { type CommandIo, exitCodes } from '../program/command.ts';
import type { Config } from '../program/config.ts';
import { drain } from '../program/drain.ts';
import { firstSignal } from '../program/first-signal.ts';
import { followHangups } from '../program/hangups.ts';
import { readNodeName } from '../program/node-name.ts';
import { baseUrl, portError } from '../program/ports.ts';
import { lockStateFolder, statePaths } from '../program/state-folder.ts';
import { type ServedModel, ServedModels } from '../serving/served-model.ts';
import type { SharedName } from '../tls/shared-name.ts';
import { type TlsIdentity, useIdentity } from '../tls/tls.ts';
import { buildApp } from './app.ts';
import { Attestation } from './attestation.ts';
import { openFleet } from './fleet.ts';
import { type Joined, joinFleet, openSharedName, readSharedSecrets, withDatabase } from './fleet-secrets.ts';
import { describeForPeople } from './loaded-models.ts';
import { registerMachine } from './machine-metrics.ts';
import { buildMetrics } from './metrics.ts';
import { type PlannedModel, planModels } from './model-plan.ts';
import { openLog } from './open-log.ts';
import { openTracing } from './open-tracing.ts';
import { type OperatorPorts, openOperatorPorts } from './operator-ports.ts';
import { operatorViews } from './operator-views.ts';
import { pinFiles } from './pin-files.ts';
import { Reloader } from './reload.ts';
import { makeStartKey, signInUrl } from './start-key.ts';
import { startModels } from './start-models.ts';

export interface ServeOptions {
  /** One JSON object per line on standard output. */
  readonly json: boolean;
  /** Of reading the configuration, for the log. */
  readonly warnings: readonly string[];
  /** Reads the configuration again, for SIGHUP. @throws {ServerError} if it is invalid */
  readonly rereadConfig: () => Config;
}

/**
 * Serves until a signal. @returns the exit code · @throws {ServerError} ERR_START, and any other error that prevents
 * the start
 */
export async function serve(config: Config, io: CommandIo, options: ServeOptions): Promise<number> {
  const lock = lockStateFolder(config, 'serve');
  try {
    return await serveLocked(config, io, options);
  } finally {
    lock.release();
  }
}

async function serveLocked(
  config: Config,
  io: CommandIo,
  { json, warnings, rereadConfig }: ServeOptions,
): Promise<number> {
  const attestation = await Attestation.open(config);
  const plans = await planAll(config, attestation, io);
  const node = readNodeName(statePaths(config).nodeId);
  const openDatabase = (given: Config) => openAccounts(accountDatabase(given), { role: 'server', node });
  // A node that joins a fleet does not know the address yet.
  let accounts = config.join === undefined ? await openDatabase(config) : undefined;
  const log = openLog(config, io);
  for (const warning of warnings) log.logger.warn(warning);
  const say = announcer(io, { json });
  const stuck = Promise.withResolvers<void>();
  let stuckModel: string | undefined;
  const { models, loaded } = await startModels(plans, {
    config,
    // A host-controlled disk can report wrong file times.
    trustsDisk: attestation.platformKind !== 'tdx',
    logger: log.logger,
    onProgress: say.loading,
    onStuck(model) {
      stuckModel = model;
      log.logger.error({ model }, 'an engine thread hangs in native code and cannot be ended: the process stops');
      stuck.resolve();
    },
  });
  const engines = models.map(({ engine }) => engine);
  const confidential = openConfidentialSurface({ isProvable: attestation.platformKind !== undefined });
  const hungUp = Promise.withResolvers<void>();
  const drainAsked = Promise.withResolvers<void>();
  const stopped = Promise.race([firstSignal(), stuck.promise, hungUp.promise, drainAsked.promise]);
  const over = new AbortController();
  let fleet: Fleet | undefined;
  let secrets: SharedSecrets | undefined;
  try {
    const basics = { attestation, plans, models, confidential, logger: log.logger, say };
    const contents = async () => {
      await loaded;
      await prefill(basics, stopped);
      return { plans, models, agents: confidential.measured };
    };
    const joined = await joinUnless(stopped, { config, attestation, say, contents });
    if (joined === 'stopped') throw new Stopped();
    secrets = joined?.secrets ?? readSharedSecrets(config);
    const shared = { ...basics, config: withDatabase(config, secrets), secrets };
    accounts ??= await openDatabase(shared.config);
    fleet = openFleet({ ...shared, accounts });
    const sharedName = openSharedName(config, secrets);
    const parts = { ...shared, accounts, fleet, sharedName, drainNow: drainAsked.resolve };
    const { close, ...ports } = await listen(parts);
    const { app, operator } = ports;
    const onTls = (tls: TlsIdentity) => showCertificate(ports, tls, { config, attestation });
    followChain(ports, { config, attestation, logger: log.logger, say, signal: over.signal });
    const reloader = new Reloader(
      {
        logger: log.logger,
        isMeasured: attestation.platformKind !== undefined,
        models,
        tls: attestation.tls,
        readConfig: rereadConfig,
        planModels: (next) => planModels(next, io),
        useCertificate: onTls,
        reloadAdmin: () => operator.reload(),
      },
      { config, plans },
    );
    followHangups({ reload: () => reloader.reload(), stop: hungUp.resolve, signal: over.signal });
    const isReady = await Promise.race([loaded.then(() => true), stopped.then(() => false)]);
    if (isReady) {
      if (joined !== undefined) onTls(joined.tls);
      const proof = joined?.proof ?? (await attestation.prove(await contents(), { onTls }));
      if (proof !== undefined) say.attested(proof);
      await fleet?.start();
    }
    if (isReady) say.ready({ ms: performance.now(), models: models.map(describeForPeople) });
    if (isReady) app.largeBodies.start();
    await stopped;
    await fleet?.drain();
    say.draining({ timeoutS: config.drainTimeoutS });
    await drain(app, { engines, timeoutMs: config.drainTimeoutS * 1000 });
    await close();
  } catch (error) {
    // No thread may be inside the model when the process exits.
    await Promise.all(engines.map((engine) => engine.drain({ signal: AbortSignal.abort() })));
    if (!(error instanceof Stopped)) throw error;
  } finally {
    over.abort();
    await fleet?.close();
    secrets?.wipe();
    await confidential.tools.close();
    const owed = (await accounts?.close())?.owed ?? 0;
    if (owed > 0)
      log.logger.error({ owed }, 'settlements could not be written to the database: the next start will write them');
    await log.flush();
    // An ordinary exit would wait for that thread. The supervisor restarts the process.
    if (stuckModel !== undefined) log.endProcess({ model: stuckModel }, 'stopped by an engine thread that hangs');
  }
  say.stopped();
  return exitCodes.ok;
}

/** A signal came while the node was joining its fleet: nothing serves yet, so nothing drains. */
class Stopped extends Error {}

async function joinUnless(
  stopped: Promise<void>,
  parts: Parameters<typeof joinFleet>[0],
): Promise<Joined | 'stopped' | undefined> {
  const leaving = new AbortController();
  const joining = joinFleet(parts, { signal: leaving.signal });
  const first = await Promise.race([joining, stopped.then(() => 'stopped' as const)]);
  if (first !== 'stopped') return first;
  leaving.abort();
  // Not awaited: a model that hangs while it loads would keep the process.
  void joining.then(
    (late) => late?.secrets.wipe(),
    () => undefined,
  );
  return first;
}

/** Agents need attestation; without it, their prompts would waste memory. */
async function prefill(
  {
    attestation,
    models,
    confidential,
    logger,
    say,
  }: Omit<Listening, 'config' | 'accounts' | 'fleet' | 'sharedName' | 'drainNow'>,
  stopped: Promise<void>,
) {
  if (attestation.platformKind === undefined) return;
  const served = new ServedModels(models);
  const done = prefillAgents(served, { agents: confidential.agents.values(), logger });
  const prefilled = await Promise.race([done, stopped.then(() => [])]);
  for (const facts of prefilled) if (facts.prompts > 0) say.prefilled(facts);
}

async function planAll(config: Config, { platformKind }: Attestation, { cwd }: CommandIo) {
  const plans = await planModels(config, { cwd });
  if (platformKind === undefined) return plans;
  return await pinFiles(plans, { config, signal: new AbortController().signal });
}

interface Listening {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly attestation: Attestation;
  readonly plans: readonly PlannedModel[];
  readonly models: readonly ServedModel[];
  readonly confidential: ConfidentialSurface;
  readonly fleet: Fleet | undefined;
  readonly sharedName: SharedName | undefined;
  /** Starts to stop the server. */
  readonly drainNow: () => void;
  readonly logger: Logger;
  readonly say: Announcer;
}

/** Listening servers. */
interface Ports {
  readonly app: FastifyInstance;
  readonly operator: OperatorPorts;
  /** The certificate that the API shows. */
  readonly shown: { tls: TlsIdentity };
}

/** Opens all ports and announces them. */
async function listen(parts: Listening) {
  const { config, accounts, attestation, plans, models, confidential, fleet, sharedName, drainNow, logger, say } =
    parts;
  const { host, port, tlsCert } = config;
  const certificatePath = tlsCert === undefined ? statePaths(config).certificate : undefined;
  const metrics = buildMetrics({
    engines: () =>
      models.flatMap((model) => (model.kind === 'chat' ? [{ id: model.id, stats: model.engine.stats }] : [])),
    embeddingEngines: () =>
      models.flatMap((model) =>
        model.kind === 'embedding' || model.kind === 'reranker' ? [{ id: model.id, stats: model.engine.stats }] : [],
      ),
    imageEngines: () =>
      models.flatMap((model) => (model.kind === 'image' ? [{ id: model.id, stats: model.engine.stats }] : [])),
    clock: () => performance.now(),
  });
  const served = new ServedModels(models);
  const proven = attestation.appParts({ plans, models });
  const { registry } = metrics;
  const tracing = await openTracing(config, registry);
  const health = openReadiness({ config, models: served, accounts, ...proven.aci, logger, registry });
  const app: FastifyInstance = buildApp({
    models: served,
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
  const views = operatorViews({ models: served, fleet });
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
    models: models.map(({ id }) => id),
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
function followChain(
  ports: Ports,
  {
    config,
    attestation,
    logger,
    say,
    signal,
  }: Omit<Listening, 'accounts' | 'plans' | 'models' | 'confidential' | 'fleet' | 'sharedName' | 'drainNow'> & {
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
function showCertificate(
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
