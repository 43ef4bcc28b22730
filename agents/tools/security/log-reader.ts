/** Parses a text as a log, in any of the supported formats. */
import { splitLines, trimRange } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { readBlockLog } from './block-log.ts';
import { recordOfFields } from './log-fields.ts';
import { fieldsOfExtension, fieldsOfJson, fieldsOfPairs } from './log-pairs.ts';
import { accountOf, addressOf, type LogRecord, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { hostOf, messageRecord, wordedRecord } from './message-record.ts';
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
  const blocks = readBlockLog(text, isDayFirst);
  if (blocks.length > 0) return blocks;
  const lines = splitLines(text);
  const records = lines.flatMap((range) => readLine(text, range, isDayFirst) ?? []);
  // The chronology of a report has the same words.
  const filled = lines.filter(({ start, end }) => text.slice(start, end).trim() !== '').length;
  return records.length >= wordedShare * filled
    ? records
    : records.map((record) => (record.isWorded ? recordOf({ ...record, event: undefined }) : record));
}

/** Share of the lines that must be records for events that only words name. */
const wordedShare = 0.6;

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

/** Objects over several lines, one after another. */
function readJsonObjects(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const starts = [...text.matchAll(/^\{[ \t]*$/gm)].map(({ index }) => index);
  return starts.flatMap((start, index) => {
    const chunk = text.slice(start, Math.min(starts[index + 1] ?? text.length, start + jsonCharactersMax));
    const close = chunk.lastIndexOf('\n}');
    const fields = close < 0 ? undefined : parsedFields(chunk.slice(0, close + 2));
    const range = { start, end: Math.min(start + chunk.length, start + 400) };
    const record = fields && recordOfFields(fields, range, '', isDayFirst);
    return record === undefined ? [] : [record];
  });
}

function readJsonDocument(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const start = text.slice(0, 200).trimStart();
  if (/^\{\s{0,20}\n/.test(start)) {
    const objects = readJsonObjects(text, isDayFirst);
    if (objects.length >= 2) return objects;
  }
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
  const extension = fieldsOfExtension(line);
  if (extension !== undefined) return recordOfFields(extension, range, line, isDayFirst);
  const time = findLogTime(line.slice(0, 60), isDayFirst) ?? epochTimeOf(line);
  if (time === undefined) return undefined;
  const message = messageRecord(line, range, time);
  if (message !== undefined) return message;
  const pairs = fieldsOfPairs(line);
  const keyed =
    pairs !== undefined && structured.some((name) => pairs.has(name))
      ? recordOfFields(pairs, range, line, isDayFirst)
      : undefined;
  const written = requestRecord(line, range, time) ?? keyed ?? wordedRecord(line, range, time);
  return written ?? recordOf({ ...range, time, count: 1, host: hostOf(line) });
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

/** The request in quotation marks, and the first status between the address and it, as load balancers write them. */
const requestShape =
  /(?<![\d.])(?<source>\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?\s[^"]{0,300}?(?<=\s)(?<status>[1-5]\d\d)\s[^"]{0,160}"(?:[A-Z]{3,8}) (?<path>[^" ]{1,600}) HTTP\/[\d.]{1,3}"/;

function requestRecord(line: string, range: Range, time: LogRecord['time']): LogRecord | undefined {
  const groups = requestShape.exec(line)?.groups;
  if (groups === undefined) return undefined;
  return recordOf({
    ...range,
    time,
    event: Number(groups.status) >= 400 ? 'web-request-error' : undefined,
    source: addressOf(groups.source),
    target: `${groups.status} ${groups.path!.slice(0, 100)}`,
    count: 1,
  });
}

/** Seconds since 1970, which are those of UTC, as auditd, firewalls (`time=`) and flow logs of a cloud write them. */
function epochTimeOf(line: string): LogRecord['time'] {
  const head = line.slice(0, 200);
  const seconds =
    /(?<!\w)audit\((1\d{9})\.\d{1,6}:\d{1,12}\)/.exec(head)?.[1] ??
    /^(?:<\d{1,3}>)?time="?(1\d{9})(?:\d{3})?(?=["\s])/.exec(head)?.[1] ??
    /^\d \d{12} eni-\w{1,20} .{10,120}? (1\d{9}) 1\d{9} (?:ACCEPT|REJECT) OK/.exec(head)?.[1];
  return seconds === undefined ? undefined : findLogTime(new Date(Number(seconds) * 1000).toISOString(), undefined);
}
