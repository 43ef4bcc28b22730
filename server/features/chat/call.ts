/** Reads the body of `POST /v1/chat/completions`, which is OpenAI's. Every value is checked; unknown fields are ignored. */
import type { ChatRequest } from '@cloister/runtime/chat/request';
import { bodyReader, refuseField } from '../../http/body-reader.ts';
import type { CallerFile } from './files.ts';
import { refuseForeign } from './foreign-fields.ts';
import type { ImagePart } from './image-parts.ts';
import { refuseMedia } from './media.ts';
import { readMessages } from './messages.ts';
import { readOutputFormat, readTools } from './output.ts';
import { type ChatRules, directRules } from './rules.ts';
import { readSampling } from './sampling.ts';
import { type ChatBody, chatBody, contractChoicesMax, fixedNames } from './schema.ts';
import { effortOfName, readThinking } from './thinking-switches.ts';

/** The request of a caller. The server adds the caller's account and limits. */
export interface ChatCall {
  readonly model: string;
  readonly stream: boolean;
  /** Whether a stream ends with a usage chunk. */
  readonly includeUsage: boolean;
  /** The caller sent `tool_choice: "none"`. */
  readonly refusesCalls: boolean;
  /** The answer lists the facts of the documents, in the vocabulary of the agent. Default: false. */
  readonly listsFacts?: boolean;
  /** For an agent; empty on other surfaces. */
  readonly files: readonly CallerFile[];
  /** In the order of their places in the messages; not decoded. Default: none. */
  readonly images?: readonly ImagePart[];
  readonly work: Omit<ChatRequest, 'account' | 'priority' | 'contextMax' | 'timeoutMs'>;
}

const tokensMax = 2 ** 31 - 1;

/**
 * @param raw parsed JSON
 * @param randomSeed for a request without `seed`, unsigned 32 bit
 * @param rulesOf the surface's rules for a `model`; may throw for one that it does not have
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readChatCall(
  raw: unknown,
  randomSeed: () => number,
  rulesOf: (model: string) => ChatRules = () => directRules,
): ChatCall {
  const named = bodyReader.open(chatBody, raw);
  refuseUnread(named);
  refuseForeign(raw);
  const model = named.get('model');
  const rules = rulesOf(model);
  const { messages: sent } = raw as { readonly messages?: unknown };
  refuseMedia(sent, 'messages', rules.acceptsImages ? 'image_url' : undefined);
  const body = bodyReader.open(rules.body, raw);
  const { messages, files, images } = readMessages(body, rules);
  const stream = body.get('stream');
  const includeUsage = body.get('stream_options')?.include_usage ?? false;
  const { refusesCalls, ...tools } = readTools(body);
  const choices = body.get('n');
  for (const name of fixedNames) body.get(name);
  const effort = body.get('reasoning_effort');
  const listsFacts = body.get('response_format')?.type === 'agent_facts';
  if (listsFacts && choices > 1)
    body.refuse('n', 'must be 1 with `agent_facts`, because all choices would list the same facts');
  const sampling = readSampling(body, randomSeed, listsFacts ? { temperature: 0 } : rules);
  requireFewReports({ choices, stream, logprobs: sampling.logprobs });
  return {
    model,
    stream,
    includeUsage,
    refusesCalls,
    ...(listsFacts ? { listsFacts } : {}),
    files,
    ...(images.length === 0 ? {} : { images }),
    work: {
      input: {
        messages,
        ...tools,
        jsonSchema: readOutputFormat(body, rules),
        ...readThinking(
          raw as Readonly<Record<string, unknown>>,
          effort === undefined ? undefined : effortOfName(effort),
        ),
      },
      choices,
      maxTokens: readMaxTokens(body) ?? rules.maxTokens,
      sampling,
      stop: readStop(body.get('stop')),
    },
  };
}

/** Fields whose meaning would be lost if they were ignored; `tools` replaced the first two in 2023. */
function refuseUnread(body: ChatBody): void {
  if (body.has('functions')) body.refuse('functions', 'is no longer supported: send `tools` instead');
  if (body.has('function_call')) body.refuse('function_call', 'is no longer supported: send `tool_choice` instead');
  if (body.has('attachments')) {
    body.refuse('attachments', 'is not accepted: send files to an agent, as parts of type `file` in a message');
  }
}

/** Log probabilities of a whole answer take a hundred times the memory of its text. @throws {ServerError} ERR_REQUEST_INVALID */
export function requireFewReports({
  choices,
  stream,
  logprobs,
}: {
  choices: number;
  stream: boolean;
  logprobs: number | undefined;
}): void {
  if (stream || logprobs === undefined || choices <= contractChoicesMax) return;
  refuseField('n', `must be at most ${contractChoicesMax} with \`logprobs\`, unless \`stream\` is true`, choices);
}

/** `max_completion_tokens` is the newer name and takes precedence. The contract has no maximum: the context is the limit. */
function readMaxTokens(body: ChatBody): number | undefined {
  const older = body.get('max_tokens');
  const tokens = body.get('max_completion_tokens') ?? older;
  return tokens === undefined ? undefined : Math.min(tokens, tokensMax);
}

/** @param stop as a body has it */
export function readStop(stop: string | readonly string[] = []): readonly string[] {
  return typeof stop === 'string' ? [stop] : stop;
}
