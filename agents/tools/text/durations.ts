/** Durations in a text: a count and a unit of time, as ISO 8601 durations. */
import { isNoEnglishNumber } from './number-words.ts';
import type { Range } from './span.ts';
import { spelledNumberEndingAt } from './spelled-numbers.ts';
import { splitWords, type Word } from './words.ts';

export type DurationUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface FoundDuration extends Range {
  /** Decimal string: "1.5", "30". */
  readonly count: string;
  readonly unit: DurationUnit;
  /** Business days or hours only: "business days", "working hours", "Werktage". */
  readonly business: boolean;
  /** `P30D`, `PT72H`, `P2W`; quarters as months. Business days too: see `business`. */
  readonly iso: string;
  /** Index of the first word, and of the word after the last. */
  readonly firstWord: number;
  readonly endWord: number;
}

/**
 * Ordered by position in the text: "30 days", "thirty (30) business days", "72h", "drei Monate", "deux ans", "10 pracovních dnů".
 */
export function findDurations(text: string, words: readonly Word[] = splitWords(text)): FoundDuration[] {
  const found: FoundDuration[] = [];
  for (let index = 1; index < words.length; index += 1) {
    // "one month's notice": the genitive is part of the word.
    // French "un an": elsewhere, "an" is an article or a preposition.
    const isYear = words[index]!.text === 'an' && words[index - 1]!.text === 'un';
    const unit = isYear ? 'year' : units.get(words[index]!.text.replace(/'s?$/, ''));
    if (unit === undefined) continue;
    const duration = durationEndingAt(text, words, index, unit);
    if (duration !== undefined && duration.start >= (found.at(-1)?.end ?? 0)) found.push(duration);
  }
  return found;
}

/** @param count decimal string · @returns `P1.5Y`, `P6M`, `PT72H` */
export function isoDuration(count: string, unit: DurationUnit): string {
  if (unit === 'quarter') return `P${Number(count) * 3}M`;
  const letter = unit === 'minute' || unit === 'month' ? 'M' : unit.charAt(0).toUpperCase();
  return unit === 'hour' || unit === 'minute' ? `PT${count}${letter}` : `P${count}${letter}`;
}

function durationEndingAt(
  text: string,
  words: readonly Word[],
  index: number,
  unit: DurationUnit,
): FoundDuration | undefined {
  let at = index - 1;
  let business = false;
  while (at >= 0 && index - at <= 3 && qualifiers.has(words[at]!.text) && !words[at + 1]!.opens) {
    business ||= businessWords.has(words[at]!.text);
    at -= 1;
  }
  const counted = at < 0 || words[at + 1]!.opens ? undefined : countEndingAt(text, words, at);
  if (counted === undefined) return undefined;
  if (isOtherLanguage(words[at]!.text, words[index]!.text)) return undefined;
  // "§ 12 (3) months": the text between count and unit is only blanks, hyphens and closing parentheses.
  if (!/^[ \u00a0\u202f\r\n\t)\]"'-]{0,24}$/.test(text.slice(words[at]!.end, words[at + 1]!.start))) return undefined;
  // "Dix jours ouvrables", "giorni lavorativi": Romance and Slavic languages put the kind of day after it.
  const after = words[index + 1];
  const isQualified =
    after !== undefined && !after.opens && qualifiersAfter.has(after.text) && after.start - words[index]!.end <= 24;
  const last = isQualified ? index + 1 : index;
  return {
    start: words[counted.firstWord]!.start,
    end: words[last]!.end,
    count: counted.count,
    unit,
    business: business || businessUnits.has(words[index]!.text) || (isQualified && businessWords.has(after.text)),
    iso: isoDuration(counted.count, unit),
    firstWord: counted.firstWord,
    endWord: last + 1,
  };
}

/**
 * "No one let the house", "1 stycznia 2025 roku": the Czech words for years are a verb in English and part of a date in Polish.
 */
function isOtherLanguage(counter: string, unit: string): boolean {
  if (isNoEnglishNumber.has(counter) && /^(?:days?|hours?|weeks?|months?|quarters?|years?)$/.test(unit)) return true;
  // "En" and "ett" are "one" in Swedish only.
  if (counter === 'en' || counter === 'ett') return !swedishUnits.has(unit);
  if (unit !== 'let' && unit !== 'roku') return false;
  return !czechNumbers.has(counter) && (unit === 'roku' || !/^\d/.test(counter));
}

function countEndingAt(
  text: string,
  words: readonly Word[],
  at: number,
): { count: string; firstWord: number } | undefined {
  const word = words[at]!;
  if (/^\d{1,6}(?:[.,]\d{1,2})?$/.test(word.text)) {
    const count = word.text.replace(',', '.').replace(/^0{1,6}(?=\d)/, '');
    // In "thirty (30) days", the words repeat the number.
    const spelled = text[word.start - 1] === '(' && at > 0 ? spelledNumberEndingAt(text, words, at - 1) : undefined;
    return { count, firstWord: spelled?.firstWord ?? at };
  }
  const spelled = spelledNumberEndingAt(text, words, at);
  return spelled === undefined ? undefined : { count: String(spelled.value), firstWord: spelled.firstWord };
}

const unitNames: Readonly<Record<DurationUnit, string>> = {
  minute: 'minute minutes min minuten minut minuty',
  hour: 'hour hours hrs hr h stunde stunden heure heures ore ora hora horas uur uren hodin hodiny hodina hodinu godzin godziny godzinę godz timme timmar timmars timer',
  day:
    'day days d tag tage tagen werktage werktagen arbeitstage arbeitstagen jour jours giorni giorno día días dias dagen dag tages werkdagen werkdag kalenderdagen arbeitstag werktag kalendertage kalendertagen ' +
    'dní dny dnů dnu dni dzień dniach dagar dagars dygn dage dager døgn',
  week: 'week weeks woche wochen semaine semaines settimane settimana semana semanas weken týden týdny týdnů tygodni tygodnie tygodnia tygodniach tydzień vecka veckor veckors uge uger uke uker',
  month:
    'month months monat monate monaten monats mois mesi mese mes meses maanden maand měsíc měsíce měsíců miesięcy miesiące miesiąc miesiąca miesiącach mês månad månader månaders måned måneder mths mth',
  quarter:
    'quarter quarters quartal quartale quartalen trimestre trimestres trimestri kwartaal kwartalen kvartal kwartał kwartały kwartałów',
  year: 'year years yr yrs annum jahr jahre jahren ans année années anni anno años año jaar jaren jahres rok roky roku roků let lat lata latach ano anos år års',
};

const units: ReadonlyMap<string, DurationUnit> = new Map(
  Object.entries(unitNames).flatMap(([unit, names]) =>
    names.split(' ').map((name) => [name, unit as DurationUnit] as const),
  ),
);

/** @param word in lower case */
export function unitOfWord(word: string): DurationUnit | undefined {
  return units.get(word);
}

const businessUnits = new Set(
  'werktag werktage werktagen arbeitstag arbeitstage arbeitstagen werkdag werkdagen'.split(' '),
);
const businessWords = new Set(
  'business working banking trading work ouvrables ouvrable ouvrés ouvré lavorativi lavorativo hábiles hábil laborables pracovních pracovní roboczych'.split(
    ' ',
  ),
);
const qualifiersAfter = new Set(
  'ouvrables ouvrable ouvrés ouvré calendaires calendaire francs lavorativi lavorativo hábiles hábil laborables naturales naturels roboczych robocze kalendarzowych pracovních kalendářních'.split(
    ' ',
  ),
);
const qualifiers = new Set([
  ...businessWords,
  ...'calendar consecutive full complete clear whole successive further additional calendrier kalendářních'.split(' '),
]);

const swedishUnits = new Set('timme dygn vecka månad kvartal år'.split(' '));

/** Czech number words: the nominative, and the case forms used after "do", "během", "ve lhůtě" and "po". */
const czechNumbers: ReadonlyMap<string, number> = new Map([
  ...'jeden dva tři čtyři pět šest sedm osm devět deset jedenáct dvanáct'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
  ...'jednoho dvou tří čtyř pěti šesti sedmi osmi devíti deseti jedenácti dvanácti'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
  ...'dvaceti třiceti čtyřiceti padesáti šedesáti sedmdesáti osmdesáti devadesáti'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10] as const),
  ['jedné', 1],
  ['jednu', 1],
  ['dvě', 2],
  ['čtrnáct', 14],
  ['čtrnácti', 14],
  ['patnáct', 15],
  ['patnácti', 15],
  ['dvacet', 20],
  ['třicet', 30],
  ['šedesát', 60],
  ['devadesát', 90],
]);
