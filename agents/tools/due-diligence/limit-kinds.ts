/** The kind and the scope of a limit of liability, from the words around its value. */
import type { Range } from '../text/span.ts';
import type { Cue } from './cues.ts';
import type { Sentence } from './flow.ts';
import { isLimitScope, type LimitCue, type LimitKind, type LimitScope } from './warranty-words.ts';

/** Maximum distance of the words for a limit from its value. */
const beforeMax = 240;
const afterMax = 100;

export interface Reading {
  readonly sentence: Sentence;
  readonly own: readonly Cue<LimitCue>[];
  readonly label: readonly Cue<LimitCue>[];
  readonly clauses: RegExp | undefined;
}

interface Value extends Range {
  readonly at: number;
  readonly to: number;
}

/** The kind of limit of a value: named by the nearest words before it, else directly after it, else by its label. */
export function kindOf(
  { own, label, sentence }: Reading,
  { at, to }: Value,
  from: number,
  until: number,
): LimitKind | 'other' | undefined {
  // "Without deductible" names no threshold.
  const isKind = (cue: Cue<LimitCue>) =>
    isKindCue(cue.label) && !excluded.test(sentence.text.slice(Math.max(0, cue.at - 16), cue.at));
  const before = own.filter(
    (cue) => isKind(cue) && cue.at >= from && cue.at < at && (cue.to <= at || cue.to > to) && at - cue.to <= beforeMax,
  );
  const after = own.filter(
    (cue) =>
      isKind(cue) &&
      cue.at >= to &&
      cue.at < until &&
      cue.at - to <= afterMax &&
      !/[;]/.test(sentence.text.slice(to, cue.at)),
  );
  const named = (list: readonly Cue<LimitCue>[], kind: LimitCue) => list.some((cue) => cue.label === kind);
  const labelled = label.find(({ label: name }) => isKindCue(name))?.label as LimitKind | 'other' | undefined;
  const nearest = before.at(-1);
  const upTo = own.findLast((cue) => cue.label === 'up-to' && cue.at >= from && cue.to <= at && at - cue.to <= 40);
  const isOnLiability = named(label, 'subject') || liable.test(sentence.text.slice(from, upTo?.at ?? from));
  if (upTo !== undefined && isOnLiability && (nearest === undefined || nearest.to <= upTo.at)) return 'cap';
  if (nearest !== undefined && at - nearest.to <= 14 && nearest.label === 'other') return 'other';
  const all = [...before, ...after.slice(0, 1)];
  // "The aggregate liability for any single claim": the counted object distinguishes a cap from a threshold.
  if (named(before, 'threshold') || named(label, 'threshold')) {
    const subject = before.findLast((cue) => cue.label === 'de-minimis' || cue.label === 'basket');
    // "The aggregate liability in respect of all Claims shall not exceed" limits a liability.
    const limited = before.find((cue) => cue.label === 'cap');
    const isCap = limited !== undefined && subject !== undefined && limited.at <= subject.at;
    if (isCap) return 'cap';
    if (subject !== undefined) return subject.label as LimitKind;
  }
  const close =
    after[0] !== undefined && after[0].at - to <= 30 && (nearest === undefined || at - nearest.to > 60)
      ? after[0]
      : nearest;
  const kind = (close ?? all[0])?.label as LimitKind | 'other' | 'threshold' | undefined;
  if (kind === 'threshold' && (named(before, 'cap') || isBounded(sentence.text.slice(from, at)))) return 'cap';
  // "Cash was below $3.1m" compares amounts, but no claims.
  if (kind === 'threshold')
    return labelled ?? (aboutClaims.test(`${sentence.label} ${sentence.text}`) ? 'basket' : 'other');
  if (labelled !== undefined && (kind === undefined || (nearest !== undefined && at - nearest.to > 40)))
    return labelled;
  return kind ?? labelled;
}

const aboutClaims =
  /claim|warrant|liab|indemn|loss|damage|ansprü|forderung|haft|garanti|schäden|réclam|préjudice|reclama|daño|respons|vordering|aansprak|schade/iu;
/** "Its liability under clause 9 shall not exceed": an upper limit. */
const bounding =
  /(?<!\p{L})(?:liabilit\p{L}*|liable|haft\p{L}*|responsab\p{L}*|obligation\p{L}*|aansprakelijk\p{L}*|indemnit\p{L}*)(?!\p{L})[^.;]{0,200}(?<!\p{L})(?:(?:not|never|in no (?:event|case)) exceed|nicht (?:über)?steig\p{L}*|ne (?:peut|pourra|saurait|doit)? ?(?:pas )?(?:excéder|dépasser)|no (?:podrá )?(?:exceder|superar)\p{L}*|niet (?:hoger|meer))(?!\p{L})/iu;

function isBounded(before: string): boolean {
  return bounding.test(before);
}

const excluded =
  /(?<!\p{L})(?:without|no|not subject to|ohne|kein\p{L}{0,2}|sans|aucune?|sin|zonder|geen)\s(?:any\s)?$/iu;
const liable =
  /(?<!\p{L})(?:indemnif\p{L}*|liable|hold\p{L}* harmless|haft\p{L}*|freistell\p{L}*|stell\p{L}{1,3}|garanti\p{L}*|indemnis\p{L}*|respond\p{L}*|indemniz\p{L}*|aansprakelijk|vrijwa\p{L}*)(?!\p{L})/iu;

function isKindCue(label: LimitCue): boolean {
  return label === 'cap' || label === 'basket' || label === 'de-minimis' || label === 'other' || label === 'threshold';
}

/** The scope of a value: named by the nearest words before it, else after it in its clause, else by its label. */
export function scopeOf(
  { own, label, sentence, clauses }: Reading,
  { at, to }: Value,
  from: number,
  until: number,
): LimitScope {
  const { text } = sentence;
  const start = Math.max(from, at - beforeMax, text.lastIndexOf(';', at) + 1);
  const isNamed = (cue: Cue<LimitCue>) =>
    isLimitScope(cue.label) && !exceptional.test(text.slice(Math.max(0, cue.at - 70), cue.at));
  const before = own.findLast((cue) => cue.at >= start && cue.to <= at && isNamed(cue));
  const numbered = clauses === undefined ? -1 : text.slice(start, at).search(clauses);
  if (numbered >= 0 && start + numbered > (before?.at ?? -1)) return 'fundamental';
  if (before !== undefined) return before.label as LimitScope;
  // All of an item with one value is about it.
  const isAlone = sentence.isItem && from === 0 && until === text.length;
  const end =
    to +
    (isAlone
      ? text.slice(to).split(/;\s\S/, 1)[0]!.length
      : text
          .slice(to, Math.min(until, to + afterMax))
          .split(/[;.,]|(?<!\p{L})(?:and|und|et|y|en|or|oder|ou)(?!\p{L})/u, 1)[0]!.length);
  const after = own.find((cue) => cue.at >= to && cue.at < end && isNamed(cue));
  return (
    (after?.label as LimitScope | undefined) ??
    (label.find((cue) => isLimitScope(cue.label))?.label as LimitScope | undefined) ??
    'general'
  );
}

const exceptional =
  /(?<!\p{L})(?:other than|except(?: for| in)?(?! that)|excluding|not being|mit ausnahme|außer|ausgenommen|sauf(?! que)|hors|à l[’']exception|salvo(?! que)|excepto(?! que)|distintas?|behalve(?! dat)|met uitzondering|save for|save in)(?!\p{L})[^,;]{0,60}$/iu;
