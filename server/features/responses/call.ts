/** Reads the bodies of `POST /v1/responses` and `/v1/responses/input_tokens` as chats. Every value is checked; unknown fields are ignored. */
import type { ChatInput, ChatMessage, ChatTool } from '@cloister/models/interface/model';
import { bodyReader, refuseField, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { ChatCall } from '../chat/call.ts';
import { refuseMedia } from '../chat/media.ts';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { schemaText } from '../chat/schema-text.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import { readItems } from './items.ts';
import {
  type InputTokensBody,
  inputTokensBody,
  logprobsIncluded,
  type ResponsesBody,
  type ResponseToolChoice,
  responsesBody,
} from './schema.ts';

/** A chat, and the members of its body that the answer repeats. */
export interface ResponseCall extends ChatCall {
  readonly echo: ResponseEcho;
}

/** As OpenAI's API repeats them: everything of the request except its input. */
export interface ResponseEcho {
  readonly instructions: string | null;
  readonly max_output_tokens: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parallel_tool_calls: boolean;
  readonly reasoning: { readonly effort: string | null; readonly summary: null };
  readonly temperature: number;
  readonly text: { readonly format: object };
  readonly tool_choice: ResponseToolChoice;
  readonly tools: readonly object[];
  readonly top_logprobs: number;
  readonly top_p: number;
}

const tokensMax = 2 ** 31 - 1;

/** Fields that refer to state on OpenAI's servers, with what to send here instead. */
const stored: Readonly<Record<string, string>> = {
  previous_response_id: 'names a stored response, and nothing is stored here: send its items in `input`',
  conversation: 'names a stored conversation, and nothing is stored here: send its items in `input`',
  prompt: 'names a stored prompt, and nothing is stored here: send its text in `input`',
};

/**
 * @param raw parsed JSON
 * @param seed of the answer, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readResponseCall(raw: unknown, seed: number): ResponseCall {
  const body = bodyReader.read(responsesBody, withTypes(raw));
  if (body.background) refusePlace('background', 'must be false: nothing is stored, so there is nothing to fetch');
  const { model, stream, temperature, top_p: topP } = body;
  return {
    model,
    stream,
    includeUsage: true,
    refusesCalls: body.tool_choice === 'none',
    files: [],
    work: {
      input: readInput(body),
      choices: 1,
      maxTokens: body.max_output_tokens === undefined ? undefined : Math.min(body.max_output_tokens, tokensMax),
      sampling: {
        temperature,
        topP,
        topK: 0,
        minP: 0,
        presencePenalty: 0,
        frequencyPenalty: 0,
        logitBias: [],
        seed,
        logprobs: readLogprobs(body),
      },
      stop: [],
    },
    echo: echoOf(body),
  };
}

/** The model and the prompt of a body whose tokens are counted. @throws {ServerError} ERR_REQUEST_INVALID */
export function readInputTokensCall(raw: unknown): { readonly model: string; readonly input: ChatInput } {
  const body = bodyReader.read(inputTokensBody, withTypes(raw));
  return { model: body.model, input: readInput(body) };
}

function readInput(body: InputTokensBody): ChatInput {
  const tools = (body.tools ?? []).map(
    ({ name, description, parameters }): ChatTool => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), ...(parameters && { parameters }) },
    }),
  );
  requireTools(tools, (index) => `tools[${index}].parameters`);
  return {
    messages: messagesOf(body),
    ...chooseTools(tools, callingOf(body.tool_choice)),
    parallelToolCalls: body.parallel_tool_calls,
    jsonSchema: readFormat(body),
    reasoning: body.reasoning?.effort !== 'none',
  };
}

function readLogprobs({ include = [], top_logprobs: top = 0 }: ResponsesBody): number | undefined {
  if (include.includes(logprobsIncluded)) return top;
  if (top > 0) refuseField('top_logprobs', `needs "${logprobsIncluded}" in \`include\``, top);
  return undefined;
}

function echoOf(body: ResponsesBody): ResponseEcho {
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    temperature: body.temperature,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map((tool) => ({ description: null, parameters: null, ...tool })),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p,
  };
}

/** Refuses what the schema cannot, and gives messages the type that clients leave out. */
function withTypes(raw: unknown): unknown {
  if (!isPlainObject(raw)) return raw;
  for (const [name, reason] of Object.entries(stored)) {
    if ((raw[name] ?? null) !== null) refusePlace(name, reason);
  }
  refuseMedia(raw.input, 'input');
  if (!Array.isArray(raw.input)) return raw;
  for (const [index, item] of raw.input.entries()) {
    if (isPlainObject(item) && item.type === 'item_reference') {
      refusePlace(
        `input[${index}]`,
        'names a stored item, and nothing is stored here: send the item itself (`store: false`)',
      );
    }
  }
  const typed = raw.input.map((item: unknown) =>
    isPlainObject(item) && item.type === undefined && item.role !== undefined ? { type: 'message', ...item } : item,
  );
  return { ...raw, input: typed };
}

function messagesOf({ instructions = '', input }: InputTokensBody): readonly ChatMessage[] {
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : readItems(input);
  return withSystemFirst(instructions, messages);
}

function callingOf(choice: ResponseToolChoice = 'auto'): Calling {
  if (typeof choice === 'string') return { mode: choice };
  if (choice.type === 'function') {
    return { mode: 'required', only: onlyTool(choice.name, { path: 'tool_choice.name', value: choice.name }) };
  }
  const names = choice.tools.map(({ name }) => name);
  const expected = 'must name only `tools`';
  return { mode: choice.mode, only: { names, path: 'tool_choice.tools', expected, value: choice.tools } };
}

function readFormat({ text }: InputTokensBody): string | undefined {
  const format = text?.format;
  if (format === undefined || format.type === 'text') return undefined;
  return format.type === 'json_schema' ? schemaText(format.schema, 'text.format.schema') : '{}';
}
