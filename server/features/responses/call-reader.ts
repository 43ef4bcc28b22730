/** Reads the body of `POST /v1/responses`, on the serving thread or on the thread for large bodies. */
import { requireCountMayFit, requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { CallReader } from '../../bodies/call-reader.ts';
import type { ChatTerms } from '../chat/call-reader.ts';
import { type ResponseCall, readResponseCall } from './call.ts';

export const responseCallReader: CallReader<ResponseCall, ChatTerms> = {
  name: 'responses',
  read(body, { seed, models }) {
    const { model: id, input } = (body ?? {}) as { readonly model?: unknown; readonly input?: unknown };
    const model = typeof id === 'string' ? models?.get(id) : undefined;
    // Checked before tens of thousands of items are read one by one.
    if (model !== undefined && Array.isArray(input)) requireCountMayFit(countMessages(input), model);
    const call = readResponseCall(body, seed);
    if (model !== undefined) requireMayFit(call.work.input.messages, model);
    return call;
  },
};

/** Reasoning and calls are parts of a message; every other item is one. */
function countMessages(items: readonly unknown[]): number {
  return items.filter((item) => {
    const { type } = (item ?? {}) as { readonly type?: unknown };
    return type !== 'reasoning' && type !== 'function_call';
  }).length;
}
