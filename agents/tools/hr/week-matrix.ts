/** Tables with a column for each day: people, tasks of one person, or the times of one person as rows. Also printed totals by person. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { mondayOf } from './calendar.ts';
import { clockTimes, hoursCell } from './clock-times.ts';
import { type DayColumn, dayColumns } from './day-columns.ts';
import { personAbove, severalPeople } from './record-names.ts';
import { gridRows } from './row-cells.ts';
import { isPersonHeading, timeRole } from './timesheet-columns.ts';

export interface WeekRow extends Range {
  readonly worker: string;
  /** Day number of the Monday; undefined if the text names no date, or the days are of several weeks. */
  readonly monday: number | undefined;
  /** In minutes; `day` is undefined if the text names no date. */
  readonly days: readonly { readonly day: number | undefined; readonly minutes: number }[];
  readonly minutes: number;
  /** Whether the days are of one week, and each is hours, blank or a known absence: only then is their sum that of the week. */
  readonly isComplete: boolean;
  /** As printed after the days. */
  readonly stated: number | undefined;
}

/** Rows read at most. */
const rowsMax = 200;
const noPerson =
  /^\W*(?:total\w*|sum|sub-?total|budget|forecast|prognose|vorschau|pr[ée]visions?|previsi[oó]n|previsione|prognosi|target|plan|contract|average|summe|gesamt|insgesamt|soll|celkem|totaal|totale|suma|somme|razem|totalt|i alt|sammanlagt|hours|date|week|in|out|start|end|break|shift)(?!\p{L})/iu;

/** A table with a column for each day, from the heading of the days on. */
export interface DayTable {
  readonly table: Table;
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: readonly DayColumn[];
}

export function dayTables(document: Document): DayTable[] {
  return document.tables.flatMap((table) => {
    // Clock times are words in the document model, so rows of them may be among the header rows.
    const rows = gridRows(table);
    const at = rows.findIndex((cells) => dayColumns(cells, document, table.start) !== undefined);
    if (at < 0) return [];
    const columns = dayColumns(rows[at]!, document, table.start)!;
    return isPlanned(document.text, table.start)
      ? []
      : [{ table, header: rows[at]!, rows: rows.slice(at + 1, at + 1 + rowsMax), columns }];
  });
}

const plannedTitle =
  /(?<!\p{L})(?:plan(?:ned|ning)?|rota|roster|schedule[ds]?|forecast|budget|soll(?:stunden|zeit)?|dienstplan|schichtplan|geplant\p{L}*|pr[ée]vu\p{L}*|pr[ée]visionnel\p{L}*|prevision\p{L}*|programmat\p{L}*|planificad\p{L}*|gepland\p{L}*|rooster|schema|vagtplan|grafik|escala|next week|template|example|muster|beispiel\p{L}*|vorlage|exemple|ejemplo|esempio|not worked)(?!\p{L})/iu;
const actualTitle =
  /(?<!\p{L})(?:actuals?|worked|recorded|record|ist(?:zeit|stunden)?|geleistet\p{L}*|gearbeitet\p{L}*|r[ée]el\p{L}*|effectu[ée]\p{L}*|travaill[ée]\p{L}*|trabajad\p{L}*|lavorat\p{L}*|gewerkt\p{L}*|arbetad\p{L}*|przepracowan\p{L}*|trabalhad\p{L}*)(?!\p{L})/iu;

/** Whether the line above a table says that its hours were not worked: a rota, a forecast, an example. */
function isPlanned(text: string, at: number): boolean {
  const title =
    text
      .slice(Math.max(0, at - 200), at)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return plannedTitle.test(title) && !actualTitle.test(title.replace(/not (?:yet )?worked/giu, ''));
}

export function readWeekMatrices(document: Document): WeekRow[] {
  return dayTables(document)
    .flatMap(({ table, header, rows, columns }) => {
      if (labelColumn({ rows, columns }) !== undefined) return [];
      const before = header.slice(0, columns[0]!.column);
      const name = Math.max(
        0,
        before.findIndex(({ text }) => isPersonHeading(text)),
      );
      const owner = isPersonHeading(before[name]?.text ?? '') ? undefined : personAbove(document.text, table.start);
      if (owner !== undefined && isTaskHeading.test(before[0]?.text.trim() ?? '')) {
        const row = sumOf(rows, columns, owner);
        return row === undefined ? [] : [row];
      }
      let worker = '';
      return rows.flatMap((cells) => {
        // A name only in the first of several rows applies to the rows below.
        worker = cells[name]?.text.trim() || worker;
        return rowOf(cells, columns, worker, breakWord.test(document.text)) ?? [];
      });
    })
    .slice(0, rowsMax);
}

/** The column of "Start", "End", "Break", if the rows are such instead of people. */
export function labelColumn({ rows, columns }: Pick<DayTable, 'rows' | 'columns'>): number | undefined {
  const candidates = Array.from({ length: columns[0]!.column }, (_, column) => column);
  return candidates.find((column) => {
    const roles = rows.map((row) => timeRole(row[column]?.text ?? ''));
    return (roles.includes('start') && roles.includes('end')) || (roles.includes('worked') && roles.includes('pause'));
  });
}

const breakWord =
  /(?<!\p{L})(?:breaks?|lunch|meal|pausen?|pausa|pauze|pauser?|rast(?:er)?|descanso|repas|intervalo|przerw\p{L}*|přestávk\p{L}*)(?!\p{L})/iu;

/** Headings of rows that are not people. */
const isTaskHeading =
  /(?<!\p{L})(?:projec?[ck]?ts?|projekte?|projet|proyecto|progetto|tasks?|activit\p{L}+|t[äa]tigkeit\p{L}*|aufgabe\p{L}*|cost (?:code|cent\p{L}+)|kostenstelle\p{L}*|job|jobs|order|auftrag\p{L}*|clients?|customer|kunden?|klant|dossier|commessa|work ?package|arbeitspaket\p{L}*|uppdrag|opgave|zadanie|category|pay code)(?!\p{L})/iu;

/** The hours of one person on several tasks: the sum of each day. */
function sumOf(rows: readonly (readonly Cell[])[], columns: readonly DayColumn[], worker: string): WeekRow | undefined {
  const totals = rows.filter(([label]) => noPerson.test(label?.text ?? ''));
  const own = rows.filter((row) => !totals.includes(row) && row[0]?.text.trim() !== '');
  const read = own.map((row) => rowOf(row, columns, 'task')).filter((row) => row !== undefined);
  if (read.length === 0 || read.some(({ isComplete }) => !isComplete)) return undefined;
  const minutes = columns.map(({ day }, index) => ({
    day,
    minutes: own.reduce((sum, row) => sum + (hoursCell(row[columns[index]!.column]?.text ?? '') ?? 0), 0),
  }));
  const stated = totals.map((row) => rowOf(row, columns, 'total')?.stated).find((each) => each !== undefined);
  const last = read.at(-1)!;
  return {
    ...withDays(
      minutes.filter((each) => each.minutes > 0),
      true,
    ),
    worker,
    stated,
    start: read[0]!.start,
    end: last.end,
  };
}

/** A row of planned hours or of differences. */
const noWork =
  /\b(?:plan(?:ned)?|scheduled?|rostered|rota|expected|target|contract(?:ed)?|soll|sollzeit|geplant|dienstplan|pr[ée]vue?s?|previst[oa]s?|gepland|diff(?:erence)?|variance|saldo|balance|overtime|ot|leave|pause|break|start|in|out|end|beginn|ende|from|to|von|bis)\b/iu;

/** Blanks, dashes and codes for days without work. */
const absence =
  /^[|\s]*(?:[-–—−./x*]*|0(?:[:.,]0{1,2})?|off|(?:ph|bh|al|rd|ro|do|sl|hol|holiday|leave|sick|s|h|l|a|ul?|k|f|au|frei|urlaub|krank|feiertag|repos|r|cp|rtt|maladie|cong[ée]|libre|vacaciones|fiesta|riposo|ferie|malattia|vrij|verlof|ziek|n\/a|semester|sem|sjuk|ledig|fri|ferie|syg|urlop|zwolnienie|chorobowe|f[ée]rias|folga|baixa|compensation|ferien|fehlt|absent|abs|none))\.?[|\s]*$/iu;

/** @param hasBreaks whether the document mentions breaks, which times alone do not show */
function rowOf(
  row: readonly Cell[],
  columns: readonly DayColumn[],
  worker: string,
  hasBreaks = false,
): WeekRow | undefined {
  if (!/\p{L}{2}/u.test(worker) || severalPeople.test(worker) || worker.length > 60) return undefined;
  if (worker !== 'total' && noPerson.test(worker)) return undefined;
  const first = columns[0]!.column;
  const last = columns.at(-1)!.column;
  if (row.slice(0, first).some(({ text }, index) => noWork.test(index === 0 ? text.replace(/^[^(/–-]*/u, '') : text)))
    return undefined;
  const cells = columns.map(({ day, column }) => ({ day, text: row[column]?.text ?? '' }));
  const read = cells.map(({ day, text }) => ({ day, minutes: hoursCell(text) ?? stretchMinutes(text) }));
  const days = read.flatMap(({ day, minutes }) =>
    minutes === undefined || minutes === 0 || minutes > 1_440 ? [] : [{ day, minutes }],
  );
  if (days.length === 0) return undefined;
  const isComplete = cells.every(
    ({ text }, index) => absence.test(text) || (read[index]!.minutes !== undefined && read[index]!.minutes! <= 1_440),
  );
  const stated = row.slice(last + 1).flatMap((cell) => minutesIn(cell))[0];
  const known = withDays(days, isComplete);
  // The breaks of "9:00-17:00" are not known if the printed total is less.
  const hasStretches = cells.some(({ text }) => stretchMinutes(text) !== undefined);
  if (hasStretches && stated === undefined && hasBreaks && !cells.some(({ text }) => /[([]/u.test(text)))
    return undefined;
  if (hasStretches && stated !== undefined && stated !== known.minutes) return undefined;
  return { ...known, worker, stated, start: row[0]!.start, end: row.at(-1)!.end };
}

export function withDays(
  days: WeekRow['days'],
  isComplete: boolean,
): Pick<WeekRow, 'days' | 'minutes' | 'monday' | 'isComplete'> {
  const mondays = new Set(days.map(({ day }) => (day === undefined ? undefined : mondayOf(day))));
  const [monday] = mondays;
  return {
    days,
    minutes: days.reduce((sum, { minutes }) => sum + minutes, 0),
    monday: mondays.size === 1 ? monday : undefined,
    isComplete: isComplete && mondays.size === 1,
  };
}

const stretch = String.raw`(\d{1,2}(?:[:.h]\d{2})?(?: ?[ap]\.?m\.?)?) ?(?:-|–|—|to|bis|à|a|tot) ?(\d{1,2}(?:[:.h]\d{2})?(?: ?[ap]\.?m\.?)?)`;
const stretchesOnly = new RegExp(
  String.raw`^[|\s]*${stretch}(?:[ ,;/+&|]{1,3}${stretch})?(?:[ ,]{0,2}[([](?:-|–)? ?(\d{1,2}(?::\d\d)?)(?: ?(?:min\.?|m|['′]))?[)\]])?[|\s]*$`,
  'iu',
);

/** "9:00-17:00", "22:00 – 06:00", "08:00-12:00 13:00-17:00", "9-17.30 (30)": the break behind is in minutes. */
function stretchMinutes(text: string): number | undefined {
  const match = text.length > 48 ? null : stretchesOnly.exec(text);
  if (match === null) return undefined;
  const [, ...ends] = match;
  const times = ends.slice(0, 4).flatMap((end) => (end === undefined ? [] : clockTimes(end, true)));
  if (times.length % 2 !== 0) return undefined;
  const span = (at: number) => (times[at + 1]! - times[at]! + 1_440) % 1_440;
  const pause = ends[4]?.includes(':') ? (hoursCell(ends[4]) ?? 0) : Number(ends[4] ?? 0);
  const minutes = span(0) + (times.length > 2 ? span(2) : 0) - pause;
  return minutes > 0 ? minutes : undefined;
}

/** The cell may contain separators. */
function minutesIn(cell: Cell): number[] {
  const minutes = hoursCell(cell.text.replace(/^\|\s*/, '').split(/\s{2}/, 1)[0] ?? '');
  return minutes === undefined ? [] : [minutes];
}

const totalColumn = /^(?:(?:total )?(?:hours )?worked|total(?: hours)?|hours|stunden|gesamt|heures|horas|ore|uren)$/iu;

const dateColumn = /^(?:date|datum|fecha|data|day|tag)$/iu;

/** Totals that a table prints by person, without dates: minutes by worker, with the position of the row. */
export function printedTotals(document: Document): ReadonlyMap<string, PrintedTotal> {
  const known = totalsKnown.get(document) ?? findTotals(document);
  totalsKnown.set(document, known);
  return known;
}

type PrintedTotal = Range & { readonly minutes: number };

/** Computed once per document, because every person of a document needs it. */
const totalsKnown = new WeakMap<Document, ReadonlyMap<string, PrintedTotal>>();

function findTotals(document: Document): ReadonlyMap<string, PrintedTotal> {
  const totals = new Map<string, PrintedTotal>();
  for (const table of document.tables) {
    const rows = gridRows(table);
    const header = rows[0]?.map(({ text }) => text.trim()) ?? [];
    const column = header.findIndex((text) => totalColumn.test(text));
    if (
      column < 1 ||
      header.some((text) => dateColumn.test(text)) ||
      dayColumns(rows[0]!, document, table.start) !== undefined
    )
      continue;
    for (const cells of rows.slice(1)) {
      const minutes = hoursCell(cells[column]?.text ?? '');
      const worker = cells[0]?.text.trim();
      if (worker === undefined || minutes === undefined) continue;
      totals.set(worker, { minutes, start: cells[0]!.start, end: cells.at(-1)!.end });
    }
  }
  return totals;
}
