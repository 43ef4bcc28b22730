/** Printed totals in time records: "Summe; 35,75", "Total Meyer   worked 38:00   leave 8:00". */
import { normaliseName } from '../financial/line-items.ts';
import { hoursCell } from './clock-times.ts';

/** "Summe KW 10", "Week total". */
const totalWord =
  /^(?:\w+ )?(?:sub ?total|total|totals|summe|wochensumme|monatssumme|gesamt|gesamtsumme|zwischensumme|sum|celkem|totaal|totale|somme|suma|saldo|ubertrag)\b/;
/** A figure under its own name is the total of the hours worked only with one of these names. */
const workedWord = /\b(?:worked|actual|gearbeitet|ist|travaille\w*|trabajad[oa]s?|lavorat[oei]|gewerkt\w*)\b/;
const namedHours = /^([\p{L} .()/]{2,30}?)[ :=]{1,3}(\d{1,3}(?:[:h.,]\d{1,2})?(?: ?h)?)$/u;

export function isTotalRow(cells: readonly string[]): boolean {
  return cells.some((cell) => totalWord.test(normaliseName(cell.slice(0, 80))));
}

/**
 * The total of the hours worked, in minutes; undefined if the row names another person, or only figures of something else.
 * @param worker the person of the rows above
 */
export function printedTotalOf(cells: readonly string[], worker: string): number | undefined {
  const at = cells.findIndex((cell) => totalWord.test(normaliseName(cell.slice(0, 60))));
  const title = (cells[at] ?? '').replace(namedHours, '$1');
  const named = cells.slice(at).flatMap((cell) => {
    const match = namedHours.exec(cell.replace(/^.*\b(?=\p{Ll}+ \d)/u, '').trim());
    return match === null ? [] : [{ name: normaliseName(match[1]!), minutes: hoursCell(match[2]!) }];
  });
  if (isOther(title, worker)) return undefined;
  const worked = named.find(({ name }) => workedWord.test(name));
  if (worked !== undefined) return worked.minutes;
  const behind = hoursIn(cells.slice(at + 1));
  // "33,00;;;;;;TOTAL;Meyer": the only figure of the row may be before the word.
  const all = hoursIn(cells);
  return behind[0] ?? (all.length === 1 ? all[0] : undefined);
}

function hoursIn(cells: readonly string[]): number[] {
  return cells.map(hoursCell).filter((minutes) => minutes !== undefined && minutes > 0) as number[];
}

/** "Total Meyer" below the rows of Schulz. */
function isOther(title: string, worker: string): boolean {
  const name = /(?:^|\s)(\p{Lu}\p{Ll}[\p{L}'’-]+)$/u.exec(title.replace(/\s+\p{Ll}[\p{Ll} ]*$/u, '').trim())?.[1];
  if (name === undefined || worker === '' || totalWord.test(normaliseName(name))) return false;
  const people = normaliseName(worker).split(' ');
  return !people.includes(normaliseName(name)) && cellsOfCalendar.test(name) === false;
}

/** "Total March", "Total Woche": names of periods, and not of people. */
const cellsOfCalendar =
  /^(?:Week|Woche|Wochen|Month|Monat|Semana|Semaine|Mois|Mes|Mese|Maand|Hours|Stunden|Heures|Horas|Ore|Uren|Days|Tage|January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)/u;
