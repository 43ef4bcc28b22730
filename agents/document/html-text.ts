/** The text of HTML as a reader sees it: white space is collapsed, and character references are decoded. */
import { decodeReference, unseen } from './character-references.ts';
import type { Piece } from './plain-text.ts';

const whiteSpace = new RegExp(`[ \\u00a0]*[\\t\\r\\n\\f][\\s\\u00a0]*|[ \\u00a0]{2,}|${unseen.source}`, 'g');

/** White space of any length is shown as one blank; unseen characters, which keep cells of filings open, are left out. */
export function addCollapsed(text: string, start: number, end: number, pieces: Piece[]): void {
  let from = start;
  for (const { index, 0: blank } of text.slice(start, end).matchAll(whiteSpace)) {
    addDecoded(text, from, start + index, pieces);
    from = start + index + blank.length;
    pieces.push({ start: start + index, end: from, text: unseen.test(blank[0]!) ? '' : ' ' });
  }
  addDecoded(text, from, end, pieces);
}

export function addDecoded(source: string, start: number, end: number, pieces: Piece[]): void {
  const part = source.slice(start, end);
  let from = 0;
  for (let at = part.indexOf('&'); at !== -1; at = part.indexOf('&', at + 1)) {
    const decoded = decodeReference(part, at);
    if (decoded === undefined) continue;
    addCopy(start + from, start + at, pieces);
    pieces.push({ start: start + at, end: start + at + decoded.length, text: decoded.text });
    from = at + decoded.length;
  }
  addCopy(start + from, end, pieces);
}

/** Continues the previous piece if it ends here. */
function addCopy(start: number, end: number, pieces: Piece[]): void {
  if (end <= start) return;
  const last = pieces.at(-1);
  if (last !== undefined && last.text === undefined && last.end === start)
    pieces[pieces.length - 1] = { start: last.start, end };
  else pieces.push({ start, end });
}

/** Trims the text and collapses runs of blanks. */
export function trimmed(text: string, pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  const isBlank = (piece: Piece) => (piece.text ?? text.slice(piece.start, piece.end)).trim() === '';
  for (const piece of pieces) {
    if (isBlank(piece) && (kept.length === 0 || isBlank(kept.at(-1)!))) continue;
    kept.push(piece);
  }
  if (kept.length > 0 && isBlank(kept.at(-1)!)) kept.pop();
  return kept;
}
