/** What bodies are read into, route by route. Pure, and the same on every thread: what it is given and returns is plain data. */
import type { ImageTerms } from '../../models/catalogue.ts';
import { type BoundedModel, requireCountMayFit, requireMayFit } from '../../runtime/prompt-bound.ts';
import { type ChatCall, readChatCall } from '../schemas/chat.ts';
import { directRules } from '../schemas/chat-rules.ts';
import { type AgentRules, type ConfidentialCall, readConfidentialCall } from '../schemas/confidential.ts';
import { type EmbeddingCall, readEmbeddingCall } from '../schemas/embeddings.ts';
import { type ImageCall, readImageCall } from '../schemas/images.ts';
import { readServingConstraints, type ServingConstraints } from '../schemas/serving-constraints.ts';

/** By route. */
export interface Calls {
  readonly chat: ChatCall;
  readonly confidential: ConfidentialCall;
  readonly embeddings: EmbeddingCall;
  readonly images: ImageCall;
}

export type Route = keyof Calls;

/** All that is kept of a body. */
export interface ReadBody<Name extends Route> {
  readonly call: Calls[Name];
  /** Undefined where nobody keeps them. */
  readonly constraints: ServingConstraints | undefined;
}

/** What the limits of a body depend on. */
export interface CallTerms {
  /** For a request without `seed`. */
  readonly seed?: number;
  /** Chat models whose prompts are bounded here, by id. */
  readonly models?: ReadonlyMap<string, BoundedModel> | undefined;
  /** By slug. */
  readonly agents?: ReadonlyMap<string, AgentRules>;
  readonly image?: ImageTerms | undefined;
  readonly readsConstraints?: boolean;
}

type Readers = { readonly [Name in Route]: (body: unknown, terms: CallTerms) => Calls[Name] };

const readers: Readers = {
  chat(body, { seed = 0, models }) {
    const call = readChatCall(
      body,
      () => seed,
      (id) => {
        // Before tens of thousands of messages are read one by one.
        const { messages } = body as { readonly messages?: unknown };
        const model = models?.get(id);
        if (model !== undefined && Array.isArray(messages)) requireCountMayFit(messages.length, model);
        return directRules;
      },
    );
    const model = models?.get(call.model);
    if (model !== undefined) requireMayFit(call.work.input.messages, model);
    return call;
  },
  confidential: (body, { seed = 0, agents }) =>
    readConfidentialCall(body, { findAgent: (slug) => agents?.get(slug), randomSeed: () => seed }),
  embeddings: (body) => readEmbeddingCall(body),
  images: (body, { seed = 0, image }) => readImageCall(body, { randomSeed: () => seed, image }),
};

/**
 * @param body parsed JSON
 * @throws {ServerError} ERR_REQUEST_INVALID · {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function readBody<Name extends Route>(route: Name, body: unknown, terms: CallTerms): ReadBody<Name> {
  const constraints = terms.readsConstraints === true ? readServingConstraints(body) : undefined;
  return { call: readers[route](body, terms), constraints };
}
