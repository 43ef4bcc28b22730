/** The interface that engines of every kind of model share, and their errors while they are not ready. */
import { draining, RuntimeError } from './errors.ts';
import type { Loss } from './restarts.ts';
import type { EngineHealth } from './watchdog.ts';

/** The interface that engines of every kind of model share: they load, serve, and drain. */
export interface Engine<Facts> {
  readonly state: EngineState<Facts>;
  readonly health: EngineHealth;
  /** Refuses new work, lets running work finish, then frees the model. Aborting the signal ends running work too. */
  drain(options: { signal: AbortSignal }): Promise<void>;
}

export type EngineState<Facts> =
  /** `loss` is set when the model is loaded again after its thread was lost. */
  | { readonly kind: 'loading'; readonly fraction: number; readonly loss?: Loss }
  | { readonly kind: 'ready'; readonly model: Facts }
  | { readonly kind: 'draining' }
  | { readonly kind: 'failed'; readonly message: string };

/** A loading model is likely to be ready after this time. */
const retryAfterSeconds = 30;

/** @returns the facts of the loaded model · @throws {RuntimeError} ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST */
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
