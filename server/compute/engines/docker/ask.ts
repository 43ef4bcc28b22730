/** One question to a Docker Engine API: its time limit, and what its failure says about the state of the engine. */
import type { EngineErrorCode } from '../errors.ts';
import { EngineError } from '../errors.ts';
import { deadline } from '../waiting.ts';

/** The engine answered, and said no. Never leaves the driver: its words may repeat what a tenant wrote. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Private, so that nothing that writes errors down can see them. */
  readonly #words: string;

  constructor(status: number, words: string) {
    super(`the engine answered ${status}`);
    this.status = status;
    this.#words = words.toLowerCase();
  }

  /** Lower case. */
  get words(): string {
    return this.#words;
  }
}

export interface Question {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the engine may have done something even if no answer came. */
  readonly changes: boolean;
}

/** The request never reached an engine. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTSOCK',
]);

/**
 * @param call must hand the signal on
 * @throws {Refusal} where the engine said no · {EngineError} ERR_ENGINE_UNREACHABLE, or ERR_OUTCOME_UNKNOWN where
 * something may have changed
 */
export async function ask<Answer>(
  { signal, timeoutMs, changes }: Question,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (signal.aborted)
    throw new EngineError('ERR_ENGINE_UNREACHABLE', 'the engine was not asked', { cause: signal.reason });
  const limited = deadline(signal, timeoutMs);
  try {
    return await untilAborted(call(limited), limited);
  } catch (cause) {
    const { statusCode, code, level, json } = cause as {
      statusCode?: number;
      code?: string;
      level?: string;
      json?: { message?: string } | null;
    };
    if (statusCode !== undefined) throw new Refusal(statusCode, json?.message ?? (cause as Error).message);
    // `level` is how the SSH client says that it did not get as far as a session.
    const sent = !neverSent.has(code ?? '') && level === undefined;
    throw lostAnswer(sent && changes, cause);
  }
}

export function lostAnswer(mayHaveChanged: boolean, cause: unknown): EngineError {
  const code: EngineErrorCode = mayHaveChanged ? 'ERR_OUTCOME_UNKNOWN' : 'ERR_ENGINE_UNREACHABLE';
  const message = mayHaveChanged ? 'the engine was asked and did not answer' : 'the engine cannot be reached';
  return new EngineError(code, message, { cause });
}

/** Some calls of the client end their stream on abort without settling their promise. */
function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
