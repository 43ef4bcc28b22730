/** The composition root of the runtime: config → models → engines → accounts → app → listen → drain. */
import { openAccounts } from '@cloister/accounts/store';
import { prefillAgents } from '../features/agents/prefixes.ts';
import { openConfidentialSurface } from '../features/agents/surface.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { SharedSecrets } from '../fleet/shared-secrets.ts';
import { accountDatabase } from '../program/account-database.ts';
import { announcer } from '../program/announcements.ts';
import { type CommandIo, exitCodes } from '../program/command.ts';
import type { Config } from '../program/config.ts';
import { drain } from '../program/drain.ts';
import { firstSignal } from '../program/first-signal.ts';
import { followHangups } from '../program/hangups.ts';
import { readNodeName } from '../program/node-name.ts';
import { lockStateFolder, statePaths } from '../program/state-folder.ts';
import { ServedModels } from '../serving/served-model.ts';
import type { TlsIdentity } from '../tls/tls.ts';
import { Attestation } from './attestation.ts';
import { openFleet, reloadFleetPolicy } from './fleet.ts';
import { type Joined, joinFleet, openSharedName, readSharedSecrets, withDatabase } from './fleet-secrets.ts';
import { followChain, type Listening, listen, showCertificate } from './listen.ts';
import { describeForPeople } from './loaded-models.ts';
import { ModelLifecycle } from './model-lifecycle.ts';
import { planModel, planModels } from './model-plan.ts';
import { openLog } from './open-log.ts';
import { pinFiles } from './pin-files.ts';
import { Reloader } from './reload.ts';
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
  // A model that is loaded again is measured again before it serves; at the start, all are measured together.
  let lifecycle: ModelLifecycle | undefined;
  const { starter, started, loaded } = await startModels(plans, {
    config,
    beforeServing: async (model) => lifecycle?.proveAgain(model),
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
  const models = new ServedModels(started.map(({ model }) => model));
  const engines = () => lifecycle?.engines ?? started.map(({ model }) => model.engine);
  const confidential = openConfidentialSurface({ isProvable: attestation.platformKind !== undefined });
  const hungUp = Promise.withResolvers<void>();
  const drainAsked = Promise.withResolvers<void>();
  const stopped = Promise.race([firstSignal(), stuck.promise, hungUp.promise, drainAsked.promise]);
  const over = new AbortController();
  let fleet: Fleet | undefined;
  let secrets: SharedSecrets | undefined;
  try {
    const basics = { attestation, models, confidential, logger: log.logger, say };
    const contents = async () => {
      await loaded;
      await prefill(basics, stopped);
      return { plans, models: [...models.values()], agents: confidential.measured };
    };
    let useCertificate: (tls: TlsIdentity) => void = () => undefined;
    lifecycle = new ModelLifecycle({
      ...{ starter, started, models, logger: log.logger },
      plan: (name) => planModel(config, name),
      prove: (loadedModel) =>
        attestation.proveModel(loadedModel, {
          onTls: (tls) => useCertificate(tls),
          onUnprovable(error) {
            log.logger.error(
              { reason: (error as Error).message },
              'the start log cannot be extended: the server stops',
            );
            drainAsked.resolve();
          },
        }),
      warmUp: (model) => prefill({ ...basics, models: new ServedModels([model]) }, stopped),
      idleTtlMs: config.modelIdleTtlS === 0 ? undefined : config.modelIdleTtlS * 1000,
      drainTimeoutMs: config.drainTimeoutS * 1000,
    });
    const joined = await joinUnless(stopped, { config, attestation, say, contents });
    if (joined === 'stopped') throw new Stopped();
    secrets = joined?.secrets ?? readSharedSecrets(config);
    const shared = { ...basics, lifecycle, config: withDatabase(config, secrets), secrets };
    accounts ??= await openDatabase(shared.config);
    fleet = openFleet({ ...shared, accounts });
    const sharedName = openSharedName(config, secrets);
    const parts = { ...shared, accounts, fleet, sharedName, drainNow: drainAsked.resolve };
    const { close, ...ports } = await listen(parts);
    const { app, operator } = ports;
    const onTls = (tls: TlsIdentity) => showCertificate(ports, tls, { config, attestation });
    useCertificate = onTls;
    followChain(ports, { config, attestation, logger: log.logger, say, signal: over.signal });
    const running = lifecycle;
    const reloader = new Reloader(
      {
        logger: log.logger,
        isMeasured: attestation.platformKind !== undefined,
        running: () => running.loaded,
        tls: attestation.tls,
        readConfig: rereadConfig,
        planModels: (next) => planModels(next, io),
        planModel,
        useCertificate: onTls,
        reloadAdmin: () => operator.reload(),
        reloadFleetPolicy: () => reloadFleetPolicy(fleet, config),
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
    if (isReady) say.ready({ ms: performance.now(), models: [...models.values()].map(describeForPeople) });
    if (isReady) lifecycle.open();
    if (isReady) app.largeBodies.start();
    await stopped;
    await fleet?.drain();
    say.draining({ timeoutS: config.drainTimeoutS });
    lifecycle.close();
    await drain(app, { engines: engines(), timeoutMs: config.drainTimeoutS * 1000 });
    await close();
  } catch (error) {
    // No thread may be inside the model when the process exits.
    await Promise.all(engines().map((engine) => engine.drain({ signal: AbortSignal.abort() })));
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
  }: Pick<Listening, 'attestation' | 'models' | 'confidential' | 'logger' | 'say'>,
  stopped: Promise<void>,
) {
  if (attestation.platformKind === undefined) return;
  const done = prefillAgents(models, { agents: confidential.agents.values(), logger });
  const prefilled = await Promise.race([done, stopped.then(() => [])]);
  for (const facts of prefilled) if (facts.prompts > 0) say.prefilled(facts);
}

async function planAll(config: Config, { platformKind }: Attestation, { cwd }: CommandIo) {
  const plans = await planModels(config, { cwd });
  if (platformKind === undefined) return plans;
  return await pinFiles(plans, { config, signal: new AbortController().signal });
}
