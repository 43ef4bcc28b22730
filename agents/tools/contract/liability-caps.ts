/**
 * Caps on liability: amounts, percentages of fees and multiples, with the party whose liability is capped; and liability that
 * is expressly unlimited.
 */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import { excerpt, type Range } from '../text/span.ts';
import { type Actors, actorsOf, subjectBefore } from './actors.ts';
import { liabilityWords } from './liability-words.ts';
import { amountsIn, durationsIn, placedIn, relevant, type Statement, statementsOf } from './statements.ts';

export type LiabilityCap = Range & {
  readonly excerpt: string /** Whose: "Supplier", "each party". */;
  readonly of?: string;
} & (
    | { readonly kind: 'amount'; readonly value: string; readonly currency?: string }
    | {
        readonly kind: 'percent of fees';
        readonly percent: string /** ISO 8601: whose fees. */;
        readonly period?: string;
      }
    | { readonly kind: 'fees of a period'; readonly multiple?: number; readonly period?: string }
    | { readonly kind: 'unlimited' }
  );

const cap =
  /\b(?:not|no|never|neither|nor|in no (?:event|circumstances))\b[^.;:]{0,140}?\b(?:exceed|in excess of|more than|greater than|above|beyond)\b|\b(?:shall|will|may) be (?:limited|capped)\b|\b(?:is|are|being|hereby) (?:limited|capped)\b|\blimited (?:\w+ ){0,3}to\b|\bcapped (?:at|to)\b|\bcap of\b|\b(?:ceiling|maximum|limit) (?:of|is|:)|\bthe most\b|\bmaximum (?:\w+ ){0,3}liability\b|\bup to\b|\bliability cap\b|\bliability ?[:|] ?(?=\d)|\bbegrenzt\b|\bbeschränkt\b|\bhöchstens\b|\bmaximal\b|\bbis zu\b|\bHaftungshöchst|\bübersteigt?\b|\blimitée?s?\b|\b(?:ne|n['’]) ?(?:saurait|pourra|peut|dépassera|excédera)\b|\bplafonnée?\b|\bno (?:excederá|superará|podrá (?:exceder|superar))\b|\blimitad[ao] a\b|\bbeperkt tot\b/i;
const noCap =
  /\binsur(?:e|ance|ed)\b|\bversicherung|\bdeckungssumme|\bcredits?\b[^.]{0,60}\b(?:at most|exceed)|\bdeductible\b|\bpenalt(?:y|ies)\b|vertragsstrafe/i;
const unlimited =
  /\bunlimited liability\b|\bliability\b[^.;]{0,60}\b(?:is|shall be|remains) (?:unlimited|without limit|not limited)\b|\bunlimited(?:ly)? liable\b|\bliable (?:\w+ ){0,3}without limit|\bhafte[nt] (?:\w+ ){0,4}unbe(?:grenzt|schränkt)|\bliab\w* (?:\w+ ){0,3}without limit/i;
const fees =
  /\b(?:fees?|charges?|amounts?|prices?|sums?|remuneration|consideration|rent|royalt(?:y|ies)|licen[cs]e fees?|subscription fees?|contract (?:value|price|sum)|net price|order value|value of (?:the|this|each|all) (?:\w+ )?(?:contract|order|agreement)|sommes|montants?|redevances?|honoraires|honorarios|importes?)\b|\b(?:jahres|netto|gesamt)?(?:vergütung|auftragswert|auftragssumme|entgelt|lizenzgebühr|auftragswerts)\w*/i;

/** Sentences that mention liability and a limit, ordered by position in the text. */
export function findLiabilityCaps(document: Document): LiabilityCap[] {
  const actors = actorsOf(document);
  const caps: LiabilityCap[] = [];
  for (const statement of relevant(document, liabilityWords)) {
    const shown = excerpt(document.text, statement);
    const of =
      bearerOf(actors, statement.text) ??
      (isReferring.test(statement.text) ? subjectOf(actors, previous(document, statement)) : undefined);
    const owned = of === undefined ? {} : { of };
    if (unlimited.test(statement.text)) {
      caps.push({ start: statement.start, end: statement.end, excerpt: shown, ...owned, kind: 'unlimited' });
    }
    for (const limit of limitsOf(document, statement)) caps.push({ ...limit, excerpt: shown, ...owned });
    if (caps.length >= 60) break;
  }
  return caps;
}

/** "Its liability is limited to …", "haftet sie nur …": the subject of the sentence before. */
const isReferring =
  /\b(?:its|their|his|her|it|they|sie|er|es) (?:\w+ ){0,3}(?:liab|responsib|haft)|\bhafte[nt] (?:sie|er|es)\b/i;

function previous(document: Document, { start }: Statement): string {
  const all = statementsOf(document);
  return all[(indexAt(all, start) ?? 0) - 1]?.text ?? '';
}

function subjectOf(actors: Actors, text: string): string | undefined {
  return actors.findIn(text).find(({ isPossessive }) => !isPossessive)?.name;
}

type Limit = LiabilityCap extends infer Cap ? (Cap extends LiabilityCap ? Omit<Cap, 'excerpt' | 'of'> : never) : never;

function limitsOf(document: Document, statement: Statement): Limit[] {
  const { text } = statement;
  const match = cap.exec(text);
  if (match === null) return [];
  const isInverted = /\b(?:begrenzt|beschränkt)\b/i.test(text);
  const from = isInverted ? 0 : Math.max(match.index, statement.own);
  const after = text.slice(from);
  if (liabilityWords.exec(text)!.index > match.index + match[0].length + 20 && !isInverted) return [];
  // "… insurance of £5 million, and its liability shall not exceed …": only the words of the same clause count.
  const clauseStart = (at: number) =>
    Math.max(
      0,
      at - 110,
      ...[...text.slice(0, at).matchAll(/;|,? (?:and|but|und) (?=(?:its|their|the|seine|in no)\b)/g)].map(
        ({ index }) => index,
      ),
    );
  const isLimit = (at: number) =>
    at >= from && !noCap.test(text.slice(clauseStart(at), Math.min(text.length, at + 60)));
  const limits: Limit[] = amountsIn(document, statement)
    .filter(({ at }) => isLimit(at))
    .map(({ start, end, value, currency }) => ({
      start,
      end,
      kind: 'amount',
      value,
      ...(currency === undefined ? {} : { currency }),
    }));
  if (!fees.test(after)) return limits;
  const feesAt = from + fees.exec(after)!.index;
  const period = periodOf(document, statement, from);
  const place = { start: statement.sourceAt(feesAt), end: statement.end };
  const shares = placedIn(document.percents, statement).filter(({ at }) => isLimit(at));
  for (const { start, end, value } of shares)
    limits.push({ start, end, kind: 'percent of fees', percent: value, ...period });
  if (
    shares.length > 0 ||
    !isLimit(feesAt) ||
    !/\b(?:paid|payable|due|received|invoiced|delivered|annual|total|yearly|value|price|of the|for the|in (?:the|that|each)|for (?:those|that|these|the)|versées?|payées?|pagad[oa]s)\b|pflege|jahr|wert|vergütung|summe/i.test(
      after,
    )
  )
    return limits;
  const multiple = multipleOf(after.slice(0, feesAt - from + 20));
  limits.push({ ...place, kind: 'fees of a period', ...(multiple === 1 ? {} : { multiple }), ...period });
  return limits;
}

/** "two times the fees", "twice", "2x". */
function multipleOf(before: string): number {
  if (/\b(?:twice|double|two times|two \(2\) times|doppelte[nrs]?|zweifache[nrs]?|le double|el doble)\b/i.test(before))
    return 2;
  if (/\b(?:three times|three \(3\) times|triple|dreifache[nrs]?|le triple|el triple)\b/i.test(before)) return 3;
  if (/\bone and a half times\b|\banderthalbfache/i.test(before)) return 1.5;
  const times = /\b(\d(?:\.\d)?)\)?(?: times|x| ?×)/.exec(before);
  return times === null ? 1 : Number(times[1]);
}

/** The period of the fees: "in the twelve months before", "in that year", "annual". */
function periodOf(document: Document, statement: Statement, from: number): { period?: string } {
  const duration = durationsIn(document, statement).find(
    ({ at, until }) => at >= from && !/^ ?(?:notice|after)/i.test(statement.text.slice(until, until + 8)),
  );
  if (duration !== undefined) return { period: duration.iso };
  const after = statement.text.slice(from);
  if (
    /\b(?:annual|yearly|per annum|(?:in|of|for|during) (?:that|the|each|such|any)(?: \w+){0,3} year|jahres\w+|jährlich|vertragsjahr|kalenderjahr)/i.test(
      after,
    )
  )
    return { period: 'P1Y' };
  if (/\bmonthly\b|\bmonats\w+/i.test(after)) return { period: 'P1M' };
  return {};
}

/**
 * "the Supplier's total liability", "the liability of each party", "neither party shall be liable", "Haftung des Auftragnehmers".
 */
export function bearerOf(actors: Actors, text: string): string | undefined {
  const at = /\bliab|\bhaft|\bresponsab/i.exec(text)?.index ?? liabilityWords.exec(text)?.index ?? 0;
  const payer = /\b(?:payable|borne|owed|due) (?:by|from) (?:the )?/i.exec(text);
  const payers = payer === null ? [] : actors.findIn(text.slice(payer.index, payer.index + 60));
  if (payer !== null && payers[0] !== undefined && !/^liab/i.test(text.slice(at))) return payers[0].name;
  const word = /^\p{L}+/u.exec(text.slice(at))?.[0].toLowerCase() ?? '';
  const found = actors.findIn(text.slice(0, Math.min(text.length, at + 220)));
  const owner = found.filter(({ isPossessive, until }) => isPossessive && until <= at && at - until <= 60).at(-1);
  if (owner !== undefined) return owner.name;
  if (/^(?:liability|liabilities|haftung|responsabilit)/.test(word)) {
    const after = text.slice(at, at + 90);
    const of = /^[\p{L}]+ (?:\w+ )?(?:of|des|der|von|du|de l['’]|de la|del|de) ?(?:the |der |des )?/iu.exec(after);
    if (of !== null) {
      const named = found.find((actor) => Math.abs(actor.at - (at + of[0].length)) <= 5);
      if (named !== undefined) return named.name;
    }
    const genitive = found.find(({ at: start }) => start > at && start - at <= 40);
    if (genitive !== undefined && /\b(?:of|des|der|du|del)\b/i.test(text.slice(at, genitive.at))) return genitive.name;
  }
  return subjectBefore(actors, text, at)?.name ?? found.find(({ at: start }) => start > at)?.name;
}
