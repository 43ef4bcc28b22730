/** What one act does to another: amends, repeals, implements, supplements, transposes, corrects. From titles, sentences and lists. */
import { findDates } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Mention } from './act-references.ts';
import { lawRowAt } from './law-tables.ts';
import { listedRelations } from './listed-relations.ts';
import { isInOwnTitle, transposing } from './own-act.ts';
import type { LawText } from './read-law.ts';
import {
  agentWords,
  amendedByShape,
  findVerbs,
  intended,
  isLink,
  negated,
  type Relation,
  type Verb,
  wordsOfTransposition,
} from './relation-words.ts';
import { fromWordBefore, isRejected, isSupposed, isTemplate } from './statements.ts';
import { actsBetween, nextSentence, previousAct, subjectAt } from './subjects.ts';
import { topicAt } from './topics.ts';

/** Each pair of acts once per relation, in the order of the text, with the date where one statement gives it. */
export function findRelations(law: LawText): Relation[] {
  const found = [...law.flat.sentences.flatMap((sentence) => relationsIn(law, sentence)), ...listedRelations(law)];
  found.sort((a, b) => a.start - b.start);
  const byPair = new Map<string, Relation>();
  for (const relation of found.flatMap((each) => [each, ...ofRank(law, each)])) {
    if (relation.from === relation.to) continue;
    const key = `${relation.relation} ${relation.from} ${relation.to}`;
    const known = byPair.get(key);
    if (known === undefined || (known.date === undefined && relation.date !== undefined)) byPair.set(key, relation);
  }
  return [...byPair.values()];
}

/** A delegated act that amends exercises a delegation, and an implementing act implements. */
function ofRank(law: LawText, relation: Relation): Relation[] {
  if (relation.relation !== 'amends' || relation.from === undefined) return [];
  const { rank } = law.actOf(relation.from) ?? {};
  const to = law.actOf(relation.to);
  if (rank === undefined || to?.rank !== undefined) return [];
  return [{ ...relation, relation: rank === 'delegated' ? 'delegated' : 'implements' }];
}

function relationsIn(law: LawText, sentence: Range): Relation[] {
  const wording = law.flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 3_000));
  const isCell = lawRowAt(law, sentence.start)?.act !== undefined;
  // In a cell of a table, "supplements 2026/2044" names the act well enough.
  const acts = actsBetween(law, sentence.start, sentence.end).filter(({ how }) => isCell || how !== 'bare');
  if (
    acts.length === 0 ||
    isSupposed(wording) ||
    isTemplate(wording) ||
    isRejected(wording, nextSentence(law, sentence))
  )
    return [];
  const reader = new SentenceReader(law, sentence, wording, acts);
  const verbs = reader.verbs();
  const transposed = [...reader.transpositions(), ...reader.transposedBy()].filter(
    ({ to }) => !verbs.some((each) => each.to === to),
  );
  return [...verbs, ...reader.amendedBy(), ...transposed];
}

class SentenceReader {
  readonly #law: LawText;
  readonly #sentence: Range;
  readonly #wording: string;
  readonly #acts: readonly Mention[];
  /** What a verb of the sentence acts on is no subject of a later one. */
  readonly #objects = new Set<Mention>();

  constructor(law: LawText, sentence: Range, wording: string, acts: readonly Mention[]) {
    this.#law = law;
    this.#sentence = sentence;
    this.#wording = wording;
    this.#acts = acts;
  }

  verbs(): Relation[] {
    const verbs = findVerbs(this.#wording).map((verb) => ({
      ...verb,
      start: this.#sentence.start + verb.start,
      end: this.#sentence.start + verb.end,
    }));
    return verbs.flatMap((verb) => {
      const before = this.#law.flat.text.slice(Math.max(this.#sentence.start, verb.start - 60), verb.start);
      const isTo = /^to /i.test(this.#law.flat.text.slice(verb.start, verb.start + 3));
      if (negated.test(before.slice(-24)) || (isTo && intended.test(before))) return [];
      return verb.isPassive ? this.#passive(verb) : this.#active(verb);
    });
  }

  #active(verb: Verb): Relation[] {
    const objects = this.#objectsAfter(verb);
    const relative = objects.length === 0 ? this.#relativeObject(verb) : undefined;
    if (objects.length === 0 && relative === undefined) return this.#pronounObject(verb);
    for (const object of objects) this.#objects.add(object);
    // "Queda derogado el Reglamento …": the subject of a passive follows it.
    const isOwn = /(?:queda|uchyla się|se derogan?|se modifican?|zrušuje se)/iu.test(
      this.#law.flat.text.slice(verb.start, verb.end),
    );
    const from = relative !== undefined ? previousAct(this.#law, this.#sentence)?.celex : this.#subject(verb, isOwn);
    if (from === undefined) return [];
    const date = verb.kind === 'repeals' ? this.#dateAfter(verb.end, verb.start) : undefined;
    return [...objects, ...(relative === undefined ? [] : [relative])].map(({ celex }) => ({
      relation: verb.kind,
      from,
      to: celex,
      ...(date === undefined ? {} : { date }),
      start: verb.start,
      end: verb.end,
    }));
  }

  /** "Implementing Regulation … implements it", "the Regulation repealed it": the act that the clause or the sentence before speaks of. */
  #pronounObject(verb: Verb): Relation[] {
    const { flat } = this.#law;
    if (!/^ (?:it|them|sie|ihn|es)(?!\p{L})/iu.test(flat.text.slice(verb.end, verb.end + 8))) return [];
    const from = this.#subject(verb, false);
    const earlier = this.#acts.filter((act) => act.end <= verb.start && !act.isInTitle && act.type !== 'treaty');
    const to = earlier.length > 1 ? earlier[0]!.celex : previousAct(this.#law, this.#sentence)?.celex;
    if (from === undefined || to === undefined || from === to) return [];
    const date = verb.kind === 'repeals' ? this.#dateAfter(verb.end, verb.start) : undefined;
    const { start, end } = verb;
    return [{ relation: verb.kind, from, to, ...(date === undefined ? {} : { date }), start, end }];
  }

  /** "Zuletzt wurde sie durch die Richtlinie … geändert", "It was repealed by …". */
  #pronounSubject(verb: Verb): Mention | undefined {
    const { flat } = this.#law;
    const lead = flat.text.slice(this.#sentence.start, verb.start).trim();
    const within = flat.text.slice(verb.start, Math.min(verb.end, verb.start + 24));
    const isMeant =
      /^(?:it|sie|er|es|elle|il|essa?|zij)$/iu.test(lead) ||
      /^(?:wurde|wird|ist) (?:sie|er|es)(?!\p{L})/iu.test(within);
    if (!isMeant) return undefined;
    const meant = previousAct(this.#law, this.#sentence);
    const sentence = meant === undefined ? undefined : this.#law.flat.sentenceAt(meant.start);
    // Of several acts, the pronoun may stand for any.
    const named = sentence === undefined ? [] : actsBetween(this.#law, sentence.start, sentence.end);
    return new Set(named.map(({ celex }) => celex)).size === 1 ? meant : undefined;
  }

  /** The act that the document is about, if it is younger than what was repealed or amended. */
  #laterTopic(objects: readonly Mention[]): string | undefined {
    const about = this.#law.kind.about ?? topicAt(this.#law, this.#sentence.start);
    const year = (celex: string) => Number(celex.slice(1, 5));
    return about !== undefined && objects.every(({ celex }) => year(celex) < year(about)) ? about : undefined;
  }

  #subject(verb: Verb, isOwn: boolean): string | undefined {
    const { flat, kind, articles } = this.#law;
    const named = this.#acts.filter((act) => act.end <= verb.start && !this.#objects.has(act));
    if (kind.own !== undefined && isInOwnTitle(flat.text, kind.own.start, verb.start)) return kind.own.celex;
    const last = named.at(-1);
    if (last !== undefined && !(isOwn && kind.own !== undefined)) {
      const isHead = !last.isInTitle && last.type !== 'treaty';
      if (isHead) return last.celex;
      return named.findLast(({ isInTitle, type }) => !isInTitle && type !== 'treaty')?.celex;
    }
    // "Article 45 repeals Decision 2021/774": the article's act.
    const index = indexAt(articles, verb.start);
    const article = index === undefined ? undefined : articles[index];
    if (article !== undefined && article.start >= this.#sentence.start && verb.start - article.end < 4)
      return article.act;
    if (kind.own !== undefined) {
      const block = flat.blockAt(verb.start);
      // The title is below its number, and a footnote's title is another act's.
      return block !== undefined && /^\( ?\d{1,2} ?\)/.test(flat.text.slice(block.start, block.start + 6))
        ? undefined
        : kind.own.celex;
    }
    return subjectAt(this.#law, this.#sentence, verb.start);
  }

  #objectsAfter(verb: Verb): Mention[] {
    const found: Mention[] = [];
    let from = verb.end;
    for (const act of this.#acts) {
      if (act.start < verb.end) continue;
      if (act.how === 'own' || act.type === 'treaty' || !isLink(this.#law.flat.text.slice(from, act.start))) break;
      found.push(act);
      from = act.end;
      if (found.length >= 12) break;
    }
    return found;
  }

  /** "Regulation (EC) No 104/2000, which it has repealed": the object stands before. */
  #relativeObject(verb: Verb): Mention | undefined {
    const act = this.#acts.findLast(({ end }) => end <= verb.start);
    if (act === undefined) return undefined;
    const between = this.#law.flat.text.slice(act.end, verb.start);
    return /^,? (?:which|that|die|das|den|que|che|dat|które|který|kterou) (?:it|sie|es|er|il|elle|celle-ci|celui-ci|él|ella|ést[ae]|quest[ao]|ess[oa]|zij|deze|het|ono|ona) (?:has |had )?$/iu.test(
      between,
    )
      ? act
      : undefined;
  }

  /** "Mit der Verordnung … wird die Richtlinie … aufgehoben": the object stands within the verb, the agent before it. */
  #enclosed(verb: Verb): Relation[] {
    const { flat } = this.#law;
    const objects = this.#acts.filter(
      (act) => act.start >= verb.start && act.end <= verb.end && !act.isInTitle && act.how !== 'own',
    );
    const agent = this.#acts.findLast(({ end, isInTitle }) => end <= verb.start && !isInTitle);
    if (objects.length !== 1 || agent === undefined || verb.start - agent.end > 2) return [];
    if (
      !/(?:mit|durch|met|bij|door|med|genom|ved)(?: (?:der|dem|de|het))? $/iu.test(
        flat.text.slice(this.#sentence.start, agent.start),
      )
    )
      return [];
    const date =
      verb.kind === 'repeals'
        ? findDates(flat.text.slice(objects[0]!.end, verb.end)).find(({ iso }) => iso.length === 10)?.iso
        : undefined;
    const { start, end } = verb;
    const when = date === undefined ? {} : { date };
    return [{ relation: verb.kind, from: agent.celex, to: objects[0]!.celex, ...when, start, end }];
  }

  #passive(verb: Verb): Relation[] {
    const enclosed = this.#enclosed(verb);
    if (enclosed.length > 0) return enclosed;
    const before = this.#objectsBefore(verb);
    const meant = before.length === 0 ? this.#pronounSubject(verb) : undefined;
    const objects = meant === undefined ? before : [meant];
    if (objects.length === 0)
      return /^(?:queda|fue)/iu.test(this.#law.flat.text.slice(verb.start, verb.end)) ? this.#active(verb) : [];
    const agent =
      this.#acts.find(
        (act) =>
          act.start > verb.start &&
          act.start - verb.end < 140 &&
          agentWords.test(this.#law.flat.text.slice(Math.max(verb.start, act.start - 60), act.start)),
      ) ??
      this.#acts.find(
        (act) =>
          !act.isInTitle &&
          act.end <= verb.start &&
          act.start > objects[0]!.end &&
          agentWords.test(this.#law.flat.text.slice(objects[0]!.end, act.start)),
      );
    const from = agent?.celex ?? this.#law.kind.own?.celex ?? this.#laterTopic(objects);
    const date = verb.kind === 'repeals' ? this.#dateAfter(verb.end, verb.start) : undefined;
    if (from === undefined && date === undefined) return [];
    if (agent !== undefined) this.#objects.add(agent);
    return objects.map(({ celex }) => ({
      relation: verb.kind,
      ...(from === undefined ? {} : { from }),
      to: celex,
      ...(date === undefined ? {} : { date }),
      start: verb.start,
      end: verb.end,
    }));
  }

  /** The first acts of the sentence, as a list; what amended them is no part of it. */
  #objectsBefore(verb: Verb): Mention[] {
    const before = this.#acts.filter(
      (act) => act.end <= verb.start && !act.isInTitle && act.how !== 'own' && act.type !== 'treaty',
    );
    const first = before.find((act) => !this.#objects.has(act));
    if (first === undefined || verb.start - first.end > 400) return [];
    const found = [first];
    for (const act of before.slice(before.indexOf(first) + 1)) {
      if (!isLink(this.#law.flat.text.slice(found.at(-1)!.end, act.start))) break;
      found.push(act);
    }
    return found;
  }

  amendedBy(): Relation[] {
    const { flat, articles } = this.#law;
    return [...this.#wording.matchAll(amendedByShape)].flatMap((match): Relation[] => {
      const start = this.#sentence.start + match.index;
      const end = start + match[0].length;
      const by = this.#acts.find((act) => act.start >= end);
      if (by === undefined || !isLink(flat.text.slice(end, by.start))) return [];
      // "durch die Verordnung … geänderten Fassung": without the participle, "durch" says nothing.
      const isShort = /^(?:in der )?(?:zuletzt )?durch$/iu.test(match[0]);
      if (isShort && !/^[^.;]{0,20}geänderten?/u.test(flat.text.slice(by.end, by.end + 40))) return [];
      const index = indexAt(articles, start);
      const article = index === undefined ? undefined : articles[index];
      const act = this.#acts.findLast((each) => each.end <= start && !each.isInTitle);
      const isArticle =
        article !== undefined &&
        article.start >= this.#sentence.start &&
        (act === undefined || article.start > act.start);
      const isCell = flat.blockAt(start)?.kind === 'row';
      const to = isArticle ? article.act : (act?.celex ?? (isCell ? lawRowAt(this.#law, start)?.act : undefined));
      return to === undefined ? [] : [{ relation: 'amends', from: by.celex, to, start, end }];
    });
  }

  /** "Ter implementatie van Richtlijn …": what a national law does. */
  transpositions(): Relation[] {
    const { flat, kind } = this.#law;
    if (kind.own !== undefined) return [];
    return this.#acts.flatMap((act): Relation[] => {
      const before = flat.text.slice(Math.max(this.#sentence.start, act.start - 90), act.start);
      if (act.type !== 'directive' || !transposing.test(before) || negated.test(before.replace(transposing, '')))
        return [];
      const subject = this.#acts.find((each) => each.end <= act.start && each !== act && !each.isInTitle);
      return subject === undefined ? [{ relation: 'transposes', to: act.celex, start: act.start, end: act.end }] : [];
    });
  }

  /** "Richtlijn … is omgezet bij de …wet": what a national law has done, by name and not by when. */
  transposedBy(): Relation[] {
    const { flat, kind } = this.#law;
    if (kind.own !== undefined) return [];
    return this.#acts.flatMap((act): Relation[] => {
      const after = flat.text.slice(act.end, Math.min(this.#sentence.end, act.end + 120));
      const before = flat.text.slice(Math.max(this.#sentence.start, act.start - 24), act.start);
      const isPutInto = /(?:setzt|setzen|setzte[n]?) (?:die )?$/iu.test(before) && / um(?:[ ,.;]|$)/u.test(after);
      return act.type === 'directive' && (isPutInto || wordsOfTransposition.test(after))
        ? [{ relation: 'transposes', to: act.celex, start: act.start, end: act.end }]
        : [];
    });
  }

  /** "With effect from 1 October 2028", after the verb or between it and its object. */
  #dateAfter(end: number, start: number): string | undefined {
    const { flat } = this.#law;
    const to = Math.min(this.#sentence.end, end + 260);
    const text = flat.text.slice(Math.max(this.#sentence.start, start - 160), to);
    const dates = findDates(text).filter(({ iso }) => iso.length === 10);
    const offset = Math.max(this.#sentence.start, start - 160);
    const effective = dates.filter(
      (date) =>
        fromWordBefore(text.slice(0, date.start)) !== undefined &&
        !/(?:appl|anwend|geld|toepass|stosuj)[A-Za-zÀ-ž]* $/iu.test(
          text.slice(0, date.start).replace(/(?:from|ab|vanaf|od) $/iu, ''),
        ),
    );
    return (effective.find((date) => offset + date.start >= end) ?? effective.at(-1))?.iso;
  }
}
