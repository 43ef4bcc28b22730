/** Reads figures, segments and restatements from tables with one fact per row. */
import type { Table } from '../../document/table.ts';
import { isOtherColumn } from './column-kinds.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { itemsOfRow } from './labels.ts';
import { balanceItems, type LineItem } from './line-items.ts';
import { type LongFact, longFacts } from './long-tables.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, labelOf, periodOfHeadings } from './periods.ts';
import { compare, multiply, type Rational, rational } from './rational.ts';
import { amountCell } from './table-rows.ts';
import { elementName, itemOfElement } from './taxonomy-elements.ts';
import { readUnitNote } from './units.ts';

export interface ItemFact {
  readonly concept: string;
  readonly item: LineItem;
  readonly period: ColumnPeriod;
  readonly label: string;
  /** In whole units. */
  readonly value: Rational;
  readonly zeros: number;
  readonly currency: string | undefined;
  readonly segments: readonly string[];
  readonly isReplaced: boolean;
  readonly start: number;
  readonly end: number;
}

/** A table of facts with fewer items does not contain a statement. */
const itemsMin = 2;

export interface LongTableReading {
  /** Of the whole company, as now presented. */
  readonly facts: readonly ItemFact[];
  /** Of one segment each. */
  readonly ofSegments: readonly ItemFact[];
  /** As previously reported. */
  readonly replaced: readonly ItemFact[];
}

interface LongTableOptions {
  readonly calendar: FiscalCalendar;
  readonly decimalMark: '.' | ',' | undefined;
  /** Powers of ten in the captions. */
  readonly zeros: number;
}

/** @returns undefined if the table does not have one fact of a statement per row */
export function readLongTable(table: Table, options: LongTableOptions): LongTableReading | undefined {
  const all = longFacts(table);
  if (all === undefined) return undefined;
  const own = ofCompany(all);
  const heading = table.columns.flatMap(({ headerCells }) => headerCells.map(({ text }) => text));
  const zeros = heading.map(unitOfHeading).find((each) => each !== undefined) ?? options.zeros;
  const hasGroupResult = own.some(({ concept }) => elementName(concept) === 'ProfitLoss');
  const read = own.flatMap((fact) => itemFacts(fact, hasGroupResult, { ...options, zeros }));
  if (new Set(read.map(({ item }) => item)).size < itemsMin) return undefined;
  const whole = read.filter(({ segments }) => segments.length === 0);
  return {
    facts: withoutContradictions(whole.filter(({ isReplaced }) => !isReplaced)),
    replaced: whole.filter(({ isReplaced }) => isReplaced),
    ofSegments: read.filter(({ segments, isReplaced }) => segments.length === 1 && !isReplaced),
  };
}

/** "Amount (EUR '000)", "Value (thousand)" */
function unitOfHeading(text: string): number | undefined {
  const inside = /\(([^()]{1,30})\)/.exec(text)?.[1];
  return readUnitNote(text)?.zeros ?? (inside === undefined ? undefined : readUnitNote(`in ${inside}`)?.zeros);
}

const groupEntity =
  /^(?:|-|–|n\/?a|none|default)$|\b(?:group|consolidated|konzern|groupe|consolid\p{L}*|gruppo|grupo|groep|geconsolideerd|koncern\p{L}*|total)\b/iu;

/** Of several entities, the group; an export of one entity repeats its name. */
function ofCompany(facts: readonly LongFact[]): readonly LongFact[] {
  const entities = new Set(facts.map(({ entity }) => entity));
  return entities.size < 2 ? facts : facts.filter(({ entity }) => groupEntity.test(entity));
}

const replacedScenario = /previously ?reported|as ?reported|originally|vor anpassung|publi[ée]|antes|precedente/iu;
const replacement = /restate|retrait|angepasst|reexpres|rideterminat|omr[äa]kn/iu;

function itemFacts(fact: LongFact, hasGroupResult: boolean, options: LongTableOptions): ItemFact[] {
  const { scenario, segments: printed } = fact;
  const isReplaced = [scenario, ...printed].some((text) => replacedScenario.test(text) && !/^restated$/iu.test(text));
  const isOther = scenario !== '' && !isReplaced && (isOtherColumn(scenario) || readPeriodWords(scenario).isEstimate);
  const value = amountCell(fact.value, options.decimalMark).value;
  if (isOther || value === undefined) return [];
  const segments = printed
    .flatMap((text) => text.split(';'))
    .map((text) => text.trim())
    .filter(
      (text) => text !== '' && !groupEntity.test(text) && !replacedScenario.test(text) && !replacement.test(text),
    );
  const unit = readUnitNote(`${fact.unit} ${fact.scale}`.trim());
  const period = periodOf(fact, options.calendar);
  return itemsOf(fact.concept, hasGroupResult).flatMap((item): ItemFact[] => {
    const isPerShare = item.startsWith('eps');
    const isCount = item.startsWith('shares');
    const zeros =
      isPerShare || (isCount && /share|pure/i.test(fact.unit))
        ? 0
        : (zerosOf(fact.scale) ?? unit?.zeros ?? options.zeros);
    const isBalance = balanceItems.has(item);
    // A balance has no length; a flow without one is of unknown length, unless its text says so.
    if (period === undefined || (fact.months === 0 && !isBalance)) return [];
    const label = labelOf(period, isBalance, options.calendar);
    if (label === undefined || label.endsWith('E')) return [];
    return [
      {
        concept: fact.concept,
        item,
        period,
        label,
        value: multiply(value, rational(10n ** BigInt(zeros))),
        zeros,
        currency: unit?.currency,
        segments,
        isReplaced,
        start: fact.value.start,
        end: fact.value.end,
      },
    ];
  });
}

/** "3" and "thousands" */
function zerosOf(scale: string): number | undefined {
  if (scale === '') return undefined;
  if (/^(?:0|3|6|9)$/.test(scale)) return Number(scale);
  if (/^1(?:[.,' ]?0{3}){0,3}$/.test(scale)) return scale.replace(/\D/g, '').length - 1;
  return /^(?:thousands?|tsd|tausend|milliers|miles|migliaia|duizend|k)$/i.test(scale)
    ? 3
    : /^(?:millions?|mio|millionen|millones|milioni|miljoen|m|mn)$/i.test(scale)
      ? 6
      : undefined;
}

function itemsOf(concept: string, hasGroupResult: boolean): readonly LineItem[] {
  const element = elementName(concept);
  if (element === 'NetIncomeLoss' && hasGroupResult) return ['net_income_attributable'];
  if (element === 'EarningsPerShareBasicAndDiluted') return ['eps_basic', 'eps_diluted'];
  const item = element === undefined ? undefined : itemOfElement(element);
  if (item !== undefined) return [item];
  const isElement = element !== undefined && /[a-z][A-Z]|[:_]/.test(concept);
  return isElement ? [] : itemsOfRow(concept, { section: '', maturity: undefined });
}

function periodOf({ end, months, periodText }: LongFact, calendar: FiscalCalendar): ColumnPeriod | undefined {
  if (end !== undefined) {
    const length = months ?? (periodText === undefined ? undefined : readPeriodWords(periodText).months);
    return { end, isEstimate: false, ...(length === undefined || length === 0 ? {} : { months: length }) };
  }
  if (periodText === undefined) return undefined;
  const period = periodOfHeadings([periodText.replace(/\bFY\b(?= ?\d)/i, '')], [], calendar);
  return period === undefined || months === undefined || months === 0 ? period : { ...period, months };
}

/** One value per item and period; of two that differ, neither is certain. The first concept of an item counts. */
function withoutContradictions(facts: readonly ItemFact[]): readonly ItemFact[] {
  const groups = Map.groupBy(facts, ({ item, label }) => `${item}|${label}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    const same = others.filter(({ concept }) => concept === first!.concept);
    return same.some(({ value }) => compare(value, first!.value) !== 0) ? [] : [first!];
  });
}
