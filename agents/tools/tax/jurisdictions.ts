/** Reads the figures of the GloBE computation from tables (jurisdictions as rows or as columns) and single lines. */

import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { normaliseName } from '../financial/line-items.ts';
import { findPeriods } from '../financial/periods.ts';
import { multiply, parseRational, type Rational, rational } from '../financial/rational.ts';
import { readUnitNote } from '../financial/units.ts';
import { findAmounts } from '../text/amounts.ts';
import { splitLines } from '../text/lines.ts';
import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { countryOf } from './countries.ts';

export type GlobeItem =
  | 'income'
  | 'coveredTaxes'
  | 'payroll'
  | 'tangibleAssets'
  | 'additionalTopUp'
  | 'domesticTopUp'
  | 'averageRevenue'
  | 'averageIncome';

export interface JurisdictionFigures extends Range {
  readonly name: string;
  /** In whole units of currency. */
  readonly figures: ReadonlyMap<GlobeItem, Rational>;
  /** The year named in or before the table; undefined if there is none. */
  readonly fiscalYear: number | undefined;
}

/** More are cut. */
export const jurisdictionsMax = 60;

/** More specific names first. */
const itemShapes: readonly [GlobeItem, RegExp][] = [
  ['averageRevenue', /\baverage (?:globe )?revenue\b/],
  ['averageIncome', /\baverage (?:net )?(?:globe )?income\b/],
  ['additionalTopUp', /\badditional (?:current )?top up\b/],
  ['domesticTopUp', /\bqdmtt\b|\bdomestic (?:minimum )?top up\b|\bqdtt\b/],
  ['coveredTaxes', /\bcovered tax(?:es)?\b|\berfasste steuern\b|\bzahrnute dane\b|\bimpots concernes\b/],
  ['payroll', /\bpayroll\b|\bpersonnel costs?\b|\bstaff costs?\b|\blohnkosten\b|\bmzdove naklady\b/],
  ['tangibleAssets', /\btangible (?:fixed )?assets?\b|\bsachanlagen\b|\bhmotny majetek\b/],
  [
    'income',
    /\bglobe income\b|\bglobe (?:profit|ergebnis|loss)\b|\bqualifying income\b|\bmassgeblicher gewinn\b|\bkvalifikovany zisk\b/,
  ],
];

/** Ordered by position in the text. */
export function findJurisdictions(document: Document): JurisdictionFigures[] {
  const { text, tables, decimalMark } = document;
  const found = tables.flatMap((table) => ofTable(text, table, decimalMark));
  return (found.length > 0 ? found : ofLines(text, decimalMark)).slice(0, jurisdictionsMax);
}

function itemOf(cellText: string): GlobeItem | undefined {
  if (cellText.length > 120 || !/\p{L}/u.test(cellText)) return undefined;
  const name = normaliseName(cellText);
  return itemShapes.find(([, shape]) => shape.test(name))?.[0];
}

function ofTable(text: string, table: Table, decimalMark: '.' | ',' | undefined): JurisdictionFigures[] {
  const [heading = [], ...rows] = fullRows(table);
  const before = text.slice(Math.max(0, table.start - 400), table.start);
  const zeros = zerosOf(before, heading);
  const fiscalYear = yearOf(`${before}\n${heading.map((cell) => cell.text).join('\n')}`);
  const columns = heading.map((cell) => itemOf(cell.text));
  const items = rows.map((cells) => itemOf(cells[0]?.text ?? ''));
  if (columns.filter((item) => item !== undefined).length >= 2) {
    const nameAt = nameColumn(heading, rows);
    return rows.slice(0, jurisdictionsMax).flatMap((cells) => {
      const name = cells[nameAt]?.text ?? '';
      // A figure or a dash is no jurisdiction.
      if (!/\p{L}{2}/u.test(name)) return [];
      if (/^(?:total|sum|group|celkem|summe)\b/i.test(name)) return [];
      const entries = cells.map((cell, index) => [columns[index], cell] as const);
      return toJurisdiction(name, entries, zeros, decimalMark, fiscalYear);
    });
  }
  if (items.filter((item) => item !== undefined).length < 2) return [];
  return heading.slice(1, 1 + jurisdictionsMax).flatMap((head, index) => {
    const entries = rows.map((cells, row) => [items[row], cells[index + 1]] as const);
    return toJurisdiction(head.text, entries, zeros, decimalMark, fiscalYear);
  });
}

const nameHead =
  /^(?:jurisdiction|country|state|territory|constituent entit|land|staat|hoheitsgebiet|steuerhoheit|juridiction|pays|etat|état|giurisdizione|paese|stato|jurisdicci|pais|país|rechtsgebied|jurysdykcj|kraj|państwo|jurisdik|stát|jurisdi)/iu;

/** The column headed so, else the first in which most cells name a country, else the first. */
function nameColumn(heading: readonly Cell[], rows: readonly (readonly Cell[])[]): number {
  const headed = heading.findIndex(({ text }) => nameHead.test(text.trim()));
  if (headed !== -1) return headed;
  const shown = rows.slice(0, 12);
  const named = heading.findIndex(
    (_, index) => shown.filter((cells) => countryOf(cells[index]?.text ?? '') !== undefined).length * 2 > shown.length,
  );
  return Math.max(0, named);
}

type Entry = readonly [GlobeItem | undefined, Cell | undefined];

function toJurisdiction(
  name: string,
  entries: readonly Entry[],
  zeros: number,
  decimalMark: '.' | ',' | undefined,
  fiscalYear: number | undefined,
): JurisdictionFigures[] {
  const figures = new Map<GlobeItem, Rational>();
  const cells: Cell[] = [];
  for (const [item, cell] of entries) {
    const value = item === undefined || cell === undefined ? undefined : amountOf(cell.text, decimalMark);
    if (item === undefined || cell === undefined || value === undefined || figures.has(item)) continue;
    figures.set(item, multiply(value, rational(10n ** BigInt(zeros))));
    cells.push(cell);
  }
  if (!figures.has('income') && !figures.has('coveredTaxes')) return [];
  const start = Math.min(...cells.map((cell) => cell.start));
  return [{ name, figures, fiscalYear, start, end: Math.max(...cells.map((cell) => cell.end)) }];
}

function amountOf(cellText: string, decimalMark: '.' | ',' | undefined): Rational | undefined {
  if (cellText.length > 40 || cellText.includes('%')) return undefined;
  const bare = cellText.replace(/[€$£]|\b(?:EUR|USD|GBP|CHF|CZK)\b/g, '').trim();
  if (/^[-–—]$/.test(bare)) return rational(0n);
  const parsed = parseNumber(bare, { decimalMark });
  if (parsed === undefined) return undefined;
  return parseRational(parsed.ambiguous ? parsed.value.replace('.', '') : parsed.value);
}

function zerosOf(before: string, heading: readonly Cell[]): number {
  const lines = before.split('\n').slice(-4).reverse();
  for (const line of [heading.map(({ text }) => text.slice(0, 80)).join(' '), ...lines]) {
    const zeros = readUnitNote(line.slice(-200))?.zeros;
    if (zeros !== undefined) return zeros;
  }
  return 0;
}

/** The last year before the table, because captions are nearer than paragraphs. */
function yearOf(text: string): number | undefined {
  const label = findPeriods(text).at(-1)?.label;
  const year = label === undefined ? null : /\d{4}/.exec(label);
  return year === null ? undefined : Number(year[0]);
}

/** "Net GloBE income: EUR 100 million", for one jurisdiction that no table names. */
function ofLines(text: string, decimalMark: '.' | ',' | undefined): JurisdictionFigures[] {
  const figures = new Map<GlobeItem, Rational>();
  let range: Range | undefined;
  for (const { start, end } of splitLines(text)) {
    if (end - start > 300) continue;
    const line = text.slice(start, end);
    if (end === start || itemOf(line.slice(0, 120)) === undefined) continue;
    const [amount] = findAmounts(line, { decimalMark });
    const item = amount === undefined ? undefined : itemOf(line.slice(0, amount.start));
    const value = amount === undefined ? undefined : parseRational(amount.value);
    if (item === undefined || value === undefined || figures.has(item)) continue;
    figures.set(item, value);
    range = { start: range?.start ?? start, end };
  }
  if (range === undefined || !figures.has('income') || !figures.has('coveredTaxes')) return [];
  const fiscalYear = yearOf(text.slice(Math.max(0, range.start - 400), range.end));
  return [{ name: 'jurisdiction not named', figures, fiscalYear, ...range }];
}
