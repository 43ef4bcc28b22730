/**
 * Finds the place in a document that states a value, nearest to the line that a model named. A number without such a place is not
 * reported, wherever it comes from.
 */
import { adverbPeriods } from '../tools/compliance/recurrence.ts';
import { daysInMonth, monthNumbers } from '../tools/text/dates.ts';
import { unitOfWord } from '../tools/text/durations.ts';
import type { Range } from '../tools/text/span.ts';
import type { DocumentEvidence, Place } from './line-evidence.ts';

/** Small numbers, durations and days are everywhere, so only near lines confirm them. */
const nearLines = 6;
const smallDigits = 2;

/** @param value its sign says how the fact counts it, and is not compared */
export function findNumber(evidence: DocumentEvidence, line: number, value: number): Range | undefined {
  const digits = String(Math.abs(value))
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  const reach = digits.length <= smallDigits ? nearLines : Number.POSITIVE_INFINITY;
  return nearestPlace(evidence.numberPlaces(Math.abs(value)), line, reach);
}

/** @param date ISO: a year, a month or a day */
export function findDate(evidence: DocumentEvidence, line: number, date: string): Range | undefined {
  const stated = nearestPlace(evidence.datePlaces(date), line, Number.POSITIVE_INFINITY);
  return stated ?? (date.length === 10 ? dayWithoutYear(evidence, line, date) : undefined);
}

/**
 * Whether a date ends a month of a year that the document names: so models write the periods of figures ("Q1 FY26", "mar-24"), whose
 * days are not printed.
 */
export function endsPeriod(evidence: DocumentEvidence, date: string): boolean {
  const [year = 0, month = 0, day] = date.split('-').map(Number);
  return evidence.datePlaces(date.slice(0, 4)).length > 0 && (day === undefined || day === daysInMonth(year, month));
}

/** "31 December" in a row below the heading "2025". */
function dayWithoutYear(evidence: DocumentEvidence, line: number, date: string): Range | undefined {
  if (evidence.datePlaces(date.slice(0, 4)).length === 0) return undefined;
  const [, month = 0, day = 0] = date.split('-').map(Number);
  const written = new RegExp(`(?<!\\d)(?:0?${day}[./-] ?0?${month}|0?${month}[/-]0?${day})(?!\\d)`);
  return nearLine(evidence, line, (at) => {
    const words = evidence.words(at);
    const isNamed = words.some(({ text }) => monthNumbers.get(text) === month);
    const isDay = words.some(({ text }) => Number.parseInt(text, 10) === day);
    return (isNamed && isDay) || written.test(evidence.lineText(at)) ? evidence.lines[at] : undefined;
  });
}

/** Of business days as the document counts them, whether the model says so or not. */
export interface FoundPeriod extends Range {
  readonly isBusiness: boolean;
}

export function findDuration(
  evidence: DocumentEvidence,
  line: number,
  { count, unit }: { count: number; unit: string },
): FoundPeriod | undefined {
  const plain = unit.replace(/^business /, '');
  return nearLine(evidence, line, (at): FoundPeriod | undefined => {
    const stated = evidence.durations(at).find((one) => Number(one.count) === count && one.unit === plain);
    if (stated !== undefined) return { start: stated.start, end: stated.end, isBusiness: stated.business };
    const recurs = adverbPeriods(evidence.lineText(at)).some((one) => one.count === count && one.unit === unit);
    return recurs || isCountOf(evidence, at, count, unit) ? { ...evidence.lines[at]!, isBusiness: false } : undefined;
  });
}

/** "Notice (months): 3": the number, and a word for the unit in the same line. */
function isCountOf(evidence: DocumentEvidence, line: number, count: number, unit: string): boolean {
  const isStated = evidence.numberPlaces(count).some((place) => place.line === line);
  return isStated && evidence.words(line).some(({ text }) => unitOfWord(text) === unit);
}

/** Of two places at the same distance, the one above. @param places in the order of the lines */
function nearestPlace(places: readonly Place[], line: number, reach: number): Place | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  const at = places[low];
  if (at?.line === line) return at;
  const above = places[low - 1];
  const below = at === undefined ? Number.POSITIVE_INFINITY : at.line - line;
  const nearest = above !== undefined && line - above.line <= below ? above : at;
  return nearest !== undefined && Math.abs(nearest.line - line) <= reach ? nearest : undefined;
}

/** @returns what `find` finds on the nearest line; of two at the same distance, on the one above */
function nearLine<Found>(
  { lines }: DocumentEvidence,
  line: number,
  find: (line: number) => Found | undefined,
): Found | undefined {
  for (let distance = 0; distance <= nearLines; distance += 1) {
    for (const at of distance === 0 ? [line] : [line - distance, line + distance]) {
      const found = at < 0 || at >= lines.length ? undefined : find(at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
