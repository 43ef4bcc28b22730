/** Records with entries of several days, each of which begins with its day: "29-05-2026  visit (Dr Lind)". */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import { dayIn } from './clinical-dates.ts';

interface Entry {
  readonly start: number;
  readonly day: string;
}

const journals = new WeakMap<Document, readonly Entry[]>();

/** A day alone or before words; a row of results has numbers behind it. */
const entryShape =
  /(?<=^|\n)[ ]{0,4}(\d{1,4}[./-]\d{1,2}[./-]\d{2,4})(?:[ \t,]{1,3}\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?| ?Uhr)?)?(?=[ \t]{0,6}(?:\n|$)|[ \t:–-]{1,6}[\p{L}(])/giu;
/** Further than this from its heading, an entry has probably ended. */
const entryMax = 4_000;

/** The day of the entry around a position; undefined unless the record has entries of at least two days. */
export function entryDay(document: Document, position: number): string | undefined {
  const entries = entriesOf(document);
  const index = indexAt(entries, position);
  if (index === undefined) return undefined;
  const { start, day } = entries[index]!;
  return position - start <= entryMax ? day : undefined;
}

/** Whether the record has entries of several days. */
export function isJournal(document: Document): boolean {
  return entriesOf(document).length > 0;
}

function entriesOf(document: Document): readonly Entry[] {
  const known = journals.get(document);
  if (known !== undefined) return known;
  const found = [...document.text.matchAll(entryShape)].flatMap((match): Entry[] => {
    const day = dayIn(document, match[1]!);
    return day === undefined ? [] : [{ start: match.index, day }];
  });
  const entries = new Set(found.map(({ day }) => day)).size < 2 ? [] : found;
  journals.set(document, entries);
  return entries;
}
