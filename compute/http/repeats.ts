/** `Idempotency-Key`: a repeated request returns the first response and has no further effect (C-136). */
import { ComputeError } from '../base/errors.ts';
import { digestOf } from '../base/secrets.ts';
import { beginRequest, endRequest, type KeptAnswer, type RepeatableRequest } from '../store/idempotency.ts';
import type { ComputeStore } from '../store/store.ts';
import { computeErrorReply } from './error-replies.ts';
import type { Answer, Call, Operation } from './operation.ts';

const keyCharsMax = 255;

/** @param bodyText the exact body · @returns the response of the handler, or of the first request with the same key */
export async function answerOnce(
  operation: Operation,
  call: Call,
  { store, bodyText, now }: { store: ComputeStore; bodyText: string; now: () => number },
): Promise<Answer> {
  const { idempotencyKey: key, accountId, request } = call;
  if (key === undefined || operation.method === 'GET' || operation.access === 'open')
    return await operation.handle(call);
  if (key.length === 0 || key.length > keyCharsMax) {
    throw new ComputeError('INVALID_REQUEST', `\`Idempotency-Key\` must have 1 to ${keyCharsMax} characters`);
  }
  const hash = digestOf(`${request.method}\n${request.url}\n${bodyText}`);
  const repeatable: RepeatableRequest = { accountId, key, hash };
  const before = await beginRequest(store, repeatable);
  if (before !== undefined) return before;
  // A failure to store the response does not fail the request: repeats then get IDEMPOTENCY_RUNNING until the lease expires.
  const end = (answer: KeptAnswer | undefined) =>
    endRequest(store, repeatable, answer).catch((error) =>
      call.service.control.note('response cannot be stored for repeats', { operation: operation.id }, error),
    );
  let answer: Answer;
  try {
    answer = await operation.handle(call);
  } catch (error) {
    // Only errors that left a charge in place are stored; after any other error a repeat runs again.
    const isKept = error instanceof ComputeError && error.fields.charged === true;
    await end(isKept ? computeErrorReply(error, now()) : undefined);
    throw error;
  }
  await end({ status: answer.status, body: withoutSecrets(answer.body, operation) });
  return answer;
}

function withoutSecrets(body: unknown, { secrets = [], repeatedMessage }: Operation): unknown {
  const shown = secrets.filter((name) => Object.hasOwn(body as object, name));
  if (shown.length === 0) return body;
  const message = repeatedMessage === undefined ? {} : { message: repeatedMessage };
  return { ...(body as object), ...Object.fromEntries(shown.map((name) => [name, null])), ...message };
}
