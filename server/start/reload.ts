/**
 * Reloads what can change while the server runs, on SIGHUP: the level of log lines, certificates, and the terms of models in
 * the catalogue. Plans need no reload: the database has them. On a platform that attests, the start log has measured the
 * settings, and the keyset names the TLS key; there, only what keeps both true is reloaded.
 */
import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../http/request-log.ts';
import { type ReloadOutcome, reportReload } from '../program/hangups.ts';
import { type Config, flagName, type SettingName, settings } from '../program/settings.ts';
import { termsOf } from '../serving/model-terms.ts';
import type { ServedModel } from '../serving/served-model.ts';
import { identityFault, readChangedIdentity } from '../tls/changed-identity.ts';
import type { TlsIdentity } from '../tls/tls.ts';
import type { PlannedModel } from './model-plan.ts';

export interface ReloadParts {
  readonly logger: Logger;
  /** Whether the start log has measured the settings. */
  readonly isMeasured: boolean;
  readonly models: ReadonlyMap<string, ServedModel>;
  /** The certificate in use. */
  readonly tls: TlsIdentity;
  /** Reads the configuration again. @throws {ServerError} if it is invalid */
  readonly readConfig: () => Config;
  readonly planModels: (config: Config) => Promise<readonly PlannedModel[]>;
  readonly useCertificate: (identity: TlsIdentity) => void;
  /** Reads the certificates of the admin API again. @returns whether it has any */
  readonly reloadAdmin: () => boolean;
}

/** What the running server uses; a reload replaces it. */
export class Reloader {
  readonly #parts: ReloadParts;
  #config: Config;
  #plans: readonly PlannedModel[];
  #tls: TlsIdentity;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ReloadParts, { config, plans }: { config: Config; plans: readonly PlannedModel[] }) {
    this.#parts = parts;
    this.#config = config;
    this.#plans = plans;
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

  /** Names, plans, prices and limits of models whose other facts have not changed. */
  async #reloadTerms({ reloaded, needsRestart }: ReloadOutcome): Promise<void> {
    const { models, planModels } = this.#parts;
    const next = new Map((await planModels(this.#config)).map((plan) => [plan.id, plan]));
    const before = new Set(this.#plans.map(({ id }) => id));
    for (const id of next.keys()) if (!before.has(id)) needsRestart.push(`model ${id}`);
    this.#plans = this.#plans.map((plan) => {
      const changed = next.get(plan.id);
      const [entry, newEntry] = [plan.pinned?.entry, changed?.pinned?.entry];
      const model = models.get(plan.id);
      if (changed === undefined || !hasSameFacts(plan, changed)) {
        needsRestart.push(`model ${plan.id}`);
        return plan;
      }
      if (model === undefined || newEntry === undefined) return plan;
      if (!isDeepStrictEqual(plan.aliases, changed.aliases)) {
        model.aliases = changed.aliases;
        reloaded.push(`aliases of ${plan.id}`);
      }
      if (isDeepStrictEqual(entry, newEntry)) return changed;
      // The length of the context is that of the engine.
      const { contextLength } = model.terms;
      model.terms = termsOf(newEntry, contextLength);
      reloaded.push(`terms of ${plan.id}`);
      return changed;
    });
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
