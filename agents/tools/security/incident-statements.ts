/** What a report gives as the cause of an incident and as the way in which it was detected, in its own words. */
import type { Document } from '../../document/document.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findDetection } from './incident-times.ts';
import { findTopics, type TopicRange } from './report-topics.ts';

export interface Statement extends Range {
  readonly about: 'root-cause' | 'detection';
}

const causeCue =
  /(?<!\p{L})(?:root cause|underlying cause|(?:was|were|been) caused by|cause of (?:the|this) (?:incident|outage)|grundursache|eigentliche ursache|ursächlich|cause (?:racine|première|profonde|principale)|causa ra[ií]z|causa principale|grondoorzaak)(?!\p{L})/iu;
const detectionCue =
  /(?<!\p{L})(?:(?:was|were|been|is|first) (?:\w+ )?(?:detected|discovered|noticed|spotted|identified|reported|paged|alerted|notified)|(?:alert|alarm|monitor|monitoring|on-?call|customer|user|analyst|engineer|soc)(?!\p{L}).{0,60}(?<!\p{L})(?:fired|paged|triggered|noticed|detected|reported|alerted|flagged|spotted)|entdeckt|bemerkt|festgestellt|gemeldet|alarmiert|d[ée]tect[ée]e?|d[ée]couverte?|constat[ée]e?|signal[ée]e?|alert[ée]e?|detectad[oa]|rilevat[oa]|ontdekt)(?!\p{L})/iu;
/** Sentences about what was suspected, would have been, or is no cause. */
const doubtful =
  /(?<!\p{L})(?:suspect(?:ed)?|ruled out|initially|at first|played no role|would have|could have|had the|if the|unrelated|vermutet\w*|zunächst|hätten?|ausgeschlossen|soupçonn\w*|aurait|écart[ée]e?|sospech\w*|not (?:the|a) cause)(?!\p{L})/iu;
const characters = 400;

export function findStatements(document: Document): Statement[] {
  const topics = findTopics(document);
  return [...statementOf(document, topics, 'root-cause', 'cause', causeCue), ...detectionOf(document, topics)];
}

/** Without a label or a section on it, the entry of the chronology that names the detection. */
function detectionOf(document: Document, topics: readonly TopicRange[]): Statement[] {
  const entry = findDetection(document);
  const found = statementOf(document, topics, 'detection', 'detection', detectionCue);
  const isOwn = topics.some(({ topic }) => topic === 'detection') || found.some((one) => isLabelled(document, one));
  if (isOwn || entry === undefined) return found;
  return [{ about: 'detection', start: entry.start, end: Math.min(entry.end, entry.start + characters) }];
}

const isLabelled = ({ blocks }: Document, { start }: Range): boolean =>
  blocks.some((block) => block.kind === 'field' && block.value.start === start);

/** The labelled line; else of its section the sentence with the cue, or the first; else the sentence with the cue elsewhere. */
function statementOf(
  document: Document,
  topics: readonly TopicRange[],
  about: Statement['about'],
  topic: 'cause' | 'detection',
  cue: RegExp,
): Statement[] {
  const { blocks, text, sentences } = document;
  const label =
    topic === 'cause'
      ? /^(?:root |underlying )?cause\b|ursache|cause (?:racine|première)|causa/iu
      : /^(?:detection(?! (?:gaps?|delays?|time|lag|latency))|detected by|discovered by|entdeckung|entdeckt durch|d[ée]tection|d[ée]tect[ée]e? par)(?!\p{L})/iu;
  for (const block of blocks) {
    if (block.kind !== 'field' || !label.test(text.slice(block.label.start, block.label.end))) continue;
    const value = text.slice(block.value.start, block.value.end);
    // "Detection delay: 4 hours 14 minutes" is a length of time.
    if (/\p{L}{3}.*\s/u.test(value) && (value.match(/\p{L}{2,}/gu) ?? []).length > (value.match(/\d+/g) ?? []).length)
      return [{ about, start: block.value.start, end: Math.min(block.value.end, block.value.start + characters) }];
  }
  const own = topics.filter((range) => range.topic === topic);
  const usable = (range: Range) => {
    const written = text.slice(range.start, range.end);
    return written.length > 20 && /\s\p{L}+\s/u.test(written) && !doubtful.test(written);
  };
  const within = own
    .flatMap((range) => allWithin(sentences, { start: range.start + range.title.length, end: range.end }))
    .filter(usable);
  const chosen =
    within.find(({ start, end }) => cue.test(text.slice(start, end))) ??
    within[0] ??
    sentences.find((range) => {
      const at = topics[indexAt(topics, range.start) ?? -1]?.topic;
      if (at === 'actions' || at === 'sample' || at === 'timeline') return false;
      return cue.test(text.slice(range.start, Math.min(range.end, range.start + 600))) && usable(range);
    });
  return chosen === undefined
    ? []
    : [{ about, start: chosen.start, end: Math.min(chosen.end, chosen.start + characters) }];
}
