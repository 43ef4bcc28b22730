/** One question to a Docker Engine API: its time limit, and what its failure says about the state of the engine. */
import { lostAnswer, Refusal } from '../answers.ts';
import { EngineError } from '../errors.ts';
import type { Question } from '../question.ts';
import { deadline } from '../waiting.ts';

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
    if (statusCode !== undefined) {
      const words = json?.message ?? (cause as Error).message;
      throw new Refusal(`the engine answered ${statusCode}`, words, { status: statusCode });
    }
    // `level` is how the SSH client says that it did not get as far as a session.
    const sent = !neverSent.has(code ?? '') && level === undefined;
    throw lostAnswer(sent && changes, cause);
  }
}

/** Some calls of the client end their stream on abort without settling their promise. */
function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
