/** Reads the bodies of `POST /v1/responses` and `/v1/responses/input_tokens` as chats. Every value is checked; unknown fields that change no answer are ignored. */
import type { ChatInput } from '@cloister/models/interface/model';
import { bodyReader, refuseField, refusePlace } from '../../http/body-reader.ts';
import { type ChatCall, readStop } from '../chat/call.ts';
import { withoutPlaces } from '../chat/image-parts.ts';
import { samplingOf } from '../chat/sampling.ts';
import { schemaText } from '../chat/schema-text.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import { effortOfName } from '../chat/thinking-switches.ts';
import type { Conversation } from './conversation.ts';
import { echoOf, type ResponseEcho } from './echo.ts';
import { readItems } from './items.ts';
import { withTypes } from './refusals.ts';
import {
  encryptedReasoning,
  type InputTokensBody,
  inputTokensBody,
  logprobsIncluded,
  type ResponsesBody,
  responsesBody,
} from './schema.ts';
import { readTools } from './tools.ts';

/** A chat, and the members of its body that the answer repeats. */
export interface ResponseCall extends ChatCall, Continued {
  readonly echo: ResponseEcho;
  /** Whether the client gets the state of the conversation after the answer. */
  readonly keepsState: boolean;
  /** Whether the client gets the reasoning of the answer sealed, too. */
  readonly sealsReasoning: boolean;
  /** Names of the tools whose calls have a text as their input. */
  readonly customTools: readonly string[];
}

/** What a prompt needs in addition when it continues a conversation. */
interface Continued {
  /** The sealed state of the conversation so far; undefined: none. */
  readonly previous: string | undefined;
  readonly conversation: Conversation;
}

const tokensMax = 2 ** 31 - 1;

/**
 * @param raw parsed JSON
 * @param seed for a request without `seed`, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readResponseCall(raw: unknown, seed: number): ResponseCall {
  const body = bodyReader.read(responsesBody, withTypes(raw));
  if (body.background) refusePlace('background', 'must be false: nothing is stored, so there is nothing to fetch');
  const { model, stream, include = [], previous_response_id: previous } = body;
  const conversation = conversationOf(body);
  return {
    model,
    previous,
    conversation,
    // A continued conversation goes on being kept unless the request says otherwise.
    keepsState: body.store ?? previous !== undefined,
    sealsReasoning: include.includes(encryptedReasoning),
    customTools: (body.tools ?? []).filter(({ type }) => type === 'custom').map(({ name }) => name),
    stream,
    includeUsage: true,
    refusesCalls: body.tool_choice === 'none',
    files: [],
    work: {
      input: readInput(body, conversation),
      choices: 1,
      maxTokens: body.max_output_tokens === undefined ? undefined : Math.min(body.max_output_tokens, tokensMax),
      sampling: { ...samplingOf(body, seed), logprobs: readLogprobs(body) },
      stop: readStop(body.stop),
    },
    echo: echoOf(body),
  };
}

/** The model and the prompt of a body whose tokens are counted. @throws {ServerError} ERR_REQUEST_INVALID */
export function readInputTokensCall(raw: unknown): Continued & { readonly model: string; readonly input: ChatInput } {
  const body = bodyReader.read(inputTokensBody, withTypes(raw));
  const conversation = conversationOf(body);
  const input = readInput(body, conversation);
  return { model: body.model, input, previous: body.previous_response_id, conversation };
}

function conversationOf({ instructions = '', input }: InputTokensBody): Conversation {
  const items =
    typeof input === 'string' ? [{ type: 'message' as const, role: 'user' as const, content: input }] : input;
  return { instructions: withoutPlaces(instructions), ...readItems(items) };
}

function readInput(body: InputTokensBody, { instructions, messages }: Conversation): ChatInput {
  const effort = body.reasoning?.effort;
  return {
    messages: withSystemFirst(instructions, messages),
    ...readTools(body),
    parallelToolCalls: body.parallel_tool_calls,
    jsonSchema: readFormat(body),
    reasoning: effort !== 'none',
    effort: effort === undefined ? undefined : effortOfName(effort),
  };
}

function readFormat({ text }: InputTokensBody): string | undefined {
  const format = text?.format;
  if (format === undefined || format.type === 'text') return undefined;
  return format.type === 'json_schema' ? schemaText(format.schema, 'text.format.schema') : '{}';
}

function readLogprobs({ include = [], top_logprobs: top = 0 }: ResponsesBody): number | undefined {
  if (include.includes(logprobsIncluded)) return top;
  if (top > 0) refuseField('top_logprobs', `needs "${logprobsIncluded}" in \`include\``, top);
  return undefined;
}
