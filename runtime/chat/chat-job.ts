/** Turns a request into a job: renders and tokenizes its prompt, and checks that it fits the model. */
import type {
  ChatInput,
  PreparationOptions,
  PreparedChat,
  PromptInput,
  TextModel,
  Vocabulary,
} from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';
import type { Preparations } from '../pool/preparations.ts';
import type { Job } from './answer.ts';
import { AnswerReader } from './answer-reader.ts';
import { overflow } from './prompt-bound.ts';
import type { PromptRequest } from './request.ts';
import { saltOf } from './salt.ts';
import type { RequestEvent } from './worker-messages.ts';

export interface ChatJob extends Job {
  readonly id: number;
  readonly arrival: number;
  readonly deadline: number;
  readonly readers: readonly AnswerReader[];
  /** When its first answer received a sequence. */
  begun: number;
  started: boolean;
  unfinished: number;
}

export interface ChatTask {
  readonly id: number;
  readonly request: PromptRequest;
  /** Milliseconds. */
  readonly arrival: number;
  /** Aborting ends the preparation. */
  readonly signal: AbortSignal;
}

/** Cost of rendering a message, in characters of text. */
const messageCharacters = 256;
/** Cost of encoding an image, in the same unit. */
const imageCharacters = 32_768;
/** Chats with more work than this are slow; up to it, rendering and tokenizing take a few milliseconds. */
const quickWorkMax = 32_768;

/**
 * @throws {RuntimeError} ERR_TOOLS_UNSUPPORTED, ERR_INFILL_UNSUPPORTED, ERR_CONTEXT_OVERFLOW, ERR_TOKEN_UNKNOWN, ERR_INPUT_EMPTY
 * @throws {ModelError} the errors of `TextModel.prepareChat`
 */
export async function prepareJob(
  { id, request, arrival, signal }: ChatTask,
  { model, preparations }: { model: TextModel; preparations: Preparations },
): Promise<ChatJob> {
  const { info } = model;
  const { input, adapter = 0, sampling, stop, choices } = request;
  const isChat = 'messages' in input;
  if (isChat && input.tools.length > 0 && !info.supportsTools) {
    throw new RuntimeError('ERR_TOOLS_UNSUPPORTED', "the model's chat template does not support tools");
  }
  if ('suffix' in input && input.suffix !== undefined && !info.supportsInfill) {
    throw new RuntimeError('ERR_INFILL_UNSUPPORTED', 'the model has no tokens for filling gaps: leave out `suffix`');
  }
  const hasImages = isChat && (input.images ?? []).length > 0;
  // The server refuses such requests with the name of the member.
  if (hasImages && info.imageTokensMax === 0) throw new RuntimeError('ERR_CHAT_TEMPLATE', 'the model takes no images');
  const limit = Math.min(info.contextPerSequence, request.contextMax ?? Number.POSITIVE_INFINITY);
  const tokensMax = request.countsOverlongPrompt === true ? countedMax(info.contextPerSequence) : limit - 1;
  if ('tokens' in input) requireKnownTokens(input.tokens, info.vocabulary.size);
  const work = workOf(input);
  // The time to compile a grammar is not known in advance.
  const isSlow =
    work > quickWorkMax || hasImages || (isChat && (input.tools.length > 0 || input.jsonSchema !== undefined));
  const prepared = await preparations.run(
    { account: request.account, priority: request.priority, work, isSlow, signal },
    (ended) => prepare(model, input, { tokensMax, isSlow, countsImages: choices === 0, signal: ended }),
  );
  requireFits(prepared, limit);
  if (prepared.tokens.length === 0 && choices > 0) {
    throw new RuntimeError('ERR_INPUT_EMPTY', 'the prompt has no tokens: send at least one');
  }
  if (prepared.tokens.at(-1)! < 0) {
    throw new RuntimeError('ERR_CHAT_TEMPLATE', "the model's chat template ends with an image");
  }
  requireKnown(sampling.logitBias, info.vocabulary.size);
  const counted = prepared.tokens.length;
  const readers = Array.from(
    { length: choices },
    (_, choice) => new AnswerReader({ choice, prepared, stop, vocabulary: info.vocabulary }),
  );
  return {
    id,
    prompt: prepared.tokens,
    hasImages,
    account: request.account,
    adapter,
    salt: saltOf(request.account, adapter),
    priority: request.priority,
    choices,
    // The last token of an answer is never fed, so it needs no cell.
    maxTokens: Math.min(request.maxTokens ?? limit, limit - counted + 1),
    sampling,
    arrival,
    begun: arrival,
    deadline: arrival + request.timeoutMs,
    readers,
    started: false,
    unfinished: choices,
  };
}

/** All events of a request that only counts or shows the tokens of its prompt. */
export function countEvents(
  { id, prompt }: ChatJob,
  { shows }: Pick<PromptRequest, 'shows'>,
  vocabulary: Vocabulary,
): readonly RequestEvent[] {
  const started = { kind: 'started', promptTokens: prompt.length, cachedTokens: 0, queuedMs: 0 } as const;
  const event =
    shows === undefined
      ? started
      : { ...started, shown: shows === 'tokens' ? [...prompt] : textOf(prompt, vocabulary) };
  return [
    { id, event },
    { id, event: { kind: 'done' } },
  ];
}

/** The text of tokens, with that of control tokens. Bytes that are no UTF-8 become U+FFFD. */
function textOf(tokens: Int32Array, { bytes, offsets }: Vocabulary): string {
  let length = 0;
  for (const token of tokens) if (token >= 0) length += offsets[token + 1]! - offsets[token]!;
  const text = new Uint8Array(length);
  let end = 0;
  for (const token of tokens) {
    if (token < 0) continue;
    text.set(bytes.subarray(offsets[token], offsets[token + 1]), end);
    end += offsets[token + 1]! - offsets[token]!;
  }
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
  text.fill(0);
  return decoded;
}

async function prepare(model: TextModel, input: PromptInput, options: PreparationOptions): Promise<PreparedChat> {
  if ('messages' in input) return await model.prepareChat(input, options);
  try {
    return await model.preparePrompt(input, options);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_CHAT_TEMPLATE') throw error;
    throw new RuntimeError('ERR_CHAT_TEMPLATE', runTooLong, { cause: error });
  }
}

const runTooLong = 'the prompt has a run of characters that is too long to be tokenized: put spaces into it';

/** Prompts that exceed this are not counted to the end; the error reports a lower bound. */
function countedMax(context: number): number {
  return Math.max(4 * context, 65_536);
}

function workOf(input: PromptInput): number {
  if ('messages' in input) return workOfChat(input);
  return 'tokens' in input ? input.tokens.length : input.text.length;
}

function workOfChat({ messages, images = [] }: ChatInput): number {
  let work = images.length * imageCharacters;
  for (const { content, reasoning_content: reasoning = '', tool_calls: calls = [] } of messages) {
    work += messageCharacters + content.length + reasoning.length;
    for (const call of calls) work += messageCharacters + call.function.arguments.length;
  }
  return work;
}

/** Requires room for the prompt and one token of the answer. */
function requireFits({ tokens, tokensAtLeast }: PreparedChat, limit: number): void {
  if (tokensAtLeast !== undefined) throw overflow({ limit, counted: tokensAtLeast, isAll: false });
  if (tokens.length >= limit) throw overflow({ limit, counted: tokens.length, isAll: true });
}

function requireKnown(logitBias: PromptRequest['sampling']['logitBias'], size: number): void {
  const unknown = logitBias.find(({ token }) => token >= size);
  if (unknown === undefined) return;
  throw new RuntimeError(
    'ERR_TOKEN_UNKNOWN',
    `\`logit_bias\` names token ${unknown.token}; the tokens of this model are 0…${size - 1}`,
  );
}

function requireKnownTokens(tokens: readonly number[], size: number): void {
  if (!tokens.some((token) => token >= size)) return;
  throw new RuntimeError(
    'ERR_TOKEN_UNKNOWN',
    `the prompt has a token that this model does not know; its tokens are 0…${size - 1}`,
  );
}
