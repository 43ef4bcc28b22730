/** SIGHUP: a service reads its configuration again, and one log line says what changed. */
import { isatty } from 'node:tty';
import type { Logger } from '../http/request-log.ts';

/** The lists of one log line. */
export interface ReloadOutcome {
  readonly reloaded: string[];
  /** Changed, but used only after a restart. */
  readonly needsRestart: string[];
  /** Could not be read; the service keeps what it has. */
  readonly failed: string[];
}

export interface HangupOptions {
  readonly reload: () => Promise<void>;
  /** The terminal of the process is gone: the service stops as on SIGTERM. */
  readonly stop: () => void;
  readonly signal: AbortSignal;
  readonly isTerminal?: () => boolean;
}

/** Reloads on each SIGHUP until `signal` aborts. A terminal sends the same signal when it closes. */
export function followHangups({ reload, stop, signal, isTerminal = () => isatty(0) }: HangupOptions): void {
  const hadTerminal = isTerminal();
  const onHangup = () => {
    if (hadTerminal && !isTerminal()) stop();
    else void reload();
  };
  process.on('SIGHUP', onHangup);
  signal.addEventListener('abort', () => process.off('SIGHUP', onHangup), { once: true });
}

/** Writes one line, which the operator has asked for: also above the level `info`, unless the level is measured or `silent`. */
export function reportReload(
  logger: Logger,
  outcome: ReloadOutcome,
  { keepsLevel = false }: { keepsLevel?: boolean } = {},
): void {
  const { level } = logger;
  if (!keepsLevel && level !== 'silent') logger.level = 'info';
  if (outcome.failed.length === 0) logger.info(outcome, 'configuration reloaded');
  else logger.error(outcome, 'configuration reloaded in part');
  logger.level = level;
}
