/** Times at the beginning of log records, as printed. */
import { monthNumbers } from '../text/dates.ts';
import type { LogTime } from './log-record.ts';

const isoShape = /(?<!\d)(\d{4})[-/.](\d{2})[-/.](\d{2})[T ,]{1,2}(\d{2}:\d{2}:\d{2})/;
const apacheShape = /(?<!\d)(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2})/;
const syslogShape = /(?:^|>|\s)([A-Z][a-z]{2}) ([ \d]\d) (?:(\d{4}) )?(\d{2}:\d{2}:\d{2})/;
const dayFirstOrLast =
  /(?<!\d)(\d{1,2})([/.-])(\d{1,2})\2(\d{4}),?[ \t]{1,2}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,7})?(?:[ \u202f]?([AaPp])\.?[Mm])?/;
/** "mar/03/2026 09:00:01". @see MikroTik RouterOS, "Log" */
const routerShape = /(?<![\w/])([a-z]{3})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}:\d{2})/;
const keyedShape = /(?<!\w)date="?(\d{4})-(\d{2})-(\d{2})"?[ ,]{1,2}time="?(\d{2}:\d{2}:\d{2})/;

/** @param isDayFirst the order of day and month in dates with slashes, if the document determines it */
export function findLogTime(written: string, isDayFirst: boolean | undefined): LogTime | undefined {
  const keyed = keyedShape.exec(written) ?? isoShape.exec(written);
  if (keyed !== null) return { date: `${keyed[1]}-${keyed[2]}-${keyed[3]}`, time: keyed[4]! };
  const apache = apacheShape.exec(written);
  if (apache !== null) {
    const month = monthOf(apache[2]!);
    return month === undefined ? undefined : { date: `${apache[3]}-${month}-${apache[1]}`, time: apache[4]! };
  }
  const syslog = syslogShape.exec(written);
  if (syslog !== null) {
    const month = monthOf(syslog[1]!);
    if (month === undefined) return undefined;
    const day = `${month}-${two(syslog[2]!.trim())}`;
    return syslog[3] === undefined ? { day, time: syslog[4]! } : { date: `${syslog[3]}-${day}`, time: syslog[4]! };
  }
  const router = routerShape.exec(written);
  const month = router === null ? undefined : monthOf(router[1]!);
  if (month !== undefined) return { date: `${router![3]}-${month}-${router![2]}`, time: router![4]! };
  return withSlashes(written, isDayFirst);
}

function withSlashes(written: string, isDayFirst: boolean | undefined): LogTime | undefined {
  const match = dayFirstOrLast.exec(written);
  if (match === null) return undefined;
  const [, first, mark, second, year, hours, minutes, seconds, half] = match;
  const dayFirst = mark === '.' || Number(first) > 12 || (Number(second) <= 12 && (isDayFirst ?? half === undefined));
  const [month, day] = dayFirst ? [second!, first!] : [first!, second!];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = `${two(String(hour))}:${minutes}${seconds === undefined ? '' : `:${seconds}`}`;
  return { date: `${year}-${two(month)}-${two(day)}`, time };
}

function monthOf(name: string): string | undefined {
  const month = monthNumbers.get(name.toLowerCase());
  return month === undefined ? undefined : two(String(month));
}

const two = (digits: string) => digits.padStart(2, '0');
