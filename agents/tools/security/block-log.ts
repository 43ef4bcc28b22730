/** Logs whose records are blocks of labelled lines between blank lines: "Time: …", "User: …", "Event: …". */
import { isLogName, isTimeName } from './field-names.ts';
import { recordOfFields } from './log-fields.ts';
import type { LogRecord } from './log-record.ts';

const labelled = /^[ \t]{0,8}(?:[-*] )?([\p{L}][\p{L}\d _/.()-]{1,40}?)[ \t]{0,20}[:=][ \t]{1,20}(\S.{0,400})$/u;
const blocksMin = 2;

/** @returns no records unless two blocks at least name a time, and half of the labels of all are names of logs */
export function readBlockLog(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const records: LogRecord[] = [];
  let start = 0;
  let [names, known] = [0, 0];
  for (const block of text.split(/(?<=\n)[ \t-]{0,80}\r?\n/)) {
    const at = text.indexOf(block, start);
    const end = at + block.length;
    start = end;
    if (block.length > 4000) continue;
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const match = labelled.exec(line.trimEnd());
      if (match !== null && !fields.has(match[1]!.toLowerCase())) fields.set(match[1]!.toLowerCase(), match[2]!.trim());
    }
    const labels = [...fields.keys()];
    if (labels.length < 3 || !labels.some(isTimeName)) continue;
    names += labels.length;
    known += labels.filter(isLogName).length;
    const record = recordOfFields(fields, { start: at, end: Math.min(end, at + 400) }, '', isDayFirst);
    if (record !== undefined) records.push(record);
  }
  return records.filter(({ event }) => event !== undefined).length >= blocksMin && known * 2 >= names ? records : [];
}
