/** The conversation that a request continues: its state, and reasoning that the server sealed. Pure, except for what opens them. */
import type { ChatInput, ChatMessage } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import { type ImagePart, imagesMax } from '../chat/image-parts.ts';
import { withSystemFirst } from '../chat/system-text.ts';
import type { ReadItems } from './items.ts';
import type { SealedConversation } from './state.ts';

/** The parts of a prompt as sent, before system messages join. */
export interface Conversation extends ReadItems {
  readonly instructions: string;
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
  const earlier = history.images.map((url) => ({ path: 'previous_response_id', url }));
  if (earlier.length + images.length > imagesMax) {
    refusePlace('previous_response_id', `leads to more than ${imagesMax} images, the most that a request may have`);
  }
  const continued = withSystemFirst(instructions, [...history.messages, ...messages]);
  return { input: { ...input, messages: continued }, images: [...earlier, ...images] };
}

/** Reasoning in the form that is sealed. */
export function sealedReasoning(text: string): SealedConversation {
  return { messages: [{ role: 'assistant', content: '', reasoning_content: text }], images: [] };
}

/** Another node of a fleet may have to be asked for each. */
const thoughtsMax = 256;

/**
 * Adds reasoning that the server sealed to the answers that it belongs to: the latest 256. Reasoning that can no longer be opened, or
 * that another server encrypted, is left out: a conversation outlives the keys.
 * @param open throws for what it cannot open
 */
export async function withOpenedThoughts(
  conversation: Conversation,
  open: (token: string) => Promise<SealedConversation>,
): Promise<Conversation> {
  if (conversation.sealedThoughts.length === 0) return conversation;
  const messages: ChatMessage[] = [...conversation.messages];
  for (const { message, token } of conversation.sealedThoughts.slice(-thoughtsMax)) {
    const opened = await open(token).catch(() => undefined);
    const text = opened?.messages.at(0)?.reasoning_content;
    if (text !== undefined) messages[message] = { ...messages[message]!, reasoning_content: text };
  }
  return { ...conversation, messages };
}
