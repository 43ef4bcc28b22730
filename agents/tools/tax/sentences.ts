/** Sentences of a document, not divided behind the abbreviations of tax documents: "6 200 tys. PLN", "art. 22 ust. 4", "Sp. z o.o.". */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';

/** Words with a point that end no sentence. */
const abbreviation =
  /(?<![\p{L}\d])(?:tys|mln|mld|mio|mrd|tsd|ust|art|artt|pkt|lit|lett|par|poz|zob|por|tj|tzn|np|ul|al|abs|buchst|ziff|nr|no|nrs|num|núm|apdo|cf|vgl|ca|ok|c\.d|resp|bzw|sp|spółki|s\.a|mr|mrs|drs|ing|dott|rag|t\.a\.v|d\.d|z\.d|sez|pag|wg|m\.in|ww|k\.s\.h|exkl|inkl|incl|excl|o\.o|z o\.o)\.$/iu;
/** "w 2025 r. 5,35 %": only before a number or a small letter. */
const yearSign = /\d r\.$/u;

const read = new WeakMap<Document, readonly Range[]>();

/** Longer ones are not joined. */
const sentenceCharactersMax = 700;

export function taxSentences(document: Document): readonly Range[] {
  const known = read.get(document);
  if (known !== undefined) return known;
  const { text, sentences } = document;
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of sentences) {
    const last = joined.at(-1);
    if (last !== undefined && goesOn(text, last, start) && end - last.start < sentenceCharactersMax) last.end = end;
    else joined.push({ start, end });
  }
  read.set(document, joined);
  return joined;
}

function goesOn(text: string, last: Range, start: number): boolean {
  const between = text.slice(last.end, start);
  if (between.length > 60 || /\n\s*\n|\t/.test(between)) return false;
  const tail = text.slice(Math.max(last.start, last.end - 14), last.end);
  if (abbreviation.test(tail)) return true;
  return yearSign.test(tail) && /^[\p{Ll}\d(]/u.test(text.slice(start, start + 1));
}
