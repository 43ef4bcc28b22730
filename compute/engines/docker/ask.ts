/** Runs one request to a Docker Engine API under its time limit, and classifies its failure. */
import { lostAnswer, Refusal } from '../answers.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { deadline } from '../waiting.ts';

/** Error codes of requests that did not reach an engine. */
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
 * @param call must pass the signal on
 * @throws {Refusal} if the engine refused · {EngineError} ERR_ENGINE_UNREACHABLE, or ERR_OUTCOME_UNKNOWN if the request may have
 * taken effect
 */
export async function ask<Answer>(
  { signal, timeoutMs, changes }: EngineCall,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (signal.aborted)
    throw new EngineError('ERR_ENGINE_UNREACHABLE', 'the request was not sent to the engine', { cause: signal.reason });
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
    // Errors of the SSH client before a session exists have a `level`.
    const sent = !neverSent.has(code ?? '') && level === undefined;
    throw lostAnswer(sent && changes, cause);
  }
}

/** Rejects on abort: some calls of the client end their stream then without settling their promise. */
function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
