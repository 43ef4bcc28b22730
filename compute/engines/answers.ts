/** What an engine's answer, or the want of one, says to whoever asked. */
import { EngineError, refused } from './errors.ts';

/** The engine answered, and said no. Never leaves the drivers: its words may repeat what a tenant wrote. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Of HTTP; undefined where the engine is asked in another way. */
  readonly status: number | undefined;
  /** Private, so that nothing that writes errors down can see them. */
  readonly #words: string;

  constructor(message: string, words: string, { status }: { status?: number } = {}) {
    super(message);
    this.status = status;
    this.#words = words.toLowerCase();
  }

  /** Lower case. */
  get words(): string {
    return this.#words;
  }
}

/** @param explain what the engine's no means to tenants @throws {EngineError} and whatever else `work` throws */
export async function answered<Answer>(
  work: () => Promise<Answer>,
  explain: (refusal: Refusal) => EngineError,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? explain(error) : error;
  }
}

/** @param mayHaveChanged whether something that changes the engine may have reached it */
export function lostAnswer(mayHaveChanged: boolean, cause: unknown): EngineError {
  return mayHaveChanged
    ? new EngineError('ERR_OUTCOME_UNKNOWN', 'the engine was asked and did not answer', { cause })
    : new EngineError('ERR_ENGINE_UNREACHABLE', 'the engine cannot be reached', { cause });
}

/** Another call has begun to make this pod and may still be at it: whoever asks again later finds out. */
export function beingMade(cause?: unknown): EngineError {
  const message = 'the pod is being made by an earlier call';
  return new EngineError('ERR_OUTCOME_UNKNOWN', message, cause === undefined ? {} : { cause });
}

/**
 * Removes what a create left that failed.
 * @returns what its caller is told: the failure itself where it is the engine's word and nothing is left, else that the
 * outcome is unknown
 */
export async function afterFailure(
  failure: unknown,
  remove: (signal: AbortSignal) => Promise<void>,
  { timeoutMs }: { timeoutMs: number },
): Promise<Error> {
  try {
    // The caller's own signal may be what ended it.
    await remove(AbortSignal.timeout(timeoutMs));
  } catch (cause) {
    return lostAnswer(true, new AggregateError([failure, cause], 'a started pod could not be removed'));
  }
  if (failure instanceof Refusal) return failure;
  if (failure instanceof EngineError && failure.code !== 'ERR_OUTCOME_UNKNOWN') return failure;
  return refused('engine_refused', 'the engine did not finish starting the pod; it was removed again', failure);
}
