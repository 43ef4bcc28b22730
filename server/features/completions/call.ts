/** Reads the bodies of completions, `tokenize` and `detokenize`. Every value is checked; unknown fields are ignored. */
import type { PromptInput, TextPrompt, TokenPrompt } from '@cloister/models/interface/model';
import type { PromptRequest } from '@cloister/runtime/chat/request';
import { bodyReader, refuseField, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { FormedCall } from '../chat/answer-form.ts';
import { readChatCall, readStop, requireFewReports } from '../chat/call.ts';
import { type ForeignFields, foreignFieldsExcept, refuseForeign } from '../chat/foreign-fields.ts';
import { directRules } from '../chat/rules.ts';
import { samplingOf } from '../chat/sampling.ts';
import { type CompletionBody, completionBody, detokenizeBody, promptsMax, tokenizeBody } from './schema.ts';

/** A prompt that no chat template renders. */
export type PlainPrompt = TextPrompt | TokenPrompt;

/** The request of a caller. The server adds the caller's account and limits. */
export interface CompletionCall extends FormedCall {
  readonly model: string;
  readonly prompts: readonly PlainPrompt[];
  /** The texts that the answers repeat, undefined for prompts of token ids; undefined as a whole: none. */
  readonly echo: readonly (string | undefined)[] | undefined;
  /** Of each prompt. */
  readonly work: Pick<PromptRequest, 'choices' | 'maxTokens' | 'sampling' | 'stop'>;
}

/** A prompt whose tokens a caller asks for. */
export interface TokensCall<Input extends PromptInput> {
  readonly model: string;
  readonly input: Input;
}

const tokensMax = 2 ** 31 - 1;

/** Fields of the chat API, which need a chat template, and fields of other servers. */
const foreign: ForeignFields = {
  tools: { neutral: [[]], instead: 'a chat to /v1/chat/completions' },
  response_format: { instead: 'a chat to /v1/chat/completions' },
  ...foreignFieldsExcept(Object.keys(completionBody.properties)),
  prompt_embeds: { instead: '`prompt`' },
};

/**
 * @param raw parsed JSON
 * @param seed for a request without `seed`, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readCompletionCall(raw: unknown, seed: number): CompletionCall {
  refuseForeign(raw, foreign);
  const body = bodyReader.read(completionBody, raw);
  const { n: choices, best_of: best = choices, logprobs } = body;
  const prompts = readPrompts(body);
  if (best !== choices) refuseField('best_of', 'must be equal to `n`', best);
  if (prompts.length * choices > promptsMax) {
    refuseField('n', `must be at most ${Math.floor(promptsMax / prompts.length)} for this number of prompts`, choices);
  }
  requireFewReports({ choices, stream: body.stream, logprobs });
  return {
    model: body.model,
    stream: body.stream,
    includeUsage: body.stream_options?.include_usage ?? false,
    prompts,
    echo: readEcho(body, prompts),
    work: {
      choices,
      maxTokens: Math.min(body.max_tokens, tokensMax),
      sampling: { ...samplingOf(body, seed), logprobs },
      stop: readStop(body.stop),
    },
  };
}

type PromptFields = Pick<CompletionBody, 'prompt' | 'suffix'> & { readonly add_special_tokens: boolean };

function readPrompts({ prompt, suffix, add_special_tokens: addsSpecialTokens }: PromptFields): readonly PlainPrompt[] {
  const hasGap = suffix !== undefined && suffix !== '';
  const read = (one: string | number[]): PlainPrompt => {
    if (typeof one === 'string') return { text: one, addsSpecialTokens, ...(hasGap && { suffix }) };
    return hasGap ? refusePlace('suffix', 'must be left out for prompts of token ids') : { tokens: one };
  };
  if (typeof prompt === 'string' || typeof prompt[0] === 'number') return [read(prompt as string | number[])];
  return (prompt as (string | number[])[]).map(read);
}

function readEcho(
  { echo, logprobs }: { echo: boolean; logprobs?: number },
  prompts: readonly PlainPrompt[],
): CompletionCall['echo'] {
  if (!echo) return undefined;
  if (logprobs !== undefined) refusePlace('echo', 'must be false with `logprobs`: prompts have no log probabilities');
  return prompts.map((prompt) => ('text' in prompt ? prompt.text : undefined));
}

const tokenizeFields: ForeignFields = {
  return_token_strs: { neutral: false, instead: 'the tokens to `/v1/detokenize`' },
  with_pieces: { neutral: false, instead: 'the tokens to `/v1/detokenize`' },
};

/** @param raw parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID */
export function readTokenizeCall(raw: unknown): TokensCall<PromptInput> {
  const open = bodyReader.open(tokenizeBody, raw);
  refuseForeign(raw, tokenizeFields);
  if (open.has('prompt') === open.has('messages')) refusePlace('prompt', 'or `messages` is required, and not both');
  if (!open.get('add_generation_prompt')) refusePlace('add_generation_prompt', 'must be true');
  if (isPlainObject(raw) && raw.continue_final_message === true) {
    refusePlace('continue_final_message', 'must be false: the beginning of an answer is not continued');
  }
  if (open.has('messages')) {
    const { model, work } = readChatCall(
      raw,
      () => 0,
      () => ({ ...directRules, acceptsImages: false }),
    );
    return { model, input: work.input };
  }
  const { model, prompt: text = '', add_special_tokens: addsSpecialTokens } = bodyReader.read(tokenizeBody, raw);
  return { model, input: { text, addsSpecialTokens } };
}

/** @param raw parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID */
export function readDetokenizeCall(raw: unknown): TokensCall<TokenPrompt> {
  const { model, tokens } = bodyReader.read(detokenizeBody, raw);
  return { model, input: { tokens } };
}
