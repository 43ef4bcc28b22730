/** Records with entries of several days, each of which begins with its day: "29-05-2026  visit (Dr Lind)". */
import type { Document } from '../../document/document.ts';
import { indexAt, rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { sectionAt } from './sections.ts';
import { shortDayIn } from './short-days.ts';

/** The heading of an entry. */
interface Entry extends Range {
  readonly day: string;
}

const journals = new WeakMap<Document, readonly Entry[]>();

/** A day alone or before words; a row of results has numbers behind it. */
const entryShape =
  /(?<=^|\n)[ ]{0,4}(\d{1,4}[./-]\d{1,2}[./-]\d{2,4})(?:[ \t,]{1,3}\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?| ?Uhr)?)?(?=[ \t]{0,6}(?:\n|$)|[ \t:–-]{1,6}[\p{L}(])/giu;
/** Further than this from its heading, an entry has probably ended. */
const entryMax = 4_000;
const shortEntriesMax = 200;
/** "19/03 16:00  Visit of the daughter", "20/03        Restless". */
const shortEntryShape =
  /(?<=^|\n)[ ]{0,4}(\d{1,2}[./]\d{1,2}\.?)(?:[ \t]{1,3}\d{1,2}[:.]\d\d(?: ?Uhr)?[ \t]{1,6}|\t[ \t]{0,14}|[ ]{2,14})(?=\p{L})/gu;

/** "Sent: 04/20/2026 10:31 PM" over a message of a thread. */
const messageShape =
  /(?<=^|\n|\t|[ ]{2})(?:sent|gesendet|envoyé|enviado|inviato|verzonden|wysłano) ?: {0,3}(\d{1,4}[./-]\d{1,2}[./-]\d{2,4})(?=,? {1,2}\d{1,2}:\d\d)/giu;
/** A rule between the entries of a thread or the parts of a record. */
const divider = /\n[ ]{0,4}[-=_*~]{3,}/;

/** The day of the entry around a position; undefined unless the record has entries of at least two days. */
export function entryDay(document: Document, position: number): string | undefined {
  const entries = entriesOf(document);
  const index = indexAt(entries, position);
  if (index === undefined) return undefined;
  const { start, day } = entries[index]!;
  if (position - start > entryMax) return undefined;
  const { tables } = document;
  const table = rangeAt(tables, start);
  // The rows of a history are entries of their own.
  const section = sectionAt(document, position);
  const isLater = section.title !== '' && section.start >= (table?.end ?? Number.POSITIVE_INFINITY);
  if (table !== undefined && isLater) return undefined;
  return divider.test(document.text.slice(start, position)) ? undefined : day;
}

function entriesOf(document: Document): readonly Entry[] {
  const known = journals.get(document);
  if (known !== undefined) return known;
  const full = [...document.text.matchAll(entryShape)].map((match) => ({ match, day: dayIn(document, match[1]!) }));
  const messages = [...document.text.matchAll(messageShape)].map((match) => ({
    match,
    day: dayIn(document, match[1]!),
  }));
  const short = [...document.text.matchAll(shortEntryShape)]
    .slice(0, shortEntriesMax)
    .map((match) => ({ match, day: shortDayIn(document, match[1]!) }));
  const found = [...full, ...messages, ...short]
    .flatMap(({ match, day }): Entry[] =>
      day === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, day }],
    )
    .sort((one, other) => one.start - other.start);
  const entries = new Set(found.map(({ day }) => day)).size < 2 ? [] : found;
  journals.set(document, entries);
  return entries;
}
