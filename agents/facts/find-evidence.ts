/** Finds the place in a document that states a value, nearest to the line that a model named. */
import type { AlsoWritten } from '../agent/vocabulary.ts';
import { daysInMonth } from '../tools/text/dates.ts';
import { unitOfWord } from '../tools/text/durations.ts';
import type { Range } from '../tools/text/span.ts';
import type { DocumentEvidence, Place } from './document-evidence.ts';
import { statesDay } from './stated-dates.ts';

/** A value that stands in the document, one that only the model reads there, or one that is not there. */
export type Evidence = Range | 'judged' | undefined;

/** Numbers with few digits, durations and days are everywhere, so only near lines confirm them. */
const nearLines = 6;
const fewDigits = 2;

/** @param value its sign says how the fact counts it, and is not compared · @returns `judged` for a value that the text allows and does not decide */
export function findNumber(
  evidence: DocumentEvidence,
  line: number,
  value: number,
  also: AlsoWritten | undefined,
): Evidence {
  const magnitude = Math.abs(value);
  const digits = String(magnitude)
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  const reach = digits.length <= fewDigits ? nearLines : Number.POSITIVE_INFINITY;
  const forms = also === undefined ? (['plain'] as const) : (['plain', also] as const);
  const places = forms.flatMap((form) => nearestPlace(evidence.numberPlaces(form, magnitude), line, reach) ?? []);
  const [nearest] = places.sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
  if (nearest !== undefined) return nearest;
  return nearestPlace(evidence.numberPlaces('open', magnitude), line, reach) === undefined ? undefined : 'judged';
}

/** @param date ISO: a year, a month or a day · @returns `judged` for an end of a month of which only the year is printed */
export function findDate(evidence: DocumentEvidence, line: number, date: string): Evidence {
  const stated = nearestPlace(evidence.datePlaces(date), line, Number.POSITIVE_INFINITY);
  if (stated !== undefined || date.length < 10 || evidence.datePlaces(date.slice(0, 4)).length === 0) return stated;
  const day = nearLine(evidence, line, (at) =>
    statesDay(evidence.lineText(at), date) ? evidence.lines[at] : undefined,
  );
  return day ?? (isEdgeOfMonth(date) ? 'judged' : undefined);
}

/** So models write the periods of figures ("Q1 FY26", "mar-24"), whose days are not printed. */
function isEdgeOfMonth(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return day === 1 || day === daysInMonth(year, month);
}

export interface FoundPeriod extends Range {
  /** Whether the document counts business days. */
  readonly isBusiness: boolean;
}

export function findDuration(
  evidence: DocumentEvidence,
  line: number,
  { count, unit }: { count: number; unit: string },
  also: AlsoWritten | undefined,
): FoundPeriod | undefined {
  const plain = unit.replace(/^business /, '');
  return nearLine(evidence, line, (at): FoundPeriod | undefined => {
    const stated = evidence.durations(at).filter((one) => Number(one.count) === count && one.unit === plain);
    const best = stated.find(({ business }) => business === (plain !== unit)) ?? stated[0];
    if (best !== undefined) return { start: best.start, end: best.end, isBusiness: best.business };
    const recurs =
      also === 'interval' && evidence.intervals(at).some((one) => one.count === count && one.unit === unit);
    const isLabelled = plain === unit && labelsCount(evidence.lineText(at), count, unit);
    return recurs || isLabelled ? { ...evidence.lines[at]!, isBusiness: false } : undefined;
  });
}

/** "Notice (months): 3": the unit in a label, and the number as its value; "[~~30~~ **45**] days": marks between them. */
function labelsCount(text: string, count: number, unit: string): boolean {
  return [numberBeforeUnit, unitBeforeNumber].some((shape) =>
    [...text.matchAll(shape)].some(
      ({ groups }) => Number(groups!.number) === count && unitOfWord(groups!.word!.toLowerCase()) === unit,
    ),
  );
}

const numberBeforeUnit = /(?<![\d.,])(?<number>\d{1,4})(?:[^\p{L}\d\s%]|[ \t]){1,24}(?<word>\p{L}{1,24})/gu;
const unitBeforeNumber =
  /(?<word>\p{L}{1,24})[)\]]?[ \t]{0,4}[:|;\t=][ \t|*_]{0,8}(?<number>\d{1,4})(?![\d.,]?\d|\p{L})/gu;

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
