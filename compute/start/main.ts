/** The composition root of the compute service: file → database → engines → app → jobs → listen, until a signal. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { openDatabase } from '@cloister/accounts/database/database';
import { ensureDemoAccount } from '@cloister/accounts/demo-account';
import { type Accounts, openAccountsOn } from '@cloister/accounts/store';
import { LogOutput } from '@cloister/server/http/log-output';
import { buildLogger, describeFault, type Logger } from '@cloister/server/http/request-log';
import { terminalLines } from '@cloister/server/http/terminal-log';
import { adminHandler, readAdminToken } from '@cloister/server/operator/admin';
import { metricsHandler, serveOperator } from '@cloister/server/operator/operator-server';
import { accountDatabase } from '@cloister/server/program/account-database';
import { type CommandIo, exitCodes } from '@cloister/server/program/command';
import type { Config } from '@cloister/server/program/config';
import { followHangups } from '@cloister/server/program/hangups';
import { portError } from '@cloister/server/program/ports';
import { consoleLink } from '@cloister/server/program/sign-in-link';
import { openStartKey } from '@cloister/server/program/start-key';
import { lockStateFolder, statePaths } from '@cloister/server/program/state-folder';
import { openAuthority } from '@cloister/server/tls/development-authority';
import {
  makeIdentity,
  readIdentity,
  subjectNames,
  type TlsIdentity,
  tlsOptions,
  useIdentity,
} from '@cloister/server/tls/tls';
import type { FastifyInstance } from 'fastify';
import { readSealingKey, SecretBox } from '../base/secrets.ts';
import { type Control, defaultTimes } from '../control/control.ts';
import { Fleet } from '../control/fleet.ts';
import { watchEngines } from '../control/watch.ts';
import { scheduleStanding, Worker } from '../control/worker.ts';
import type { Engine } from '../engines/engine.ts';
import { answersSsh } from '../engines/waiting.ts';
import { consolePath } from '../http/console.ts';
import { Stock } from '../inventory/stock.ts';
import { Templates } from '../inventory/templates.ts';
import type { ComputeOptions, ComputeService } from '../service/service.ts';
import { openComputeStore } from '../store/store.ts';
import { buildComputeApp } from './app.ts';
import { buildHandlers } from './handlers.ts';
import { buildComputeMetrics } from './metrics.ts';
import { openEngines } from './open-engines.ts';
import { ComputeReloader } from './reload.ts';
import { readServiceFile, readTemplates, type ServiceSettings } from './service-file.ts';

/** Time limit of the last log flush, so that a blocked log reader cannot delay the exit. */
const logFlushTimeoutMs = 1_000;

/** @param path path of the service's file · @returns the exit code · @throws {ServerError} ERR_CONFIG, ERR_START */
export async function serveCompute(
  config: Config,
  io: CommandIo,
  { path, json, rereadConfig }: { path: string; json: boolean; rereadConfig: () => Config },
): Promise<number> {
  const file = readServiceFile(path);
  const { settings, inventory } = file;
  const lock = lockStateFolder(config, 'compute serve');
  const sealingKey = readSealingKey(join(config.stateDir, 'compute-key'));
  const address = accountDatabase(config);
  const database = await openDatabase(address);
  const { leaseMs, prepareTimeoutMs, createTimeoutMs } = settings;
  const accounts = await openAccountsOn(database, address, { role: 'service', leaseMs });
  const { logger, flush } = openLog(config, io);
  const hungUp = new AbortController();
  const stopped = firstSignal(hungUp.signal);
  const over = new AbortController();
  const faults: string[] = [];
  try {
    const engines = openEngines(inventory, {
      instance: settings.instance ?? derive(sealingKey, 'instance').toString('hex').slice(0, 8),
      templateKey: derive(sealingKey, 'templates'),
      folder: dirname(path),
      now: Date.now,
    });
    const control: Control = {
      store: await openComputeStore(database),
      fleet: new Fleet(
        inventory.machines.map(({ id, engine, machine }) => ({ id, engine: engineNamed(engines, engine), machine })),
      ),
      times: { ...defaultTimes, leaseMs, prepareTimeoutMs, createTimeoutMs },
      answersSsh,
      note: (what, about, error) =>
        logger.info({ ...about, ...(error === undefined ? {} : { fault: describeFault(error) }) }, what),
    };
    const secrets = new SecretBox(sealingKey);
    const guard = { allowPrivate: settings.allowPrivateWebhooks };
    const handlers = buildHandlers(control, {
      webhooks: { secrets, ...guard },
      onAudit: (found) => void faults.splice(0, faults.length, ...found),
    });
    const worker = new Worker(control, handlers);
    const listening = { config, settings, path, logger, faults };
    const service: Omit<ComputeService, 'options'> = {
      control,
      accounts,
      stock: new Stock(inventory, { control, now: () => performance.now() }),
      templates: new Templates({ load: () => readTemplates(path), now: () => performance.now() }),
      secrets,
      guard,
      wake: () => worker.wake(),
      faults: () => faults,
    };
    const { app, close, announcement, options, tls } = await listen(service, listening);
    const useCertificate = (identity: TlsIdentity) => useIdentity(app.server, identity);
    const reloader = new ComputeReloader(
      { path, logger, rereadConfig, templates: service.templates, options, useCertificate },
      { config, file, tls },
    );
    followHangups({ reload: () => reloader.reload(), stop: () => hungUp.abort(), signal: over.signal });
    await scheduleStanding(control);
    worker.start();
    const watching = watchEngines(control, { signal: over.signal, wake: () => worker.wake() });
    // The first probe of a host is slow, so it starts before the first request.
    void service.stock.tiers().catch(() => undefined);
    const apiKey = await makeStartKey(accounts, config);
    const url = await consoleUrl(accounts, { apiKey, baseUrl: announcement.baseUrl, svc: settings.svc });
    announce(io, { ...announcement, apiKey, consoleUrl: url }, { json });
    await stopped;
    over.abort();
    await app.close();
    close();
    await Promise.all([worker.stop(), watching]);
  } finally {
    over.abort();
    await accounts.close();
    await flush();
    lock.release();
  }
  return exitCodes.ok;
}

interface Listening {
  readonly config: Config;
  readonly settings: ServiceSettings;
  readonly path: string;
  readonly logger: Logger;
  readonly faults: readonly string[];
}

interface Announcement {
  readonly baseUrl: string;
  readonly certificatePath: string | undefined;
  readonly metricsUrl: string | undefined;
}

interface Listened {
  readonly app: FastifyInstance;
  readonly close: () => void;
  readonly announcement: Announcement;
  /** Of the answers, which a reload changes. */
  readonly options: ComputeOptions;
  readonly tls: TlsIdentity;
}

/** Opens the HTTPS port and, if configured, the metrics port. */
async function listen(
  service: Omit<ComputeService, 'options'>,
  { config, settings, logger, faults }: Listening,
): Promise<Listened> {
  const { host, port } = settings;
  const identity =
    config.tlsCert === undefined || config.tlsKey === undefined
      ? makeIdentity({ host, issuer: openDevelopmentAuthority(config, host), now: Date.now() })
      : readIdentity({ certificatePath: config.tlsCert, keyPath: config.tlsKey });
  const certificatePath = config.tlsCert === undefined ? authorityFiles(config).certificate : undefined;
  // Responses contain the address, which with port 0 is known only after listening.
  const options = { ...optionsOf(settings), baseUrl: settings.baseUrl ?? '' };
  const app = buildComputeApp({
    service: { ...service, options },
    https: tlsOptions(identity),
    logger,
    limits: settings.limits,
    trustedProxies: settings.trustedProxies,
    now: Date.now,
  });
  useIdentity(app.server, identity);
  await app.listen({ host, port }).catch((cause) => {
    throw portError(cause, { port, setting: 'service.port in the file' });
  });
  const address = app.server.address() as AddressInfo;
  if (settings.baseUrl === undefined) options.baseUrl = `https://${nameOf(host)}:${address.port}`;
  const metrics = await listenForOperator(service, { config, port: settings.metricsPort, faults });
  return {
    ...{ app, options, tls: identity },
    close: () => metrics?.server.close(),
    announcement: { baseUrl: options.baseUrl, certificatePath, metricsUrl: metrics?.url },
  };
}

function authorityFiles({ stateDir }: Config) {
  const path = (name: string) => join(stateDir, name);
  return { certificate: path('compute-certificate.pem'), key: path('compute-certificate-key.pem') };
}

/** Keeps the certificate across restarts, so that clients continue to trust it. */
function openDevelopmentAuthority(config: Config, host: string) {
  return openAuthority(authorityFiles(config), { names: subjectNames(host), now: Date.now() });
}

function optionsOf({ svc, topUpUrl, webOrigins, serviceSshKey }: ServiceSettings) {
  return { svc, topUpUrl: topUpUrl ?? null, webOrigins, serviceSshKey };
}

async function listenForOperator(
  { control, accounts }: Omit<ComputeService, 'options'>,
  { config, port, faults }: { config: Config; port: number | undefined; faults: readonly string[] },
) {
  if (port === undefined) return undefined;
  const token = readAdminToken(statePaths(config).adminToken);
  const admin = adminHandler({ accounts, access: { token, byCertificate: false }, now: Date.now });
  const registry = buildComputeMetrics(control.store, { faults: () => faults });
  const ownHosts = { names: [config.host.toLowerCase()], anyAddress: false };
  const handlers = [admin, metricsHandler(registry)];
  const { server, url } = await serveOperator(handlers, { host: '127.0.0.1', port, ownHosts }).catch((cause) => {
    throw portError(cause, { port, setting: 'service.metrics_port in the file' });
  });
  return { server, url: `${url}/metrics` };
}

function announce(
  { stdout }: CommandIo,
  facts: Announcement & { apiKey: string | undefined; consoleUrl: string },
  { json }: { json: boolean },
): void {
  if (json) {
    stdout.write(`${JSON.stringify({ event: 'listening', ...facts })}\n`);
    return;
  }
  const { baseUrl, certificatePath, metricsUrl, apiKey, consoleUrl } = facts;
  stdout.write(`Compute API at ${baseUrl}\n`);
  if (certificatePath !== undefined) stdout.write(`Certificate: ${certificatePath}\n`);
  if (metricsUrl !== undefined) stdout.write(`Metrics at ${metricsUrl}\n`);
  if (apiKey !== undefined) stdout.write(`Development API key: ${apiKey}\n`);
  stdout.write(`Console: ${consoleUrl}\n`);
}

/** The address of the console; with a development key, a link that signs in to its account. */
async function consoleUrl(
  accounts: Accounts,
  { apiKey, baseUrl, svc }: { apiKey: string | undefined; baseUrl: string; svc: string },
): Promise<string> {
  const caller = apiKey === undefined ? undefined : await accounts.findCaller(apiKey);
  if (caller === undefined) return `${baseUrl}${consolePath({ svc })}`;
  const { secret } = await accounts.makeLoginLink({ accountId: caller.accountId, now: Date.now() });
  return consoleLink(baseUrl, { svc, secret });
}

/** Creates the development key, unless a shared database is configured, whose keys the operator manages. */
async function makeStartKey(
  accounts: Accounts,
  { startKey, databaseUrl, stateDir }: Config,
): Promise<string | undefined> {
  if (startKey === 'off' || databaseUrl !== undefined) return undefined;
  const now = Date.now();
  await ensureDemoAccount(accounts, { now });
  // The same key as `cloister serve` uses on this folder, since both may run at the same time.
  return await openStartKey(accounts, { path: statePaths({ stateDir }).developmentKey, now });
}

function openLog({ logLevel }: Config, { stderr }: CommandIo): { logger: Logger; flush: () => Promise<void> } {
  const output = new LogOutput(2);
  return {
    logger: buildLogger({
      level: logLevel,
      destination: stderr.isTTY === true ? terminalLines(output, stderr) : output,
    }),
    flush: () => output.flush({ timeoutMs: logFlushTimeoutMs }),
  };
}

function engineNamed(engines: ReadonlyMap<string, Engine>, name: string): Engine {
  const engine = engines.get(name);
  if (engine === undefined) throw new TypeError(`no engine is named ${name}`);
  return engine;
}

/** Derives a separate key for each purpose. */
function derive(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(`cloister-compute ${purpose}`).digest();
}

function nameOf(host: string): string {
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  return isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host;
}

/** Handles one signal only: a second one ends the process at once, which is safe because all state is in the database. */
async function firstSignal(hungUp: AbortSignal): Promise<void> {
  const arrived = new AbortController();
  const { signal } = arrived;
  await Promise.race(
    ['SIGTERM', 'SIGINT'].map((name) => once(process, name, { signal })).concat(once(hungUp, 'abort', { signal })),
  );
  arrived.abort();
}
