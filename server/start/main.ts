/** The composition root of the runtime: config → models → engines → accounts → app → listen → drain. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ensureDemoAccount } from '@cloister/accounts/demo-account';
import { type Accounts, openAccounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';
import { MemoryClearing } from '../enclave/freed-memory.ts';
import { prefillAgents } from '../features/agents/prefixes.ts';
import { type ConfidentialSurface, openConfidentialSurface } from '../features/agents/surface.ts';
import { openReadiness } from '../features/health/open-readiness.ts';
import { PendingImages } from '../features/images/pending-images.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { LogOutput } from '../http/log-output.ts';
import { buildLogger, describeFault, type Logger } from '../http/request-log.ts';
import { terminalLines } from '../http/terminal-log.ts';
import { accountDatabase } from '../program/account-database.ts';
import { type Announcer, announcer } from '../program/announcements.ts';
import { type CommandIo, exitCodes } from '../program/command.ts';
import type { Config } from '../program/config.ts';
import { drain } from '../program/drain.ts';
import { firstSignal } from '../program/first-signal.ts';
import { readNodeName } from '../program/node-name.ts';
import { baseUrl, portError } from '../program/ports.ts';
import { signInLink } from '../program/sign-in-link.ts';
import { openStartKey } from '../program/start-key.ts';
import { lockStateFolder, statePaths } from '../program/state-folder.ts';
import { type ServedModel, ServedModels } from '../serving/served-model.ts';
import { type TlsIdentity, tlsOptions } from '../tls/tls.ts';
import { buildApp } from './app.ts';
import { Attestation } from './attestation.ts';
import { openFleet } from './fleet.ts';
import { describeForPeople } from './loaded-models.ts';
import { registerMachine } from './machine-metrics.ts';
import { buildMetrics } from './metrics.ts';
import { type PlannedModel, planModels } from './model-plan.ts';
import { openTracing } from './open-tracing.ts';
import { type OperatorPorts, openOperatorPorts } from './operator-ports.ts';
import { operatorViews } from './operator-views.ts';
import { pinFiles } from './pin-files.ts';
import { followHangups, Reloader } from './reload.ts';
import { startModels } from './start-models.ts';

/** Time for the reader of the log to take its last lines. */
const logFlushMs = 1_000;

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
  const accounts = await openAccounts(accountDatabase(config), { role: 'server', node });
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
  try {
    const shared = { config, accounts, attestation, plans, models, logger: log.logger };
    fleet = openFleet(shared);
    const parts = { ...shared, confidential, fleet, drainNow: drainAsked.resolve, say };
    const { close, ...ports } = await listen(parts);
    const { app, operator } = ports;
    followChain(ports, { config, attestation, logger: log.logger, say, signal: over.signal });
    const reloader = new Reloader(
      {
        logger: log.logger,
        isMeasured: attestation.platformKind !== undefined,
        models,
        tls: attestation.tls,
        readConfig: rereadConfig,
        planModels: (next) => planModels(next, io),
        useCertificate: (tls) => showCertificate(ports, tls, { config, attestation }),
        reloadAdmin: () => operator.reload(),
      },
      { config, plans },
    );
    followHangups({ reload: () => reloader.reload(), stop: hungUp.resolve, signal: over.signal });
    const isReady = await Promise.race([loaded.then(() => true), stopped.then(() => false)]);
    if (isReady) {
      await prefill(parts, stopped);
      const measured = { plans, models, agents: confidential.measured };
      const proof = await attestation.prove(measured, {
        onTls: (tls) => showCertificate(ports, tls, { config, attestation }),
      });
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
    throw error;
  } finally {
    over.abort();
    await fleet?.close();
    await confidential.tools.close();
    const { owed } = await accounts.close();
    if (owed > 0)
      log.logger.error({ owed }, 'settlements could not be written to the database: the next start will write them');
    await log.flush();
    // An ordinary exit would wait for that thread. The supervisor restarts the process.
    if (stuckModel !== undefined) log.endProcess({ model: stuckModel }, 'stopped by an engine thread that hangs');
  }
  say.stopped();
  return exitCodes.ok;
}

/** Agents need attestation; without it, their prompts would waste memory. */
async function prefill({ attestation, models, confidential, logger, say }: Listening, stopped: Promise<void>) {
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

/** Lines go to standard error: words on a terminal, else JSON. An uncaught defect writes the last one. */
function openLog({ logLevel }: Config, { stderr }: CommandIo) {
  const output = new LogOutput(2);
  const destination = stderr.isTTY === true ? terminalLines(output) : output;
  const logger = buildLogger({ level: logLevel, destination });
  const endProcess = (facts: object, text: string) => {
    // An ordinary exit would wait for threads, or abort one inside the model and leave a core dump that contains
    // prompts.
    output.writeAtOnce();
    logger.fatal(facts, text);
    process.kill(process.pid, 'SIGKILL');
  };
  // Replaces the default report, which prints the error's message and a line of source.
  process.on('uncaughtException', (fault) =>
    endProcess({ fault: describeFault(fault) }, 'stopped by an internal error'),
  );
  return { logger, endProcess, flush: () => output.flush({ timeoutMs: logFlushMs }) };
}

interface Listening {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly attestation: Attestation;
  readonly plans: readonly PlannedModel[];
  readonly models: readonly ServedModel[];
  readonly confidential: ConfidentialSurface;
  readonly fleet: Fleet | undefined;
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
  const { config, accounts, attestation, plans, models, confidential, fleet, drainNow, logger, say } = parts;
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
  }: Omit<Listening, 'accounts' | 'plans' | 'models' | 'confidential' | 'fleet' | 'drainNow'> & { signal: AbortSignal },
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
  (app.server as unknown as HttpsServer).setSecureContext(tlsOptions(tls));
  operator.useCertificate(tls);
  shown.tls = tls;
  if (config.tlsCert === undefined && !attestation.isForDevelopment)
    writeFileSync(statePaths(config).certificate, tls.certificate);
}

/**
 * A database shared by several servers is administered explicitly: no account or key is created there automatically.
 */
async function makeStartKey(
  accounts: Accounts,
  { config, attestation }: Pick<Listening, 'config' | 'attestation'>,
): Promise<string | undefined> {
  if (config.startKey === 'off' || config.databaseUrl !== undefined) return undefined;
  const now = Date.now();
  await ensureDemoAccount(accounts, { now });
  // In a TDX guest, only its SHA-256 is written.
  const path = attestation.platformKind === 'tdx' ? undefined : statePaths(config).developmentKey;
  return await openStartKey(accounts, { path, now });
}

/** A link that opens the pages, signed in to the account of the development key. */
async function signInUrl(accounts: Accounts, { apiKey, ownUrl }: { apiKey: string; ownUrl: string }): Promise<string> {
  const { accountId } = (await accounts.findCaller(apiKey))!;
  const { secret } = await accounts.makeLoginLink({ accountId, now: Date.now() });
  return signInLink(new URL(ownUrl).origin, secret);
}
