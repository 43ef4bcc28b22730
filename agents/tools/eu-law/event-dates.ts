/** On which day the event of a time limit happened, as the document says it. */
import type { FoundDate } from '../text/dates.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findJournals } from './journal-citations.ts';
import type { LawText } from './read-law.ts';
import { byWordBefore, fromWordBefore } from './statements.ts';
import type { TimeLimit } from './time-limits.ts';

export interface EventDate extends Range {
  readonly iso: string;
  readonly basis: 'same sentence' | 'earlier sentence';
}

/** Sentences before and after the limit in which the event's day is searched. */
const sentencesBefore = 30;
const sentencesAfter = 3;

/** A sentence with more days tells no event. */
const daysMax = 24;

/** Finds days for the limits of one document. */
export class EventDates {
  readonly #law: LawText;
  readonly #dates: readonly FoundDate[];
  readonly #journals: readonly Range[];
  readonly #bySentence = new Map<number, readonly FoundDate[]>();

  constructor(law: LawText) {
    this.#law = law;
    this.#dates = law.dates;
    this.#journals = findJournals(law.flat.text);
  }

  /** @returns undefined if the document does not say, without doubt, when the event was */
  of(limit: TimeLimit): EventDate | undefined {
    const { event, sentence } = limit;
    if (event !== undefined) {
      const [inside] = allWithin(this.#dates, { start: event.start, end: event.end + 1 });
      const lead = inside === undefined ? '' : this.#law.flat.text.slice(Math.max(0, inside.start - 40), inside.start);
      // "Notification of the order of 2 April": the day of the order.
      if (inside !== undefined && !adoptedBefore.test(lead)) return { ...inside, basis: 'same sentence' };
      const [behind] = allWithin(this.#dates, { start: event.end, end: event.end + 12 });
      if (
        behind !== undefined &&
        /^ ?\((?:[A-Za-zÀ-ž]{2,10},? )?$/u.test(this.#law.flat.text.slice(event.end, behind.start))
      )
        return { ...behind, basis: 'same sentence' };
    }
    // An act sets limits for everybody: its dates are no events of a case.
    if (this.#law.kind.own !== undefined || limit.recurs || limit.extends) return undefined;
    return event === undefined ? this.#withoutEvent(sentence) : this.#byWords(event, sentence);
  }

  /** The day of the sentence, else the last day on which something was served, received or the like. */
  #withoutEvent(sentence: Range): EventDate | undefined {
    const own = this.#nearestTo(isEvent, sentence);
    if (own !== undefined) return { ...own, basis: 'same sentence' };
    const { sentences, text } = this.#law.flat;
    const index = indexAt(sentences, sentence.start)!;
    for (let at = index - 1; at >= Math.max(0, index - sentencesBefore); at -= 1) {
      const before = sentences[at]!;
      const day = this.#nearestTo(isEvent, before);
      if (day !== undefined && isEvent.test(text.slice(before.start, before.end)))
        return { ...day, basis: 'earlier sentence' };
    }
    return undefined;
  }

  /** The nearest sentence with the words of the event: "receipt of the letter" and "You received the letter on 24 March". */
  #byWords(event: Range, sentence: Range): EventDate | undefined {
    const { sentences, text } = this.#law.flat;
    const [noun, ...objects] = stemsOf(
      text.slice(event.start, event.end).replace(/(?<![A-Za-zÀ-ž])(?:to|zu|para|pour|per|om|aby) \p{Ll}+.*$/u, ''),
    );
    if (noun === undefined) return undefined;
    const index = indexAt(sentences, sentence.start)!;
    let best: { readonly day: FoundDate; readonly at: number } | undefined;
    const last = Math.min(sentences.length - 1, index + sentencesAfter);
    for (let at = Math.max(0, index - sentencesBefore); at <= last; at += 1) {
      const candidate = sentences[at]!;
      const days = this.#eventDays(candidate);
      if (days.length === 0) continue;
      // The limit's own sentence holds the words of the event: it must say them once more.
      const said = this.#withLabel(candidate);
      const stems = new Set(stemsOf(at === index ? said.replace(text.slice(event.start, event.end), '') : said));
      // The same event of another thing is another event: "notification of a decision" is not that of the request.
      if (!stems.has(noun) || !objects.every((stem) => stems.has(stem))) continue;
      const day = this.#nearestTo(isEvent, candidate) ?? days[0]!;
      if (best === undefined || Math.abs(index - at) <= Math.abs(index - best.at)) best = { day, at };
    }
    return best === undefined
      ? undefined
      : { ...best.day, basis: best.at === index ? 'same sentence' : 'earlier sentence' };
  }

  /** Days that are no last days of a limit. */
  #eventDays(sentence: Range): readonly FoundDate[] {
    const known = this.#bySentence.get(sentence.start);
    if (known !== undefined) return known;
    const { text } = this.#law.flat;
    const days = allWithin(this.#dates, sentence).filter(({ start }) => {
      const before = text.slice(Math.max(sentence.start, start - 70), start);
      if (adoptedBefore.test(before)) return false;
      const journal = indexAt(this.#journals, start);
      if (journal !== undefined && start < this.#journals[journal]!.end) return false;
      return byWordBefore(before) === undefined && fromWordBefore(before) === undefined && !endsBefore.test(before);
    });
    this.#bySentence.set(sentence.start, days.slice(0, daysMax));
    return days.slice(0, daysMax);
  }

  /** The day next to the words of the event. */
  #nearestTo(words: RegExp, sentence: Range): FoundDate | undefined {
    const days = this.#eventDays(sentence);
    const match = words.exec(this.#law.flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 2_000)));
    if (match === null || days.length < 2) return days[0];
    const at = sentence.start + match.index;
    return days.reduce((best, day) => (Math.abs(day.start - at) < Math.abs(best.start - at) ? day : best));
  }

  /** Of a cell, with the label in the row's first cell. */
  #withLabel(sentence: Range): string {
    const { flat } = this.#law;
    const block = flat.blockAt(sentence.start);
    const [first] = block?.cells ?? [];
    const label = first === undefined ? '' : flat.text.slice(first.start, Math.min(first.end, first.start + 80));
    return `${label} ${flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 600))}`;
  }
}

/** Days of adoption: "Regulation (EU) 2016/679 … of 27 April 2016", "judgment of 4 July 2023". */
const adoptedBefore =
  /(?:(?:\d\/\d{1,5}|\/[A-Z]{2,7}|council|parliament|commission|rates?|kommission|conseil|commission|consejo|comisión|consiglio|commissione|raad|commissie|rady|komisji),? (?:of|vom|du|de|del|van|z dnia|ze dne)|(?:judgments?|order|opinion|urteile?|beschluss|arrêts?|ordonnance|sentencia|sentenza|arrest|wyrok[a-z]{0,3}|rozsudek)(?: of the court)?,? (?:of|vom|du|de|del|van|z dnia|ze dne)) $/iu;

/** "Expired on", "the last day is therefore", "we arrive at": the day is a result. */
const endsBefore =
  /(?<![A-Za-zÀ-ž])(?:expire[ds]?|ends?|ended|last day|working day was|arrive at|endet[A-Za-zÀ-ž]?|läuft[A-Za-zÀ-ž]? ab|abgelaufen|letzte tag|expiré|expire|dernier jour|expiró|vence|venció|último día|scade|scaduto|ultimo giorno|verstr[A-Za-zÀ-ž]{2,5}|laatste dag|upłyn[A-Za-zÀ-ž]{1,4}|upływa|ostatni dzień|uplyn[A-Za-zÀ-ž]{1,4})(?![A-Za-zÀ-ž])[^.;]{0,50}$/iu;

const isEvent =
  /(?<![A-Za-zÀ-ž])(?:receiv[A-Za-zÀ-ž]{0,3}|receipt|notif[A-Za-zÀ-ž]{0,8}|serv(?:ed|ice)|publish[A-Za-zÀ-ž]{0,3}|publication|aware|occurr[A-Za-zÀ-ž]{0,4}|event|delivered|dated|submitted|lodged|detected|reach(?:es|ed)?|zugestellt|zustellung|zugegangen|eingegangen|erhalten|bekannt ?gegeben|veröffentlicht|reçue?s?|notifiée?s?|signifiée?s?|publiée?s?|survenue?|recibid[oa]|notificad[oa]|publicad[oa]|ricevut[oa]|notificat[oa]|pubblicat[oa]|ontvangen|betekend|bekendgemaakt|otrzyman[A-Za-zÀ-ž]|otrzymał[A-Za-zÀ-ž]?|doręczon[A-Za-zÀ-ž]|ogłoszon[A-Za-zÀ-ž]|doručen[A-Za-zÀ-ž]{0,3}|obdržen[A-Za-zÀ-ž]{0,2}|vyhlášen[A-Za-zÀ-ž]{0,2})(?![A-Za-zÀ-ž])/iu;

/** Words that mean the same event, by their first letters. */
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/^(?:receip|receiv|reach|arriv|deliver)/, 'recei'],
  [/^(?:serv(?:ed|ice|ing)$|serve$)/, 'serve'],
  [/^(?:zustell|zugestell)/, 'zuste'],
  [/^(?:eingang|eingegang|einging)/, 'einga'],
  [/^(?:zugang|zugegang|zuging)/, 'zugan'],
  [/^(?:erhalt|erhielt)/, 'erhal'],
  [/^(?:bekanntgab|bekanntgegeb|bekannt)/, 'bekan'],
  [/^(?:recept|recib|reçu|recu)/, 'recep'],
  [/^(?:ricev|ricez)/, 'ricev'],
  [/^(?:ontvang|ontving)/, 'ontva'],
  [/^(?:open)/, 'apert'],
];

/** Words that name no event. */
const common = new Set(
  'the date day days this that these those which having been become becoming gained knowledge with from such same datum tages tag dem der die das des dies diese dieser jour date cette fecha dia este esta data giorno questo deze dag dien dnia daty jego jej niniejszej ustawy'.split(
    ' ',
  ),
);

function stemsOf(words: string): string[] {
  return [...words.toLowerCase().matchAll(/[A-Za-zÀ-ž]{4,}/gu)]
    .map(([word]) => word)
    .filter((word) => !common.has(word))
    .map((word) => synonyms.find(([shape]) => shape.test(word))?.[1] ?? word.slice(0, 5));
}
