/** Intervals of recurring duties in one word or without a number: "annually", "chaque trimestre", "einmal im Jahr". */
import { type FoundDuration, isoDuration } from '../text/durations.ts';

type Interval = readonly [count: string, unit: 'week' | 'month' | 'year', words: readonly string[]];

/** In the languages of the Union. Not adjectives, which also describe amounts: "annual turnover". */
const intervals: readonly Interval[] = [
  [
    '1',
    'year',
    [
      '(?:every|each) year|annually|once (?:a|per|every) (?:calendar )?year|on an annual basis',
      '(?:einmal )?(?:all)?jährlich|jede[sn] jahr|einmal (?:im|pro) jahr',
      'chaque année|tous les ans|annuellement|une fois par an',
      'cada año|anualmente|todos los años|una vez al año',
      "ogni anno|annualmente|una volta (?:all'|l')anno|con (?:cadenza|periodicità) annuale",
      'jaarlijks|(?:elk|ieder) jaar|(?:eenmaal|één keer) per jaar',
      'corocznie|co ?roku|każdego roku|raz (?:w|do) roku|raz na rok',
      'každoročně|každý rok|jednou (?:ročně|za rok)',
      'todos os anos|cada ano|uma vez por ano',
      'årligen|varje år|en gång (?:om året|per år)|årligt|hvert år|en gang om året|vuosittain|joka vuosi|kerran vuodessa',
      'în fiecare an|o dată pe an|évente|minden évben|svake godine|jednom godišnje|vsako leto|enkrat letno|každoročne|každý rok|igal aastal|kord aastas|katru gadu|reizi gadā|kasmet|kartą per metus|ετησίως|κάθε έτος|ежегодно|всяка година',
    ],
  ],
  [
    '6',
    'month',
    [
      'half-yearly|every half[- ]year|halbjährlich|jedes halbjahr|semestriellement|chaque semestre|semestralmente|cada semestre|ogni semestre|halfjaarlijks|elk halfjaar|co pół roku|pololetně|každé pololetí|halvårsvis|varje halvår|hvert halvår|puolivuosittain',
    ],
  ],
  [
    '3',
    'month',
    [
      '(?:every|each) (?:calendar )?quarter|quarterly(?= by| to| on|,|\\.|;|$)|vierteljährlich|jedes quartal|trimestriellement|chaque trimestre|trimestralmente|cada trimestre|ogni trimestre|(?:elk|ieder) kwartaal|per kwartaal|driemaandelijks|co kwartał|kwartalnie|čtvrtletně|každé čtvrtletí|kvartalsvis|varje kvartal|hvert kvartal|neljännesvuosittain',
    ],
  ],
  [
    '1',
    'month',
    [
      '(?:every|each) month|once a month|on a monthly basis|monatlich|jeden monat|einmal im monat|chaque mois|tous les mois|mensuellement|une fois par mois|cada mes|mensualmente|ogni mese|mensilmente|(?:elke|iedere) maand|maandelijks|co miesiąc|każdego miesiąca|měsíčně|každý měsíc|mensalmente|todos os meses|varje månad|hver måned|kuukausittain|joka kuukausi|în fiecare lună',
    ],
  ],
  [
    '1',
    'week',
    [
      '(?:every|each) week|once a week|wöchentlich|jede woche|chaque semaine|cada semana|semanalmente|ogni settimana|settimanalmente|(?:elke|iedere) week|wekelijks|co tydzień|každý týden|týdně|varje vecka|hver uge|viikoittain',
    ],
  ],
];

const shape = new RegExp(
  `(?<![\\p{L}\\d])(?:${intervals.map(([, , words]) => `(${words.join('|')})`).join('|')})(?![\\p{L}\\d])`,
  'giu',
);
/** "12 % annually", "EUR 500 jährlich": an amount for each interval. */
const amountBefore = /(?:\d ?%|[€$£]|(?<!\p{L})(?:EUR|USD|euros?|percent|Prozent|procent)(?!\p{L}))[^.;]{0,24}$/iu;
const amountAfter = /^[^.;]{0,24}?(?:\d ?%|\d ?[€$£]|[€$£] ?\d|(?<!\p{L})EUR ?\d)/iu;
/** Wages, interest and other things that are counted by the year. */
const countedBy =
  /(?<!\p{L})(?:interest|turnover|costs?|umsatz|zinsen|kosten|intérêts?|coûts?|intereses|costes?|interessi|costi|rente|odsetki|koszt\p{L}{0,2})(?!\p{L})[^.;]{0,30}$/iu;

export interface Recurrence extends FoundDuration {
  readonly isInterval: true;
}

/** Ordered by position. */
export function findIntervals(text: string): Recurrence[] {
  return [...text.matchAll(shape)].flatMap((match): Recurrence[] => {
    const start = match.index;
    const end = start + match[0].length;
    const before = text.slice(Math.max(0, start - 60), start);
    if (amountBefore.test(before) || countedBy.test(before) || amountAfter.test(text.slice(end, end + 40))) return [];
    const [count, unit] = intervals[intervals.findIndex((_, at) => match[at + 1] !== undefined)]!;
    const iso = isoDuration(count, unit);
    return [{ start, end, count, unit, business: false, iso, firstWord: 0, endWord: 0, isInterval: true }];
  });
}
