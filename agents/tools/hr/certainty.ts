/**
 * Withholds terms of employment whose reading their sentence does not confirm. Each test asks about the words and values around the
 * value, in any layout: another value of its kind, the law before it, the other end of a range, a quotation.
 */
import type { Document } from '../../document/document.ts';
import { findPercents } from '../text/percents.ts';
import { moneyIn } from './clause-pay.ts';
import { type Clause, type ClauseFact, durationsIn, type FactValue } from './clauses.ts';
import { supersededColumns } from './other-voices.ts';

export type Doubt = 'columns' | 'several' | 'shared' | 'law' | 'range' | 'rate' | 'length' | 'quotation';

/** Why terms are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  columns: 'several columns of their row state such a value',
  several: 'their sentence states several amounts or hours, and not each of them was understood',
  shared: 'their amount is that of another term of the sentence',
  law: 'a reference to the law precedes their value',
  range: 'their value is one end of a range',
  rate: 'their value is counted for each year or month, and is not the whole',
  length: 'their times are too close together or too far apart for a day of work',
  quotation: 'their sentence is a quotation',
};

export interface CertainFacts {
  readonly facts: readonly ClauseFact[];
  readonly withheld: readonly WithheldFact[];
}

export interface WithheldFact {
  readonly fact: ClauseFact;
  readonly doubt: Doubt;
}

export function withholdDoubtful(
  found: readonly ClauseFact[],
  clauses: readonly Clause[],
  document: Pick<Document, 'tables' | 'text'>,
): CertainFacts {
  const rows = unassignedRows(document);
  const texts = new Map(clauses.map(({ start, text }) => [start, text]));
  const byClause = Map.groupBy(found, ({ start }) => start);
  const facts: ClauseFact[] = [];
  const withheld: WithheldFact[] = [];
  for (const fact of found) {
    const isOfColumns = valuesLike(fact, rows.get(fact.start) ?? []).size > 1;
    const doubt = isOfColumns ? 'columns' : doubtOf(fact, texts.get(fact.start) ?? '', byClause.get(fact.start) ?? []);
    if (doubt === undefined) facts.push(fact);
    else withheld.push({ fact, doubt });
  }
  return { facts, withheld };
}

/** The cells of rows behind their labels, by the start of the row, in tables whose columns were not assigned to old and new terms. */
function unassignedRows(document: Pick<Document, 'tables' | 'text'>): ReadonlyMap<number, readonly string[]> {
  const assigned = supersededColumns(document);
  return new Map(
    document.tables
      .filter((table) => !assigned.has(table))
      .flatMap((table) => [...table.headerRows, ...table.rows.map(({ cells }) => cells)])
      .flatMap((cells) => {
        const [first, ...rest] = cells.filter((cell) => cell !== undefined);
        return first === undefined ? [] : [[first.start, rest.map(({ text }) => text.slice(0, 300))] as const];
      }),
  );
}

/** The first value of the fact's kind in each cell. */
function valuesLike({ kind, value }: ClauseFact, cells: readonly string[]): ReadonlySet<string> {
  return new Set(
    cells.flatMap((cell) => {
      if (value.currency !== undefined)
        return moneyIn(cell)
          .slice(0, 1)
          .map(({ amount }) => String(amount));
      if (value.percent !== undefined)
        return findPercents(cell)
          .slice(0, 1)
          .map((percent) => percent.value);
      if (isTimes(value)) return /\d{1,2}[:.h]\d\d/u.exec(cell)?.[0] ?? [];
      const unit = lengthIn(kind, value)?.unit;
      return unit === undefined
        ? []
        : durationsIn(cell)
            .filter((length) => length.unit === unit)
            .slice(0, 1)
            .map(({ count }) => count);
    }),
  );
}

/** @param siblings all facts of the clause, with the fact itself */
function doubtOf(fact: ClauseFact, text: string, siblings: readonly ClauseFact[]): Doubt | undefined {
  if (isTimes(fact.value)) {
    const minutes = minutesBetween(fact.value);
    if (minutes < dayMinutesMin || minutes > dayMinutesMax) return 'length';
  }
  if (opensQuotation.test(text)) return 'quotation';
  if (hasOtherAmount(fact, text, siblings) || hasOtherHours(fact, text, siblings)) return 'several';
  if (isShared(fact, siblings)) return 'shared';
  const place = placeOf(fact, text);
  if (place === undefined) return undefined;
  const [before, after] = [text.slice(0, place.start).replace(ownNumber, ''), text.slice(place.end)];
  if (
    law.test(
      before
        .split(/[.;] |, /u)
        .at(-1)!
        .slice(-frontCharacters),
    )
  )
    return 'law';
  if (rangeBefore.test(before.slice(-6)) || rangeAfter.test(after.slice(0, 8))) return 'range';
  return fact.kind === 'notice' &&
    each.test(after.replace(/^['’]?s? ?(?:written |prior )?notice(?= )/iu, '').slice(0, 30))
    ? 'rate'
    : undefined;
}

const dayMinutesMin = 120;
const dayMinutesMax = 960;
const frontCharacters = 90;

const opensQuotation = /^\s*["“„«]/u;
const law =
  /§|(?<!\p{L})(?:(?:act|law|code) (?:of )?(?:19|20)\d\d|statutory|by law|gesetz\p{L}*|art(?:ikel|icle|ículo|icolo|\.) ?[LRD]?\.?\d+|légale?s?|legal(?:es)?|wettelijk\p{L}*|di legge|ley|wet)(?!\p{L})/iu;
/** "§ 5 Das Gehalt beträgt", "Artikel 3:": the number of the statement itself. */
const ownNumber =
  /^\W{0,4}(?:§|(?:[Aa]rt(?:ikel|icle|ículo|icolo|igo|\.)|[Cc]lause|[Ss]ection)(?!\p{L})) ?\d{1,2}[a-z]?(?:[.:)] |\s?[–—-] | (?=\p{Lu}\p{Ll})(?!\p{L}*(?:gesetz|ordnung|code|codice|vertrag|convention|act)(?!\p{L})|Abs|Satz))/u;
const rangeBefore = /\d ?[-–—] ?[€£$]?$/u;
const rangeAfter = /^ ?(?:[-–—] ?|(?:to|bis|à|a|tot) )[€£$]?\d/iu;
const each =
  /^ ?(?:per|for (?:each|every)|a|je|pro|par|por|voor (?:elk|ieder))(?!\p{L})(?! (?:entramb|ambedue|ambas|ambos|cada una de las partes|ciascuna|both|either|beide))/iu;

/** A benefit in a sentence with an amount that no fact of the sentence has. */
function hasOtherAmount({ kind, value }: ClauseFact, text: string, siblings: readonly ClauseFact[]): boolean {
  if (kind !== 'benefit' || value.currency === undefined) return false;
  const known = new Set(
    siblings.flatMap((sibling) => (sibling.value.currency === undefined ? [] : [sibling.value.amount])),
  );
  return moneyIn(text).some(
    ({ amount, start }) => !known.has(amount) && !ofEmployee.test(text.slice(Math.max(0, start - 60), start)),
  );
}

/** What the employee pays of a benefit. */
const ofEmployee =
  /(?:employee['’]?s?|your) (?:share|part|contribution)|(?:part|quote-part) (?:du salarié|de l['’]employée?|personnelle)|celle d[eu] (?:l['’]|la |le )?(?:employée?|travailleur|salariée?)|arbeitnehmeranteil|eigenanteil|a cargo del trabajador|a carico del (?:dipendente|lavoratore)|werknemersbijdrage|eigen bijdrage/iu;

/** Hours in a sentence with other hours that no fact of the sentence has. */
function hasOtherHours({ value }: ClauseFact, text: string, siblings: readonly ClauseFact[]): boolean {
  if (value.hours === undefined) return false;
  const known = new Set(siblings.map((sibling) => sibling.value.hours));
  // "8 h 30" is a time of day.
  return durationsIn(text).some(
    ({ count, unit, start, end }) =>
      unit === 'hour' &&
      !known.has(Number(count)) &&
      !/^ ?\d{2}(?!\d)|^ (?:(?:for|unpaid|paid|of|de|per|para) ){0,3}(?:(?:the|your|a|o) )?(?:lunch|break|meal|pause|mittag|comida|pranzo|pauze|almoço|intervalo|rast|frokost|przerw)/iu.test(
        text.slice(end, end + 20),
      ) &&
      !/\bh$/iu.test(text.slice(0, end)) &&
      !fromTime.test(text.slice(Math.max(0, start - 8), start)) &&
      !limitOfHours.test(text.slice(Math.max(0, start - 24), start)) &&
      !/(?:pause|break|lunch|mittag|descanso|pausa|pauze|intervalo|almoço|rast|frokost|przerwa)(?: d['’]| de | of | von | di | van | på )?(?:an? |uma |une |eine[nr]? |een |un['’]?)?\W{0,3}(?:\p{L}+ )?$/iu.test(
        text.slice(Math.max(0, start - 24), start),
      ),
  );
}

/** "Das 9h às 18h": a time of day. */
const fromTime = /(?<!\p{L})(?:das|às|as|dalle|alle|las|entre|od|do) $/iu;

/** "With overtime at most 45 hours": a limit next to the agreed hours. */
const limitOfHours =
  /(?:höchstens|maximal|bis zu|up to|at most|no more than|not exceed\w*|maximum(?: of)?|máximo(?: de)?|massimo(?: di)?|maximaal|au plus) $/iu;

/** A benefit with the amount of the pay or of another benefit of its sentence. */
function isShared({ kind, value }: ClauseFact, siblings: readonly ClauseFact[]): boolean {
  return (
    kind === 'benefit' &&
    value.currency !== undefined &&
    siblings.some(
      (sibling) =>
        sibling.value.amount === value.amount &&
        sibling.value.currency === value.currency &&
        sibling.value.benefit !== value.benefit,
    )
  );
}

/** Where the text states the value; undefined for values that have no single place. */
function placeOf(
  { kind, value }: ClauseFact,
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  if (value.currency !== undefined) return moneyIn(text).find(({ amount }) => amount === value.amount);
  if (value.percent !== undefined) return findPercents(text).find((percent) => Number(percent.value) === value.percent);
  const length = lengthIn(kind, value);
  return length === undefined
    ? undefined
    : durationsIn(text).find(({ count, unit }) => Number(count) === length.count && unit === length.unit);
}

function lengthIn(kind: string, { duration, hours, amount, unit }: FactValue) {
  if (typeof duration === 'object') return duration;
  if (hours !== undefined) return { count: hours, unit: 'hour' };
  return kind === 'annual_leave' ? { count: amount, unit: String(unit).slice(0, -1) } : undefined;
}

function isTimes({ start, end }: FactValue): boolean {
  return [start, end].every((time) => typeof time === 'string' && /^\d\d:\d\d$/u.test(time));
}

function minutesBetween({ start, end }: FactValue): number {
  const [from, to] = [start, end].map((time) => {
    const [hours, minutes] = String(time).split(':').map(Number);
    return hours! * 60 + minutes!;
  });
  return (to! - from! + 1_440) % 1_440;
}
