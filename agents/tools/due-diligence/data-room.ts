/** Completeness of a data room: which of the usual items an index lists, announces or omits. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { listLines } from '../text/list-lines.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import { type Bounded, bounded, excerpt, lineAround, type Span } from '../text/span.ts';
import { findEntries, findTableEntries } from './data-room-index.ts';
import type { Entry, EntryStatus } from './data-room-statuses.ts';
import { dataRoomItems } from './data-room-table.ts';
import { indexTitleOf, isListTitle } from './data-room-titles.ts';

/** `announced`: every line that names it says that it will follow or is missing. */
export type ItemStatus = 'listed' | 'announced' | 'missing';

export interface ItemFinding {
  readonly area: string;
  readonly title: string;
  readonly required: boolean;
  readonly status: ItemStatus;
  readonly span?: Span;
  readonly line?: string;
}

/** A line of the index, whether it is a usual item or not. */
export interface EntryFinding {
  readonly title: string;
  readonly status: EntryStatus;
  readonly span: Span;
}

export const dataRoom: AgentTool = {
  name: 'data_room',
  version: '2',
  purpose: 'Checks which of the usual items a data room lists. Text: its index, titled as such.',
  run(documents) {
    const { items, indexFound, entries } = checkDataRoom(documents);
    const required = items.filter((item) => item.required);
    const listed = items.filter(({ status }) => status === 'listed').length;
    const requiredListed = required.filter(({ status }) => status === 'listed').length;
    const result = {
      index_found: indexFound,
      listed,
      items_total: items.length,
      required_listed: requiredListed,
      required_total: required.length,
      // Whole percent, rounded down, so that 100 means complete.
      required_percent: Math.floor((requiredListed * 100) / required.length),
      items,
      entries,
    };
    return toFindings(result, [
      ...digestOf(items, { indexFound, listed, requiredListed, required: required.length }),
      ...entryLines(entries.items),
    ]);
  },
};

/** Items in the order of the table. If any text calls itself a data room or an index, only such texts are read. */
export function checkDataRoom(documents: readonly AgentDocument[]): {
  items: ItemFinding[];
  indexFound: boolean;
  entries: Bounded<EntryFinding>;
} {
  const readings = documentsOnly(documents).map(readDocument);
  const indexes = readings.filter((reading) => indexTitleOf(reading) !== undefined || isIndexByForm(reading));
  const found = new Map<string, { listed?: Place; announced?: Place }>();
  for (const { text, words, spanOf } of indexes) {
    let lastLine = { start: -1, end: -1, late: false };
    for (const { label, start } of findPhrases(words, phrases)) {
      const known = found.get(label) ?? {};
      found.set(label, known);
      if (known.listed !== undefined) continue;
      if (start >= lastLine.end || start < lastLine.start) {
        const line = lineAround(text, start, 300);
        lastLine = { ...line, late: outstanding.test(text.slice(line.start, line.end)) };
      }
      const mention = { span: spanOf(lastLine), line: excerpt(text, lastLine, 100) };
      if (lastLine.late) known.announced ??= mention;
      else known.listed = mention;
    }
  }
  const items = dataRoomItems.map(({ id, area, title, required }): ItemFinding => {
    const known = found.get(id);
    const at = known?.listed ?? known?.announced;
    const status = known?.listed !== undefined ? 'listed' : at !== undefined ? 'announced' : 'missing';
    return { area, title, required, status, ...(at === undefined ? {} : at) };
  });
  const entries = indexes.flatMap((reading) =>
    entriesIn(reading).map(({ title, status, start, end }) => ({
      title: excerpt(title, { start: 0, end: title.length }, 120),
      status,
      span: reading.spanOf({ start, end }),
    })),
  );
  return { items, indexFound: indexes.length > 0, entries: bounded(entries, 120) };
}

/** A table of documents with their status, whose rows name usual items, is an index without being titled as one. */
const rowsMin = 4;
const itemsMin = 2;
const statusesMin = 3;
/** Share of the rows that must state a status. */
const statedMin = 0.5;

/** Without a title that says "index" or "list", lines without a status may be anything. */
function entriesIn(reading: Document): Entry[] {
  // In a report with a list of documents, the other tables list other things.
  if (indexTitleOf(reading) === undefined) return findTableEntries(reading);
  const entries = findEntries(reading);
  return isListTitle(indexTitleOf(reading) ?? '') || isMostlyStated(entries) ? entries : [];
}

function isMostlyStated(entries: readonly Entry[]): boolean {
  return entries.filter(({ isStated }) => isStated).length >= entries.length * statedMin;
}

function isAlwaysStated(entries: readonly Entry[]): boolean {
  return entries.every(({ isStated }) => isStated);
}

function isIndexByForm(reading: Document): boolean {
  if (reading.tables.length === 0) return false;
  const entries = findTableEntries(reading);
  if (entries.length < rowsMin || entries.every(({ status }) => status === 'present')) return false;
  if (!isMostlyStated(entries)) return false;
  // In another language than those of the usual items, three kinds of statuses tell as much.
  if (new Set(entries.map(({ status }) => status)).size >= statusesMin && isAlwaysStated(entries)) return true;
  const named = findPhrases(reading.words, phrases).filter(({ start }) =>
    entries.some((entry) => entry.start <= start && start < entry.end),
  );
  return new Set(named.map(({ label }) => label)).size >= itemsMin;
}

interface Place {
  readonly span: Span;
  readonly line: string;
}

const phrases = compilePhrases(dataRoomItems.map(({ id, wording }) => [id, wording] as const));
const outstanding =
  /\b(?:to follow|outstanding|missing|not (?:yet )?(?:provided|available|uploaded)|pending|tb[dc]|n\/a|requested|will be (?:provided|uploaded)|empty|awaiting)\b|(?<!\p{L})(?:fehl(?:t|en|end)|ausstehend|nachzureichen|angefordert|wird nachgereicht|manquante?s?|en attente|à (?:fournir|venir)|demandée?s?|pendientes?|falta(?:n|nte)?|solicitad[oa]|ontbreekt|opgevraagd|volgt)(?!\p{L})/iu;

function entryLines(entries: readonly EntryFinding[]): string[] {
  const of = (status: EntryStatus) =>
    entries.filter((each) => each.status === status).map(({ title, span }) => `${title} ${place(span)}`);
  return (['missing', 'partial', 'expired', 'not-applicable'] as const).flatMap((status) =>
    listLines(`Index entries, ${status}`, of(status)),
  );
}

function digestOf(
  items: readonly ItemFinding[],
  {
    indexFound,
    listed,
    requiredListed,
    required,
  }: { indexFound: boolean; listed: number; requiredListed: number; required: number },
): string[] {
  if (!indexFound) return ['Data room: no text is titled as a data room or document index; completeness not assessed.'];
  const lines = [
    `Data room: ${listed} of ${items.length} usual items listed; ${requiredListed} of ${required} required ones.`,
  ];
  const titles = (status: ItemStatus, isRequired: boolean) =>
    items
      .filter((item) => item.status === status && item.required === isRequired)
      .map(({ title, span }) => (span === undefined ? title : `${title} ${place(span)}`));
  const say = (title: string, list: readonly string[]) => {
    lines.push(...listLines(title, list));
  };
  say('Required and missing', titles('missing', true));
  say('Required and announced', titles('announced', true));
  say('Optional and missing', titles('missing', false));
  return lines;
}
