/**
 * Whether this server can serve, and which checks fail. A request only reads the results of the checks: slow checks run in the
 * background (`background-check.ts`). Each change is logged and counted.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../http/request-log.ts';
import { type CheckName, checkNames } from './check-names.ts';
import { type Incident, Incidents } from './incidents.ts';

export type { CheckName } from './check-names.ts';

export interface Check {
  readonly name: CheckName;
  /** Fast and synchronous. @returns the reason of the failure, without secrets or callers' texts; undefined if the check passes */
  readonly failure: () => string | undefined;
}

/** Reasons by failing check, in the order of `checkNames`; empty if the server is ready. */
export type Failures = ReadonlyMap<CheckName, string>;

export interface ReadinessOptions {
  readonly checks: readonly Check[];
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly registry: Registry;
  /** Milliseconds since 1970, for the times of incidents. */
  readonly now?: () => number;
}

/** Logs a change even if no probe asks. */
const refreshMs = 1_000;

export class Readiness {
  readonly #checks: readonly Check[];
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #changes: Counter;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  readonly #incidents = new Incidents();
  /** The failing checks that were logged last. Undefined while the server starts, which is not logged. */
  #logged: string | undefined;
  /** Undefined before the first evaluation. */
  #wasReady: boolean | undefined;

  constructor({ checks, logger, registry, now = Date.now }: ReadinessOptions) {
    this.#now = now;
    this.#checks = checks.toSorted((a, b) => checkNames.indexOf(a.name) - checkNames.indexOf(b.name));
    this.#logger = logger;
    this.#changes = new Counter({
      name: 'cloister_ready_changes_total',
      help: 'Number of times that the server became ready or stopped being ready.',
      registers: [registry],
    });
    this.#registerGauges(registry);
    this.#timer = setInterval(() => this.failures(), refreshMs).unref();
  }

  /** The failing checks. */
  failures(): Failures {
    const failures = new Map<CheckName, string>();
    for (const { name, failure } of this.#checks) {
      const reason = failure();
      if (reason !== undefined) failures.set(name, reason);
    }
    this.#note(failures);
    return failures;
  }

  /** The result of the last evaluation, which is at most a second old: `failures` reads files, and is too slow for each request. */
  get isReady(): boolean {
    return this.#wasReady ?? this.failures().size === 0;
  }

  /** The last failures of checks since the server first became ready, the newest first. */
  get incidents(): readonly Incident[] {
    return this.#incidents.list;
  }

  /** Stops the periodic evaluation. */
  close(): void {
    clearInterval(this.#timer);
  }

  #note(failures: Failures): void {
    const isReady = failures.size === 0;
    if (isReady !== (this.#wasReady ?? false)) this.#changes.inc();
    // Only the names of failing checks are compared, since reasons contain changing numbers.
    const names = [...failures.keys()].join();
    const isStarting = this.#logged === undefined && (failures.has('models') || failures.has('start'));
    // A start is no incident; what fails after it is.
    if (this.#logged !== undefined) this.#incidents.note(new Set(failures.keys()), this.#now());
    if (names !== this.#logged && !isStarting) {
      this.#logged = names;
      const isStopping = failures.has('draining');
      if (isReady) this.#logger.info('ready');
      else this.#logger[isStopping ? 'info' : 'warn']({ checks: Object.fromEntries(failures) }, 'not ready');
    }
    this.#wasReady = isReady;
  }

  #registerGauges(registry: Registry): void {
    const readiness = this;
    new Gauge({
      name: 'cloister_ready',
      help: 'Whether /health/ready answers 200.',
      registers: [registry],
      collect() {
        this.set(readiness.failures().size === 0 ? 1 : 0);
      },
    });
    new Gauge({
      name: 'cloister_ready_check',
      help: 'Whether each check of /health/ready passes.',
      labelNames: ['check'],
      registers: [registry],
      collect() {
        const failures = readiness.failures();
        for (const { name } of readiness.#checks) this.set({ check: name }, failures.has(name) ? 0 : 1);
      },
    });
  }
}
