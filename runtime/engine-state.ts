/** What engines of every kind answer while they are not ready. */
import { draining, RuntimeError } from './errors.ts';
import type { EngineState } from './request.ts';

/** A model that loads, or is loaded again, may be there by then. */
const RETRY_AFTER_SECONDS = 30;

/** @returns what is known of the loaded model · @throws {RuntimeError} ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST */
export function requireReady<Facts>(state: EngineState<Facts>): Facts {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  switch (state.kind) {
    case 'ready':
      return state.model;
    case 'loading':
      throw new RuntimeError('ERR_NOT_READY', 'the model is still loading', {
        details: { retryAfterSeconds: RETRY_AFTER_SECONDS + Math.ceil((state.loss?.restartMs ?? 0) / 1000) },
      });
    case 'draining':
      throw draining();
    case 'failed':
      throw new RuntimeError('ERR_ENGINE_LOST', 'the model is not available', { details });
  }
}
