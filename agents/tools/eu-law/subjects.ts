/** Which act a sentence speaks of: the act that it names, that it points back to, or the document's own. */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Mention } from './act-references.ts';
import type { LawText } from './read-law.ts';
import { topicAt } from './topics.ts';

/** Blocks that do not run on from the block before them have no subject from there. */
const lookBackMax = 900;

/**
 * The act that is the subject of a clause: the nearest reference directly before the verb, else the first act of the sentence, else
 * the act itself in an act, else the last act of the sentences before in the same block.
 */
export function subjectAt(law: LawText, sentence: Range, verb: number): string | undefined {
  if (pronoun.test(law.flat.text.slice(sentence.start, sentence.start + 24))) {
    return law.kind.own !== undefined && !isFootnote(law, sentence)
      ? law.kind.own.celex
      : (previousAct(law, sentence)?.celex ?? law.kind.about ?? topicAt(law, sentence.start));
  }
  // The Treaties are bases of acts: nothing is said of them.
  const named = actsBetween(law, sentence.start, verb).filter(
    ({ isInTitle, how, type }) => !isInTitle && how !== 'bare' && type !== 'treaty',
  );
  const nearest = named.at(-1);
  if (nearest !== undefined) {
    const isNear =
      verb - nearest.end < 30 && nearest.how !== 'name' && !law.flat.text.slice(nearest.end, verb).includes(',');
    return (isNear ? nearest : named[0]!).celex;
  }
  const { own } = law.kind;
  if (own !== undefined && !isFootnote(law, sentence)) return own.celex;
  return previousAct(law, sentence)?.celex ?? law.kind.about ?? topicAt(law, sentence.start);
}

/** The subject is a pronoun: what the sentence names later is its object. */
const pronoun =
  /^["'„“‘«(]?(?:it (?:shall|appl|enter|will|repeal|amend|implement|supplement|replac|has|had|was|is to)|sie|er|elle|il (?:est (?:applicable|entré|abrogé)|s'applique|entre|abroge|modifie|a )|ella|ess[ao]|zij|hij|on[ao])(?![A-Za-zÀ-ž]{0,2}ig)/iu;

/** The last act that the sentences before name in the same block. */
export function previousAct(law: LawText, sentence: Range): Mention | undefined {
  const block = law.flat.blockAt(sentence.start);
  const from = Math.max(block?.start ?? 0, sentence.start - lookBackMax);
  const before = actsBetween(law, from, sentence.start).filter(
    ({ isInTitle, how, type }) => !isInTitle && how !== 'bare' && type !== 'treaty',
  );
  if (before.length === 0) return undefined;
  // What the sentence directly before speaks of: its first act, or the one that it points back to.
  const last = law.flat.sentenceAt(before.at(-1)!.start);
  return before.find(({ start }) => start >= last.start);
}

/** Mentions that begin within a range. */
export function actsBetween({ mentions }: LawText, start: number, end: number): Mention[] {
  const before = indexAt(mentions, start - 1);
  const found: Mention[] = [];
  for (
    let at = before === undefined ? 0 : before + 1;
    at < mentions.length && mentions[at]!.start < end && found.length < 40;
    at += 1
  ) {
    found.push(mentions[at]!);
  }
  return found;
}

function isFootnote({ flat }: LawText, { start }: Range): boolean {
  return /^\( ?\d{1,2} ?\)/.test(flat.text.slice(flat.blockAt(start)?.start ?? start, start + 6));
}

/** The sentence after it in the same block. */
export function nextSentence({ flat }: LawText, { end }: Range): string {
  const next = flat.sentenceAt(end + 1);
  const block = flat.blockAt(end);
  return block === undefined || next.start <= end - 1 || next.start >= block.end
    ? ''
    : flat.text.slice(next.start, Math.min(next.end, next.start + 300));
}
