/** Refuses chats that can never fit, before they are copied to a thread, rendered or tokenised. Pure. */
import type { ChatMessage, PromptBound } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';

/** What is known of a loaded model. */
export interface BoundedModel {
  readonly contextPerSequence: number;
  readonly promptBound?: PromptBound | undefined;
}

/**
 * @param contextMax tokens that prompt and answer may hold together; undefined: what a sequence holds
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
 * The same for a number of messages of which nothing else is known.
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function requireCountMayFit(messages: number, { contextPerSequence: limit, promptBound }: BoundedModel): void {
  if (promptBound === undefined) return;
  const counted = messages * Math.min(...Object.values(promptBound.tokensPerMessage));
  if (counted >= limit) throw overflow({ limit, counted, isAll: false });
}

/** @param isAll whether `counted` is what the prompt has, or less */
export function overflow({ limit, counted, isAll }: { limit: number; counted: number; isAll: boolean }): RuntimeError {
  return new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `the prompt has ${isAll ? '' : 'at least '}${counted} tokens; at most ${limit - 1} are taken, and answers count too`,
    { details: { limit, counted } },
  );
}

/** Never more than the chat has; texts are looked at until `enough` is reached. */
export function tokensAtLeast(
  messages: readonly Pick<ChatMessage, 'role' | 'content'>[],
  { byteShares, tokensPerMessage, keepsUserText }: PromptBound,
  enough: number,
): number {
  let tokens = 0;
  for (const { role } of messages) tokens += tokensPerMessage[role];
  if (tokens >= enough || !keepsUserText) return tokens;
  const units = messages.reduce((sum, { role, content }) => sum + (role === 'user' ? content.length : 0), 0);
  // No UTF-16 unit takes more than three bytes, and no byte stands for more than a token.
  if (tokens + 3 * units < enough) return tokens;
  let shares = 0;
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    shares = addShares(content, byteShares, { sum: shares, enough: enough - tokens });
    if (tokens + shares >= enough) break;
  }
  // Less what adding fractions may have cost.
  return tokens + Math.max(0, Math.ceil(shares * (1 - 1e-9) - 1e-6));
}

/** How many characters are looked at before `enough` is. */
const charactersPerLook = 4096;

function addShares(
  content: string,
  shares: Float64Array,
  { sum: before, enough }: { sum: number; enough: number },
): number {
  let sum = before;
  const text = content.trim();
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // The renderer's own mark, which it drops from texts.
    if (unit === 0xfdd1) continue;
    if (unit < 0x80) sum += shares[unit]!;
    else if (unit < 0x800) sum += shares[0xc0 | (unit >> 6)]! + shares[0x80 | (unit & 0x3f)]!;
    else if (isPair(unit, text.charCodeAt(at + 1))) {
      const point = text.codePointAt(at)!;
      at += 1;
      sum += shares[0xf0 | (point >> 18)]! + shares[0x80 | ((point >> 12) & 0x3f)]!;
      sum += shares[0x80 | ((point >> 6) & 0x3f)]! + shares[0x80 | (point & 0x3f)]!;
    } else {
      // Half a pair becomes U+FFFD on its way.
      const point = unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit;
      sum += shares[0xe0 | (point >> 12)]! + shares[0x80 | ((point >> 6) & 0x3f)]! + shares[0x80 | (point & 0x3f)]!;
    }
    if (at % charactersPerLook === 0 && sum >= enough) break;
  }
  return sum;
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}
