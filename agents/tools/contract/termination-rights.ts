/** Rights to end a contract before its term: the party, the ground, the notice and the time to cure. */
import type { Document } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { type Actors, actorsOf, eachParty, subjectBefore } from './actors.ts';
import { durationsIn, type Placed, relevant, type Statement, statementsOf } from './statements.ts';
import {
  condition,
  convenience,
  denied,
  ending,
  grounds,
  right,
  type TerminationGround,
} from './termination-grounds.ts';

export interface TerminationRight extends Range {
  /** Name in the contract; "either party" if both may. */
  readonly by?: string;
  readonly ground?: TerminationGround;
  /** ISO 8601. */
  readonly notice?: string;
  readonly noticeBusinessDays?: boolean;
  /** ISO 8601: the time to remedy. */
  readonly cure?: string;
  readonly cureBusinessDays?: boolean;
}

/** One per ground and side, ordered by position in the text. */
export function findTerminationRights(document: Document): TerminationRight[] {
  const actors = actorsOf(document);
  const found: TerminationRight[] = [];
  const seen = new Set<string>();
  for (const statement of relevant(document, ending)) {
    for (const entry of rightsIn(document, statement, actors, textBefore(document, statement))) {
      const key = `${entry.by} ${entry.ground} ${entry.notice} ${entry.cure}`;
      if (seen.has(key) || found.length >= 60) continue;
      seen.add(key);
      found.push(entry);
    }
  }
  for (const entry of defaultEvents(document, actors, found)) if (found.length < 60) found.push(entry);
  return withoutPoorer(found);
}

/** "If an Event of Default continues, the Lender may …": each listed event is a ground with its own period. */
function defaultEvents(document: Document, actors: Actors, found: readonly TerminationRight[]): TerminationRight[] {
  const relying = relevant(document, /\bevents? of default\b/i).find(
    (statement) => ending.test(statement.text) && right.test(statement.text) && !denied.test(statement.text),
  );
  const by = relying === undefined ? undefined : holderOf(actors, relying, ending.exec(relying.text)!.index);
  if (by === undefined) return [];
  return statementsOf(document).flatMap((statement) => {
    const { start, end, text, own } = statement;
    const isListed = own > 0 && /\bevents? of default\b/i.test(text.slice(0, own));
    if (!isListed) return [];
    const item = text.slice(own);
    const named = grounds.filter(([, pattern]) => pattern.test(item)).map(([ground]) => ground);
    const [ground] = named.includes('non-payment') ? ['non-payment' as const] : named;
    if (
      ground === undefined ||
      found.some((other) => other.by === by && other.ground === ground && other.cure !== undefined)
    )
      return [];
    const durations = durationsIn(document, statement)
      .filter(({ at }) => at >= own)
      .map((each) => ({ ...each, at: each.at - own, until: each.until - own }));
    return [{ start, end, by, ground, ...periodsFor(ground, item, durations) }];
  });
}

/** The previous sentence of the same section. */
function textBefore(document: Document, { start, titles }: Statement): string {
  const all = statementsOf(document);
  const before = all[(indexAt(all, start) ?? 0) - 1];
  return before !== undefined && before.titles === titles ? before.text : '';
}

/** A repeated ground with less detail adds nothing: "If terminated for breach …". */
function withoutPoorer(found: readonly TerminationRight[]): TerminationRight[] {
  return found.filter(
    (entry) =>
      !found.some(
        (other) =>
          other !== entry &&
          other.by === entry.by &&
          other.ground === entry.ground &&
          (entry.notice === undefined || entry.notice === other.notice) &&
          (entry.cure === undefined || entry.cure === other.cure) &&
          (other.notice !== entry.notice || other.cure !== entry.cure),
      ),
  );
}

function rightsIn(document: Document, statement: Statement, actors: Actors, before: string): TerminationRight[] {
  const { text, titles } = statement;
  const match = ending.exec(text);
  if (match === null || denied.test(text) || !right.test(text) || text.endsWith(':')) return [];
  if (/^do /i.test(match[0]) && !(ending.test(before) && right.test(before))) return [];
  // "may raise the fees; …" is not a right to terminate what follows the semicolon.
  if (statement.own === 0 && !right.test(text.slice(text.lastIndexOf(';', match.index) + 1))) return [];
  if (
    /\b(?:non-renewal|renews?|verlängert sich|employment of|personnel|screening)\b/i.test(text) &&
    !/\bmay terminate|kündigen kann/i.test(text)
  )
    return [];
  // Statements about the consequences of termination, or about another contract: "If this Agreement is terminated, …", "may cancel
  // the order".
  if (
    /^(?:[\d.()a-z]{1,8} )?(?:upon|on|after|following|in the event of|bei|nach) (?:\w+ ){0,3}(?:termination|expiry|expiration|kündigung|beendigung)/i.test(
      text,
    )
  )
    return [];
  if (
    !/terminat|kündig|\bterm\b|laufzeit/i.test(titles) &&
    !/\bterminate\b|\bat once\b|\bdo (?:so|the same)\b/i.test(text) &&
    !/\b(?:agreement|contract|lease|terms?|order|engagement|subscription|licen[cs]e|services?|it|them|loan|facility|commitment|repayment|addendum|annex|sow|property|appointment|amounts?|tenancy|deed|this|work|assignment|arrangement|cooperation|collaboration|rental|hire|plan|account|mandate|relationship|contrat|contrato|contratto|overeenkomst|convention|für|vertrag|vertrags|vertrages|vereinbarung|einzelauftr\w+|kündigung|kündbar|gekündigt|kündigen|mietverh\w+|rahmenvertr\w+|project|work order|purchase|immediately|notice)\b/i.test(
      text,
    )
  )
    return [];
  const by = holderOf(actors, statement, match.index);
  const place = { start: statement.start, end: statement.end, ...(by === undefined ? {} : { by }) };
  const durations = durationsIn(document, statement);
  return partsOf(text, durations).flatMap(({ from, to }) => {
    const inPart = durations.filter((each) => each.at >= from && each.at < to);
    const part = text.slice(from, to);
    const moved = inPart.map((each) => ({ ...each, at: each.at - from, until: each.until - from }));
    return rightsOfPart(
      { text: part, titles, isListed: statement.own > 0 || to - from < text.length, before },
      place,
      moved,
    );
  });
}

/** "may terminate (i) for convenience …, or (ii) if …": each alternative with its own ground and periods. */
function partsOf(text: string, durations: readonly Placed<FoundDuration>[]): { from: number; to: number }[] {
  const marks = [...text.matchAll(/[ (,;:](\((?:i{1,3}|iv|v|vi|[a-h]|[1-6])\)) (?=\p{L})/gu)].map(
    ({ index }) => index + 1,
  );
  const [first] = marks;
  if (first !== undefined && marks.length >= 2 && first >= 15)
    return marks.map((from, index) => ({ from, to: marks[index + 1] ?? text.length }));
  return alternativesIn(text, durations);
}

/**
 * "If A does not pay within 7 days, or breaks a promise and does not fix it within 15 days": split at "or" only if each side has
 * a ground and a period, because a period after the last ground may refer to all of them.
 */
function alternativesIn(text: string, durations: readonly Placed<FoundDuration>[]): { from: number; to: number }[] {
  const cuts = [
    0,
    ...[...text.matchAll(/,? (?:or|oder|ou|o) (?=\p{Ll})/giu)].slice(0, 12).map(({ index }) => index),
    text.length,
  ];
  const parts: { from: number; to: number }[] = [];
  let from = 0;
  for (const to of cuts.slice(1)) {
    const part = text.slice(from, to);
    const isOwn =
      grounds.some(([, pattern]) => pattern.test(part)) && durations.some(({ at }) => at >= from && at < to);
    if (!isOwn && to < text.length) continue;
    if (!isOwn) return [{ from: 0, to: text.length }];
    parts.push({ from, to });
    from = to;
  }
  return parts.length >= 2 ? parts : [{ from: 0, to: text.length }];
}

interface Part {
  readonly text: string;
  readonly titles: string;
  /** The sentence is one of several alternatives. */
  readonly isListed: boolean;
  /** The sentence before. */
  readonly before: string;
}

function rightsOfPart(
  { text, titles, isListed, before }: Part,
  place: Range & { by?: string },
  durations: readonly Placed<FoundDuration>[],
): TerminationRight[] {
  const named = grounds.filter(([, pattern]) => pattern.test(text)).map(([ground]) => ground);
  // "If it lasts for more than 90 days" refers to force majeure if the previous sentence does.
  const isBack = /^(?:[\d.()a-z]{0,8} )?(?:If|Where|Should) (?:it|this|such|the (?:event|delay|period))\b/i.test(text);
  if (
    isBack &&
    grounds.some(([ground, pattern]) => ground === 'force-majeure' && pattern.test(before)) &&
    !named.includes('force-majeure')
  )
    named.push('force-majeure');
  const timed = named.filter((ground) => ground !== 'good-cause' || !/\bwithout (?:good |just )?cause\b/i.test(text));
  // "Material breach, including failure to pay" is one ground, and so is a default that is defined by either.
  const kept = timed.filter(
    (ground) =>
      !(ground === 'material-breach' && timed.includes('non-payment') && !/\bbreach|\bcovenant|verletz/i.test(text)),
  );
  if (kept.length > 0 && (condition.test(text) || !convenience.test(text) || isListed)) {
    return kept.map((ground) => ({ ...place, ground, ...periodsFor(ground, text, durations) }));
  }
  const isConvenience = convenience.test(text) || !condition.test(text);
  const notice = noticeIn(text, durations);
  if (
    isConvenience &&
    (notice !== undefined || convenience.test(text) || /\bnotice|kündigungsfrist|frist von\b/i.test(text))
  ) {
    return [{ ...place, ground: 'convenience', ...noticeFields(notice) }];
  }
  // A separate condition: "if the Controller objects".
  return condition.test(text) &&
    place.by !== undefined &&
    /terminat|kündig|\bend\b/i.test(`${titles} ${text}`) &&
    /\b(?:may|entitled to|right to|kann) (?:\w+ ){0,6}(?:terminate|cancel|end|kündigen)/i.test(text)
    ? breakRight(text, place, notice)
    : [];
}

/** "May end this Lease on 28 September 2031 by giving notice, provided that the rent is paid": a break option needs no reason. */
function breakRight(
  text: string,
  place: Range & { by?: string },
  notice: Placed<FoundDuration> | undefined,
): TerminationRight[] {
  const isBreak =
    notice !== undefined &&
    !/\bif\b|\bwhere\b/i.test(text.slice(0, notice.at)) &&
    (/\b(?:19|20)\d\d\b|\banniversary\b|\bbreak\b/i.test(beforeCondition(text)) ||
      !/\b(?:if|where|when|should|wenn|falls|sofern|sobald|si|indien|qualora)\b/i.test(text));
  return [{ ...place, ...(isBreak ? { ground: 'convenience' as const, ...noticeFields(notice) } : {}) }];
}

/** The date of a condition is not the date of the break: "if the works are not finished by 31 March 2027". */
function beforeCondition(text: string): string {
  return text.slice(0, /\b(?:if|where|when|wenn|falls|sofern|sobald|si|indien|qualora)\b/i.exec(text)?.index);
}

function holderOf(actors: Actors, { text }: Statement, at: number): string | undefined {
  const passive =
    /\b(?:terminated|ended|cancelled|gekündigt|kündbar)\b[^.;]{0,60}?\b(?:by|von|durch) (?:the |der |dem |den )?/i.exec(
      text,
    );
  const active = /\b(?:may|can|entitled|right to|kann|darf|berechtigt)\b/i.exec(text);
  const agent =
    passive === null
      ? undefined
      : actors.findIn(text).find((actor) => Math.abs(actor.at - (passive.index + passive[0].length)) <= 6);
  const germanRight = /\bRecht (?:jeder |beider |der )/i.exec(text);
  const owner =
    germanRight === null ? undefined : actors.findIn(text).find((actor) => actor.until >= germanRight.index);
  const subject = agent ?? owner ?? subjectOfRight(actors, text, active?.index ?? at, at);
  if (subject === undefined)
    return /\bkann (?:\w+ ){0,8}gekündigt werden\b|\bmay be terminated\b|\bist (?:\w+ ){0,6}kündbar\b|\bRecht zur\b/i.test(
      text,
    )
      ? 'either party'
      : undefined;
  return subject.name === eachParty ? 'either party' : subject.name;
}

/** The subject of "may": before it, or after it if a German sentence begins with its condition. */
function subjectOfRight(actors: Actors, text: string, auxiliary: number, at: number) {
  const before = actors
    .findIn(text.slice(0, auxiliary))
    .filter(({ isPossessive, until }) => !isPossessive && auxiliary - until <= 60);
  const near = before.at(-1);
  if (near !== undefined && /^[ ,\w]{0,60}$/.test(text.slice(near.until, auxiliary))) return near;
  const afterwards = actors.findIn(text.slice(auxiliary, auxiliary + 60)).find(({ isPossessive }) => !isPossessive);
  return /^(?:kann|darf)/i.test(text.slice(auxiliary)) && afterwards !== undefined
    ? afterwards
    : subjectBefore(actors, text, Math.max(at, auxiliary));
}

const noticeNear = /\bnotice\b|\bfrist\b|\bkündigungsfrist\b|\bnotif|\bankündigung/i;
const curing =
  /\b(?:cure[ds]?|remed(?:y|ied)|rectif|correct(?:ed)?|abhilfe|beseitig|abgestellt|nachfrist|abmahnung|warning|reminder|mahnung)/i;

/** The duration of a notice: next to the word, and not a time to cure. */
function noticeIn(text: string, durations: readonly Placed<FoundDuration>[]): Placed<FoundDuration> | undefined {
  return durations.find(({ at, until }) => {
    const after = text.slice(until, until + 40);
    const before = text.slice(Math.max(0, at - 50), at);
    return (
      /^['’]?s?'?\)?,? ?(?:\w+ ){0,3}notice\b/i.test(after) ||
      /\bnotice (?:period )?of (?:\w+ ){0,4}$|\bfrist von (?:\w+ ){0,3}$|\bnotice[^.;]{0,20}$|\bfrist[^.;]{0,30}$/i.test(
        before,
      ) ||
      (noticeNear.test(text) &&
        /\b(?:on|upon|with|giving|mit|least|less than)\b[\s\w]{0,24}$/i.test(before) &&
        !/^ ?(?:after|of receipt)/.test(after))
    );
  });
}

function periodsFor(ground: TerminationGround, text: string, durations: readonly Placed<FoundDuration>[]) {
  if (ground !== 'material-breach' && ground !== 'non-payment') return {};
  const reason =
    /\b(?:breach|default|fail|unpaid|overdue|arrears|covenant|verletz|verzug|rückstand)/i.exec(text)?.index ?? 0;
  const cures = durations.filter(
    ({ at }) =>
      curing.test(text.slice(Math.max(0, at - 120), at + 120)) ||
      (at > reason &&
        /\bwithin\b[\s\w]{0,16}$|\bmore than $|\binnerhalb\b[\s\w]{0,16}$|\bfor (?:more than )?$/i.test(
          text.slice(Math.max(0, at - 24), at),
        )) ||
      (ground === 'non-payment' && at > reason),
  );
  const cure = cures.find(({ at }) => at > reason) ?? cures[0];
  const notice =
    cure === undefined
      ? undefined
      : noticeIn(
          text,
          durations.filter((duration) => duration !== cure),
        );
  return {
    ...(cure === undefined
      ? noticeFields(noticeIn(text, durations))
      : { cure: cure.iso, ...(cure.business ? { cureBusinessDays: true } : {}) }),
    ...(notice === undefined || notice.at > reason ? {} : noticeFields(notice)),
  };
}

function noticeFields(notice: Placed<FoundDuration> | undefined) {
  return notice === undefined ? {} : { notice: notice.iso, ...(notice.business ? { noticeBusinessDays: true } : {}) };
}
