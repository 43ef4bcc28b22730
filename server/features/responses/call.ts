/** Reads the body of `POST /v1/responses` as a chat. Every value is checked; unknown fields are ignored. */
import type { ChatMessage, ChatTool } from '@cloister/models/interface/model';
import { bodyReader, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { ChatCall } from '../chat/call.ts';
import { refuseMedia } from '../chat/media.ts';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { schemaText } from '../chat/schema-text.ts';
import { readItems } from './items.ts';
import { type ResponsesBody, type ResponseToolChoice, responsesBody } from './schema.ts';

/** A chat, and the members of its body that the answer repeats. */
export interface ResponseCall extends ChatCall {
  readonly echo: ResponseEcho;
}

/** Excludes texts of the prompt: OpenAI repeats `instructions` and schemas too, but its clients do not read them. */
export interface ResponseEcho extends Pick<ResponsesBody, 'temperature' | 'top_p' | 'parallel_tool_calls'> {
  readonly max_output_tokens: number | null;
  readonly tool_choice: 'auto' | 'none' | 'required';
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
  const tools = (body.tools ?? []).map(
    ({ name, description, parameters }): ChatTool => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), ...(parameters && { parameters }) },
    }),
  );
  requireTools(tools, (index) => `tools[${index}].parameters`);
  const called = chooseTools(tools, callingOf(body.tool_choice));
  const { model, stream, temperature, top_p: topP, parallel_tool_calls: parallelToolCalls } = body;
  return {
    model,
    stream,
    includeUsage: true,
    refusesCalls: body.tool_choice === 'none',
    files: [],
    work: {
      input: {
        messages: messagesOf(body),
        ...called,
        parallelToolCalls,
        jsonSchema: readFormat(body),
        reasoning: body.reasoning?.effort !== 'none',
      },
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
        logprobs: undefined,
      },
      stop: [],
    },
    echo: {
      temperature,
      top_p: topP,
      parallel_tool_calls: parallelToolCalls,
      max_output_tokens: body.max_output_tokens ?? null,
      tool_choice: called.toolChoice,
    },
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
  const typed = raw.input.map((item: unknown) =>
    isPlainObject(item) && item.type === undefined && item.role !== undefined ? { type: 'message', ...item } : item,
  );
  return { ...raw, input: typed };
}

function messagesOf({ instructions = '', input }: ResponsesBody): readonly ChatMessage[] {
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : readItems(input);
  return instructions === '' ? messages : [{ role: 'system', content: instructions }, ...messages];
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

function readFormat({ text }: ResponsesBody): string | undefined {
  const format = text?.format;
  if (format === undefined || format.type === 'text') return undefined;
  return format.type === 'json_schema' ? schemaText(format.schema, 'text.format.schema') : '{}';
}
