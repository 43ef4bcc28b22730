/** The statutory rate in the words of a reconciliation: in the label of a row, or in the sentence above the table. */
import { parseRational, type Rational } from '../financial/rational.ts';
import { findPercents } from '../text/percents.ts';
import { type FigureRow, yearOf } from './figure-rows.ts';
import type { Layout } from './layout.ts';

/** "The statutory rate (21% in 2024 and 2023)", "the standard rate of corporation tax of 25% (2023: 23.5%)" above the table. */
export function rateCaption({ lines }: Layout, from: number): string {
  const text = lines
    .slice(Math.max(0, from - 9), from)
    .map(({ segments }) => segments.map((segment) => segment.text).join(' '))
    .join(' ');
  return (
    /\b(?:statutory|applicable|domestic|standard)\b[^.%]{0,40}\brate\b[^.%]{0,60}?\d[\d.,]* ?%(?:[^().]{0,20}\)| \([^()]{0,60}\))?/iu.exec(
      text,
    )?.[0] ?? ''
  );
}

/** "Tax at 25 % (2025: 24 %)": the rate of the year, else the first. */
export function statedRate({ label }: Pick<FigureRow, 'label'>, period: string): Rational | undefined {
  const percents = findPercents(label.slice(0, 200));
  const lead = (start: number) =>
    label
      .slice(Math.max(0, start - 24), start)
      .split('%')
      .at(-1)!;
  // "2016 and 2015: 25%" states the rate of both years.
  const own = percents.find(({ start }) =>
    [...lead(start).matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].some(([year]) => year === period),
  );
  const isOfOther = (start: number) => yearOf(label.slice(Math.max(0, start - 12), start)) !== undefined;
  const value = own ?? percents.find(({ start }) => !isOfOther(start));
  return value === undefined ? undefined : parseRational(value.value);
}
