/** Reads the bodies of Anthropic's Messages API as chats. Every value is checked; unknown fields are ignored. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import type { Static } from 'typebox';
import { bodyReader, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import type { ChatCall } from '../chat/call.ts';
import { refuseMedia } from '../chat/media.ts';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { schemaText } from '../chat/schema-text.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import { effortOf } from './effort.ts';
import { joined, readAnthropicImages, readAnthropicMessages } from './messages.ts';
import { type AnthropicToolChoice, countTokensBody, messagesBody } from './schema.ts';

const tokensMax = 2 ** 31 - 1;

/** Fields whose meaning would be lost if they were ignored. */
const unsupported = ['mcp_servers', 'container'];

/**
 * @param raw parsed JSON
 * @param seed of the answer, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readMessagesCall(raw: unknown, seed: number): ChatCall {
  refuseUnsupported(raw);
  const body = bodyReader.read(messagesBody, raw);
  return {
    model: body.model,
    stream: body.stream,
    includeUsage: true,
    refusesCalls: body.tool_choice?.type === 'none',
    files: [],
    ...imagesOf(body),
    work: {
      input: readInput(body),
      choices: 1,
      maxTokens: Math.min(body.max_tokens, tokensMax),
      sampling: {
        temperature: body.temperature,
        topP: body.top_p,
        topK: body.top_k,
        minP: 0,
        presencePenalty: 0,
        frequencyPenalty: 0,
        logitBias: [],
        seed,
        logprobs: undefined,
      },
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
  return { model: body.model, input: readInput(body), ...imagesOf(body) };
}

function refuseUnsupported(raw: unknown): void {
  if (!isPlainObject(raw)) return;
  refuseMedia(raw.messages, 'messages', 'image');
  const field = unsupported.find((name) =>
    Array.isArray(raw[name]) ? raw[name].length > 0 : (raw[name] ?? '') !== '',
  );
  if (field !== undefined) refusePlace(field, 'is not supported');
}

function imagesOf({ messages }: Static<typeof countTokensBody>): Pick<ChatCall, 'images'> {
  const images = readAnthropicImages(messages);
  return images.length === 0 ? {} : { images };
}

function readInput(body: Static<typeof countTokensBody>): ChatInput {
  const tools = (body.tools ?? []).map(
    ({ name, description, input_schema: parameters }): ChatTool => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), parameters },
    }),
  );
  requireTools(tools, (index) => `tools[${index}].input_schema`);
  const choice = body.tool_choice;
  return {
    messages: withSystemFirst(joined(body.system ?? ''), readAnthropicMessages(body.messages)),
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
