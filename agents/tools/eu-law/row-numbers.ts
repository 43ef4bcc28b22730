/** Numbers of the rows of a register, by which its text refers to acts. */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { FlatText } from './flat-text.ts';

/** "R3" in the first cell of a row of a register, whose next cell begins with an act: the text refers to the act by it. */
const rowNumber = /^(?:[A-Z]{1,4}[-.]?\d{1,3}|\[\d{1,3}\])$/u;

interface NamedAct extends Range {
  readonly type: string;
  readonly how: string;
  readonly isInTitle: boolean;
}

interface RowNumber<Act> {
  readonly name: string;
  readonly act: Act;
  readonly end: number;
}

export function rowNumbers<Act extends NamedAct>(flat: FlatText, direct: readonly Act[]): RowNumber<Act>[] {
  const found = new Map<string, RowNumber<Act> | undefined>();
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
export function firstAt<Place extends Range>(direct: readonly Place[], from: number, to: number): Place | undefined {
  const before = indexAt(direct, from - 1);
  const first = direct[before === undefined ? 0 : before + 1];
  return first !== undefined && first.start <= to ? first : undefined;
}
