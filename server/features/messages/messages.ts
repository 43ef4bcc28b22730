/** Reads Anthropic's messages: content blocks, tool results and thinking, in the form of the engine. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import { type ImagePart, imagesMax, type JoinedPart, joinParts, withoutPlaces } from '../chat/image-parts.ts';
import type { AnswerBlock, AnthropicMessage, UserBlock } from './blocks.ts';

type ResultBlock = Exclude<NonNullable<Extract<UserBlock, { type: 'tool_result' }>['content']>, string>[number];
type ContentBlock = Exclude<UserBlock, { type: 'tool_result' }> | ResultBlock;

export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** In the order of their places in the messages; not decoded. */
  readonly images: readonly ImagePart[];
}

/** @throws {ServerError} ERR_REQUEST_INVALID for too many images, and for a conversation that ends with the beginning of an answer */
export function readAnthropicMessages(messages: readonly AnthropicMessage[]): Conversation {
  if (messages.at(-1)?.role === 'assistant') {
    refusePlace('messages', 'must end with a message of the user: continuing a partial answer is not supported');
  }
  const read = readMessages(messages);
  const beyond = read.images[imagesMax];
  if (beyond !== undefined) refusePlace(beyond.path, `is one image too many: a request may have ${imagesMax}`);
  return read;
}

/** As `readAnthropicMessages`, for any part of a conversation. */
export function readMessages(messages: readonly AnthropicMessage[]): Conversation {
  const images: ImagePart[] = [];
  const read = messages.flatMap((message, index) =>
    readMessage(message, { path: `messages[${index}].content`, images }),
  );
  return { messages: read, images };
}

function readMessage(message: AnthropicMessage, place: Place): readonly ChatMessage[] {
  switch (message.role) {
    case 'user':
      return readUser(message.content, place);
    case 'assistant':
      return [readAnswer(message.content)];
    case 'system':
      return [{ role: 'system', content: joined(message.content) }];
  }
}

/** The texts of blocks, in the form of the engine. */
export function joined(content: string | readonly { readonly text: string }[]): string {
  return withoutPlaces(typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'));
}

interface Place {
  /** Of the array that contains the blocks. */
  readonly path: string;
  /** Receives the images of the blocks. */
  readonly images: ImagePart[];
}

/** A user's message may hold results of tools and text; each becomes a message of its own. */
function readUser(content: string | readonly UserBlock[], { path, images }: Place): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content: withoutPlaces(content) }];
  const messages: ChatMessage[] = [];
  let parts: JoinedPart[] = [];
  const endText = () => {
    if (parts.length > 0) messages.push({ role: 'user', content: joinParts(parts) });
    parts = [];
  };
  for (const [index, block] of content.entries()) {
    const place = { path: `${path}[${index}]`, images };
    if (block.type !== 'tool_result') {
      parts.push(...partsOf(block, place));
      continue;
    }
    endText();
    messages.push({ role: 'tool', content: resultText(block, place), tool_call_id: block.tool_use_id });
  }
  endText();
  return messages;
}

/** Templates have no place for `is_error`, so the text says that the call failed. */
function resultText(
  { content = '', is_error: isError }: Extract<UserBlock, { type: 'tool_result' }>,
  { path, images }: Place,
): string {
  const text =
    typeof content === 'string'
      ? withoutPlaces(content)
      : joinParts(content.flatMap((block, index) => partsOf(block, { path: `${path}.content[${index}]`, images })));
  if (!isError || /^error\b/i.test(text)) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

/** @param place.path of the block itself */
function partsOf(block: ContentBlock, { path, images }: Place): readonly JoinedPart[] {
  switch (block.type) {
    case 'text':
      return [block];
    case 'image': {
      const { source } = block;
      const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
      images.push({ path, url });
      return [{ image: true }];
    }
    case 'document':
      return documentParts(block, { path: `${path}.source.content`, images });
    case 'search_result':
      return [{ text: [block.title, block.source, ...block.content.map(({ text }) => text)].join('\n') }];
    case 'tool_reference':
      return [{ text: block.tool_name }];
  }
}

function documentParts(
  { title, context, source }: Extract<ContentBlock, { type: 'document' }>,
  { path, images }: Place,
): readonly JoinedPart[] {
  const head = [title, context].flatMap((text) => (text === undefined ? [] : [{ text }]));
  if (source.type === 'text') return [...head, { text: source.data }];
  if (typeof source.content === 'string') return [...head, { text: source.content }];
  const content = source.content.flatMap((block, index) => partsOf(block, { path: `${path}[${index}]`, images }));
  return [...head, ...content];
}

function readAnswer(content: string | readonly AnswerBlock[]): ChatMessage {
  if (typeof content === 'string') return { role: 'assistant', content: withoutPlaces(content) };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: NonNullable<ChatMessage['tool_calls']>[number][] = [];
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text);
    else if (block.type === 'thinking') thoughts.push(block.thinking);
    else if (block.type === 'web_search_tool_result') texts.push(...resultsOf(block));
    else if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
    }
  }
  return {
    role: 'assistant',
    content: withoutPlaces(texts.join('\n')),
    ...(thoughts.length === 0 ? {} : { reasoning_content: withoutPlaces(thoughts.join('\n')) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The pages that a search of Anthropic's servers found; their texts are encrypted. */
function resultsOf({ content }: Extract<AnswerBlock, { type: 'web_search_tool_result' }>): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.map(({ title = '', url = '' }) => `Search result: ${title} ${url}`.trim());
}
