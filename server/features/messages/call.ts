/** Reads the bodies of Anthropic's Messages API as chats. Every value is checked; unknown fields that change no answer are ignored. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import type { Static } from 'typebox';
import { bodyReader } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { ChatCall } from '../chat/call.ts';
import { refuseForeign } from '../chat/foreign-fields.ts';
import { refuseMedia } from '../chat/media.ts';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { samplingOf } from '../chat/sampling.ts';
import { schemaText } from '../chat/schema-text.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import { readCacheMark } from './cache-marks.ts';
import { effortOf } from './effort.ts';
import { foreignFields } from './foreign-fields.ts';
import { joined, readAnthropicMessages, readMessages } from './messages.ts';
import { type AnthropicToolChoice, countTokensBody, messagesBody } from './schema.ts';

const tokensMax = 2 ** 31 - 1;

/** A chat, and the part of its prompt that `cache_control` marks. */
export interface MessagesCall extends ChatCall {
  /** The number of messages of the chat in the marked part; undefined without a mark. */
  readonly markedMessages: number | undefined;
}

/**
 * @param raw parsed JSON
 * @param seed for a request without `seed`, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readMessagesCall(raw: unknown, seed: number): MessagesCall {
  refuseUnsupported(raw);
  const body = bodyReader.read(messagesBody, raw);
  const { input, images } = readPrompt(body);
  return {
    model: body.model,
    stream: body.stream,
    includeUsage: true,
    refusesCalls: body.tool_choice?.type === 'none',
    files: [],
    markedMessages: markedMessages(readCacheMark(raw), body, input),
    ...(images && { images }),
    work: {
      input,
      choices: 1,
      maxTokens: Math.min(body.max_tokens, tokensMax),
      sampling: { ...samplingOf(body, seed), logprobs: undefined },
      stop: body.stop_sequences ?? [],
    },
  };
}

/** The model and the prompt of a body whose tokens are counted. @throws {ServerError} ERR_REQUEST_INVALID */
export function readCountCall(
  raw: unknown,
): { readonly model: string; readonly input: ChatInput } & Pick<ChatCall, 'images'> {
  refuseUnsupported(raw);
  const body = bodyReader.read(countTokensBody, raw);
  return { model: body.model, ...readPrompt(body) };
}

function refuseUnsupported(raw: unknown): void {
  refuseForeign(raw, foreignFields);
  if (isPlainObject(raw)) refuseMedia(raw.messages, 'messages', 'image');
}

/** The prompt, and its images if it has any. */
function readPrompt(body: Static<typeof countTokensBody>): { readonly input: ChatInput } & Pick<ChatCall, 'images'> {
  const tools = (body.tools ?? []).map(
    ({ name, description, input_schema: parameters }): ChatTool => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), parameters },
    }),
  );
  requireTools(tools, (index) => `tools[${index}].input_schema`);
  const choice = body.tool_choice;
  const { messages, images } = readAnthropicMessages(body.messages);
  const input: ChatInput = {
    messages: withSystemFirst(joined(body.system ?? ''), messages),
    ...chooseTools(tools, callingOf(choice)),
    parallelToolCalls: !(
      choice !== undefined &&
      'disable_parallel_tool_use' in choice &&
      choice.disable_parallel_tool_use
    ),
    jsonSchema: readFormat(body),
    reasoning: body.thinking !== undefined && body.thinking.type !== 'disabled',
    effort: effortOf({ effort: body.output_config?.effort, budgetTokens: body.thinking?.budget_tokens }),
  };
  return { input, ...(images.length > 0 && { images }) };
}

/** A message of the body may become several of the chat. @param marked the number of messages of the body */
function markedMessages(
  marked: number | undefined,
  { system, messages }: Static<typeof countTokensBody>,
  input: ChatInput,
): number | undefined {
  if (marked === undefined) return undefined;
  if (marked === messages.length) return input.messages.length;
  return withSystemFirst(joined(system ?? ''), readMessages(messages.slice(0, marked)).messages).length;
}

function callingOf(choice: AnthropicToolChoice = { type: 'auto', disable_parallel_tool_use: false }): Calling {
  if (choice.type === 'tool') {
    return { mode: 'required', only: onlyTool(choice.name, { path: 'tool_choice.name', value: choice.name }) };
  }
  return { mode: choice.type === 'any' ? 'required' : choice.type };
}

/** `output_format` is the older name. */
function readFormat({
  output_config: config,
  output_format: older,
}: Static<typeof countTokensBody>): string | undefined {
  if (config?.format !== undefined) return schemaText(config.format.schema, 'output_config.format.schema');
  return older === undefined ? undefined : schemaText(older.schema, 'output_format.schema');
}
