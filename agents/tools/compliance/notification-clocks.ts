/**
 * Lists the notification deadlines of the regimes that the documents name or imply, and compares them with the deadlines that
 * the documents state next to words for breach or incident.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument, sentenceAt } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import type { FoundDuration } from '../text/durations.ts';
import { listLines } from '../text/list-lines.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { allWithin } from '../text/ranges.ts';
import { bounded, excerpt, type Range, type Span } from '../text/span.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { type Clock, clockRegimes, type Regime } from './clock-table.ts';
import { readingOf } from './reading.ts';

/** Listed if the documents imply no regime. */
const usual = ['gdpr', 'nis2', 'dora'];

export interface StatedClock {
  /** ISO 8601, as the document states it. */
  readonly stated: string;
  /** Regimes named in the same sentence or heading; empty if there are none. */
  readonly regimes: readonly string[];
  /** Steps of the regime with an earlier deadline than the document states, if no step has exactly that deadline. */
  readonly laterThan: readonly string[];
  readonly span: Span;
  readonly excerpt: string;
}

export const notificationClocks: AgentTool = {
  name: 'notification_clocks',
  version: '2',
  purpose:
    'Lists within which time incidents must be notified, and compares the times that a text states. Text: names a regime, and a time.',
  run(documents) {
    const regimes = pointedTo(documentsOnly(documents));
    const cued = regimes.length > 0;
    const listed = cued ? regimes : clockRegimes.filter(({ id }) => usual.includes(id));
    const stated = documentsOnly(documents).flatMap((document) => statedClocks(readDocument(document)));
    const result = {
      basis: cued ? 'regimes that the documents point to' : 'no regime named: the three usual ones',
      regimes: listed.map(({ id, name, clocks }) => ({ id, name, clocks })),
      stated: bounded(stated, 30),
    };
    return toFindings(result, digestOf(listed, stated));
  },
};

/** Regimes whose cues are in the documents and that no document denies, in the order of the table. */
export function pointedTo(documents: readonly AgentDocument[]): Regime[] {
  const seen = new Set<string>();
  const applied = new Set<string>();
  const foreign = new Set<string>();
  for (const document of documents) {
    for (const { label } of findPhrases(readDocument(document).words, phrases)) seen.add(label);
    for (const { id, status } of frameworkMentions(readingOf(document)))
      (status === 'applied' ? applied : foreign).add(id);
  }
  // The words of the GDPR are those of the UK GDPR.
  if (applied.has('uk_gdpr') && !applied.has('gdpr')) foreign.add('gdpr');
  return clockRegimes.filter(({ id }) => applied.has(id) || (seen.has(id) && !foreign.has(id)));
}

/** Maximum number of deadlines per text. */
const statedMax = 200;

/** Durations in sentences that mention notifying a breach or incident. */
export function statedClocks(reading: Document): StatedClock[] {
  const matches = findPhrases(reading.words, phrases);
  const found: StatedClock[] = [];
  for (const duration of reading.durations) {
    if (found.length >= statedMax) break;
    const sentence = sentenceAt(reading, duration.start);
    const near = {
      start: Math.max(sentence.start, duration.start - 300),
      end: Math.min(sentence.end, duration.end + 300),
    };
    const labels = new Set(allWithin(matches, near).map(({ label }) => label));
    if (!labels.has('notifying') || !labels.has('incident')) continue;
    const regimes = clockRegimes.filter(({ id }) => labels.has(id)).map(({ id }) => id);
    found.push({
      stated: duration.iso,
      regimes,
      laterThan: laterThan(duration, regimes, near, reading.text),
      span: reading.spanOf(duration),
      excerpt: excerpt(reading.text, near),
    });
  }
  return found;
}

const phrases = compilePhrases<string>([
  ...clockRegimes.map(({ id, cues }) => [id, phraseList(cues)] as const),
  [
    'notifying',
    phraseList(
      'notif*; report; reports; reported; reporting; inform; informs; informed; early warning; alert; communicat*',
    ),
  ],
  ['incident', phraseList('breach*; incident*; compromise*; vulnerabilit*; outage*')],
]);

/**
 * If the sentence names one regime, compares the deadlines of the authorities that it mentions: shorter ones are reported,
 * unless one of them equals the stated deadline. Nothing is compared if the regime is unclear.
 */
function laterThan(duration: FoundDuration, regimes: readonly string[], near: Range, text: string): string[] {
  const regime = regimes.length === 1 ? clockRegimes.find(({ id }) => id === regimes[0]) : undefined;
  if (regime === undefined || duration.business || duration.unit === 'minute') return [];
  const speaksOfFinal = /\b(?:final|progress|detailed|intermediate|follow-up)\b/i.test(
    text.slice(near.start, near.end),
  );
  const first = regime.clocks.filter(({ step, within }) => within !== undefined && speaksOfFinal === isLater(step));
  const statedHours = hoursOf(duration.iso);
  if (first.length === 0 || first.some(({ within }) => within === duration.iso || hoursOf(within!) >= statedHours))
    return [];
  return first.map((clock) => `${clock.article} ${clock.step}: ${clock.within}`);
}

function isLater(step: string): boolean {
  return /final|progress|detailed|intermediate|further/.test(step);
}

/** A month counts as 31 days, so that a deadline in days is reported as late only if it is late in every month. */
export function hoursOf(iso: string): number {
  const match = /^P(T?)([\d.]{1,9})([HMDWY])$/.exec(iso);
  if (match === null) return 0;
  const [, time, count = '0', letter = 'D'] = match;
  const hours = { H: 1, M: time === 'T' ? 1 / 60 : 31 * 24, D: 24, W: 168, Y: 8_784 }[letter] ?? 24;
  return Number(count) * hours;
}

function digestOf(regimes: readonly Regime[], stated: readonly StatedClock[]): string[] {
  const late = stated.filter((clock) => clock.laterThan.length > 0);
  return [
    ...late
      .slice(0, 10)
      .map((clock) => `Stated ${clock.stated} is later than ${clock.laterThan.join('; ')} ${place(clock.span)}`),
    ...regimes.flatMap(({ name, clocks }) => listLines(name, clocks.map(shown))),
    ...stated
      .filter((clock) => clock.laterThan.length === 0)
      .slice(0, 8)
      .map(({ stated: iso, span }) => `Stated in the documents: ${iso} ${place(span)}`),
  ];
}

function shown({ step, article, within, from }: Clock): string {
  return `${step} ${within === undefined ? from : `${within} from ${from}`} (${article})`;
}
