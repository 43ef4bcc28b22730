/** The tool that orders dated events of records. */
import type { AgentTool } from '../../agent/agent.ts';
import type { Document } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { excerpt, lineAround, type Range } from '../text/span.ts';
import { readRecord } from './record.ts';
import { statementAt } from './statements.ts';

/** Maximum number of events in the result, from the last backwards, and number of them shown to the model. */
const eventsMax = 80;
const linesMax = 20;
const undecidedMax = 20;

export const medicalTimeline: AgentTool = {
  name: 'timeline',
  version: '2',
  purpose: 'Puts dated events in order. Text: events with their dates.',
  run(documents) {
    const record = readRecord(documents);
    const events = record.dates
      .map(({ document, date }, place) => ({ iso: date.iso, document, date, place }))
      .sort((one, other) => (one.iso < other.iso ? -1 : one.iso > other.iso ? 1 : one.place - other.place));
    const left = Math.max(0, events.length - eventsMax);
    const shown = events.slice(left).map(({ iso, document, date }) => ({
      date: iso,
      ...(date.ambiguous ? { ambiguous: true } : {}),
      event: eventAt(document, date),
      span: document.spanOf(date),
    }));
    const digest = shown
      .slice(-linesMax)
      .map(
        ({ date, event, span }) => `${date}: ${excerpt(event, { start: 0, end: event.length }, 100)} ${place(span)}`,
      );
    const unclear = record.undecided.slice(0, undecidedMax).map(({ document, date }) => ({
      written: document.text.slice(date.start, date.end),
      event: eventAt(document, date),
      span: document.spanOf(date),
    }));
    const unclearLines = unclear.map(({ written, span }) => `${written}: day and month unclear ${place(span)}`);
    return toFindings(
      { events: { items: shown, more: left }, ...(unclear.length === 0 ? {} : { unclearDates: unclear }) },
      [...digest, ...unclearLines],
    );
  },
};

const eventCharacters = 160;

/** The statement of the date, the row if its cell contains only the date, or the words around it in a long statement. */
function eventAt(document: Document, date: Range): string {
  const { text } = document;
  const { start, end } = statementAt(document, date.start);
  const line = lineAround(text, date.start, 400);
  const row = text.slice(line.start, line.end).split('\t');
  const before = text.slice(line.start, start).split('\t').filter(Boolean).at(-1);
  // "Admission date: | 2 May | Discharge date: | 9 May": the cell before names the date.
  const label = before?.trim().endsWith(':') ? before.trim().slice(0, -1) : row.find((cell) => /\p{L}{3}/u.test(cell));
  if (row.length > 1 && label !== undefined) {
    const cell = excerpt(text, { start, end }, eventCharacters);
    const joined = label.includes(cell) ? label : `${label}: ${cell}`;
    return excerpt(joined, { start: 0, end: joined.length }, eventCharacters);
  }
  if (end - start <= eventCharacters) return excerpt(text, { start, end }, eventCharacters);
  const from = Math.max(start, Math.min(date.start - 80, end - eventCharacters));
  const word = from === start ? from : text.indexOf(' ', from) + 1;
  return excerpt(
    text,
    { start: Math.min(word, date.start), end: Math.min(end, from + eventCharacters) },
    eventCharacters,
  );
}
