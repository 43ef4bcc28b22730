/**
 * Reloads what can change while the server runs, on SIGHUP: the level of log lines, certificates, the policy for other nodes of a
 * fleet, and the terms of models in the catalogue. Plans need no reload: the database has them. On a platform that attests, the start log has measured the
 * settings, and the keyset names the TLS key; there, only what keeps both true is reloaded.
 */
import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ModelError } from '@cloister/models/interface/errors';
import type { Logger } from '../http/request-log.ts';
import { type ReloadOutcome, reportReload } from '../program/hangups.ts';
import { type Config, flagName, type SettingName, settings } from '../program/settings.ts';
import { termsOf } from '../serving/model-terms.ts';
import type { ServedModel } from '../serving/served-model.ts';
import { identityFault, readChangedIdentity } from '../tls/changed-identity.ts';
import type { TlsIdentity } from '../tls/tls.ts';
import type { PlannedModel } from './model-plan.ts';

/** A model of the start, or one that was loaded later. */
export interface RunningModel {
  /** As it was loaded. */
  readonly plan: PlannedModel;
  readonly model: Pick<ServedModel, 'terms' | 'aliases'>;
}

export interface ReloadParts {
  readonly logger: Logger;
  /** Whether the start log has measured the settings. */
  readonly isMeasured: boolean;
  /** The models that are loaded now, also those that are still loading. */
  readonly running: () => readonly RunningModel[];
  /** The certificate in use. */
  readonly tls: TlsIdentity;
  /** Reads the configuration again. @throws {ServerError} if it is invalid */
  readonly readConfig: () => Config;
  /** The models of the configuration. */
  readonly planModels: (config: Config) => Promise<readonly PlannedModel[]>;
  /** One model of the catalogues. @throws {ModelError} ERR_MODEL_UNKNOWN and others */
  readonly planModel: (config: Config, id: string) => Promise<PlannedModel>;
  readonly useCertificate: (identity: TlsIdentity) => void;
  /** Reads the certificates of the admin API again. @returns whether it has any */
  readonly reloadAdmin: () => boolean;
  /** Reads the file of --fleet-policy again. @returns whether the policy for other nodes has changed @throws {ServerError} */
  readonly reloadFleetPolicy: () => boolean;
}

/** What the running server uses; a reload replaces it. */
export class Reloader {
  readonly #parts: ReloadParts;
  #config: Config;
  /** Ids of the start. */
  readonly #started: ReadonlySet<string>;
  /** The newest terms of each running model, by the plan that it was loaded with. */
  readonly #plans = new WeakMap<PlannedModel, PlannedModel>();
  #tls: TlsIdentity;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ReloadParts, { config, plans }: { config: Config; plans: readonly PlannedModel[] }) {
    this.#parts = parts;
    this.#config = config;
    this.#started = new Set(plans.map(({ id }) => id));
    this.#tls = parts.tls;
  }

  /** Reloads once, after reloads that still run, and writes one log line. Never rejects. */
  reload(): Promise<void> {
    this.#running = this.#running.then(() => this.#reload());
    return this.#running;
  }

  async #reload(): Promise<void> {
    const { readConfig } = this.#parts;
    const outcome: ReloadOutcome = { reloaded: [], needsRestart: [], failed: [] };
    try {
      const next = readConfig();
      this.#reloadSettings(next, outcome);
      this.#reloadCertificate(outcome);
      this.#reloadAdmin(outcome);
      this.#reloadFleetPolicy(outcome);
      await this.#reloadTerms(outcome);
    } catch (error) {
      outcome.failed.push((error as Error).message);
    }
    reportReload(this.#parts.logger, outcome, { keepsLevel: this.#parts.isMeasured });
  }

  #reloadSettings(next: Config, { reloaded, needsRestart }: ReloadOutcome): void {
    const { logger, isMeasured } = this.#parts;
    for (const name of Object.keys(settings) as SettingName[]) {
      if (isDeepStrictEqual(next[name], this.#config[name])) continue;
      if (name !== 'logLevel' || isMeasured) {
        needsRestart.push(`--${flagName(name)}`);
        continue;
      }
      logger.level = next.logLevel;
      this.#config = { ...this.#config, logLevel: next.logLevel };
      reloaded.push('--log-level');
    }
  }

  /** The files of --tls-cert and --tls-key, if they have changed. */
  #reloadCertificate({ reloaded, needsRestart, failed }: ReloadOutcome): void {
    const { tlsCert, tlsKey } = this.#config;
    if (tlsCert === undefined || tlsKey === undefined) return;
    try {
      const next = readChangedIdentity({ certificatePath: tlsCert, keyPath: tlsKey }, this.#tls);
      if (next === undefined) return;
      if (this.#parts.isMeasured && !hasSameKey(next, this.#tls)) {
        needsRestart.push('the key of --tls-cert, which the evidence names');
        return;
      }
      this.#parts.useCertificate(next);
      this.#tls = next;
      reloaded.push('--tls-cert');
    } catch (error) {
      failed.push(`--tls-cert: ${identityFault(error)}`);
    }
  }

  #reloadAdmin({ reloaded, failed }: ReloadOutcome): void {
    try {
      if (this.#parts.reloadAdmin()) reloaded.push('--admin-cert');
    } catch (error) {
      failed.push(`--admin-cert: ${identityFault(error)}`);
    }
  }

  /** Its digest is in the signed entry of the node, not in the start log. */
  #reloadFleetPolicy({ reloaded, failed }: ReloadOutcome): void {
    try {
      if (this.#parts.reloadFleetPolicy()) reloaded.push('--fleet-policy');
    } catch (error) {
      failed.push((error as Error).message);
    }
  }

  /** Names, plans, prices and limits of models whose other facts have not changed, also of models loaded since the start. */
  async #reloadTerms(outcome: ReloadOutcome): Promise<void> {
    const { running, planModels } = this.#parts;
    const configured = new Map((await planModels(this.#config)).map((plan) => [plan.id, plan]));
    const models = running();
    const known = new Set([...this.#started, ...models.map(({ plan }) => plan.id)]);
    for (const id of configured.keys()) if (!known.has(id)) outcome.needsRestart.push(`model ${id}`);
    for (const model of models) {
      const { id } = model.plan;
      this.#reloadModel(model, configured.get(id) ?? (await this.#planLater(id)), outcome);
    }
  }

  /** @param next undefined if neither the configuration nor a catalogue has the model any more */
  #reloadModel(
    { plan: loaded, model }: RunningModel,
    next: PlannedModel | undefined,
    { reloaded, needsRestart }: ReloadOutcome,
  ): void {
    const { id } = loaded;
    const plan = this.#plans.get(loaded) ?? loaded;
    if (next === undefined || !hasSameFacts(plan, next)) {
      needsRestart.push(`model ${id}`);
      return;
    }
    const newEntry = next.pinned?.entry;
    if (newEntry === undefined) return;
    this.#plans.set(loaded, next);
    if (!isDeepStrictEqual(plan.aliases, next.aliases)) {
      model.aliases = next.aliases;
      reloaded.push(`aliases of ${id}`);
    }
    if (isDeepStrictEqual(plan.pinned?.entry, newEntry)) return;
    // The length of the context is that of the engine.
    const { contextLength } = model.terms;
    model.terms = termsOf(newEntry, contextLength);
    reloaded.push(`terms of ${id}`);
  }

  /** A model that was loaded after the start. */
  async #planLater(id: string): Promise<PlannedModel | undefined> {
    if (this.#started.has(id)) return undefined;
    try {
      return await this.#parts.planModel(this.#config, id);
    } catch (error) {
      if (error instanceof ModelError && error.code === 'ERR_MODEL_UNKNOWN') return undefined;
      throw error;
    }
  }
}

/** Whether everything but the terms is the same: engines, receipts and the start log depend on it. */
function hasSameFacts(running: PlannedModel, next: PlannedModel): boolean {
  if (running.kind !== next.kind || running.path !== next.path) return false;
  if (running.draft !== undefined && next.draft !== undefined && !hasSameFacts(running.draft, next.draft)) return false;
  // A model named by its file has no entry, unless the start has made one to measure it.
  return next.pinned === undefined || isDeepStrictEqual(factsOf(running), factsOf(next));
}

function factsOf({ contextMax, pinned }: PlannedModel) {
  if (pinned === undefined) return { contextMax };
  const { name: _name, plans: _plans, pricing: _pricing, maxOutputTokens: _max, ...facts } = pinned.entry;
  return { contextMax, facts };
}

function hasSameKey(a: TlsIdentity, b: TlsIdentity): boolean {
  const [first, second] = [a, b].map(({ certificate }) => new X509Certificate(certificate).publicKey);
  return first!.equals(second!);
}
