/** Whether a text is a log, rather than a report that quotes lines of one. */
import { analyzeLog } from './log-analysis.ts';
import { readLog } from './log-reader.ts';

/** Minimum share of the lines that are records. */
const logShare = 0.4;
/** Records that make a log of any text. */
const recordsMany = 40;

export function isLog(text: string): boolean {
  const records = readLog(text);
  if (records.length < 3 || analyzeLog(records).firstEvent === undefined) return false;
  if (records.length >= recordsMany) return true;
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  // Records of several lines, as Windows prints them, are few but reach over the whole text.
  const known = records.filter(({ event, host }) => event !== undefined || host !== undefined);
  const reach = records.at(-1)!.end - records[0]!.start;
  return records.length >= logShare * lines || (known.length >= 3 && reach >= 0.6 * text.length);
}
