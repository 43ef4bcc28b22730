/** Time records with a line each for the date, the start, the end and the hours of a day: "Date: 14 May 2026", "Start: 09:00". */
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { dayNumber } from './calendar.ts';
import { RecordDates } from './record-dates.ts';
import { labelIn } from './record-names.ts';
import { type Role, timeRole } from './timesheet-columns.ts';
import { type DayRecord, readDayRecords, type Timesheet } from './timesheets.ts';

const labelled = /^[\s*•-]{0,6}(\p{L}[\p{L} ()/.'’-]{1,30}?)\**[ \t]{0,12}[:\t][ \t*]{0,12}(\S.{0,60})$/u;

interface Block {
  readonly day: number;
  readonly range: Range;
  readonly heads: string[];
  readonly cells: string[];
}

/** One timesheet per person, from the blocks that state times worked. */
export function readRecordBlocks(text: string): Timesheet[] {
  const dates = new RecordDates(text);
  const people = new Map<string, Block[]>();
  let worker = '';
  let block: Block | undefined;
  let lastDay: number | undefined;
  for (const { start, end } of splitLines(text)) {
    if (end - start > 100) continue;
    const line = text.slice(start, end);
    const [, label, value] = labelled.exec(line) ?? [];
    if (label === undefined || value === undefined) continue;
    const name = labelIn(line);
    if (name !== undefined) {
      worker = name;
      block = undefined;
      continue;
    }
    const role = timeRole(label.replace(/\s*\(.*\)$/u, ''));
    if (role === 'date') {
      const at = line.lastIndexOf(value);
      const day = dates.dayOf(line.slice(at), start + at);
      lastDay = day === undefined ? undefined : dayNumber(day.iso);
      block = undefined;
    } else if (lastDay !== undefined && blockRoles.has(role)) {
      block ??= newBlock(people, worker, lastDay, { start, end });
      // "45 minutes (unpaid)" describes its value.
      block.heads.push(label.trim());
      block.cells.push(value.replace(/\s*\([^()]*\)$/u, '').trim());
    }
  }
  return [...people].flatMap(([person, blocks]) => sheetsOf(person, blocks));
}

const blockRoles: ReadonlySet<Role> = new Set(['start', 'end', 'pause', 'pauseStart', 'pauseEnd', 'worked', 'range']);

function newBlock(people: Map<string, Block[]>, worker: string, day: number, range: Range): Block {
  const block: Block = { day, range, heads: [], cells: [] };
  people.set(worker, [...(people.get(worker) ?? []), block]);
  return block;
}

/** The days whose blocks have the labels of the first one. */
function sheetsOf(worker: string, blocks: readonly Block[]): Timesheet[] {
  const heads = blocks[0]!.heads;
  const roles = heads.map(timeRole);
  if (!(roles.includes('start') && roles.includes('end'))) return [];
  const days = blocks
    .filter((block) => block.heads.join() === heads.join())
    .map(({ day, range, cells }): DayRecord => ({ day, cells: ['', ...cells, ''], range }));
  return [readDayRecords(['Date', ...heads, ''], days, worker)].filter((sheet) => sheet !== undefined);
}
