/** Reads the bodies of `POST /v1/responses` and `/v1/responses/input_tokens` as chats. Every value is checked; unknown fields are ignored. */
import type { ChatInput, ChatMessage, ChatTool } from '@cloister/models/interface/model';
import { bodyReader, refuseField, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { ChatCall } from '../chat/call.ts';
import { type ImagePart, imagesMax, withoutPlaces } from '../chat/image-parts.ts';
import { refuseMedia } from '../chat/media.ts';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { schemaText } from '../chat/schema-text.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import { readImages, readItems } from './items.ts';
import {
  type InputTokensBody,
  inputTokensBody,
  logprobsIncluded,
  type ResponsesBody,
  type ResponseToolChoice,
  responsesBody,
} from './schema.ts';
import type { SealedConversation } from './state.ts';

/** A chat, and the members of its body that the answer repeats. */
export interface ResponseCall extends ChatCall, Continued {
  readonly echo: ResponseEcho;
  /** Whether the client gets the state of the conversation after the answer. */
  readonly keepsState: boolean;
}

/** What a prompt needs in addition when it continues a conversation. */
interface Continued {
  /** The sealed state of the conversation so far; undefined: none. */
  readonly previous: string | undefined;
  readonly conversation: Conversation;
}

/** The parts of a prompt as sent, before system messages join. */
interface Conversation {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  /** In the order of their places in the messages; not decoded. */
  readonly images: readonly ImagePart[];
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
  const { model, stream, temperature, top_p: topP, previous_response_id: previous } = body;
  const conversation = conversationOf(body);
  return {
    model,
    previous,
    conversation,
    // A continued conversation goes on being kept unless the request says otherwise.
    keepsState: body.store ?? previous !== undefined,
    stream,
    includeUsage: true,
    refusesCalls: body.tool_choice === 'none',
    files: [],
    work: {
      input: readInput(body, conversation),
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
export function readInputTokensCall(raw: unknown): Continued & { readonly model: string; readonly input: ChatInput } {
  const body = bodyReader.read(inputTokensBody, withTypes(raw));
  const conversation = conversationOf(body);
  const input = readInput(body, conversation);
  return { model: body.model, input, previous: body.previous_response_id, conversation };
}

/**
 * @param history the conversation so far
 * @param input of the request alone
 * @throws {ServerError} ERR_REQUEST_INVALID for too many images
 */
export function continueFrom(
  history: SealedConversation,
  input: ChatInput,
  { instructions, messages, images }: Conversation,
): { readonly input: ChatInput; readonly images: readonly ImagePart[] } {
  if (history.messages.length === 0) return { input, images };
  const earlier = history.images.map((url) => ({ path: 'previous_response_id', url }));
  if (earlier.length + images.length > imagesMax) {
    refusePlace('previous_response_id', `leads to more than ${imagesMax} images, the most that a request may have`);
  }
  const continued = withSystemFirst(instructions, [...history.messages, ...messages]);
  return { input: { ...input, messages: continued }, images: [...earlier, ...images] };
}

function readInput(body: InputTokensBody, { instructions, messages }: Conversation): ChatInput {
  const tools = (body.tools ?? []).map(
    ({ name, description, parameters }): ChatTool => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), ...(parameters && { parameters }) },
    }),
  );
  requireTools(tools, (index) => `tools[${index}].parameters`);
  return {
    messages: withSystemFirst(instructions, messages),
    ...chooseTools(tools, callingOf(body.tool_choice)),
    parallelToolCalls: body.parallel_tool_calls,
    jsonSchema: readFormat(body),
    reasoning: body.reasoning?.effort !== 'none',
    effort: body.reasoning?.effort,
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

const functionsOnly = 'this server takes tools of the type "function" only';

/** Names what coding agents send and how to switch it off. */
function refuseTools(tools: unknown): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isPlainObject(tool)) continue;
    if (tool.type === 'custom') {
      const instead = 'send a function with a parameter of the type "string"';
      refusePlace(`tools[${index}]`, `is a custom tool, and ${functionsOnly}: ${instead}`);
    }
    if (tool.type === 'namespace') {
      const instead = 'send its functions in `tools` (Codex: `multi_agent = false` under `[features]`)';
      refusePlace(`tools[${index}]`, `is a namespace of tools, and ${functionsOnly}: ${instead}`);
    }
  }
}

/** Refuses what the schema cannot, and gives messages the type that clients leave out. */
function withTypes(raw: unknown): unknown {
  if (!isPlainObject(raw)) return raw;
  for (const [name, reason] of Object.entries(stored)) {
    if ((raw[name] ?? null) !== null) refusePlace(name, reason);
  }
  refuseMedia(raw.input, 'input', 'input_image');
  refuseStoredImages(raw.input);
  refuseTools(raw.tools);
  if (!Array.isArray(raw.input)) return raw;
  for (const [index, item] of raw.input.entries()) {
    if (!isPlainObject(item)) continue;
    if (item.type === 'item_reference') {
      refusePlace(
        `input[${index}]`,
        'names a stored item, and nothing is stored here: send the item itself (`store: false`)',
      );
    }
    if (item.type === 'custom_tool_call' || item.type === 'custom_tool_call_output') {
      refusePlace(`input[${index}]`, `belongs to a custom tool: ${functionsOnly}`);
    }
  }
  const typed = raw.input.map((item: unknown) =>
    isPlainObject(item) && item.type === undefined && item.role !== undefined ? { type: 'message', ...item } : item,
  );
  return { ...raw, input: typed };
}

function refuseStoredImages(input: unknown): void {
  if (!Array.isArray(input)) return;
  for (const [index, item] of input.entries()) {
    if (!isPlainObject(item) || !Array.isArray(item.content)) continue;
    for (const [part, value] of item.content.entries()) {
      if (!isPlainObject(value) || value.type !== 'input_image' || (value.file_id ?? null) === null) continue;
      const reason = 'names a stored file, and nothing is stored here: send a data URL in `image_url`';
      refusePlace(`input[${index}].content[${part}].file_id`, reason);
    }
  }
}

function conversationOf({ instructions = '', input }: InputTokensBody): Conversation {
  const items =
    typeof input === 'string' ? [{ type: 'message' as const, role: 'user' as const, content: input }] : input;
  return { instructions: withoutPlaces(instructions), messages: readItems(items), images: readImages(items) };
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
