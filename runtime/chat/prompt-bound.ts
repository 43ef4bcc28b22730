/** Refuses prompts that cannot fit the context, before they are copied to a thread, rendered or tokenized. Pure. */
import type { ChatMessage, PromptBound, PromptInput } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';

/** The facts of a loaded model that bound its prompts. */
export interface BoundedModel {
  readonly contextPerSequence: number;
  readonly promptBound?: PromptBound | undefined;
}

/**
 * @param contextMax maximum tokens of prompt and answer together; default: the context of a sequence
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function requireMayFit(
  messages: readonly ChatMessage[],
  { contextPerSequence, promptBound }: BoundedModel,
  contextMax = Number.POSITIVE_INFINITY,
): void {
  if (promptBound === undefined) return;
  const limit = Math.min(contextPerSequence, contextMax);
  const counted = tokensAtLeast(messages, promptBound, limit);
  if (counted >= limit) throw overflow({ limit, counted, isAll: false });
}

/**
 * Like `requireMayFit`, for a prompt of any form.
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function requirePromptMayFit(
  input: PromptInput,
  model: BoundedModel,
  contextMax = Number.POSITIVE_INFINITY,
): void {
  if ('messages' in input) {
    requireMayFit(input.messages, model, contextMax);
    return;
  }
  const limit = Math.min(model.contextPerSequence, contextMax);
  if ('tokens' in input) {
    const counted = input.tokens.length;
    if (counted >= limit) throw overflow({ limit, counted, isAll: true });
    return;
  }
  const { text, suffix = '' } = input;
  if (model.promptBound === undefined || 3 * (text.length + suffix.length) < limit) return;
  const { textByteShares } = model.promptBound;
  const sum = addShares(text, textByteShares, { sum: 0, enough: limit });
  const counted = roundedDown(addShares(suffix, textByteShares, { sum, enough: limit }));
  if (counted >= limit) throw overflow({ limit, counted, isAll: false });
}

/**
 * Like `requireMayFit`, from the number of messages alone.
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function requireCountMayFit(messages: number, { contextPerSequence: limit, promptBound }: BoundedModel): void {
  if (promptBound === undefined) return;
  const counted = messages * Math.min(...Object.values(promptBound.tokensPerMessage));
  if (counted >= limit) throw overflow({ limit, counted, isAll: false });
}

/** @param isAll whether `counted` is the exact count of the prompt, or a lower bound */
export function overflow({ limit, counted, isAll }: { limit: number; counted: number; isAll: boolean }): RuntimeError {
  return new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `the prompt has ${isAll ? '' : 'at least '}${counted} tokens; the limit is ${limit - 1}, and the answer counts towards it`,
    { details: { limit, counted } },
  );
}

/** Returns a lower bound of the chat's tokens; stops reading texts when it reaches `enough`. */
export function tokensAtLeast(
  messages: readonly Pick<ChatMessage, 'role' | 'content'>[],
  { byteShares, tokensPerMessage, keepsUserText }: PromptBound,
  enough: number,
): number {
  let tokens = 0;
  for (const { role } of messages) tokens += tokensPerMessage[role];
  if (tokens >= enough || !keepsUserText) return tokens;
  const units = messages.reduce((sum, { role, content }) => sum + (role === 'user' ? content.length : 0), 0);
  // A UTF-16 unit takes at most three bytes, and a byte is at most one token.
  if (tokens + 3 * units < enough) return tokens;
  let shares = 0;
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    shares = addShares(content, byteShares, { sum: shares, enough: enough - tokens });
    if (tokens + shares >= enough) break;
  }
  return tokens + roundedDown(shares);
}

/** The whole tokens of a sum of shares, less its rounding error. */
function roundedDown(shares: number): number {
  return Math.max(0, Math.ceil(shares * (1 - 1e-9) - 1e-6));
}

/** The sum is compared with `enough` once per this many characters. */
const charactersPerCheck = 4096;

function addShares(
  content: string,
  shares: Float64Array,
  { sum: before, enough }: { sum: number; enough: number },
): number {
  let sum = before;
  const text = content.trim();
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // The renderer uses this character as a marker and removes it from texts.
    if (unit === 0xfdd1) continue;
    if (unit < 0x80) sum += shares[unit]!;
    else if (unit < 0x800) sum += shares[0xc0 | (unit >> 6)]! + shares[0x80 | (unit & 0x3f)]!;
    else if (isPair(unit, text.charCodeAt(at + 1))) {
      const point = text.codePointAt(at)!;
      at += 1;
      sum += shares[0xf0 | (point >> 18)]! + shares[0x80 | ((point >> 12) & 0x3f)]!;
      sum += shares[0x80 | ((point >> 6) & 0x3f)]! + shares[0x80 | (point & 0x3f)]!;
    } else {
      // An unpaired surrogate is encoded as U+FFFD.
      const point = unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit;
      sum += shares[0xe0 | (point >> 12)]! + shares[0x80 | ((point >> 6) & 0x3f)]! + shares[0x80 | (point & 0x3f)]!;
    }
    if (at % charactersPerCheck === 0 && sum >= enough) break;
  }
  return sum;
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}
