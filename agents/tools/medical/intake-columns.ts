/** Columns for the times of the day, of which a row fills only those at which the medicine is taken: "| 1 |  |  | 1 |". */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { rowAt } from './table-titles.ts';

const timeTitle =
  /^(?:d|de|c|co|m|mi|t|n|ac|s|z|a|mo|mit|ab|na|morgens?|früh|mittags?|abends?|nachts?|zur nacht|morning|noon|midday|afternoon|evening|night|bedtime|am|pm|matin|midi|goûter|soir|coucher|desayuno|comida|merienda|cena|acostarse|mañana|tarde|noche|mattino|colazione|pranzo|sera|ochtend|middag|avond|nacht|rano|południe|wieczór|noc|morgon|middag|eftermiddag|kväll|natt|morgen|formiddag|aften|kveld|manhã|almoço|jantar|deitar|pequeno[- ]almoço|desayuno|comer|cenar|dormir|mezzogiorno|pomeriggio|notte|früh|nacht|ochtends|'s avonds|aamu|päivä|ilta|yö|kl\.? ?\d{1,2}|\d{1,2}(?:[:.]00)?(?: ?h| uhr)?|(?:8|12|18|20|22) ?h)\.?$/iu;
const columnsMin = 3;
const quantity = /^(?:\d{1,2}(?:[.,](?:5|25|75))?|[½¼]|1\/[24])$/;
/** Units that are injected: "14u". */
const units = /^(\d{1,3}) ?(?:u|ui|ie|iu|e)\.?$/iu;

/** The words after the name, with the cells of these columns as a schedule ("1-0-1"); unchanged where a cell says anything else. */
export function withIntakeColumns(document: Document, { start, end }: Range, after: string): string {
  const row = rowAt(document, start);
  if (row === undefined || row.titles.filter((title) => timeTitle.test(title)).length < columnsMin) return after;
  const taken = row.cells.filter(
    (cell, column) => timeTitle.test(row.titles[column] ?? '') && cell.text !== '' && !/^[-–—0]$/.test(cell.text),
  );
  const [first, last] = [taken[0], taken.at(-1)];
  if (first === undefined || last === undefined || taken.length > 4 || first.start < end) return after;
  const schedule = scheduleOf(taken.map(({ text }) => text.trim()));
  if (schedule === undefined || last.end - end > after.length) return after;
  return after.slice(0, first.start - end) + schedule + after.slice(last.end - end);
}

function scheduleOf(amounts: readonly string[]): string | undefined {
  const [one, two, three, four] = amounts;
  const injected = amounts.length === 1 ? units.exec(one!)?.[1] : undefined;
  if (injected !== undefined) return `${injected} IU QD`;
  if (!amounts.every((amount) => quantity.test(amount))) return undefined;
  if (four !== undefined) return amounts.join('-');
  return [one, three === undefined ? '0' : two, three ?? two ?? '0'].join('-');
}
