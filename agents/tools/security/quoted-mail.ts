/** Older messages below a mail: the newest message of a thread supersedes their figures. */
import type { Document } from '../../document/document.ts';
import { rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

const separator =
  /\n[ \t]{0,4}(?:-{2,}[ ]?(?:Original Message|Original message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d['’]origine|Message original|Message transféré|Mensaje original|Mensaje reenviado|Messaggio originale|Mensagem original|Oorspronkelijk bericht|Wiadomość oryginalna)[ ]?-{2,}|_{10,}\n(?:From|Von|De|Da|Van|Od) ?:)/u;
/** A thread whose first part is shorter only forwards the rest. */
const newestMin = 300;

const known = new WeakMap<Document, readonly Range[]>();

/** Ordered by position, without overlaps. */
function quotedRanges(document: Document): readonly Range[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const { text, quotations } = document;
  const match = separator.exec(text);
  const from = match === null || match.index < newestMin ? text.length : match.index;
  const ranges = [...quotations.filter(({ start }) => start < from), { start: from, end: text.length }];
  known.set(document, ranges);
  return ranges;
}

export function isQuotedMail(document: Document, at: number): boolean {
  return rangeAt(quotedRanges(document), at) !== undefined;
}
