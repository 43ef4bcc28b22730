/** Maps refusals and missing answers of engines to engine errors. */
import { EngineError, refused } from './errors.ts';

/** The engine refused a request. Must not leave the drivers: the engine's text may contain a tenant's input. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** HTTP status; undefined for engines without HTTP. */
  readonly status: number | undefined;
  /** A private field, so that loggers cannot serialize the text. */
  readonly #words: string;

  constructor(message: string, words: string, { status }: { status?: number } = {}) {
    super(message);
    this.status = status;
    this.#words = words.toLowerCase();
  }

  /** The engine's message in lower case. */
  get words(): string {
    return this.#words;
  }
}

/** Converts refusals to engine errors. @param explain maps a refusal · @throws {EngineError}, and other errors of `work` */
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

/** @param mayHaveChanged whether a request that changes state may have reached the engine */
export function lostAnswer(mayHaveChanged: boolean, cause: unknown): EngineError {
  return mayHaveChanged
    ? new EngineError('ERR_OUTCOME_UNKNOWN', 'the engine did not answer a request that may have taken effect', {
        cause,
      })
    : new EngineError('ERR_ENGINE_UNREACHABLE', 'the engine cannot be reached', { cause });
}

/** An earlier call may still be creating this pod; a later lookup shows the outcome. */
export function creationInProgress(cause?: unknown): EngineError {
  const message = 'an earlier call is still creating the pod';
  return new EngineError('ERR_OUTCOME_UNKNOWN', message, cause === undefined ? {} : { cause });
}

/**
 * Removes the remains of a failed create.
 * @returns the error for the caller: the failure itself if the removal succeeded, otherwise ERR_OUTCOME_UNKNOWN
 */
export async function afterFailure(
  failure: unknown,
  remove: (signal: AbortSignal) => Promise<void>,
  { timeoutMs }: { timeoutMs: number },
): Promise<Error> {
  try {
    // A new signal, since the caller's may be the one that aborted the create.
    await remove(AbortSignal.timeout(timeoutMs));
  } catch (cause) {
    return lostAnswer(true, new AggregateError([failure, cause], 'a started pod could not be removed'));
  }
  if (failure instanceof Refusal) return failure;
  if (failure instanceof EngineError && failure.code !== 'ERR_OUTCOME_UNKNOWN') return failure;
  return refused('engine_refused', 'the engine did not finish starting the pod; the pod was removed', failure);
}
