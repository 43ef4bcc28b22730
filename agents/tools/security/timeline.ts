/** The entries of a chronology: rows of a table, items of a list, or lines that begin with a time; and labelled times. */
import type { Document } from '../../document/document.ts';
import { type Cell, fullRows } from '../../document/table.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isQuotedMail } from './quoted-mail.ts';
import { findTopics, topicOfTitle } from './report-topics.ts';

export interface TimelineEntry extends Range {
  /** ISO 8601; absent if no date applies for certain. */
  readonly date?: string;
  /** 24-hour clock, `hh:mm` or `hh:mm:ss`. */
  readonly time: string;
  /** What happened, or the label of the time. */
  readonly what: string;
}

/** An entry with the table or the kind of list that it is from. */
interface ListedEntry extends TimelineEntry {
  readonly list: string;
}

const inList = (list: string, entries: readonly TimelineEntry[]): ListedEntry[] =>
  entries.map((entry) => ({ ...entry, list }));

const clock = String.raw`(?<hours>[01]?\d|2[0-3])(?:[:h]|\s?h\s?|\s?[Uu]hr\s?|\s?uur\s?|\.(?=\d\d\s?(?:Uhr|uur|h|óra)(?!\p{L})))(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d))?(?:\.\d{1,6})?\s?(?<half>[AaPp]\.?[Mm]\.?)?(?!\d|:\d)`;
const clockShape = new RegExp(`(?<![\\d:.])${clock}`, 'u');
const clocksShape = new RegExp(`(?<![\\d:.])${clock}`, 'gu');
const zone = String.raw`(?:\s{0,2}\(?(?:UTC|GMT|Z|CET|CEST|MEZ|MESZ|BST|E[SD]T|P[SD]T|C[SD]T|M[SD]T|Uhr|h|local time|heure locale|UTC\s?[+-]\d{1,2}(?::\d\d)?|[+-]\d\d:?\d\d)\)?)?`;
/** "14:07 UTC – first errors", "[14:07] …", "2026-08-13 14:07: …". */
const opening = new RegExp(
  String.raw`^(?:[-*•–]\s{1,3})?[[(]?(?<date>[^\n:]{0,30}?(?<!\d))??[,T\s]{0,3}(?:at |um |à )?${clock}${zone}[\])]?\s{0,3}(?:[-–—:|,]{1,2}\s{0,3}|\s)`,
  'u',
);

/** Ordered by position; an entry without a date takes that of the entry, the heading or the incident above it. */
export function timelineOf(document: Document): TimelineEntry[] {
  const listed = [...rowsOf(document), ...inList('lines', linesOf(document))];
  const told = listed.length >= 2 ? [] : inList('told', sentencesOf(document));
  const found = [...listed, ...told, ...inList('labels', labelledOf(document))].sort((a, b) => a.start - b.start);
  return found.length === 0 ? [] : datedEntries(document, found);
}

/**
 * An entry without a date takes that of the entry above it, or of the incident. A list that falls from the evening to the morning has
 * reached the next day; after any other long step back its day is not known.
 */
function datedEntries(document: Document, found: readonly ListedEntry[]): TimelineEntry[] {
  const first = found[0]!;
  const base = sectionDate(document, first.start) ?? incidentDate(document, new Set(found.map(({ time }) => time)));
  const days = new Set(found.flatMap(({ date }) => date ?? []));
  let date: string | undefined;
  let previous: ListedEntry | undefined;
  return found.map(({ list, ...entry }) => {
    const isSameList = previous?.list === list;
    const before = isSameList ? previous : undefined;
    if (entry.date !== undefined) date = entry.date;
    else if (before === undefined) date = date !== undefined && days.size <= 1 ? date : base;
    else if (date !== undefined) date = dayAfterStep(date, before.time, entry.time);
    previous = { ...entry, list };
    return date === undefined ? entry : { ...entry, date };
  });
}

function dayAfterStep(date: string, before: string, time: string): string | undefined {
  if (time >= before) return date;
  if (before >= '18' && time < '12') return nextDay(date);
  return Number(before.slice(0, 2)) - Number(time.slice(0, 2)) > stepBackHoursMax ? undefined : date;
}

/** Entries may be out of order by some hours. */
const stepBackHoursMax = 6;

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function timeIn(written: string): string | undefined {
  const groups = clockShape.exec(written)?.groups;
  if (groups === undefined) return undefined;
  const half = groups.half?.toLowerCase();
  const hours =
    half === undefined ? Number(groups.hours) : (Number(groups.hours) % 12) + (half.startsWith('p') ? 12 : 0);
  const seconds = groups.seconds === undefined ? '' : `:${groups.seconds}`;
  return `${String(hours).padStart(2, '0')}:${groups.minutes}${seconds}`;
}

const dateIn = (document: Document, range: Range) => {
  const found = allWithin(document.dates, range)[0];
  return found === undefined || found.ambiguous || found.iso.length < 10
    ? dayIn(document, range)
    : found.iso.slice(0, 10);
};

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthAliases: Readonly<Record<string, string>> = {
  mär: 'mar',
  mai: 'may',
  okt: 'oct',
  dez: 'dec',
  fév: 'feb',
  avr: 'apr',
  aoû: 'aug',
  déc: 'dec',
};
const dayShape =
  /(?<![\d.])(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s(\p{L}{3})\p{L}{0,7}|(\p{Lu}\p{L}{2})\p{L}{0,7}\.?\s(\d{1,2})(?:st|nd|rd|th)?)(?![\d:])/u;

/** "Aug 13" in a document whose dates are all of one year. */
function dayIn(document: Document, { start, end }: Range): string | undefined {
  const match = dayShape.exec(document.text.slice(start, Math.min(end, start + 60)));
  if (match === null) return undefined;
  const written = (match[2] ?? match[3])!.toLowerCase();
  const month = months.indexOf(monthAliases[written] ?? written) + 1;
  const year = onlyYear(document);
  const day = Number(match[1] ?? match[4]);
  if (month === 0 || year === undefined || day < 1 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const years = new WeakMap<Document, { readonly year: string | undefined }>();

/** The year of all dates of a document, if they have one. */
function onlyYear(document: Document): string | undefined {
  const known = years.get(document);
  if (known !== undefined) return known.year;
  const found = new Set(document.dates.map(({ iso }) => iso.slice(0, 4)));
  const year = found.size === 1 ? [...found][0] : undefined;
  years.set(document, { year });
  return year;
}

/** Rows with a time, alone or with a date, in a cell, and words in another. */
function rowsOf(document: Document): ListedEntry[] {
  return document.tables.flatMap((table, index) => {
    const entries: TimelineEntry[] = [];
    const rows = fullRows(table);
    const zoned = columnOfZone(document, rows[0] ?? []);
    for (const cells of rows) entries.push(...entryOfRow(document, cells, entries, zoned));
    return inList(`table ${index}`, entries);
  });
}

const statedZone =
  /(?<!\p{L})(?:all times|times|timestamps|alle (?:zeiten|uhrzeiten)|zeitangaben|(?:toutes les )?heures|(?:todas las )?horas|(?:tutti gli )?orari|alle tijden|tijden|wszystkie godziny|todas as horas)(?!\p{L})[^.\n]{0,30}?(?<![\p{L}\d])(?<zone>UTC|GMT|CES?T|ME?S?Z|BST|E[SD]T|P[SD]T)(?![\p{L}\d+])/iu;

/** Of a table with the times of two zones, the column of the zone in which the report says that it gives its times. */
function columnOfZone({ text }: Document, head: readonly Cell[]): number | undefined {
  const zone = statedZone.exec(text.slice(0, 4000))?.groups?.zone;
  if (zone === undefined) return undefined;
  const named = new RegExp(`(?<![\\p{L}\\d])${zone}(?![\\p{L}\\d+]|-\\d)`, 'iu');
  const at = head.flatMap((cell, index) => (named.test(cell.text) ? [index] : []));
  return at.length === 1 ? at[0] : undefined;
}

/** A row without a time and a first cell continues the entry above. */
function entryOfRow(
  document: Document,
  cells: readonly Cell[],
  above: TimelineEntry[],
  zoned: number | undefined,
): TimelineEntry[] {
  const isTimed = ({ text }: Cell) =>
    text.length <= 48 && clockShape.test(text) && !/\p{L}{5}.*\p{L}{5}.*\p{L}{5}/u.test(text);
  const ofZone = zoned === undefined ? undefined : cells[zoned];
  const timed = ofZone !== undefined && isTimed(ofZone) ? ofZone : cells.find(isTimed);
  if (timed === undefined) {
    const last = above.at(-1);
    const words = cells.filter(({ text }) => /\p{L}{2}/u.test(text)).map(({ text }) => text);
    if (last !== undefined && cells[0]!.text.trim() === '' && words.length === 1)
      above[above.length - 1] = { ...last, what: `${last.what} ${words[0]}`.slice(0, 300) };
    return [];
  }
  const others = cells.filter((cell) => cell !== timed && cell.text.trim() !== '' && /\p{L}{3}/u.test(cell.text));
  const what = others.map(({ text }) => text).join(' | ');
  if (what === '') return [];
  const row = { start: cells[0]!.start, end: cells.at(-1)!.end };
  const date = cells.map((cell) => dateIn(document, cell)).find((one) => one !== undefined);
  return [{ ...row, ...(date === undefined ? {} : { date }), time: timeIn(timed.text)!, what: what.slice(0, 300) }];
}

/** Items and lines that begin with a time, two of them at least. */
function linesOf(document: Document): TimelineEntry[] {
  const { blocks, text } = document;
  const found: TimelineEntry[] = [];
  let heading: string | undefined;
  for (const block of blocks) {
    if (block.kind === 'table') continue;
    if (block.kind === 'heading') heading = dateIn(document, block);
    let at = block.start;
    for (const line of text.slice(block.start, Math.min(block.end, block.start + 6000)).split('\n')) {
      const range = { start: at, end: at + line.length };
      at += line.length + 1;
      const trimmed = line.trim();
      const match = opening.exec(trimmed.slice(0, 120));
      if (match === null) continue;
      const what = trimmed.slice(match[0].length).trim();
      if (!/\p{L}{3}/u.test(what)) continue;
      // Only a date may stand before the time.
      const before = match.groups!.date?.trim() ?? '';
      const date = before === '' ? heading : dateIn(document, range);
      if (before !== '' && date === undefined) continue;
      found.push({
        ...range,
        ...(date === undefined ? {} : { date }),
        time: timeIn(match[0])!,
        what: what.slice(0, 300),
      });
    }
  }
  return found.length >= 2 ? found : [];
}

const spanShape =
  /(?<!\p{L})(?:between|from|zwischen|von|entre|de|tra|dalle|desde(?: las)?)\s(?<first>[^.;]{4,40}?)\s(?:and|to|until|till|und|bis|et|à|y|a|e|alle|hasta(?: las)?)\s(?<last>[^.;]{4,30}?)(?=\s?(?:UTC|GMT|Uhr|CET|CEST|MESZ|MEZ|[A-Z]{2,4}T)|[,.;]|\s\p{L})/iu;
const disturbed =
  /\b(?:fail\w*|(?:did|could|were|was) (?:not|no longer) (?:\w+ )?(?:receive\w*|reach\w*|log|deliver\w*|use|access|process\w*|pay|order)|unavailable|outage|down|degraded|errors?|disrupt\w*|affected|impacted|offline|slow|ausfall\w*|ausgefallen|gestört|störung|nicht (?:erreichbar|verfügbar)|fehler\w*|beeinträchtigt|panne|indisponibl\w*|perturb\w*|erreurs?|caíd[ao]|interrump\w*|interruzione)/iu;

/** Without a chronology, the sentences with one time, and those that say from when to when something failed. */
function sentencesOf(document: Document): TimelineEntry[] {
  const { sentences, text } = document;
  return sentences.flatMap((range): TimelineEntry[] => {
    const written = text.slice(range.start, Math.min(range.end, range.start + 500)).replace(/\s/g, ' ');
    const clocks = [...written.matchAll(clocksShape)];
    if (clocks.length === 0 || /\b(?:would have|hätten?|aurait|if the|scheduled|posted)\b/iu.test(written)) return [];
    const date = dateIn(document, range);
    const entryOf = (time: string, what: string) => ({ ...range, ...(date === undefined ? {} : { date }), time, what });
    const span = spanShape.exec(written)?.groups;
    const [first, last] = [span?.first, span?.last].map((part) => timeIn(part ?? ''));
    if (clocks.length === 2 && first !== undefined && last !== undefined)
      return disturbed.test(written) ? [entryOf(first, 'incident start'), entryOf(last, 'mitigated')] : [];
    if (clocks.length === 1) return [entryOf(timeIn(written)!, written.slice(0, 300))];
    // Several times: each belongs to the clause that it is in.
    return written.split(/[;]\s|,\s|\s(?:and|und|et|y|en|e|i|och|og)\s(?=\p{L}{2})/u).flatMap((clause) => {
      const time = [...clause.matchAll(clocksShape)].length === 1 ? timeIn(clause) : undefined;
      return time === undefined ? [] : [entryOf(time, clause)];
    });
  });
}

const pointLabel =
  /^(?:\*{0,2})(?:incident |impact |outage |time of |date\/time of |zeitpunkt der |heure de )?(?:start|started|began|begin|onset|detect(?:ed|ion)|discovered|mitigat(?:ed|ion)|contain(?:ed|ment)|resol(?:ved|ution)|restored|recover(?:ed|y)|end|ended|closed|beginn|entdeckung|entdeckt|erkannt|eindämmung|eingedämmt|behoben|ende|abschluss|d[ée]but|d[ée]tection|d[ée]couverte|r[ée]tablissement|r[ée]solution|confinement|fin|cl[ôo]ture|inicio|detecci[óo]n|mitigaci[óo]n|inizio|rilevamento|fine)/iu;

/** "Detected: 2026-08-13 14:19 UTC". */
function labelledOf(document: Document): TimelineEntry[] {
  const { blocks, text } = document;
  return blocks.flatMap((block): TimelineEntry[] => {
    if (block.kind !== 'field') return [];
    const label = text.slice(block.label.start, block.label.end);
    const value = text.slice(block.value.start, Math.min(block.value.end, block.value.start + 60));
    const time = timeIn(value);
    if (time === undefined || !pointLabel.test(label)) return [];
    const date = dateIn(document, block.value);
    return [
      { start: block.start, end: block.end, ...(date === undefined ? {} : { date }), time, what: pointNames(label) },
    ];
  });
}

/** A label alone names its point: "Start" is the start of the incident. */
function pointNames(label: string): string {
  if (/start|beg[ai]n|onset|beginn|d[ée]but|inicio|inizio/iu.test(label)) return 'incident start';
  if (/resol|clos|^ende?d?$|incident end|abschluss|cl[ôo]ture|^fin/iu.test(label)) return 'incident resolved';
  if (/restor|recover|behoben|r[ée]tabl/iu.test(label)) return 'mitigated';
  return label;
}

/** The only day between the heading of a chronology and its first entry: "On Wednesday 27 May 2026 the portal was down." */
function sectionDate(document: Document, first: number): string | undefined {
  const { blocks, text } = document;
  const heading = blocks.findLast(
    (block) =>
      block.start < first &&
      first - block.start < 800 &&
      (block.kind === 'heading' || block.kind === 'paragraph') &&
      topicOfTitle(text.slice(block.start, Math.min(block.end, block.start + 80)).split('\n')[0]!) === 'timeline',
  );
  if (heading === undefined) return undefined;
  const days = new Set(
    allWithin(document.dates, { start: heading.start, end: first }).flatMap(({ iso, ambiguous }) =>
      iso.length >= 10 && !ambiguous ? [iso.slice(0, 10)] : [],
    ),
  );
  return days.size === 1 ? [...days][0] : undefined;
}

const meeting =
  /(?<!\p{L})(?:meeting|r[ée]union|sitzung|besprechung|reunión|riunione|vergadering|reunião|présents|attendees|review of)(?!\p{L})/iu;

/** "Here is what happened on Tuesday, October 6." */
const happened =
  /(?<!\p{L})(?:(?:what )?happened on|occurred on|(?:incident|outage|disruption|attack) (?:on|of)|(?:störung|vorfall|ausfall|angriff)s? (?:am|vom)|(?:incident|panne|attaque|interruption) (?:du|survenue? le)|incidente del?|ocurri(?:ó|do) el|incidente del|avvenuto il|(?:storing|incident|aanval) (?:op|van)|(?:awaria|incydent|atak) z dnia|incidente de|(?:störningen|incidenten|attacken) den|(?:hændelsen|nedbruddet) den)(?!\p{L})/iu;

/** The sender and the subject in the lines around "Date:", which is then the day on which the report was sent. */
const headerLine =
  /^[ \t>*|]{0,6}(?:from|von|de|da|van|od|fra|från|to|para|aan|cc|subject|betreff|objet|asunto|oggetto|onderwerp|temat|assunto|ämne|emne)\*{0,2}[ \t]?[:|\t]/gimu;
const isInMailHeader = (text: string, at: number) =>
  [...text.slice(Math.max(0, at - 300), at + 300).matchAll(headerLine)].length >= 1;

/** The date on a line that is labelled as that of the incident, else the only date in sentences that print a time. */
function incidentDate(document: Document, times: ReadonlySet<string>): string | undefined {
  const { blocks, text, sentences } = document;
  const labelled =
    /(?:^|[|\n\t])\s{0,3}(?:\*{0,2})(?:date(?: of (?:the )?(?:incident|event|outage))?|incident date|event date|datum(?: des vorfalls)?|vorfallsdatum|date de l['’]incident|fecha(?: del incidente)?|data(?: dell['’]incidente)?)\*{0,2}\s{0,3}[:|\t]\s{0,3}/giu;
  for (const match of text.matchAll(labelled)) {
    if (isInMailHeader(text, match.index) || isQuotedMail(document, match.index)) continue;
    const at = match.index + match[0].length;
    const date = dateIn(document, { start: at, end: Math.min(text.length, at + 40) });
    if (date !== undefined) return date;
  }
  const others = findTopics(document).filter(({ topic }) => topic === 'sample');
  const told = sentences.filter(({ start }) => !others.some((other) => other.start <= start && start < other.end));
  for (const range of told) {
    const written = text.slice(range.start, Math.min(range.end, range.start + 300));
    const date = happened.test(written) && !meeting.test(written) ? dateIn(document, range) : undefined;
    if (date !== undefined) return date;
  }
  const ofClocks = dayOfClocks(document, told, times);
  if (ofClocks !== undefined) return ofClocks;
  const dated = new Set(
    told.flatMap((range) => {
      const written = text.slice(range.start, Math.min(range.end, range.start + 600));
      if ([...written.matchAll(clocksShape)].length === 0 || meeting.test(written)) return [];
      const date = dateIn(document, range);
      return date === undefined ? [] : [date];
    }),
  );
  if (dated.size === 1) return [...dated][0];
  const headed = blocks.flatMap((block) =>
    block.kind === 'heading' && topicOfTitle(text.slice(block.start, block.end)) !== 'actions'
      ? (dateIn(document, block) ?? [])
      : [],
  );
  return new Set(headed).size === 1 ? headed[0] : undefined;
}

/** The only day in the sentences that name a time of the chronology: "On 4 February 2026 from 05:52 …". */
function dayOfClocks(document: Document, sentences: readonly Range[], times: ReadonlySet<string>): string | undefined {
  const days = new Set<string>();
  for (const range of sentences) {
    const written = document.text.slice(range.start, Math.min(range.end, range.start + 400));
    const isOfEntry = [...written.matchAll(clocksShape)].some(([clock]) => times.has(timeIn(clock)!));
    if (!isOfEntry || meeting.test(written) || isQuotedMail(document, range.start)) continue;
    const dates = allWithin(document.dates, range);
    if (dates.length === 1 && !dates[0]!.ambiguous && dates[0]!.iso.length >= 10) days.add(dates[0]!.iso.slice(0, 10));
  }
  return days.size === 1 ? [...days][0] : undefined;
}
