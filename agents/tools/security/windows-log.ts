/** Windows events as exported by Event Viewer and PowerShell: a table with a header, or text. */
import { accountOf, addressOf, type LogRecord, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { isSystemLogon, readWindowsEvent, windowsEvents } from './windows-events.ts';

const columns: readonly (readonly [string, RegExp])[] = [
  [
    'time',
    /^(?:date and time|datum und uhrzeit|timecreated|time ?created|time|timestamp|@timestamp|date|timegenerated|time generated|datetime)$/,
  ],
  ['code', /^(?:event ?id|event_id|ereignis-id|id|eventcode|event code)$/],
  [
    'actor',
    /^(?:account|account ?name|user|user ?name|targetusername|target ?user|target account|konto|kontoname|benutzer)$/,
  ],
  ['subject', /^(?:subjectusername|subject ?user|subject|subject account|subjectaccountname)$/],
  [
    'source',
    /^(?:source network address|ip ?address|source ?ip|source address|client ?ip|src_?ip|quellnetzwerkadresse)$/,
  ],
  ['host', /^(?:computer|computer ?name|machine ?name|host|host ?name)$/],
  ['message', /^(?:message|description|beschreibung|details|general|meldung)$/],
];

interface Row {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** @returns no records for a text whose first lines have no header with an event number and a time */
export function readWindowsCsv(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const header = /^[^\r\n]{0,400}\b(?:Event ?ID|EventID|event_id|Ereignis-ID|Event ?Code|Id)\b[^\r\n]{0,400}$/im.exec(
    text.slice(0, 4000),
  );
  if (header === null) return [];
  const delimiter = [',', '\t', ';', '|'].reduce((best, mark) =>
    header[0].split(mark).length > header[0].split(best).length ? mark : best,
  );
  const [head, ...rows] = splitRows(text, header.index, delimiter);
  const at = new Map<string, number>();
  for (const [index, cell] of (head?.cells ?? []).entries()) {
    const name = columns.find(([, pattern]) => pattern.test(cell.trim().toLowerCase()))?.[0];
    if (name !== undefined && !at.has(name)) at.set(name, index);
  }
  if (!at.has('code') || !at.has('time')) return [];
  // Event Viewer's export has no header for the message, which is the last column.
  if (!at.has('message')) at.set('message', head!.cells.length);
  return rows.flatMap((row) => recordOfRow(row, at, isDayFirst));
}

function recordOfRow(
  { cells, start, end }: Row,
  at: ReadonlyMap<string, number>,
  isDayFirst: boolean | undefined,
): LogRecord[] {
  const cell = (name: string) => cells[at.get(name) ?? -1]?.trim();
  const code = Number(cell('code'));
  const time = findLogTime(cell('time') ?? '', isDayFirst);
  if (!Number.isInteger(code) || time === undefined) return [];
  const known = windowsEvents.get(code);
  const fromText = readWindowsEvent(code, cell('message') ?? '');
  const written = known?.actor === 'subject' ? (cell('subject') ?? cell('actor')) : cell('actor');
  const actor = known?.actor === 'none' ? undefined : (accountOf(written) ?? fromText.actor);
  const event = known === undefined || isSystemLogon(known.event, actor) ? undefined : known.event;
  return [
    recordOf({
      start,
      end,
      time,
      event,
      actor,
      source: addressOf(cell('source')) ?? fromText.source,
      host: cell('host') ?? fromText.host,
      count: 1,
      isWindows: true,
    }),
  ];
}

/** Rows with quoted cells, which may contain line breaks; a broken quote affects only its row. */
function splitRows(text: string, from: number, delimiter: string): Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let [start, cellStart, isQuoted] = [from, from, false];
  const closeCell = (end: number) => {
    const cell = text.slice(cellStart, Math.min(end, cellStart + 4000)).trim();
    cells.push(/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    cellStart = end + 1;
  };
  for (let at = from; at <= text.length; at += 1) {
    const character = text[at] ?? '\n';
    if (character === '"') isQuoted = !isQuoted;
    if (at === text.length) isQuoted = false;
    if (isQuoted) continue;
    if (character === delimiter) closeCell(at);
    else if (character === '\n') {
      closeCell(at);
      if (cells.length > 1) rows.push({ cells, start, end: at });
      cells = [];
      start = at + 1;
    }
  }
  return rows;
}

const codeShape =
  /(?<![\w-])(?:Event ?I[Dd]|EventID|EventCode|Event Code|Ereignis-ID|Id)(?:\s{0,12}[:=]\s{0,3}|\s|>|" ?: ?"?)(\d{3,5})(?!\d)/g;
const recordStart =
  /^(?:Log Name|Protokollname|Event\[\d+\]|TimeCreated|Record(?: \d+|Number)|<Event\b|Date\s*:|Index\s*:|Level\s*:)/;

/** Each event number begins a record, with up to eight preceding lines that belong to its header. */
export function readWindowsText(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  const matches = [...text.matchAll(codeShape)];
  const starts = matches.map(({ index }, at) => headOf(text, index, at === 0 ? -1 : matches[at - 1]!.index));
  const records = matches.flatMap((match, at) => {
    const range = { start: starts[at]!, end: Math.min(starts[at + 1] ?? text.length, starts[at]! + 4000) };
    const block = text.slice(range.start, range.end);
    const time = findLogTime(block.slice(0, 800), isDayFirst);
    if (time === undefined) return [];
    // The position is the line with the number, because the end of an event's text is not always marked.
    const lineEnd = text.indexOf('\n', match.index);
    const end = Math.min(range.end, lineEnd < 0 ? text.length : lineEnd);
    return [
      recordOf({
        start: range.start,
        end,
        time,
        ...readWindowsEvent(Number(match[1]), block),
        count: 1,
        isWindows: true,
      }),
    ];
  });
  return records.length >= 2 || records.some(({ event, host }) => event !== undefined && host !== undefined)
    ? records
    : [];
}

function headOf(text: string, at: number, floor: number): number {
  let start = Math.max(text.lastIndexOf('\n', at - 1) + 1, 0);
  let best = start;
  for (let lines = 0; lines < 8 && start > floor; lines += 1) {
    if (recordStart.test(text.slice(start, start + 40).trimStart())) best = start;
    const before = text.lastIndexOf('\n', start - 2) + 1;
    if (before >= start || before <= floor || text.slice(before, start).trim() === '') break;
    start = before;
  }
  return best;
}
