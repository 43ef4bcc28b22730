/** Words that bear on what is in force and that no rule turns into dates or relations: invalidity, transitional rules, replacement. */
import { indexAt } from '../text/ranges.ts';
import { excerpt, type Range } from '../text/span.ts';
import type { FlatText } from './flat-text.ts';

/** Kinds of what texts say, each with the words that say it. */
const cueShapes: readonly { readonly kind: string; readonly shape: RegExp }[] = [
  {
    kind: 'replacement',
    shape:
      /\b(?:is|are|was|were) (?:replaced|superseded) by\b|\bwhich (?:replaces|replaced|is to replace)\b|ersetzt durch|remplacée? par|sustituid[oa] por|sostituit[oa] d|vervangen door|zastąpion[A-Za-zÀ-ž] przez|nahrazuje se/giu,
  },
  {
    kind: 'no longer in force',
    shape:
      /\bno longer in force\b|\bceased? to (?:apply|have effect)\b|\bexpired?s? on\b|außer Kraft|plus en vigueur|ya no está en vigor|non è più in vigore|niet meer van kracht|nie obowiązuje|pozbyl[A-Za-zÀ-ž]{0,2} platnosti/giu,
  },
  {
    kind: 'annulment or invalidity',
    shape:
      /\b(?:annulled|declared (?:void|invalid)|is invalid)\b|für (?:nichtig|ungültig) erklärt|déclarée? (?:nulle?|invalide)|annulée? par|(?:anulad|declarad)[oa] (?:nul|inválid)|annullat[oa]|dichiarat[oa] invalid|nietig verklaard|ongeldig verklaard|stwierdzono nieważność|prohlášen[A-Za-zÀ-ž]{0,2} za neplatn/giu,
  },
  {
    kind: 'transitional rule',
    shape:
      /\btransitional (?:period|provision|arrangement)s?\b|Übergangs(?:frist|bestimmung|regelung)|dispositions transitoires|disposici(?:ón|ones) transitori|disposizion[ei] transitori|overgangs(?:termijn|bepaling|regeling)|przepis[A-Za-zÀ-ž]{0,2} przejściow|přechodn[A-Za-zÀ-ž]{1,3} (?:období|ustanovení)/giu,
  },
];

export interface ForceCue extends Range {
  readonly kind: string;
  readonly text: string;
}

/** At most one statement of each kind per sentence, ordered by position. */
export function findCues({ text, sentences }: Pick<FlatText, 'text' | 'sentences'>): ForceCue[] {
  const found = new Map<string, ForceCue>();
  for (const { kind, shape } of cueShapes) {
    for (const match of text.matchAll(shape)) {
      const range = { start: match.index, end: match.index + match[0].length };
      const index = indexAt(sentences, match.index);
      const sentence = index === undefined ? range : sentences[index]!;
      const key = `${kind} ${sentence.start}`;
      if (!found.has(key)) found.set(key, { kind, text: excerpt(text, sentence), ...range });
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start || (one.kind < other.kind ? -1 : 1));
}
