/** The tool that orders what records date. */
import type { AgentTool } from '../../agent/agent.ts';
import { place, toFindings } from '../findings.ts';
import { excerpt, lineAround } from '../text/span.ts';
import { readRecord } from './record.ts';

/** How many events are reported, from the last backwards, and how many of them the model sees. */
const eventsMax = 80;
const linesMax = 20;

export const medicalTimeline: AgentTool = {
  name: 'timeline',
  version: '1',
  purpose: 'Puts dated events in order. Text: events with their dates.',
  run(documents) {
    const events = readRecord(documents)
      .dates.map(({ document, date }, place) => ({ iso: date.iso, document, date, place }))
      .sort((one, other) => (one.iso < other.iso ? -1 : one.iso > other.iso ? 1 : one.place - other.place));
    const left = Math.max(0, events.length - eventsMax);
    const shown = events.slice(left).map(({ iso, document: { text, spanOf }, date }) => ({
      date: iso,
      ...(date.ambiguous ? { ambiguous: true } : {}),
      event: excerpt(text, lineAround(text, date.start, 110), 140),
      span: spanOf(date),
    }));
    const digest = shown
      .slice(-linesMax)
      .map(
        ({ date, event, span }) => `${date}: ${excerpt(event, { start: 0, end: event.length }, 100)} ${place(span)}`,
      );
    return toFindings({ events: { items: shown, more: left } }, digest);
  },
};
