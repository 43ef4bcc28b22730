/**
 * Writes engine events as `chat.completion.chunk` events. The members that all chunks of one answer share are serialized once; each
 * token needs one `JSON.stringify` of its text. Pure.
 */
import type { ChatEvent, TokenReport } from '@cloister/runtime/chat/request';
import { type AnswerHead, logprobEntries, type Usage } from './chat-answer.ts';

type DeltaEvent = Extract<ChatEvent, { kind: 'delta' }>;

type Extension = Readonly<Record<string, unknown>>;

export interface ChunkWriter {
  /** The first chunk of choice `index`, with the role. */
  role(index: number): string;
  /** Empty if the event has no content. */
  delta(event: DeltaEvent): string;
  /** @param extension further members of the chunk */
  finish(index: number, reason: string, extension?: Extension): string;
  usage(usage: Usage, extension?: Extension): string;
  readonly done: string;
}

/** @param includeUsage whether a usage chunk follows; every other chunk then has `usage: null` */
export function chunkWriter(
  head: AnswerHead,
  { includeUsage, withLogprobs }: { includeUsage: boolean; withLogprobs: boolean },
): ChunkWriter {
  const shared = JSON.stringify({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    system_fingerprint: head.systemFingerprint,
  }).slice(0, -1);
  const opening = `data: ${shared},"choices":[{"index":`;
  const usage = includeUsage ? ',"usage":null' : '';
  const unfinished = `,"finish_reason":null}]${usage}}\n\n`;
  const closing = withLogprobs ? `,"logprobs":null${unfinished}` : unfinished;

  return {
    role: (index) => `${opening}${index},"delta":{"role":"assistant","content":""}${closing}`,
    delta(event) {
      const delta = deltaFields(event);
      if (delta === '' && event.logprobs.length === 0) return '';
      const end = event.logprobs.length === 0 ? closing : `,"logprobs":${logprobs(event.logprobs)}${unfinished}`;
      return `${opening}${event.choice},"delta":{${delta}}${end}`;
    },
    finish: (index, reason, extension) =>
      `${opening}${index},"delta":{},"finish_reason":${JSON.stringify(reason)}}]${usage}${members(extension)}}\n\n`,
    usage: (total, extension) =>
      `data: ${shared},"choices":[],"usage":${JSON.stringify(total)}${members(extension)}}\n\n`,
    done: 'data: [DONE]\n\n',
  };
}

/** The text to append after other members of an object. */
function members(extension: Extension = {}): string {
  const text = JSON.stringify(extension).slice(1, -1);
  return text === '' ? '' : `,${text}`;
}

function deltaFields({ content, reasoning, toolCalls }: DeltaEvent): string {
  // Most deltas have only content, so no list is built for them.
  if (reasoning === '' && toolCalls.length === 0) return content === '' ? '' : `"content":${JSON.stringify(content)}`;
  const fields = [];
  if (reasoning !== '') fields.push(`"reasoning_content":${JSON.stringify(reasoning)}`);
  if (content !== '') fields.push(`"content":${JSON.stringify(content)}`);
  if (toolCalls.length > 0) fields.push(`"tool_calls":${JSON.stringify(toolCalls.map(toolCallDelta))}`);
  return fields.join(',');
}

function toolCallDelta({ index, id, name, arguments: text }: DeltaEvent['toolCalls'][number]) {
  if (id === undefined) return { index, function: { arguments: text } };
  return { index, id, type: 'function', function: { name, arguments: text } };
}

function logprobs(reports: readonly TokenReport[]): string {
  return JSON.stringify({ content: logprobEntries(reports), refusal: null });
}
