/** The facts that statements of an employment document give, and the lengths of time in them. */
import type { FoundDuration } from '../text/durations.ts';
import { findDurations } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import type { Clause } from './statements.ts';

export { type Clause, clausesMax, clausesOf } from './statements.ts';

export type FactValue = { readonly [key: string]: string | number | { readonly count: number; readonly unit: string } };

export interface ClauseFact extends Range {
  readonly kind: string;
  readonly value: FactValue;
}

export const fact = (clause: Clause, kind: string, value: FactValue): ClauseFact => ({
  kind,
  value,
  start: clause.start,
  end: clause.end,
});

export const durationsIn = (text: string): FoundDuration[] =>
  findDurations(spelled(text)).filter(({ start, unit }) => unit !== 'hour' || !clockTime.test(text.slice(0, start)));

/** "Vóór 9 uur": a time of day. */
const clockTime = /(?<!\p{L})(?:om|vóór|voor|vanaf|tot|tussen|uiterlijk|ab|vor|bis|um|gegen) $/iu;

export const lengthOf = ({ count, unit }: FoundDuration) => ({ count: Number(count), unit });

/** Number words that the common list lacks, and articles before a unit of time; replacements keep the length. */
function spelled(text: string): string {
  return text
    .replace(words, (word) => String(numbers[word.toLowerCase()]).padEnd(word.length, ' '))
    .replace(units, (word) => (unitNames[word.toLowerCase()] ?? word).padEnd(word.length, ' '));
}

export const numbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  ein: 1,
  eine: 1,
  einen: 1,
  einem: 1,
  einer: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  acht: 8,
  zehn: 10,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  uno: 1,
  una: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  diez: 10,
  quince: 15,
  treinta: 30,
  veinte: 20,
  doce: 12,
  due: 2,
  tre: 3,
  quattro: 4,
  cinque: 5,
  sei: 6,
  sette: 7,
  otto: 8,
  dieci: 10,
  quindici: 15,
  venti: 20,
  trenta: 30,
  dodici: 12,
  een: 1,
  één: 1,
  twee: 2,
  drie: 3,
  vijf: 5,
  zes: 6,
  zeven: 7,
  acht_: 8,
  negen: 9,
  tien: 10,
  twaalf: 12,
  dertig: 30,
};
/** Units in languages that the common list lacks; no replacement is longer than the word. */
const unitNames: Readonly<Record<string, string>> = {
  minutos: 'minutes',
  minuti: 'minute',
  minuto: 'minute',
  minuten: 'minuten',
  horas: 'hours',
  hora: 'hour',
  uren: 'hour',
  uur: 'hr',
  semanas: 'weeks',
  semana: 'week',
  settimana: 'week',
  giorno: 'day',
  meses: 'mesi',
  week: 'week',
  dag: 'd',
  an: 'yr',
  urlaubstage: 'tage',
  urlaubstagen: 'tagen',
  werkdagen: 'dagen',
  vakantiedagen: 'dagen',
  minuter: 'minute',
  minuters: 'minute',
  minutter: 'minute',
  minutters: 'minute',
  minut: 'min',
  semesterdagar: 'days',
  feriedage: 'days',
  feriedager: 'days',
  dage: 'days',
  dager: 'days',
  dagar: 'days',
  veckor: 'weeks',
  uger: 'wks',
  ugers: 'weeks',
  uker: 'wks',
  dni: 'd',
  dias: 'days',
  verlofdagen: 'dagen',
};
const units =
  /(?<=[\d\p{L})] {1,6})(?:minutos?|minuti|horas?|uren|uur|semanas?|settimana|giorno|dag|urlaubstagen?|werkdagen|vakantiedagen|verlofdagen|minuters?|minutters?|minut|semesterdagar|feriedage|feriedager|dage|dager|dagar|veckor|ugers?|uker|dni|dias)(?!\p{L})|(?<=(?<!\d)1 {1,2})an(?!\p{L})/giu;

const words =
  /(?<![\p{L}'])(?:ein(?:e[nmr]?)?|une?|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|diez|doce|quince|veinte|treinta|due|tre|quattro|cinque|sei|sette|otto|dieci|dodici|quindici|venti|trenta|een|één|twee|drie|vijf|zes|zeven|negen|tien|twaalf|dertig)(?= (?:\p{L}+ )?(?:stunden?|tage?n?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|horas?|días?|semanas?|mes(?:es)?|años?|minutos?|ore?|ora|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|minuti|uur|dag(?:en)?|we[e]?k(?:en)?|maand(?:en)?|ja[a]?r|minuten))/giu;

const amendment =
  /^(?:amendment|variation|addendum|nachtrag|änderung|avenant|adenda|anexo de modificación|allonge|wijziging|aanvulling|appendice)(?!\p{L})[^;:]{0,30}\d/iu;

/** The position of an amendment at the end of the document, whose terms replace those above. */
export function amendmentIn(clauses: readonly Clause[]): number | undefined {
  const found = clauses.findIndex(({ text }, index) => index > clauses.length / 2 && amendment.test(text));
  return found === -1 ? undefined : found;
}

/** Quoted law and proposals. */
export const notOwn = /\b(?:statutory (?:minimum|maximum) (?:employer|is|of)|indicative)\b/iu;
