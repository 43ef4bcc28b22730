/**
 * Withholds facts whose reading a document does not confirm, in any layout: a last day that nobody is obliged to keep, days of a
 * kind that was not understood, a second day for one act, and the act of an article that the words around the article contradict.
 */
import { type Certain, withhold } from '../left-out.ts';
import type { FoundDuration } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import { eventAfter, obliges } from './limit-words.ts';

export type Doubt = 'until' | 'days' | 'contradiction' | 'act';

/** Why facts are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  until: 'something lasts until that day, and their sentence obliges nobody',
  days: 'the word behind the days, which may name a kind of days, was not understood',
  contradiction: 'the document gives the act another day before',
  act: 'the act of articles is not named, and the words around them speak against the own act',
};

/** Words before the last day of a state. German, Polish and Czech use the same word before the day of a deadline. */
const until = /^(?:until|till|up to|jusqu'au|hasta el|tot(?: en met)?|até)$/iu;

const permits =
  /(?<!\p{L})(?:may|can|is allowed|are allowed|darf|dürfen|kann|können|peut|peuvent|pourront|puede[n]?|podrán?|può|possono|potranno|mag|mogen|kan|kunnen|może|mogą|można|smí|smějí|lze|může|mohou|pode[m]?|poder(?:á|ão)|får|må|poate|pot|voi|voidaan|saa|smije|lahko|lehet)(?!\p{L})/iu;
/** Permissions that last for some time: to use or sell goods, or to rely on rules. */
const goesOn =
  /(?<!\p{L})(?:us(?:e|ed|ing)|continu\p{L}{0,4}|placed on|made available|marketed|sold|put into service|supplied|imported|relied|verwend\p{L}{0,4}|genutzt|nutzen|weiter\p{L}{0,12}|in verkehr|bereitgestellt|verkauft|in betrieb|utilis\p{L}{1,4}|mis(?:es?)? (?:sur le marché|à disposition|en service)|commercialis\p{L}{1,4}|vendue?s?|continuer|utiliz\p{L}{1,4}|comercializ\p{L}{1,4}|introduci\p{L}{1,4}|seguir|usa(?:r|re|t[oaie])|immess[oaie]|commercializzat[oaie]|continuare|messi? a disposizione|gebruik\p{L}{0,2}|in de handel|op de markt|aangeboden|verkocht|blijven|używa\p{L}{0,3}|stosowa\p{L}{0,3}|wprowadza\p{L}{0,3}|udostępnia\p{L}{0,3}|używ\p{L}{1,4}|použív\p{L}{1,4}|uvádě\p{L}{1,3}|dodáv\p{L}{1,4}|användas|säljas|släppas ut|anvendes|sælges|bringes i omsætning|utilizat\p{L}{1,2}|käyttää|koristiti|uporabljati)(?!\p{L})/iu;

/** @param word the word before the day · @param clause the words of its sentence before that word · @param rest those after the day */
export function untilDoubt(word: string, clause: string, rest: string): Doubt | undefined {
  if (until.test(word) && !obliges.test(clause)) return 'until';
  return permits.test(clause) && goesOn.test(`${clause} ${rest}`) ? 'until' : undefined;
}

const counted =
  /^ (?:start|begin|count|run|elaps|contad|computad|decorr|conta|gerechnet|gerekend|gezählt|laufend|calcul|compt|licz|počí)/iu;

/** "Ten xyz days", also with the adjective behind as in "dix jours xyz après": an adjective may make them working days. */
export function daysDoubt(text: string, { unit, business, end }: FoundDuration): Doubt | undefined {
  if (unit !== 'day' || business) return undefined;
  const after = text.slice(end, end + 100);
  const word = /^ \p{Ll}{5,30}(?= \p{L})/u.exec(after)?.[0];
  if (word === undefined || counted.test(word) || eventAfter.test(after)) return undefined;
  return eventAfter.test(after.slice(word.length)) ? 'days' : undefined;
}

interface DatedAct {
  readonly kind: string;
  readonly act?: string;
  readonly date?: string;
  readonly article?: object;
}

/** A day for the whole of an act after another one is that of a part which was not read. */
export function withoutContradictions<Dated extends DatedAct>(dates: readonly Dated[]): Certain<Dated, Doubt> {
  const known = new Map<string, string>();
  return withhold(dates, ({ kind, act, date, article }) => {
    if (kind === 'transposition' || article !== undefined || act === undefined || date === undefined) return undefined;
    const key = `${kind} ${act}`;
    const first = known.get(key);
    if (first === undefined) known.set(key, date);
    return first === undefined || first === date ? undefined : 'contradiction';
  });
}

const amends =
  /(?<![A-Za-zÀ-ž])(?:replaced|added|inserted|deleted|amended|ersetzt|fassung|gestrichen|eingefügt|angefügt|geändert|remplac|ajout|insér|supprim|modifi|sustitu|añad|insert|suprim|sostitu|aggiun|inserit|soppress|vervang|toegevoegd|ingevoegd|geschrapt|gewijzigd|brzmienie|dodaje|skreśla|zmienia|nahraz|doplňuje|vkládá|zrušuje)/iu;

/** Words between an article and the act that it is of. */
const actDistanceMax = 60;

/**
 * An article without an act is one of the document itself, unless it is amended, which no act does to itself, or another act is named in
 * the same phrase.
 */
export function ownActDoubt(text: string, article: Range, other: Range | undefined): Doubt | undefined {
  const after = text.slice(article.end, article.end + 90).split(/[.;:]/u)[0]!;
  if (amends.test(after)) return 'act';
  if (other === undefined || other.start - article.end > actDistanceMax) return undefined;
  return /[.;:()]/u.test(text.slice(article.end, other.start)) ? undefined : 'act';
}
