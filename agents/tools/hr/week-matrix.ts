/** Weekly tables: people as rows, weekdays as columns, hours in the cells. Also printed totals by person in a separate table. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { dayNumber, isoOfDay, mondayOf } from './calendar.ts';
import { clockTimes, hoursCell } from './clock-times.ts';
import { severalPeople } from './record-names.ts';
import { gridRows } from './row-cells.ts';

export interface WeekRow extends Range {
  readonly worker: string;
  /** Day number of the Monday; undefined if the text names no date. */
  readonly monday: number | undefined;
  /** In minutes; `weekday` counts from Monday, 0. */
  readonly days: readonly { readonly weekday: number; readonly minutes: number }[];
  readonly minutes: number;
  /** Whether each day is hours, blank or a known absence; otherwise the sum of the days may be incomplete. */
  readonly isComplete: boolean;
  /** As printed after the days. */
  readonly stated: number | undefined;
}

/** Rows read at most. */
const rowsMax = 200;
const weekdayShapes: readonly RegExp[] = [
  /^(?:mon|monday|montag|mo|lundi|lun|lunes|lunedi|lunedì|ma|maandag|po|pondělí)\b/iu,
  /^(?:tues?|tuesday|dienstag|di|mardi|mar|martes|martedì|dinsdag|út|úterý)\b/iu,
  /^(?:wed|wednesday|mittwoch|mi|mercredi|mer|miércoles|mié|mercoledì|woensdag|wo|st|středa)\b/iu,
  /^(?:thurs?|thu|thursday|donnerstag|do|jeudi|jeu|jueves|jue|giovedì|gio|donderdag|čt|čtvrtek)\b/iu,
  /^(?:fri|friday|freitag|fr|vendredi|ven|viernes|vie|venerdì|vrijdag|vr|pá|pátek)\b/iu,
  /^(?:sat|saturday|samstag|sonnabend|sa|samedi|sam|sábado|sáb|sabato|sab|zaterdag|za|so|sobota)\b/iu,
  /^(?:sun|sunday|sonntag|so|dimanche|dim|domingo|dom|domenica|zondag|zo|ne|neděle)\b/iu,
];
const noPerson =
  /^\W*(?:total|sum|sub-?total|budget|forecast|prognose|vorschau|pr[ée]visions?|previsi[oó]n|previsione|prognosi|target|plan|contract|average|summe|gesamt|soll|celkem|totaal|totale|suma|somme|hours|date|week|in|out|start|end|break|shift)\b/iu;

export function readWeekMatrices(document: Document): WeekRow[] {
  return document.tables
    .flatMap((table) => {
      // Clock times are words in the document model, so rows of them may be among the header rows.
      const rows = gridRows(table);
      const header = rows.findIndex((cells) => dayColumns(cells) !== undefined);
      if (header < 0) return [];
      const columns = dayColumns(rows[header]!)!;
      const monday = agreed(mondayBefore(document, table.start), rows[header]!, columns);
      let worker = '';
      return rows.slice(header + 1, header + 1 + rowsMax).flatMap((cells) => {
        // A name only in the first of several rows applies to the rows below.
        worker = cells[0]?.text.trim() || worker;
        return rowOf(cells, columns, { worker, monday }) ?? [];
      });
    })
    .slice(0, rowsMax);
}

/** The column of each weekday, in the order of the week; undefined if the cells are not a week. */
function dayColumns(cells: readonly Cell[]): ReadonlyMap<number, number> | undefined {
  const found = new Map<number, number>();
  let weekday = 0;
  const sunday = cells.findIndex(({ text }, index) => index > 0 && weekdayShapes[6]!.test(text.trim()));
  const isSundayFirst = sunday > 0 && weekdayShapes[0]!.test(cells[sunday + 1]?.text.trim() ?? '');
  if (isSundayFirst) found.set(-1, sunday);
  for (const [index, { text }] of cells.entries()) {
    const shown = text.trim();
    const isDay = (day: number) => weekdayShapes[day]?.test(shown) === true;
    const next = [weekday, weekday + 1].find((day) => day < 7 && isDay(day) && index > 0);
    if (next === undefined || (isSundayFirst && index === sunday)) continue;
    found.set(next, index);
    weekday = next + 1;
  }
  // The days in another order: their sum would leave some out.
  const used = new Set(found.values());
  const isLeftOut = cells.some(
    ({ text }, index) =>
      index > 0 && !used.has(index) && text.length <= 12 && weekdayShapes.some((shape) => shape.test(text.trim())),
  );
  return found.size >= 5 && !isLeftOut ? found : undefined;
}

const weekWords =
  /\b(?:week|w\/[ce]|wc|we|kw|woche|wochen|vom|semaine|semana|settimana|weeknummer|period|zeitraum|from|beginning|commencing|ending)\b/iu;

/** The Monday of the last date above the table that names a week, or of the only week that is named. */
function mondayBefore({ dates, text }: Document, at: number): number | undefined {
  const known = dates.filter(({ start, iso, ambiguous }) => start < at && iso.length === 10 && !ambiguous);
  const week = known.findLast(({ start }) => weekWords.test(text.slice(Math.max(0, start - 40), start)));
  if (week !== undefined) return mondayOf(dayNumber(week.iso));
  const mondays = new Set(known.map(({ iso }) => mondayOf(dayNumber(iso))));
  return mondays.size === 1 ? [...mondays][0] : undefined;
}

/** The Monday, unless the headings of the days ("Mon 9", "Di 10.03.") name other dates. */
function agreed(
  monday: number | undefined,
  header: readonly Cell[],
  columns: ReadonlyMap<number, number>,
): number | undefined {
  if (monday === undefined) return undefined;
  const isOther = [...columns].some(([weekday, column]) => {
    const day = /\d{1,2}/.exec(header[column]?.text ?? '')?.[0];
    if (day === undefined || /\d{4}-/.test(header[column]!.text)) return false;
    const [, month = 0, date = 0] = isoOfDay(monday + weekday)
      .split('-')
      .map(Number);
    return Number(day) !== date && Number(day) !== month;
  });
  return isOther ? undefined : monday;
}

/** A row of planned hours or of differences. */
const noWork =
  /\b(?:plan(?:ned)?|scheduled?|rostered|rota|expected|target|contract(?:ed)?|soll|sollzeit|geplant|dienstplan|pr[ée]vue?s?|previst[oa]s?|gepland|diff(?:erence)?|variance|saldo|balance|overtime|ot|leave|pause|break|start|in|out|end|beginn|ende|from|to|von|bis)\b/iu;

/** Blanks, dashes and codes for days without work. */
const absence =
  /^[|\s]*(?:[-–—−./x*]*|0(?:[:.,]0{1,2})?|off|(?:ph|bh|al|rd|ro|do|sl|hol|holiday|leave|sick|s|h|l|a|ul?|k|f|au|frei|urlaub|krank|feiertag|repos|r|cp|rtt|maladie|cong[ée]|libre|vacaciones|fiesta|riposo|ferie|malattia|vrij|verlof|ziek|n\/a))\.?[|\s]*$/iu;

function rowOf(
  row: readonly Cell[],
  columns: ReadonlyMap<number, number>,
  { worker, monday }: { readonly worker: string; readonly monday: number | undefined },
): WeekRow | undefined {
  if (!/\p{L}{2}/u.test(worker) || noPerson.test(worker) || severalPeople.test(worker) || worker.length > 60)
    return undefined;
  const first = Math.min(...columns.values());
  const last = Math.max(...columns.values());
  if (row.slice(0, first).some(({ text }, index) => noWork.test(index === 0 ? text.replace(/^[^(/–-]*/u, '') : text)))
    return undefined;
  const cells = [...columns].map(([weekday, column]) => ({ weekday, text: row[column]?.text ?? '' }));
  const days = cells.flatMap(({ weekday, text }) => {
    const minutes = hoursCell(text) ?? stretchMinutes(text);
    return minutes === undefined || minutes === 0 || minutes > 1_440 ? [] : [{ weekday, minutes }];
  });
  if (days.length === 0) return undefined;
  const isComplete = cells.every(
    ({ text, weekday }) => absence.test(text) || days.some((day) => day.weekday === weekday),
  );
  const stated = row.slice(last + 1).flatMap((cell) => minutesIn(cell))[0];
  const sum = days.reduce((total, { minutes }) => total + minutes, 0);
  // The breaks of "9:00-17:00" are not known if the printed total is less.
  const hasStretches = cells.some(({ text }) => stretchMinutes(text) !== undefined);
  if (hasStretches && stated !== undefined && stated !== sum) return undefined;
  return { worker, monday, days, minutes: sum, isComplete, stated, start: row[0]!.start, end: row.at(-1)!.end };
}

/** "9:00-17:00", "22:00 – 06:00". */
function stretchMinutes(text: string): number | undefined {
  const times = clockTimes(text);
  if (times.length !== 2 || !/^[|\s]*[\d:.hapm ]+(?:-|–|to|bis|à)[\d:.hapm ]+[|\s]*$/iu.test(text)) return undefined;
  return (times[1]! - times[0]! + 1_440) % 1_440;
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
    if (column < 1 || header.some((text) => dateColumn.test(text)) || dayColumns(rows[0]!) !== undefined) continue;
    for (const cells of rows.slice(1)) {
      const minutes = hoursCell(cells[column]?.text ?? '');
      const worker = cells[0]?.text.trim();
      if (worker === undefined || minutes === undefined) continue;
      totals.set(worker, { minutes, start: cells[0]!.start, end: cells.at(-1)!.end });
    }
  }
  return totals;
}
