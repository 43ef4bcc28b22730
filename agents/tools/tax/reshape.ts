/**
 * Tables of a reconciliation whose lines are not rows: with a column for each item, or with a row for each item of each year. Their
 * cells are placed as in a table with a row for each item.
 */
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { yearOf } from './figure-rows.ts';
import { foldText } from './fold.ts';
import type { Layout, Line, Segment } from './layout.ts';
import { isEffectiveRate, isExpectedTax, isStatutoryRate, isTotalTax } from './reconciliation-words.ts';

/** Columns of grids that the document does not have. */
const grid = -2;
const rowsMax = 400;

/** The same layout if there is no such table. */
export function reshape(layout: Layout): Layout {
  const shapes = layout.document.tables.flatMap((table) => {
    const rows = fullRows(table).slice(0, rowsMax);
    const shaped = transposed(rows) ?? pivoted(rows);
    return shaped === undefined ? [] : [{ table, shaped }];
  });
  if (shapes.length === 0) return layout;
  const lines: Line[] = [];
  const push = (line: Omit<Line, 'index'>) => {
    const index = lines.length;
    lines.push({ ...line, index, segments: line.segments.map((segment) => ({ ...segment, line: index })) });
  };
  const written = new Set<Table>();
  for (const line of layout.lines) {
    const shape = shapes.find(({ table }) => line.start >= table.start && line.start < table.end);
    if (shape === undefined) push(line);
    else if (!written.has(shape.table)) {
      written.add(shape.table);
      for (const cells of shape.shaped) for (const made of lineOf(cells)) push(made);
    }
  }
  return { ...layout, lines };
}

type Placed = Pick<Cell, 'text' | 'start' | 'end'>;

function lineOf(cells: readonly (Placed | undefined)[]): Omit<Line, 'index'>[] {
  const segments = cells.flatMap((cell, place): Segment[] => {
    const text = cell?.text.trim() ?? '';
    if (cell === undefined || text === '') return [];
    return [
      { text, folded: foldText(text), start: cell.start, end: cell.end, line: 0, from: place, to: place + 1, grid },
    ];
  });
  if (segments.length === 0) return [];
  const start = Math.min(...segments.map((segment) => segment.start));
  const end = Math.max(...segments.map((segment) => segment.end));
  return [{ segments, start, end, follows: 'line' }];
}

const isStart = (text: string) => isExpectedTax(foldText(text)) || isStatutoryRate(foldText(text));
const isEnd = (text: string) => isTotalTax(foldText(text)) || isEffectiveRate(foldText(text));

/** "Expected tax | Expenses | … | Tax charge" over rows of years, or of amounts and rates. */
function transposed(rows: readonly (readonly Cell[])[]): (readonly (Placed | undefined)[])[] | undefined {
  const [header, ...body] = rows;
  if (header === undefined || header.length < 4 || body.length === 0 || body.length > 8) return undefined;
  const from = header.findIndex(({ text }, column) => column > 0 && isStart(text));
  const to = header.findLastIndex(({ text }) => isEnd(text));
  if (from < 0 || to < from + 2) return undefined;
  const own = body.filter((row) => /\d/u.test(row[from]!.text));
  return own.length === 0
    ? undefined
    : [
        [undefined, ...own.map((row) => row[0])],
        ...header.slice(1).map((cell, at) => [cell, ...own.map((row) => row[at + 1])]),
      ];
}

const labelHeading =
  /^(?:line|item|line item|caption|position|posten|bezeichnung|description|component|element|reconciling item|libelle|poste|concepto|partida|voce|descrizione|omschrijving|pozycja|post|rubrik|descricao|rubrica)\b/;

/** "2025 | Expected tax | 900 | 15.0": the year in a column of its own. */
function pivoted(rows: readonly (readonly Cell[])[]): (readonly (Placed | undefined)[])[] | undefined {
  const [header, ...body] = rows;
  if (header === undefined || header.length < 3 || body.length < 4) return undefined;
  const years = header.findIndex((_, column) =>
    body.every((row) => {
      const text = row[column]?.text.trim() ?? '';
      return text.length <= 12 && yearOf(text) !== undefined && !/\p{L}{3}/u.test(text);
    }),
  );
  if (years < 0) return undefined;
  const named = header.findIndex(({ text }) => labelHeading.test(foldText(text)));
  const label =
    named >= 0 ? named : header.findIndex((_, column) => body.some((row) => isStart(row[column]?.text ?? '')));
  if (label < 0 || label === years || !body.some((row) => isStart(row[label]!.text))) return undefined;
  const values = header.flatMap((_, column) =>
    column > Math.max(label, years) && body.some((row) => /\d/u.test(row[column]?.text ?? '')) ? [column] : [],
  );
  const periods = [...new Map(body.map((row) => [yearOf(row[years]!.text)!, row[years]!] as const))];
  if (values.length === 0 || periods.length * values.length > 12) return undefined;
  const labels = new Map(body.map((row) => [row[label]!.text.trim(), row[label]!] as const));
  const cellOf = (name: string, year: string, column: number) =>
    body.find((row) => row[label]!.text.trim() === name && yearOf(row[years]!.text) === year)?.[column];
  return [
    [undefined, ...periods.flatMap(([, cell]) => values.map(() => cell))],
    [undefined, ...periods.flatMap(() => values.map((column) => header[column]))],
    ...[...labels].map(([name, cell]) => [
      cell,
      ...periods.flatMap(([year]) => values.map((column) => cellOf(name, year, column))),
    ]),
  ];
}
