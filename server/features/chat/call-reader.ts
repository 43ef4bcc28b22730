/** Reads the body of `POST /v1/chat/completions`, on the serving thread or on the thread for large bodies. */
import { type BoundedModel, requireCountMayFit, requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { CallReader } from '../../bodies/call-reader.ts';
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import { type ChatCall, readChatCall } from './call.ts';
import { directRules, openAiRules } from './rules.ts';

export interface ChatTerms {
  /** For a request without `seed`. */
  readonly seed: number;
  /** Whether the request came below `/openai/v1`. Default false. */
  readonly isOpenAi?: boolean;
  /** Whether a body of another route is refused as such. Default false. */
  readonly isQuote?: boolean;
  /** Models by id whose prompt bound is checked while the body is read. */
  readonly models?: ReadonlyMap<string, BoundedModel>;
}

export const chatCallReader: CallReader<ChatCall, ChatTerms> = {
  name: 'chat',
  read(body, { seed, models, isOpenAi = false, isQuote = false }) {
    if (isQuote) refuseOthers(body);
    const call = readChatCall(
      body,
      () => seed,
      (id) => {
        // Checked before tens of thousands of messages are read one by one.
        const { messages } = body as { readonly messages?: unknown };
        const model = models?.get(id);
        if (model !== undefined && Array.isArray(messages)) requireCountMayFit(messages.length, model);
        return isOpenAi ? openAiRules : directRules;
      },
    );
    const model = models?.get(call.model);
    if (model !== undefined) requireMayFit(call.work.input.messages, model);
    return call;
  },
};

/** The main fields of bodies that are no chats. */
const fieldsOfOthers = ['prompt', 'input', 'query', 'documents'];

/** A quote counts the tokens of chats only. */
function refuseOthers(body: unknown): void {
  if (!isPlainObject(body) || (body.messages ?? null) !== null) return;
  const field = fieldsOfOthers.find((name) => (body[name] ?? null) !== null);
  if (field !== undefined)
    refusePlace(field, 'is not of a chat: a quote takes the body of `/v1/chat/completions` only');
}
