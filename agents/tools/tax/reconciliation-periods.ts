/** Assigns the columns of a reconciliation to periods. */
import { alignFigures, type Figure, type FigureRow, yearOf } from './figure-rows.ts';
import type { Layout } from './layout.ts';

export interface Group {
  readonly period: string;
  readonly amount?: number;
  readonly percent?: number;
}

/** Columns of one period belong together; a column contains percentages if its header or its figures indicate so. */
export function periodsOf(
  heads: readonly { readonly year?: string; readonly isPercent: boolean }[],
  template: readonly Figure[],
  start: FigureRow,
  ends: readonly FigureRow[],
): Group[] {
  const isPercent = (index: number) => {
    if (heads[index]!.isPercent) return true;
    const [from, to] = [alignFigures(start, template)[index], ends.map((row) => alignFigures(row, template)[index])];
    return from?.isPercent === true && to.every((figure) => figure === undefined || figure.isPercent);
  };
  const groups: { period: string; amount?: number; percent?: number }[] = [];
  for (const [index, { year }] of heads.entries()) {
    const kind = isPercent(index) ? 'percent' : 'amount';
    const period = year ?? `column ${groups.filter((group) => group[kind] !== undefined).length + 1}`;
    const group = groups.find((each) => each.period === period && each[kind] === undefined);
    if (group === undefined) groups.push({ period, [kind]: index });
    else group[kind] = index;
  }
  return groups.slice(0, 4);
}

const priorYear =
  /\b(?:prior|previous|last|vorjahr|vorjahres|n-1|precedent|precedente|anterior|voorgaand|vorig|fjor|foregaende|ubiegly|minule)\b/;
const yearNote =
  /\b(?:year|years|fy|ended|ending|annual report|jahr|geschaftsjahr|jahresabschluss|konzernabschluss|geschaftsbericht|exercice|clos|esercizio|bilancio|ejercicio|cuentas|boekjaar|jaarrekening|jaarverslag|arsregnskap|arsrapport|arsredovisning|regnskapsar|rakenskapsar|rok|roku|sprawozdanie|vyrocni)\b/;

function yearBelow({ lines }: Layout, line: number): string | undefined {
  const near = lines.slice(line, line + 30).flatMap(({ segments }) => segments);
  const note = near.find(
    ({ text, folded }) => text.length < 240 && yearNote.test(folded) && yearOf(text) !== undefined,
  );
  return note === undefined ? undefined : yearOf(note.text);
}

function onlyYear({ document: { text } }: Layout): string | undefined {
  const years = new Set([...text.matchAll(/(?<![\d.,'’])(?:19|20)\d\d(?![\d.,'’]\d)/gu)].map(([year]) => year));
  return years.size === 1 ? [...years][0] : undefined;
}

/** Columns without a year: the year of the caption or of the whole text, and the previous year before it. */
export function withYears(groups: readonly Group[], layout: Layout, line: number): Group[] {
  if (groups.some(({ period }) => /^\d{4}$/.test(period)) || groups.length > 2) return [...groups];
  const lines = [
    ...layout.lines.slice(Math.max(0, line - 14), line).reverse(),
    ...layout.lines.slice(0, Math.min(line, 60)),
  ];
  const named = lines.flatMap(({ segments }) =>
    segments.flatMap(({ text, folded }) =>
      text.length < 200 && (yearNote.test(folded) || /^[^.]{0,60}\b20\d\d\b[^.]{0,30}$/.test(text))
        ? (yearOf(text) ?? [])
        : [],
    ),
  );
  // A note below the table, or the only year of the text.
  const year = named[0] ?? yearBelow(layout, line) ?? onlyYear(layout);
  if (year === undefined) return [...groups];
  const heads = layout.lines
    .slice(Math.max(0, line - 4), line)
    .map(({ segments }) => segments.map(({ folded }) => folded).join(' '));
  const swapped = heads.some((head) => priorYear.test(head) && priorYear.exec(head)!.index < head.length / 3);
  // Two columns without a year and without a word for the previous year may be of anything.
  const hasPrior =
    groups.length < 2 ||
    heads.some((head) => priorYear.test(head)) ||
    layout.document.text.includes(String(Number(year) - 1));
  if (!hasPrior) return [...groups];
  return groups.map((group, index) => ({
    ...group,
    period: String(Number(year) - ((index === 1) !== swapped && groups.length === 2 ? 1 : 0)),
  }));
}
