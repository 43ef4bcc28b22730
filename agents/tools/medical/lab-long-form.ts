/** Tables with one result per row, whose label is not the first cell: exports of laboratories, with the day in a column. */
import type { Document } from '../../document/document.ts';
import type { Row, Table } from '../../document/table.ts';
import { headings, holds, isResultCell, type LabCells, limitsIn, type Naming } from './lab-tables.ts';
import { dayOfCell } from './measure-day.ts';

const earlier =
  /(?<!\p{L})(?:prev(?:ious)?|prior|last|old|vorwert|vorher\p{L}*|antérieur\p{L}*|anterior\p{L}*|precedent\p{L}*|vorige|tidigare|poprzedni\p{L}*|delta|change)(?!\p{L})/iu;
const identity = /patient|(?<!\p{L})(?:id|nr|no|num(?:ber)?|code)$/iu;
const sampled =
  /collect|sampled|drawn|taken|abnahme|entnahme|prélèv|extracción|toma|prelievo|colheita|afname|pobrani|provtag|prøve/iu;
const named = /(?<!\p{L})(?:date|day|time|datum|dato|data|fecha|dzień|tag|jour)(?!\p{L})/iu;
/** Of the work of the laboratory. */
const worked =
  /report|result|receiv|valid|verif|authori|print|export|birth|geb|naiss|nac|order|request|eingang|druck|freigabe|validé|réception|emisión|stampa/iu;

/** @returns undefined for a table of another form */
export function readLongForm(document: Document, table: Table, nameOf: Naming): LabCells[] | undefined {
  const titles = table.columns.map(({ headerCells }) => headerCells.at(-1)?.text.trim() ?? '');
  const label = labelColumn(table, nameOf);
  const value = titles.findIndex(
    (title, at) =>
      at !== label &&
      headings.value.test(title) &&
      !earlier.test(title) &&
      !identity.test(title) &&
      holds(table, at, isResultCell),
  );
  if (label === undefined || value === -1) return undefined;
  const column = (shape: RegExp): number =>
    titles.findIndex((title, at) => at !== label && at !== value && shape.test(title));
  const [unit, low, high, flag] = [headings.unit, headings.low, headings.high, headings.flag].map(column) as [
    number,
    number,
    number,
    number,
  ];
  const range = low === -1 && high === -1 ? column(headings.range) : -1;
  const day = dayColumn(document, table, titles);
  const text = ({ cells }: Row, at: number | undefined): string =>
    at === undefined ? '' : (cells[at]?.text.trim() ?? '');
  return table.rows.flatMap((row): LabCells[] => {
    const analyte = nameOf(text(row, label));
    const cell = row.cells[value];
    if (analyte === undefined || cell === undefined) return [];
    const date = dayOfCell(document, text(row, day));
    const limits = range === -1 ? limitsIn(text(row, low), text(row, high)) : text(row, range);
    return [
      {
        analyte,
        label: text(row, label),
        value: cell.text,
        unit: text(row, unit),
        ...(limits === undefined ? {} : { range: limits }),
        flag: text(row, flag),
        ...(date === undefined ? {} : { date }),
        start: row.start,
        end: row.end,
        row: row.start,
      },
    ];
  });
}

/** The column behind the first in which most rows name a quantity. */
function labelColumn({ columns, rows }: Table, nameOf: Naming): number | undefined {
  const sample = rows.slice(0, rowsMax);
  const counts = columns.map(
    (_, at) => sample.filter(({ cells }) => nameOf(cells[at]?.text ?? '') !== undefined).length,
  );
  const best = counts.indexOf(Math.max(...counts));
  return best > 0 && counts[best]! * 2 >= sample.length ? best : undefined;
}

const rowsMax = 60;

/** Of the sample, else one that its title calls a date. */
function dayColumn(document: Document, table: Table, titles: readonly string[]): number | undefined {
  const days = titles.flatMap((title, at) =>
    !worked.test(title) && holds(table, at, (text) => dayOfCell(document, text) !== undefined) ? [at] : [],
  );
  const ofSample = days.find((at) => sampled.test(titles[at]!));
  return ofSample ?? days.find((at) => named.test(titles[at]!)) ?? (days.length === 1 ? days[0] : undefined);
}
