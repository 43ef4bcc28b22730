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

export function tableDates(
  { flat, mentions, acts, articles, kind: document }: LawText,
  dates: readonly FoundDate[],
): ActDate[] {
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
      const step = stepOf(kind, act);
      const [part, ...more] = allWithin(articles, block).filter((each) => each.kind === 'article');
      const at = { act, date: date.iso, start: date.start, end: date.end };
      // The row is of one article of the act: its date is no date of the whole.
      if (step.kind === 'application' && part !== undefined && more.length === 0 && part.act === act) {
        const { number, until, paragraph, normalised } = part;
        const article = {
          number,
          normalised,
          ...(until === undefined ? {} : { until }),
          ...(paragraph === undefined ? {} : { paragraph }),
        };
        found.push({ kind: 'application', ...at, article });
      } else found.push({ ...step, ...at });
    }
  }
  return [...found, ...labelledDates({ flat, kind: document }, dates)];
}

/** "Date of entry into force: 24/12/2025; …" in the data of an act. */
function labelledDates({ flat, kind }: Pick<LawText, 'flat' | 'kind'>, dates: readonly FoundDate[]): ActDate[] {
  const act = kind.about;
  if (act === undefined) return [];
  return flat.blocks.flatMap((block, index): ActDate[] => {
    const [first, second] = block.cells;
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 80));
    const length = first === undefined ? shown.search(/ ?:(?:\s|$)/) : first.end - first.start;
    if (length < 4 || length > 60 || (first !== undefined && second === undefined)) return [];
    const part = headings.find(([shape]) => shape.test(shown.slice(0, length)))?.[1];
    // The value of a list of definitions stands in the block below its term.
    const isTerm = first === undefined && block.end - block.start <= length + 2;
    const end = second?.end ?? (isTerm ? flat.blocks[index + 1]?.end : undefined) ?? block.end;
    const [date] = allWithin(dates, { start: block.start + length, end });
    if (part === undefined || date === undefined || date.iso.startsWith('9999')) return [];
    return [{ ...stepOf(part, act), act, date: date.iso, start: date.start, end: date.end }];
  });
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
