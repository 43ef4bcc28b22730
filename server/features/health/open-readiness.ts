/** Builds the checks of a running server. */
import { outageCause } from '@cloister/accounts/database/store-faults';
import type { Accounts } from '@cloister/accounts/store';
import { AttestationError } from '@cloister/attestation/base/errors';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Enclave } from '../../enclave/enclave.ts';
import type { Logger } from '../../http/request-log.ts';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';
import { registerMoment } from '../../metrics/expiry-metrics.ts';
import type { Config } from '../../program/config.ts';
import type { ModelDirectory } from '../../serving/served-model.ts';
import { BackgroundCheck, type BackgroundCheckOptions } from './background-check.ts';
import { registerChannelQuotes } from './channel-quotes.ts';
import { memoryCheck, memoryLimit } from './memory.ts';
import { modelChecks } from './model-checks.ts';
import { registerModels } from './model-metrics.ts';
import { type Check, type CheckName, Readiness } from './readiness.ts';

export interface ReadinessParts {
  readonly config: Pick<Config, 'readyStepS' | 'readyGraceS' | 'memoryLimitMb'>;
  readonly models: ModelDirectory;
  readonly accounts: Pick<Accounts, 'probe' | 'ledgerLoad'>;
  /** Undefined until the start has been measured, and without a platform. */
  readonly enclave: () => Pick<Enclave, 'evidenceValidUntil' | 'evidenceAgeMs' | 'channelQuotes'> | undefined;
  /** Whether the measurement of the start is still pending. */
  readonly isStarting?: () => boolean;
  /** Whether this node of a fleet is about to stop. It still serves, but balancers must send new connections elsewhere. */
  readonly isDraining?: () => boolean;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Short, so that a balancer sends requests elsewhere within ten seconds after a node has lost the database silently. */
const accountsCheckMs = { everyMs: () => 2_000, retryMs: 1_000, timeoutMs: 3_000 };
const evidenceCheckMs = { retryMs: 10_000, timeoutMs: 60_000 };
/** While the start is measured, there is no evidence yet: it is checked as soon as there is. */
const evidenceEveryMs = { starting: 1_000, started: 60_000 };

/** @returns the readiness of this server, and a function that ends its background checks */
export function openReadiness(parts: ReadinessParts): { readiness: Readiness; close: () => void } {
  const { config, models, accounts, enclave, isStarting, isDraining, logger, registry } = parts;
  const graceMs = config.readyGraceS * 1000;
  const logged = (check: CheckName) => loggedCheck(check, { logger, registry });
  const seen: Seen = {};
  const accountsCheck = new BackgroundCheck({
    ...accountsCheckMs,
    graceMs,
    ...logged('accounts'),
    run: async () => {
      const startedAt = performance.now();
      await accounts.probe();
      Object.assign(seen, { probeMs: performance.now() - startedAt, probedAtMs: Date.now() });
    },
    causeOf: outageCause,
  });
  const evidenceCheck = new BackgroundCheck({
    ...evidenceCheckMs,
    everyMs: () => evidenceEveryMs[isStarting?.() === true ? 'starting' : 'started'],
    graceMs,
    ...logged('evidence'),
    run: async () => {
      seen.evidenceUntilMs = await enclave()?.evidenceValidUntil();
      requireValid(seen.evidenceUntilMs);
    },
    causeOf: evidenceCause,
  });
  const inBackground = [accountsCheck, evidenceCheck];
  registerMetrics(parts, { accounts: accountsCheck, evidence: evidenceCheck });
  registerChannelQuotes(registry, enclave);
  registerLedger(registry, accounts);
  registerSeen(parts, seen);
  const checks: Check[] = [
    ...modelChecks(() => models.values(), { stepMsMax: config.readyStepS * 1000, isDraining }),
    { name: 'start', failure: () => (isStarting?.() === true ? 'the start is still being measured' : undefined) },
    { name: 'accounts', failure: () => outageOf('the account database is unavailable', accountsCheck.failure) },
    { name: 'evidence', failure: () => outageOf('the server has no valid evidence', evidenceCheck.failure) },
    memoryCheck({ limitBytes: memoryLimit(config.memoryLimitMb) }),
  ];
  const readiness = new Readiness({ checks, logger, registry });
  return {
    readiness,
    close() {
      readiness.close();
      for (const check of inBackground) check.close();
    },
  };
}

/** Results of the last successful background checks. */
interface Seen {
  probeMs?: number;
  /** Milliseconds since 1970. */
  probedAtMs?: number;
  evidenceUntilMs?: number | undefined;
}

function outageOf(what: string, cause: string | undefined): string | undefined {
  return cause === undefined ? undefined : `${what} (${cause})`;
}

const expired = 'EVIDENCE_EXPIRED';

/** @param untilMs undefined without evidence */
function requireValid(untilMs: number | undefined): void {
  if (untilMs !== undefined && untilMs <= Date.now()) throw Object.assign(new Error(expired), { code: expired });
}

function evidenceCause(error: unknown): string {
  if (error instanceof AttestationError) return error.code;
  return error instanceof Error && 'code' in error && error.code === expired ? expired : 'ERR_INTERNAL';
}

type Logged = Pick<BackgroundCheckOptions, 'onFailing' | 'onFailed' | 'onRecovered'>;

function loggedCheck(check: CheckName, { logger, registry }: { logger: Logger; registry: Registry }): Logged {
  const name = `cloister_${check}_outages_total`;
  const help = `Failures of the ${check} by cause.`;
  const outages = new Counter({ name, help, labelNames: ['cause'], registers: [registry] });
  return {
    onFailing(cause) {
      outages.inc({ cause });
      logger.warn({ check, cause }, 'check fails');
    },
    onFailed: (cause) => logger.error({ check, cause }, 'check fails for longer than the grace period'),
    onRecovered: (ms) => logger.info({ check, ms }, 'check passes again'),
  };
}

function registerMetrics(
  { models, registry }: Pick<ReadinessParts, 'models' | 'registry'>,
  checks: Readonly<Record<'accounts' | 'evidence', BackgroundCheck>>,
): void {
  for (const [name, check] of Object.entries(checks)) {
    new Gauge({
      name: `cloister_${name}_failing`,
      help: `Whether the last background check of the ${name} failed, also within the grace period.`,
      registers: [registry],
      collect() {
        this.set(check.isFailing ? 1 : 0);
      },
    });
  }
  const health = () => [...models.values()].map(({ id, engine }) => ({ id, stats: engine.health }));
  const { gauge, counter } = statsMetrics(registry, 'cloister_engine_', health);
  const stalled = 'Time without progress of the slowest running step or probe.';
  gauge('stalled_seconds', stalled, ({ stalledMs }) => stalledMs / 1000);
  counter('losses_total', 'Threads that were lost and replaced.', ({ losses }) => losses);
  registerModels(registry, models);
}

/** The ledger's work over all accounts. */
function registerLedger(registry: Registry, accounts: Pick<Accounts, 'ledgerLoad'>): void {
  const gauge = (name: string, help: string, of: (load: Accounts['ledgerLoad']) => number) =>
    registerMoment(registry, { name: `cloister_ledger_${name}`, help, of: () => of(accounts.ledgerLoad) });
  const counter = (name: string, help: string, of: (load: Accounts['ledgerLoad']) => number) =>
    new Counter({
      name: `cloister_ledger_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(of(accounts.ledgerLoad));
      },
    });
  gauge('work_waiting', 'Admissions and settlements that wait for a transaction.', ({ waiting }) => waiting);
  gauge('settlements_owed', 'Settlements that a failing database has not taken yet.', ({ owed }) => owed);
  counter('rounds_total', 'Transactions of the ledger, each for all work that waited.', ({ rounds }) => rounds);
  counter('work_total', 'Admissions and settlements in these transactions.', ({ work }) => work);
  counter('round_seconds_total', 'Time of these transactions.', ({ roundMs }) => roundMs / 1000);
}

function registerSeen({ enclave, registry }: Pick<ReadinessParts, 'enclave' | 'registry'>, seen: Seen): void {
  const moment = (name: string, help: string, ofMs: () => number | undefined) =>
    registerMoment(registry, {
      name: `cloister_${name}_seconds`,
      help,
      of() {
        const ms = ofMs();
        return ms === undefined ? undefined : ms / 1000;
      },
    });
  moment('accounts_probe', 'Duration of the last successful check of the account database.', () => seen.probeMs);
  const probed = 'Time of the last successful check of the account database, since 1970.';
  moment('accounts_probe_timestamp', probed, () => seen.probedAtMs);
  const age = 'Age of the quote in the evidence without a nonce; absent without a platform.';
  moment('evidence_age', age, () => enclave()?.evidenceAgeMs);
  const until = 'End of validity of the evidence: keys and collateral; absent without a platform.';
  moment('evidence_expiry_timestamp', until, () => seen.evidenceUntilMs);
}
