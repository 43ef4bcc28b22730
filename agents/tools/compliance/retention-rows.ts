/** Rows of registers with periods of retention: whose period it is, and when it starts. */
import type { Clause } from './reading.ts';
import { cellText, type RegisterRow } from './register-rows.ts';
import { type RetentionTrigger, startingEvents, triggers } from './retention-triggers.ts';

/** Whether a row names an activity and, in another column, its categories of data: either may be what the period is of. */
export function isOfSeveral(row: RegisterRow): boolean {
  if (cellText(row, 'data') === undefined || row.columns.includes('inherent') || row.columns.includes('residual'))
    return false;
  return (['service', 'treatment', 'title'] as const).some((part) => cellText(row, part) !== undefined);
}

/** Columns that say nothing about the start of a period. */
const notStarting: ReadonlySet<string> = new Set([
  'name',
  'processor',
  'data',
  'service',
  'measure',
  'destination',
  'safeguard',
  'owner',
  'place',
  'basis',
]);

export function triggerOf({ text, row }: Clause): RetentionTrigger | undefined {
  const start = row === undefined ? undefined : cellText(row, 'start');
  const named = start === undefined ? undefined : startingEvents.find(([, shape]) => shape.test(start))?.[0];
  if (named !== undefined) return named;
  const shown = (
    row === undefined
      ? text
      : row.cells
          .filter(({ part }) => part === undefined || !notStarting.has(part))
          .map((cell) => cell.text)
          .join(' ')
  )
    .replaceAll('´', "'")
    .replace(/\s{2,200}/g, ' ')
    .slice(0, 1_000);
  return triggers.find(([, shape]) => shape.test(shown))?.[0];
}
