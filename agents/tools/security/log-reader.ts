/** Parses a text as a log, in any of the supported formats. */
import { splitLines, trimRange } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { fieldsOfJson, fieldsOfPairs, recordOfFields } from './log-fields.ts';
import { accountOf, addressOf, type LogRecord, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { hostOf, messageRecord } from './message-record.ts';
import { readTableLog } from './table-log.ts';
import { readWindowsCsv, readWindowsText } from './windows-log.ts';

/** Maximum length of a line that is read: messages begin early, payloads can be long. */
const lineCharactersMax = 1500;
/** JSON records are parsed completely or not at all. */
const jsonCharactersMax = 8000;

/** Ordered by position in the text. Prose contains no or few records. */
export function readLog(written: string): LogRecord[] {
  const text = withPlainLabels(written);
  const isDayFirst = dayFirstOf(text);
  const table = readWindowsCsv(text, isDayFirst);
  if (table.length > 0) return table;
  const exported = readTableLog(text, isDayFirst);
  if (exported.some(({ event }) => event !== undefined)) return exported;
  const events = readWindowsText(text, isDayFirst);
  if (events.length > 0) return withOtherLines(text, events, isDayFirst);
  const whole = readJsonDocument(text, isDayFirst);
  if (whole.length > 0) return whole;
  return splitLines(text).flatMap((range) => {
    const record = readLine(text, range, isDayFirst);
    return record === undefined ? [] : [record];
  });
}

/** "**TimeCreated:** 23.04.2026": blanks in place of the emphasis of a label, so that all offsets stay. */
function withPlainLabels(text: string): string {
  if (!text.includes('**')) return text;
  return text.replace(/^([ \t]{0,24})\*\*([^*:\n]{1,60})(?::\*\*|\*\*:)/gm, '$1  $2:  ');
}

/** A report quotes logs of several programs, so lines outside Windows records are parsed as well. */
function withOtherLines(text: string, events: readonly LogRecord[], isDayFirst: boolean | undefined): LogRecord[] {
  const known = [...events].sort((one, other) => one.start - other.start);
  let next = 0;
  const others = splitLines(text).flatMap((range) => {
    while (next < known.length && known[next]!.end <= range.start) next += 1;
    if (next < known.length && known[next]!.start < range.end) return [];
    const record = readLine(text, range, isDayFirst);
    return record?.event === undefined ? [] : [record];
  });
  return [...known, ...others].sort((one, other) => one.start - other.start);
}

/** A first number above 12 in a date with slashes is the day. */
function dayFirstOf(text: string): boolean | undefined {
  const sample = text.slice(0, 20_000);
  if (/(?<![\d/])(?:1[3-9]|2\d|3[01])\/\d{1,2}\/\d{4}[ ,]{1,2}\d{1,2}:/.test(sample)) return true;
  return /(?<![\d/])\d{1,2}\/(?:1[3-9]|2\d|3[01])\/\d{4}[ ,]{1,2}\d{1,2}:/.test(sample) ? false : undefined;
}

function readJsonDocument(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const start = text.slice(0, 200).trimStart();
  if (!/^(?:\[\s{0,20}\{|\{\s{0,20}"(?:Records|value|events|logs|hits)")/.test(start)) return [];
  try {
    const parsed = JSON.parse(text.trim()) as Record<string, unknown>;
    const list = Array.isArray(parsed) ? parsed : Object.values(parsed).find(Array.isArray);
    return ((list ?? []) as unknown[]).flatMap((item) => {
      const fields = fieldsOfJson(item);
      const record = fields && recordOfFields(fields, { start: 0, end: Math.min(text.length, 400) }, '', isDayFirst);
      return record === undefined ? [] : [record];
    });
  } catch {
    return [];
  }
}

function readLine(text: string, whole: Range, isDayFirst: boolean | undefined): LogRecord | undefined {
  const { start, end } = trimRange(text, whole);
  if (end - start < 16) return undefined;
  const range = { start, end: Math.min(end, start + lineCharactersMax) };
  if (text[start] === '{' && end - start <= jsonCharactersMax) {
    const fields = parsedFields(text.slice(start, end));
    return fields === undefined ? undefined : recordOfFields(fields, range, '', isDayFirst);
  }
  const line = text.slice(range.start, range.end);
  const access = accessShape.exec(line);
  if (access !== null) return accessRecord(access, range, isDayFirst);
  const time = findLogTime(line.slice(0, 60), isDayFirst) ?? auditTimeOf(line);
  if (time === undefined) return undefined;
  const message = messageRecord(line, range, time);
  if (message !== undefined) return message;
  const pairs = fieldsOfPairs(line);
  const keyed =
    pairs !== undefined && structured.some((name) => pairs.has(name))
      ? recordOfFields(pairs, range, line, isDayFirst)
      : undefined;
  return keyed ?? recordOf({ ...range, time, count: 1, host: hostOf(line) });
}

/** Fields without which pairs in a line are only details of its message. */
const structured = [
  'date',
  'action',
  'devname',
  'event',
  'eventtype',
  'type',
  'op',
  'outcome',
  'result',
  'act',
  'ipaddress',
];

function parsedFields(json: string) {
  try {
    return fieldsOfJson(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Common and combined format. @see Apache HTTP Server, "Log Files" */
const accessShape =
  /^(?:[\w.-]{1,80}(?::\d{1,5})? )?([\da-fA-F.:]{3,45}) \S{1,80} (\S{1,80}) \[([^\]]{10,40})\] "(?:[A-Z]{3,8} )?([^" ]{0,600})[^"]{0,200}" ([1-5]\d\d) (?:\d{1,12}|-)/;

function accessRecord(match: RegExpExecArray, range: Range, isDayFirst: boolean | undefined): LogRecord {
  const [, source, actor, time, path, status] = match;
  return recordOf({
    ...range,
    time: findLogTime(time!, isDayFirst),
    event: Number(status) >= 400 ? 'web-request-error' : undefined,
    actor: accountOf(actor),
    source: addressOf(source),
    target: `${status} ${path!.slice(0, 100)}`,
    count: 1,
  });
}

/** auditd writes the seconds since 1970, which are those of UTC. */
function auditTimeOf(line: string): LogRecord['time'] {
  const seconds = /(?<!\w)audit\((1\d{9})\.\d{1,6}:\d{1,12}\)/.exec(line.slice(0, 200))?.[1];
  return seconds === undefined ? undefined : findLogTime(new Date(Number(seconds) * 1000).toISOString(), undefined);
}
