/** What the engines of every kind of model have in common, and what they answer while they are not ready. */
import { draining, RuntimeError } from './errors.ts';
import type { Loss } from './restarts.ts';
import type { EngineHealth } from './watchdog.ts';

/** What the engines of every kind of model have in common: they load, they are ready, they end. */
export interface Engine<Facts> {
  readonly state: EngineState<Facts>;
  readonly health: EngineHealth;
  /** Refuses new work, lets running work finish, then frees the model. Aborting the signal ends running work too. */
  drain(options: { signal: AbortSignal }): Promise<void>;
}

export type EngineState<Facts> =
  /** `loss`: why it is loaded again. */
  | { readonly kind: 'loading'; readonly fraction: number; readonly loss?: Loss }
  | { readonly kind: 'ready'; readonly model: Facts }
  | { readonly kind: 'draining' }
  | { readonly kind: 'failed'; readonly message: string };

/** A model that loads, or is loaded again, may be there by then. */
const retryAfterSeconds = 30;

/** @returns what is known of the loaded model · @throws {RuntimeError} ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST */
export function requireReady<Facts>(state: EngineState<Facts>): Facts {
  const details = { retryAfterSeconds: retryAfterSeconds };
  switch (state.kind) {
    case 'ready':
      return state.model;
    case 'loading':
      throw new RuntimeError('ERR_NOT_READY', 'the model is still loading', {
        details: { retryAfterSeconds: retryAfterSeconds + Math.ceil((state.loss?.restartMs ?? 0) / 1000) },
      });
    case 'draining':
      throw draining();
    case 'failed':
      throw new RuntimeError('ERR_ENGINE_LOST', 'the model is not available', { details });
  }
}
