/**
 * Reloads what can change while the service runs, on SIGHUP: the level of log lines, the certificate, the templates, and the
 * settings of the file that only answers use. Machines, ports and limits need a restart.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@cloister/server/http/request-log';
import type { Config } from '@cloister/server/program/config';
import { type ReloadOutcome, reportReload } from '@cloister/server/program/hangups';
import { identityFault, readChangedIdentity } from '@cloister/server/tls/changed-identity';
import type { TlsIdentity } from '@cloister/server/tls/tls';
import type { Templates } from '../inventory/templates.ts';
import type { ComputeOptions } from '../service/service.ts';
import { readServiceFile, type ServiceFile, type ServiceSettings } from './service-file.ts';

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

export interface ComputeReloadParts {
  readonly path: string;
  readonly logger: Logger;
  /** Reads the configuration again. @throws {ServerError} if it is invalid */
  readonly rereadConfig: () => Config;
  readonly templates: Templates;
  /** The options of answers; a reload changes them. */
  readonly options: Mutable<ComputeOptions>;
  readonly useCertificate: (identity: TlsIdentity) => void;
}

/** What the running service uses. */
export interface ComputeState {
  readonly config: Config;
  readonly file: ServiceFile;
  readonly tls: TlsIdentity;
}

/** Names of the settings in the file. */
const settingNames: Readonly<Record<keyof ServiceSettings, string>> = {
  host: 'host',
  port: 'port',
  metricsPort: 'metrics_port',
  svc: 'svc',
  baseUrl: 'base_url',
  webOrigins: 'web_origins',
  topUpUrl: 'top_up_url',
  serviceSshKey: 'service_ssh_key',
  trustedProxies: 'trusted_proxies',
  instance: 'instance',
  allowPrivateWebhooks: 'allow_private_webhooks',
  limits: 'limits',
  leaseMs: 'lease_s',
  prepareTimeoutMs: 'prepare_timeout_s',
  createTimeoutMs: 'create_timeout_s',
};
const reloadable = ['webOrigins', 'topUpUrl', 'serviceSshKey'] as const satisfies readonly (keyof ServiceSettings)[];
/** Settings of the command line that the service uses. */
const configNames = ['stateDir', 'databaseUrl', 'tlsCert', 'tlsKey', 'startKey'] as const;

export class ComputeReloader {
  readonly #parts: ComputeReloadParts;
  #state: ComputeState;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ComputeReloadParts, state: ComputeState) {
    this.#parts = parts;
    this.#state = state;
  }

  /** Reloads once, after reloads that still run, and writes one log line. Never rejects. */
  reload(): Promise<void> {
    this.#running = this.#running.then(() => this.#reload());
    return this.#running;
  }

  async #reload(): Promise<void> {
    const outcome: ReloadOutcome = { reloaded: [], needsRestart: [], failed: [] };
    try {
      // Everything is read and checked before anything changes.
      const config = this.#parts.rereadConfig();
      const file = readServiceFile(this.#parts.path);
      this.#reloadConfig(config, outcome);
      this.#reloadFile(file, outcome);
      if (await this.#parts.templates.reload()) outcome.reloaded.push('templates');
    } catch (error) {
      outcome.failed.push((error as Error).message);
    }
    this.#reloadCertificate(outcome);
    reportReload(this.#parts.logger, outcome);
  }

  #reloadConfig(next: Config, { reloaded, needsRestart }: ReloadOutcome): void {
    const { config } = this.#state;
    for (const name of configNames) {
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if (next[name] !== config[name]) needsRestart.push(`--${flag}`);
    }
    if (next.logLevel === config.logLevel) return;
    this.#parts.logger.level = next.logLevel;
    this.#state = { ...this.#state, config: { ...config, logLevel: next.logLevel } };
    reloaded.push('--log-level');
  }

  #reloadFile({ settings, inventory }: ServiceFile, { reloaded, needsRestart }: ReloadOutcome): void {
    const { file } = this.#state;
    for (const name of Object.keys(settingNames) as (keyof ServiceSettings)[]) {
      if (isDeepStrictEqual(settings[name], file.settings[name])) continue;
      const list = reloadable.some((one) => one === name) ? reloaded : needsRestart;
      list.push(`service.${settingNames[name]}`);
    }
    for (const part of ['engines', 'machines', 'tiers'] as const) {
      if (!isDeepStrictEqual(inventory[part], file.inventory[part])) needsRestart.push(part);
    }
    const { webOrigins, topUpUrl, serviceSshKey } = settings;
    Object.assign(this.#parts.options, { webOrigins, topUpUrl: topUpUrl ?? null, serviceSshKey });
    this.#state = {
      ...this.#state,
      file: { ...file, settings: { ...file.settings, webOrigins, topUpUrl, serviceSshKey } },
    };
  }

  /** The files of --tls-cert and --tls-key, if they have changed. */
  #reloadCertificate({ reloaded, failed }: ReloadOutcome): void {
    const { config, tls } = this.#state;
    if (config.tlsCert === undefined || config.tlsKey === undefined) return;
    try {
      const next = readChangedIdentity({ certificatePath: config.tlsCert, keyPath: config.tlsKey }, tls);
      if (next === undefined) return;
      this.#parts.useCertificate(next);
      this.#state = { ...this.#state, tls: next };
      reloaded.push('--tls-cert');
    } catch (error) {
      failed.push(`--tls-cert: ${identityFault(error)}`);
    }
  }
}
