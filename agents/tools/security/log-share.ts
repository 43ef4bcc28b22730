/** Whether a text is a log, rather than a report that quotes lines of one. */
import { readLog } from './log-reader.ts';
import type { LogRecord } from './log-record.ts';

/** Minimum share of the lines that are records. */
const logShare = 0.4;
/** Records that make a log of any text. */
const recordsMany = 40;

const levelled = /\b(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b|"level"|level=/;

export function isLog(text: string, records: readonly LogRecord[] = readLog(text)): boolean {
  if (records.length < 3 || records.every(({ time }) => time === undefined)) return false;
  if (records.length >= recordsMany) return true;
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  // Records of several lines, as Windows prints them, are few but reach over the whole text.
  const known = records.filter(({ event, host }) => event !== undefined || host !== undefined);
  // The chronology of a report has times, mostly without seconds, and nothing else that logs have.
  const isTimed = records.length >= 0.9 * lines && records.every(({ time }) => time?.time.length !== 5);
  if (
    !isTimed &&
    !records.some(({ event, host, source }) => (event ?? host ?? source) !== undefined) &&
    !levelled.test(text)
  )
    return false;
  const reach = records.at(-1)!.end - records[0]!.start;
  return records.length >= logShare * lines || (known.length >= 3 && reach >= 0.6 * text.length);
}
