/** Dates in tables with an act in each row: when it entered into force, from when it applies, until when it is to be transposed. */
import type { FoundDate } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { ActDate } from './act-date.ts';
import type { FlatCell } from './flat-text.ts';
import type { LawText } from './read-law.ts';

type ColumnKind = Pick<ActDate, 'kind' | 'step'>;

/** Headings of columns, each with what their dates are. */
const headings: readonly (readonly [RegExp, ColumnKind])[] = [
  [
    /(?<![A-Za-zÀ-ž])(?:entered into force|entry into force|in force (?:since|from)|inkrafttreten|in kraft (?:seit|getreten)|entrée en vigueur|entrada en vigor|entrata in vigore|inwerkingtreding|in werking|wejście w życie|data wejścia w życie|vstup v platnost)/iu,
    { kind: 'entry into force' },
  ],
  [
    /(?<![A-Za-zÀ-ž])(?:transpos|umsetzungsfrist|umsetzung bis|frist für die umsetzung|délai de transposition|plazo de transposición|recepimento|omzetting|termin transpozycji|lhůta pro provedení)/iu,
    { kind: 'transposition', step: 'transpose' },
  ],
  [
    /(?<![A-Za-zÀ-ž])(?:applies from|applicable from|date of application|apply from|datum der anwendung|anwendbar ab|gilt ab|applicable (?:à partir|depuis)|date d'application|mise en application|aplicable|fecha de aplicación|applicabile|data di applicazione|van toepassing|toepassing|stosowan|data rozpoczęcia stosowania|použitelnost)/iu,
    { kind: 'application' },
  ],
];

export function tableDates({ flat, mentions, acts }: LawText, dates: readonly FoundDate[]): ActDate[] {
  const found: ActDate[] = [];
  let columns: Map<number, ColumnKind> | undefined;
  for (const block of flat.blocks) {
    if (block.kind !== 'row') {
      columns = undefined;
      continue;
    }
    const header = columnsOf(flat.text, block.cells, dates);
    if (header.size > 0) {
      columns = header;
      continue;
    }
    if (columns === undefined) continue;
    const named = new Set([...allWithin(mentions, block), ...allWithin(acts, block)].map(({ celex }) => celex));
    const [act] = named;
    if (act === undefined || named.size > 1) continue;
    for (const { column, start, end } of block.cells) {
      const kind = columns.get(column);
      const [date, ...others] = allWithin(dates, { start, end });
      if (kind === undefined || date === undefined || others.length > 0 || date.iso.length < 10) continue;
      found.push({ ...stepOf(kind, act), act, date: date.iso, start: date.start, end: date.end });
    }
  }
  return found;
}

/** Of a directive, the date of application is that of the measures of the Member States. */
function stepOf(kind: ColumnKind, act: string): Pick<ActDate, 'kind' | 'step' | 'scope'> {
  if (kind.kind !== 'application') return kind;
  return /^3\d{4}L/.test(act) ? { kind: 'transposition', step: 'apply' } : { kind: 'application', scope: 'whole' };
}

function columnsOf(text: string, cells: readonly FlatCell[], dates: readonly FoundDate[]): Map<number, ColumnKind> {
  const found = new Map<number, ColumnKind>();
  if (cells.length < 2) return found;
  for (const { column, start, end } of cells) {
    if (end - start > 60 || allWithin(dates, { start, end }).length > 0) continue;
    const kind = headings.find(([shape]) => shape.test(text.slice(start, end)))?.[1];
    if (kind !== undefined) found.set(column, kind);
  }
  return found;
}
