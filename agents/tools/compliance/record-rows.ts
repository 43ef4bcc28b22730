/** Rows of registers that are printed otherwise: a block of fields for each record, or a column for each record. */
import type { Table } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { type ColumnPart, columnPartOf } from './column-names.ts';
import type { RegisterCell, RegisterRow } from './register-row.ts';

const field =
  /^[ \t]{0,20}(?:[-*•]\s{1,4})?\**(\p{L}[\p{L}\d .'’/()&-]{1,40}?)\**\s{0,12}:\**[ \t]{1,40}(\S.{0,400}?)\s{0,20}$/u;
const titleCharactersMax = 60;

interface Group extends Range {
  readonly cells: readonly RegisterCell[];
  readonly parts: ReadonlySet<ColumnPart>;
}

/**
 * "Risk ID: CY-11", "Inherent risk: 20", "Owner: Head of IT", and the same fields for the next record. A single block of fields is
 * a form and no register.
 *
 * @returns one row per block, in the order of the text
 */
export function stackedRows(text: string): RegisterRow[] {
  const groups = groupsOf(text);
  return groups
    .filter((group) => groups.some((other) => other !== group && shared(group, other) >= sharedMin))
    .map(({ start, end, cells, parts }) => ({ start, end, cells, columns: [...parts], heading: '' }));
}

const sharedMin = 2;
const fieldsMin = 3;

function shared(one: Group, other: Group): number {
  return [...one.parts].filter((part) => other.parts.has(part)).length;
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let cells: RegisterCell[] = [];
  let title: RegisterCell | undefined;
  const close = () => {
    const parts = new Set(cells.flatMap(({ part }) => part ?? []));
    if (cells.length >= fieldsMin && parts.size >= sharedMin) {
      const all = title === undefined || parts.has('id') ? cells : [title, ...cells];
      groups.push({ start: all[0]!.start, end: all.at(-1)!.end, cells: all, parts });
    }
    cells = [];
    title = undefined;
  };
  for (const { start, end } of splitLines(text)) {
    const line = text.slice(start, Math.min(end, start + 480));
    const match = end - start > 480 ? null : field.exec(line);
    if (match === null) {
      close();
      const shown = line.trim();
      // "Risk 1" above its fields.
      title = /\d/.test(shown) && shown.length <= titleCharactersMax ? cellAt(start, line, shown, 'id') : undefined;
      continue;
    }
    const part = columnPartOf(match[1]!);
    const value = cellAt(start, line, match[2]!, part);
    cells.push({ ...value, header: match[1]! });
  }
  close();
  return groups;
}

function cellAt(lineStart: number, line: string, shown: string, part: ColumnPart | undefined): RegisterCell {
  const start = lineStart + line.lastIndexOf(shown);
  return { start, end: start + shown.length, text: shown, ...(part === undefined ? {} : { part }) };
}

/**
 * A table whose first column names the parts and whose other columns are the records: "Purpose | Payroll | CCTV".
 *
 * @returns undefined for other tables
 */
export function transposedRows({ columns, headerRows, rows }: Table, heading: string): RegisterRow[] | undefined {
  if (columns.length < recordsMin + 1) return undefined;
  const [top] = headerRows;
  const labels = rows.map(({ cells }) => columnPartOf(cells[0]?.text ?? ''));
  const known = new Set(labels.filter((part) => part !== undefined));
  const names = top === undefined ? [] : columns.slice(1).map(({ headerCells }) => headerCells.at(-1));
  if (known.size < partsMin || known.size * 2 < rows.length) return undefined;
  if (names.some((cell) => cell !== undefined && columnPartOf(cell.text) !== undefined)) return undefined;
  return columns.slice(1).map((_, nth): RegisterRow => {
    const name = names[nth];
    const cells = rows.flatMap(({ cells: printed }, row): RegisterCell[] => {
      const cell = printed[nth + 1];
      const part = labels[row];
      return cell === undefined
        ? []
        : [
            {
              start: cell.start,
              end: cell.end,
              text: cell.text,
              ...(part === undefined ? {} : { part }),
              header: printed[0]?.text ?? '',
            },
          ];
    });
    const all: RegisterCell[] =
      name === undefined ? cells : [{ start: name.start, end: name.end, text: name.text, part: 'service' }, ...cells];
    const [first] = all;
    return {
      start: first?.start ?? 0,
      end: all.at(-1)?.end ?? 0,
      cells: all,
      columns: [...new Set(all.flatMap(({ part }) => part ?? []))],
      heading,
    };
  });
}

const recordsMin = 2;
const partsMin = 3;

/** Headings of two levels: "Before treatment" over "L | I | Score". @param texts from the top */
export function partOfHeadings(texts: readonly string[]): ColumnPart | undefined {
  const leaf = texts.at(-1) ?? '';
  const own = columnPartOf(leaf);
  if (texts.length < 2) return own;
  const group = columnPartOf(texts.slice(0, -1).join(' '));
  if (group === 'inherent' || group === 'residual') return score.test(leaf.trim()) ? group : undefined;
  return own ?? columnPartOf(texts.join(' '));
}

const score =
  /^(?:(?:risk )?(?:score|rating|level|value|total|rank)|r|rs|rpn|= ?|product|l ?[x×*] ?i|p ?[x×*] ?[igs]|wert|risikowert|stufe|punkte|summe|produkt|cotation|criticité|niveau|nivel|valor|puntuación|valore|livello|punteggio|waarde|poäng|nivå|wynik|poziom|pontuação)$/iu;
