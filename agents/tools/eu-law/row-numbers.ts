/** Numbers of the rows of a register, by which its text refers to acts. */
import { indexAt } from '../text/ranges.ts';
import type { Mention } from './act-references.ts';
import type { FlatText } from './flat-text.ts';

/** "R3" in the first cell of a row of a register, whose next cell begins with an act: the text refers to the act by it. */
const rowNumber = /^(?:[A-Z]{1,4}[-.]?\d{1,3}|\[\d{1,3}\])$/u;

interface RowNumber {
  readonly name: string;
  readonly act: Mention;
  readonly end: number;
}

export function rowNumbers(flat: FlatText, direct: readonly Mention[]): RowNumber[] {
  const found = new Map<string, RowNumber | undefined>();
  for (const { kind, cells, end } of flat.blocks) {
    const [first, ...rest] = kind === 'row' ? cells : [];
    const name = first === undefined ? '' : flat.text.slice(first.start, Math.min(first.end, first.start + 12));
    if (!rowNumber.test(name) || first!.end - first!.start > 12) continue;
    const named = rest.flatMap((cell) => firstAt(direct, cell.start, cell.start + 12) ?? []);
    const act = named.find(({ how, isInTitle, type }) => how === 'number' && !isInTitle && type !== 'treaty');
    // A number that two rows have stands for neither.
    found.set(name, act === undefined || found.has(name) ? undefined : { name, act, end });
  }
  return [...found.values()].flatMap((each) => each ?? []);
}

/** The mention that begins between two positions. */
export function firstAt(direct: readonly Mention[], from: number, to: number): Mention | undefined {
  const before = indexAt(direct, from - 1);
  const first = direct[before === undefined ? 0 : before + 1];
  return first !== undefined && first.start <= to ? first : undefined;
}
