/** The composition root of the runtime: config → models → engines → accounts → app → listen → drain. */
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { requireUnchanged, verifyFiles } from '../models/digest.ts';
import { DigestCache } from '../models/digest-cache.ts';
import { startEngine } from '../runtime/engine-client.ts';
import type { EngineState } from '../runtime/request.ts';
import { openAccountStore } from './accounts/store.ts';
import { announcer } from './announcements.ts';
import { buildApp } from './app.ts';
import { type CommandIo, exitCodes } from './commands/command.ts';
import type { Config } from './config.ts';
import { drain } from './drain.ts';
import { ServerError } from './errors.ts';
import { buildMetrics } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { type PlannedModel, planModels } from './model-plan.ts';
import { buildLogger, describeFault, type Logger } from './plugins/request-log.ts';
import { PreparingEngine } from './preparing-engine.ts';
import { factsOf, type ServedModel } from './served-model.ts';
import { replaceStartKey } from './start-key.ts';
import { makeStateFolder, statePaths } from './state-folder.ts';
import { makeIdentity, readIdentity, type TlsIdentity } from './tls.ts';
import { version } from './version.ts';
import type { ModelWorkerData } from './worker-data.ts';

/** Serves until a signal. @returns the exit code · @throws {ServerError} ERR_START and whatever keeps it from starting */
export async function serve(config: Config, io: CommandIo, { json }: { json: boolean }): Promise<number> {
  const say = announcer(io, { json });
  const output = pino.destination({ dest: 2, sync: false });
  const logger = buildLogger({ level: config.logLevel, destination: output });
  process.on('uncaughtException', (fault) => {
    // Not the default report: it would print the error's message and the line of source.
    logger.fatal({ fault: describeFault(fault) }, 'stopped by a defect');
    output.flushSync();
    process.exit(exitCodes.failure);
  });

  makeStateFolder(config);
  const plans = await planModels(config, { cwd: io.cwd });
  const accounts = await openAccountStore(statePaths(config).keyDatabase);
  const { identity, certificatePath } = readOrMakeIdentity(config);
  const { models, loaded } = await startModels(plans, { config, logger, onProgress: say.loading });
  const engines = models.map(({ engine }) => engine);
  const metrics = buildMetrics({
    engines: () => models.map(({ id, engine }) => ({ id, stats: engine.stats })),
    clock: () => performance.now(),
  });
  const app = buildApp({
    models: new Map(models.map((model) => [model.id, model])),
    metrics,
    accounts,
    logger,
    tls: identity,
    bodyBytesMax: config.bodyLimitMb * 1024 * 1024,
    connectionsMax: config.connections,
    requestTimeoutMs: config.requestTimeoutS * 1000,
    now: Date.now,
    randomSeed: () => randomInt(2 ** 32),
  });
  const stopped = nextSignal();
  const metricsServer = config.metricsPort === 'off' ? undefined : await listenForMetrics(metrics, config.metricsPort);
  say.listening({
    baseUrl: await listen(app, config),
    metricsUrl: metricsServer?.url,
    certificatePath,
    apiKey: config.startKey === 'on' ? await replaceStartKey(accounts, { now: Date.now() }) : undefined,
    models: models.map(({ id }) => id),
  });
  const isReady = await Promise.race([loaded.then(() => true), stopped.then(() => false)]);
  if (isReady) say.ready({ ms: performance.now(), models: models.map(describeForPeople) });

  await stopped;
  say.draining({ timeoutS: config.drainTimeoutS });
  await drain(app, { engines, timeoutMs: config.drainTimeoutS * 1000 });
  metricsServer?.server.close();
  await accounts.close();
  output.flushSync();
  say.stopped();
  return exitCodes.ok;
}

function readOrMakeIdentity(config: Config): { identity: TlsIdentity; certificatePath: string | undefined } {
  const { tlsCert, tlsKey, host } = config;
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { identity: readIdentity({ certificatePath: tlsCert, keyPath: tlsKey }), certificatePath: undefined };
  }
  const identity = makeIdentity({ host, now: Date.now() });
  const { certificate } = statePaths(config);
  writeFileSync(certificate, identity.certificate);
  return { identity, certificatePath: certificate };
}

/** @returns models that are still loading, and a promise of all of them being ready, which throws if one cannot be */
async function startModels(
  plans: readonly PlannedModel[],
  { config, logger, onProgress }: { config: Config; logger: Logger; onProgress: (fraction: number) => void },
): Promise<{ models: readonly ServedModel[]; loaded: Promise<unknown> }> {
  const digestCache = await DigestCache.open(statePaths(config).digestCache);
  const threads = Math.max(1, Math.floor(config.threads / plans.length));
  const fractions = plans.map(() => 0);
  const started = plans.map((plan, index) => {
    const ready = Promise.withResolvers<void>();
    const onState = (state: EngineState) => {
      if (state.kind === 'loading') {
        fractions[index] = state.fraction;
        onProgress(fractions.reduce((sum, fraction) => sum + fraction, 0) / plans.length);
        return;
      }
      const { kind, ...facts } = state;
      logger[kind === 'failed' ? 'error' : 'info']({ model: plan.id, ...facts }, `model ${kind}`);
      if (kind === 'ready') ready.resolve();
      if (state.kind === 'failed') ready.reject(new ServerError('ERR_START', `${plan.id}: ${state.message}`));
    };
    return { model: prepareModel(plan, { config, threads, digestCache, onState }), ready: ready.promise };
  });
  const loaded = Promise.all(started.map(({ ready }) => ready));
  // Whoever waits for it hears of a failure; until then it is nobody's unhandled rejection.
  loaded.catch(() => undefined);
  return { models: started.map(({ model }) => model), loaded };
}

interface ModelOptions {
  readonly config: Config;
  readonly threads: number;
  readonly digestCache: DigestCache;
  readonly onState: (state: EngineState) => void;
}

/** Proves the weights, then loads them. */
function prepareModel(plan: PlannedModel, { config, threads, digestCache, onState }: ModelOptions): ServedModel {
  const workerData: ModelWorkerData = {
    modelPath: plan.path,
    gpu: config.gpu,
    threads,
    sequences: config.sequences,
    context: Math.min(config.context, plan.contextMax ?? config.context),
    stepTokens: config.stepTokens,
    poll: config.poll,
    queuedRequestsMax: config.queue,
    prefixCacheBytes: config.prefixCacheMb * 1024 * 1024,
  };
  const engine = new PreparingEngine(
    async ({ signal, onProgress }) => {
      const total = plan.pinned?.entry.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
      const files =
        plan.pinned === undefined
          ? []
          : await verifyFiles(plan.pinned.entry, {
              folders: plan.pinned.folders,
              signal,
              digestCache,
              onProgress: ({ bytesDone }) => onProgress(bytesDone / total / 2),
            });
      return startEngine({
        workerUrl: new URL('./model-worker.ts', import.meta.url),
        workerData,
        onState: (state) =>
          state.kind === 'ready' ? void requireUnchanged(files).then(() => onState(state), onUnusable) : onState(state),
      });
    },
    { onState },
  );
  const onUnusable = ({ message }: Error) => onState({ kind: 'failed', message });
  return { id: plan.id, engine, created: Math.floor(Date.now() / 1000), fingerprint: fingerprintOf(plan) };
}

/** Changes with the weights and with the program. */
function fingerprintOf({ path, pinned }: PlannedModel): string {
  const { size, mtimeMs } = statSync(path);
  const weights = pinned?.entry.files.map(({ sha256 }) => sha256) ?? [path, size, mtimeMs];
  return `fp_${createHash('sha256')
    .update(JSON.stringify([version, weights]))
    .digest('hex')
    .slice(0, 12)}`;
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await app.listen({ host, port }).catch((cause) => {
    throw portError(cause, { port, setting: '--port' });
  });
  const { port: chosen } = app.server.address() as AddressInfo;
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host);
  const name = isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `https://${name}:${chosen}/v1`;
}

async function listenForMetrics({ registry }: ReturnType<typeof buildMetrics>, port: number) {
  return await serveMetrics(registry, { port }).catch((cause) => {
    throw portError(cause, { port, setting: '--metrics-port' });
  });
}

function portError(cause: NodeJS.ErrnoException, { port, setting }: { port: number; setting: string }): Error {
  const reason = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${cause.code})`;
  return new ServerError('ERR_START', `port ${port} ${reason}: choose another with ${setting}, 0 for any`, { cause });
}

/** The first signal is a request to stop, the second an order. */
async function nextSignal(): Promise<void> {
  const arrived = new AbortController();
  const { signal } = arrived;
  await Promise.race(['SIGTERM', 'SIGINT'].map((name) => once(process, name, { signal })));
  arrived.abort();
  for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => process.exit(exitCodes.interrupted));
}

function describeForPeople(model: ServedModel) {
  const { description = '', device = '' } = factsOf(model) ?? {};
  return { id: model.id, description, device };
}
