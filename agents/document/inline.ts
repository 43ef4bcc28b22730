/** Decodes one line: Markdown's emphasis, code and links, backslash escapes, character references, inline tags. Linear time. */
import type { Range } from '../tools/text/span.ts';
import { decodeReference, unseen } from './character-references.ts';
import type { Piece } from './plain-text.ts';

/** Maximum distance between the two delimiters of a pair, and maximum number of delimiters examined between them. */
const pairCharactersMax = 400;
const pairMarksMax = 4;

/** Lines without any of these characters are returned unchanged. */
const mark = new RegExp(`[*_\`~\\\\&<[\\n]|${unseen.source}`);
const inlineTag =
  /<(?:\/?(?:a|b|i|u|em|strong|sup|sub|span|font|small|mark|s|c|fn|page|caption|table|center|p|pre)(?:[ \t][^<>\n]{0,200})?|br ?)\/?>/iy;

/**
 * What the de-identification of clinical records leaves in place of a name or a date: `[**Hospital 1893**]`, `[**2154-3-2**]`. Its
 * marks stay, because its number is no value. Bold text in brackets has neither a date nor a serial number at its end.
 */
const token = /\[\*\*(?:[\d/-]{1,12}|[\p{L}][^*\n[\]]{0,60}[ )\d])\*\*\](?!\()/uy;

const struckOut = /^<(del|strike)>[^<]{0,380}<\/\1>/i;

/** @returns the parts of the line that a reader sees, in order */
export function decodeLine(text: string, { start, end }: Range): Piece[] {
  const line = text.slice(start, end);
  if (!mark.test(line)) return [{ start, end }];
  const hasBreaks = line.includes('\n');
  const dropped = new Map<number, number>();
  const pieces: Piece[] = [];
  let from = 0;
  const skip = (at: number, length: number, shown?: string) => {
    if (at > from) pieces.push({ start: start + from, end: start + at });
    if (shown !== undefined) pieces.push({ start: start + at, end: start + at + length, text: shown });
    from = at + length;
  };
  for (let at = 0; at < line.length; ) {
    const kept = tokenLength(line, at);
    if (kept > 0) {
      at += kept;
      continue;
    }
    const width = dropped.get(at) ?? dropMark(line, at, dropped);
    if (width > 0) {
      skip(at, width);
      at += width;
      continue;
    }
    const replaced = (hasBreaks ? breakAt(line, at) : undefined) ?? replacementAt(line, at);
    if (replaced !== undefined) skip(at, replaced.length, replaced.text);
    at += replaced?.length ?? 1;
  }
  if (from < line.length) pieces.push({ start: start + from, end });
  return pieces;
}

function tokenLength(line: string, at: number): number {
  if (line[at] !== '[' || line[at + 1] !== '*') return 0;
  token.lastIndex = at;
  return token.exec(line)?.[0].length ?? 0;
}

/** @returns the length of the invisible markup at this position; its closing delimiter is recorded in `dropped` */
function dropMark(line: string, at: number, dropped: Map<number, number>): number {
  const character = line[at]!;
  if (unseen.test(character)) return 1;
  if (character === '*' || character === '_' || character === '~') return dropEmphasis(line, at, character, dropped);
  if (character === '`') return dropPair(line, at, '`', dropped);
  if (character === '\\') return /[\\`*_{}[\]()#+!|>~]/.test(line[at + 1] ?? '') ? escapeAt(at, dropped) : 0;
  return character === '[' ? dropLink(line, at, dropped) : 0;
}

/** The character after a backslash is kept literally, whichever mark it is. */
function escapeAt(at: number, dropped: Map<number, number>): number {
  dropped.set(at + 1, 0);
  return 1;
}

function dropEmphasis(line: string, at: number, character: string, dropped: Map<number, number>): number {
  const double = line[at + 1] === character;
  if (character === '~' && !double) return 0;
  const sign = double ? character + character : character;
  const before = line[at - 1] ?? ' ';
  const opens = /[^\s*_~]/.test(line[at + sign.length] ?? ' ') && (double ? before !== character : isEdge(before));
  if (!opens || (character === '_' && !isEdge(before))) return 0;
  // "{~~old~>new~~}" of CriticMarkup has a new text.
  if (character === '~' && before === '{') return 0;
  const limit = Math.min(line.length, at + pairCharactersMax);
  const content = line.slice(at + sign.length, limit);
  let tries = 0;
  for (let close = content.indexOf(sign, 1); close !== -1; close = content.indexOf(sign, close + sign.length)) {
    tries += 1;
    if (tries > pairMarksMax) return 0;
    const after = content[close + sign.length] ?? ' ';
    const fits = !/\s/.test(content[close - 1]!) && after !== character && (double || isEdge(after));
    if (!fits) continue;
    // "~~USD 9m~~": what an author struck out is not part of the text.
    if (character === '~') return close + 2 * sign.length;
    dropped.set(at + sign.length + close, sign.length);
    return sign.length;
  }
  return 0;
}

function isEdge(character: string): boolean {
  return !/[\p{L}\p{N}*_]/u.test(character);
}

function dropPair(line: string, at: number, sign: string, dropped: Map<number, number>): number {
  const close = line.slice(at + 1, at + pairCharactersMax).indexOf(sign);
  if (close < 1) return 0;
  dropped.set(at + 1 + close, 1);
  return 1;
}

/** `[text](address)` is shown as its text. */
function dropLink(line: string, at: number, dropped: Map<number, number>): number {
  const near = line.slice(at, at + pairCharactersMax);
  const link = /^\[[^[\]\n]{1,200}\](?=\()/.exec(near);
  if (link === null) return 0;
  const closed = near.indexOf(')', link[0].length);
  if (closed === -1) return 0;
  dropped.set(at + link[0].length - 1, closed - link[0].length + 2);
  return 1;
}

/** A line break in a cell of a table, with the backslash and the blanks around it. */
const lineBreak = /\\?[ \t\r]{0,400}\n[ \t\r\n]{0,400}/y;

function breakAt(line: string, at: number): { readonly text: string; readonly length: number } | undefined {
  lineBreak.lastIndex = at;
  const found = lineBreak.exec(line);
  return found === null ? undefined : { text: ' ', length: found[0].length };
}

function replacementAt(line: string, at: number): { readonly text: string; readonly length: number } | undefined {
  if (line[at] === '&') return decodeReference(line, at);
  if (line[at] !== '<') return undefined;
  const struck = struckOut.exec(line.slice(at, at + pairCharactersMax));
  if (struck !== null) return { text: '', length: struck[0].length };
  inlineTag.lastIndex = at;
  const tag = inlineTag.exec(line);
  return tag === null ? undefined : { text: /^<(?:br|s|c)\b/i.test(tag[0]) ? ' ' : '', length: tag[0].length };
}
