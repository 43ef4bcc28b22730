/** How often a medicine is taken: words of records in nine languages, abbreviations of prescriptions, schedules. */
import type { Range } from '../text/span.ts';

export interface Frequency extends Range {
  /** As written. */
  readonly written: string;
  readonly perDay?: number;
  /** Undefined for an interval with two ends: "q4-6h". */
  readonly schedule?: Schedule;
  /** Units at each time of the day, where the record gives them: "1-0-2". */
  readonly intakes?: readonly number[];
}

export type Schedule =
  | 'once-daily'
  | 'twice-daily'
  | 'three-times-daily'
  | 'four-times-daily'
  | 'five-times-daily'
  | 'six-times-daily'
  | 'every-other-day'
  | 'every-3-days'
  | 'weekly'
  | 'twice-weekly'
  | 'three-times-weekly'
  | 'every-2-weeks'
  | 'every-3-weeks'
  | 'monthly'
  | 'every-3-months'
  | 'every-6-months'
  | 'once'
  | 'continuous';

const perDayNames: readonly (readonly [number, Schedule])[] = [
  [1, 'once-daily'],
  [2, 'twice-daily'],
  [3, 'three-times-daily'],
  [4, 'four-times-daily'],
  [5, 'five-times-daily'],
  [6, 'six-times-daily'],
  [1 / 2, 'every-other-day'],
  [1 / 3, 'every-3-days'],
  [1 / 7, 'weekly'],
  [2 / 7, 'twice-weekly'],
  [3 / 7, 'three-times-weekly'],
  [1 / 14, 'every-2-weeks'],
  [1 / 21, 'every-3-weeks'],
  [1 / 30, 'monthly'],
  [1 / 28, 'monthly'],
  [1 / 90, 'every-3-months'],
  [1 / 180, 'every-6-months'],
];

function nameOf(perDay: number): Schedule | undefined {
  return perDayNames.find(([value]) => Math.abs(value - perDay) < 0.002)?.[1];
}

const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  ten: 10,
  once: 1,
  twice: 2,
  thrice: 3,
  ein: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  une: 1,
  un: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  una: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  due: 2,
  tre: 3,
  twee: 2,
  drie: 3,
  fem: 5,
  två: 2,
  fyra: 4,
  fire: 4,
  fünf: 5,
  cinq: 5,
  dois: 2,
  duas: 2,
  três: 3,
  quatro: 4,
  quattro: 4,
  dwa: 2,
  trzy: 3,
};

/** @returns the number that digits or a word write; NaN for other words */
export function countOf(written: string): number {
  return numberWords[written.toLowerCase()] ?? Number(written.replace(',', '.'));
}

const count = String.raw`(\d{1,2}|one|two|three|four|six|une|deux|trois|quatre|zwei|drei|vier|una|dos|tres|cuatro|due|tre|twee|drie|två|fyra|fire|fem|fünf|cinq|dois|duas|três|quatro|quattro|dwa|trzy)`;
const shape = (source: string) => new RegExp(String.raw`(?<![\p{L}\d])(?:${source})(?![\p{L}\d])`, 'iu');

interface Rule {
  readonly shape: RegExp;
  /** Times a day; undefined where the number makes no sense. */
  perDay(match: RegExpExecArray): number | undefined;
}

const fixed = (perDay: number, source: string): Rule => ({ shape: shape(source), perDay: () => perDay });
const hours = (value: number) =>
  value > 0 && 24 % value === 0 ? 24 / value : value > 24 && value % 24 === 0 ? 24 / value : undefined;

const day = String.raw`(?:a day|per day|each day|every day|\/ ?(?:d|day|den|tag|j|jour)|daily|denně|täglich|tgl\.?|pro tag|am tag|par jour|al día|por día|\/día|al giorno|al dì|per dag|daags|dd|dagl(?:ig(?:en|t)?)?\.?|om dagen|\/ ?dag(?:en)?|\/ ?døgn|\/ ?dygn|per dygn|pr\.? (?:dag|døgn)|dziennie|na dobę|\/ ?dobę|ao dia|por dia|\/ ?dia|\/ ?die|pro die|al d[iì]a|d)`;
const week = String.raw`(?:a week|per week|each week|\/ ?(?:week|wk|woche|sem)|weekly|týdně|wöchentlich|pro woche|die woche|par semaine|(?:a|por) (?:la )?semana|\/semana|semanal|(?:alla|a) settimana|per week|per vecka|i veckan|\/ ?vecka|om ugen|ugentligt?|pr\.? uge|i uken|per uke|ukentlig|w tygodniu|na tydzień|tygodniowo|por semana|à semana|keer per week)`;
const times =
  '(?: ?(?:[x×]|times|mal|fois|krát|veces|vez|volte|volta|keer|maal|gång(?:er)?|ggr\\.?|gange?|ganger?|vezes|razy|raz|prises?|tomas?))';

/** Meals and times of the day at which one intake each is taken, in Spanish, Italian, Dutch, Portuguese and Polish. */
const dayPart =
  /(?<!\p{L})(?:a (?:colazione|pranzo|cena)|al (?:mattino|bisogno della sera)|la (?:mattina|sera)|alla sera|prima di dormire|(?:en |con |al )?(?:el |la )?(?:desayuno|comida|almuerzo|cena)|por la (?:mañana|tarde|noche)|'s (?:ochtends|middags|avonds)|bij het (?:ontbijt|avondeten)|voor het slapen|(?:de|à) (?:manhã|tarde|noite)|ao (?:almoço|jantar|pequeno-almoço|deitar)|rano|w południe|wieczorem|na noc|(?:på )?(?:morgonen|kvällen|förmiddagen)|till (?:natten|kvällen)|til (?:natten?|aften)|om (?:morgenen|aftenen|kvelden|morgonen|kvällen)|(?:te|bij het) slapen(?:gaan)?|prima di coricarsi|ao acordar)(?!\p{L})/giu;
const dayParts = new RegExp(
  String.raw`(?:${dayPart.source})(?:[ ,]{1,2}(?:(?:e|y|en|i|oraz)\s)?(?:\d (?:\p{L}{1,12}\.?\s))?(?:${dayPart.source})){0,3}`,
  'iu',
);
/** "…, 1 comprimé, soir, …", "…; morning and night": times of the day that marks set apart. */
const listedPart =
  /(?<!\p{L})(?:au )?(?:matin|midi|soir|nuit|coucher|morning|noon|evening|night|bedtime|morgens|mittags|abends|mañana|mediodía|noche|mattina|mattino|mezzogiorno|sera|ochtend|middag|avond)(?!\p{L})/giu;
const listedParts = new RegExp(
  String.raw`(?<=[,;|\t]\s{0,2})(?:${listedPart.source})(?:(?:,| et| and| und| y| e| en)\s(?:${listedPart.source})){0,2}(?=\s{0,2}(?:[,;|\t\n]|\.(?:\s|$)|$))`,
  'iu',
);

/** "1 cp ore 8 e 1 cp ore 20". */
const clockTimes =
  /(?<!\p{L}|\d{4} |assunzione )ore \d{1,2}(?:[:.]\d\d)?(?!\d|-?\p{L})(?:[ ,]{1,3}(?:e )?(?:\d \p{L}{1,12}\.? )?(?:alle )?(?:ore )?\d{1,2}(?:[:.]\d\d)?(?!\d|-?\p{L}| ?(?:mg|g|ml|cp)(?!\p{L}))){0,3}/iu;

const rules: readonly Rule[] = [
  {
    shape: shape(
      String.raw`(?:q\.?|every|alle|toutes les|à|po|each|cada|c\/|ogni|om de|de|a cada|co|var|hver|\d{1,2}\/|\/) ?(\d{1,3})(?:\.|:e)? ?(?:h|hours?|hrs?|hourly|std\.?|stunden|heures|hodinách|hodin|horas|hs|ore|uur|godz(?:in(?:y|ę)?)?\.?|timmar|timme|time|timer)`,
    ),
    perDay: ([, digits]) => hours(Number(digits)),
  },
  {
    shape: shape(String.raw`(\d{1,2}|four|six|eight|twelve)[ -]?hourly`),
    perDay: ([, digits]) => hours({ four: 4, six: 6, eight: 8, twelve: 12 }[digits!.toLowerCase()] ?? Number(digits)),
  },
  {
    shape: shape(`(?:every|alle|tous les|toutes les|q) ?${count} ?(?:days?|d|tage|jours)`),
    perDay: ([, digits]) => 1 / countOf(digits!),
  },
  {
    shape: shape(`(?:every|alle|toutes les|q) ?${count} ?(?:weeks?|wks?|w|wochen|semaines)`),
    perDay: ([, digits]) => 1 / (7 * countOf(digits!)),
  },
  {
    shape: shape(`(?:every|alle|tous les|q) ?${count} ?(?:months?|mo|monate|mois)`),
    perDay: ([, digits]) => (countOf(digits!) === 1 ? 1 / 30 : 1 / (30 * countOf(digits!))),
  },
  { shape: shape(`${count}${times} ?${week}`), perDay: ([, digits]) => countOf(digits!) / 7 },
  fixed(2 / 7, `twice ${week}|two times ${week}|biweekly|zweimal ${week}`),
  fixed(
    1 / 7,
    String.raw`(?:once|einmal|une fois) ?${week}|weekly|every week|each week|q ?(?:wk|week)|wöchentlich|týdně|hebdomadaire|par semaine|pro woche|every (?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|en gång (?:i veckan|per vecka)|1 gång (?:i veckan|per vecka)|en gang (?:om ugen|ugentligt?|i uken)|én gang (?:om ugen|i uken)|eenmaal per week|1 ?x per week|una volta (?:a|alla) settimana|una vez (?:a la|por) semana|uma vez por semana|raz w tygodniu|1 ?x ?(?:\/ ?|w |na )tydzień|semanalmente|(?:chaque|tous les|le) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|(?:cada|los|el) (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)s?|(?:ogni|il|al) (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato)|(?:varje|på) (?:måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag)(?:ar)?|jeden (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)`,
  ),
  fixed(
    1 / 30,
    String.raw`monthly|once a month|every month|each month|monatlich|1 ?[x×] ?(?:pro|im) monat|par mois|měsíčně|mensuel\p{L}*`,
  ),
  fixed(
    1 / 14,
    'every other week|fortnightly|alternate weeks|every fortnight|alle (?:zwei|2) wochen|toutes les (?:deux|2) semaines|cada (?:dos|2) semanas|ogni (?:due|2) settimane|om de (?:twee|2) weken|varannan vecka|hver anden uge|annenhver uke|co (?:dwa|2) tygodnie|a cada (?:duas|2) semanas|quincenal',
  ),
  fixed(
    1 / 90,
    'quarterly|vierteljährlich|alle (?:drei|3) monate|cada 3 meses|ogni 3 mesi|tous les 3 mois|var tredje månad|hver 3\\. måned',
  ),
  fixed(
    1 / 180,
    'twice a year|halbjährlich|every half year|alle (?:sechs|6) monate|cada (?:seis|6) meses|ogni (?:sei|6) mesi|tous les (?:six|6) mois|om de (?:zes|6) maanden|var sjätte månad|hver 6\\. måned|co (?:sześć|6) miesięcy|a cada (?:seis|6) meses|semestral|every six months',
  ),
  fixed(
    1 / 2,
    String.raw`every other day|alternate days?|on alternate days|qod|q\.o\.d\.?|obden|jeden zweiten tag|jeden 2\. tag|un jour sur deux|1 jour sur 2|eod|días alternos|a días alternos|cada 48 h(?:oras)?|a giorni alterni|om de dag|varannan dag|hver anden dag|annenhver dag|co drugi dzień|em dias alternados|dias alternados`,
  ),
  {
    shape: shape(`${count}${times} ?${day}`),
    perDay: ([, digits]) => countOf(digits!),
  },
  // "2x1", "3 x 1 tabl.": times a day, and units of each intake.
  {
    shape: /(?<![\p{L}\d.,/])([1-6]) ?[x×] ?(?:1|½|1\/2)(?![\d/]|[.,]\d|\s?(?:mg|g|ml|µg)(?!\p{L}))/iu,
    perDay: ([, digits]) => Number(digits),
  },
  {
    shape: /[x×] ?(\d) ?(?:\/ ?(?:j|d|day|jour)|par jour|per day|a day|daily|täglich|tgl|pro tag)(?!\p{L})/iu,
    perDay: ([, digits]) => Number(digits),
  },
  // Dutch prescriptions: "2D1T" is twice a day one tablet.
  {
    shape:
      /(?<![\p{L}\d])([1-6]) ?(?:dd ?(?:[1-9](?:[.,]5)?(?: ?(?:t|c|cap|st|do|i|inh|g|ml|dr|tabl?\.?|puff))?)?|d[1-9](?:t|c|cap|st|do|i|inh|g|ml|dr))(?![\p{L}\d])/iu,
    perDay: ([, digits]) => Number(digits),
  },
  { shape: /\/ ?24 ?(?:h|hrs?|horas|ore|std|godz)(?!\p{L})/iu, perDay: () => 1 },
  {
    shape:
      /(?<![\p{L}\d.,])([1-6])(?: \p{L}{2,12}\.?)? ?(?:\/ ?(?:die|dì|día|dag|dobę)|na dobę|[x×] ?(?:dz|dziennie|dd)\.?)(?!\p{L})/iu,
    perDay: ([, digits]) => Number(digits),
  },
  { shape: listedParts, perDay: ([all]) => [...all.matchAll(listedPart)].length },
  { shape: dayParts, perDay: ([all]) => [...all.matchAll(dayPart)].length },
  { shape: clockTimes, perDay: ([all]) => [...all.matchAll(/\d{1,2}(?:[:.]\d\d)?(?=\D*(?:$|ore))/giu)].length },
  fixed(6, 'six times (?:a day|daily)'),
  fixed(5, 'five times (?:a day|daily)|5 times (?:a day|daily)'),
  fixed(
    4,
    String.raw`four times (?:a day|daily|per day)|qid|qds|q\.i\.d\.?|q\.d\.s\.?|fyra gånger (?:dagligen|om dagen)|fire gange dagligt|vier keer per dag|cztery razy dziennie|viermal täglich|quatre fois par jour|čtyřikrát denně|morning, (?:noon|midday), evening and (?:night|bedtime)`,
  ),
  fixed(
    3,
    String.raw`three times (?:a day|daily|per day)|thrice (?:daily|a day)|tid|tds|t\.i\.d\.?|t\.d\.s\.?|dreimal täglich|tre gånger (?:dagligen|om dagen)|tre gange dagligt|drie keer per dag|trzy razy dziennie|tre volte al (?:dì|giorno)|três vezes (?:ao|por) dia|třikrát denně|trois fois par jour|matin,? midi et soir|with each meal|with meals|before meals|before each meal|à chaque repas|zu den mahlzeiten|ac`,
  ),
  fixed(
    2,
    String.raw`twice (?:a day|daily|per day)|two times (?:a day|daily)|bid|bd|bds|b\.i\.d\.?|b\.d\.?|två gånger (?:dagligen|om dagen)|to gange dagligt|to ganger daglig|morgon och kväll|morgen og aften|morgen og kveld|twee keer per dag|tweemaal daags|due volte al (?:dì|giorno)|mattina e sera|mañana y noche|desayuno y cena|duas vezes (?:ao|por) dia|de manhã e à noite|dwa razy dziennie|rano i wieczorem|matin,? soir|morgens? u(?:\.|nd) abends|zweimal täglich|dvakrát denně|deux fois par jour|matin et soir|morgens und abends|morning and (?:evening|night|bedtime)|am and pm|q12`,
  ),
  fixed(
    1,
    String.raw`once (?:a day|daily|per day)|once each (?:morning|evening|night)|od|qd|o\.d\.?|q\.d\.?|daily|every day|each day|(?<!\d ?(?:mg|g|ml) )(?:denně|täglich|tgl\.?|pro tag|am tag|par jour|dagligen|daglig(?:t)?|per dag|dagelijks|dziennie|na dobę|diariamente|ao dia|al giorno|al dì)|till natten|til natten?|vid sänggåendet|ved sengetid|en gång (?:dagligen|per dag|om dagen)|én gang daglig|en gang daglig(?:t)?|eenmaal daags|een keer per dag|raz dziennie|raz na dobę|una volta al (?:dì|giorno)|uma vez (?:ao|por) dia|una al día|1 al día|1 ?\/ ?día|1 ?\/ ?dia|1 vez al día|alla sera|la sera|al mattino|de manhã|à noite|ao deitar|em jejum|à jeun|a digiuno|en ayunas|auf nüchternen magen|op de nuchtere maag|na czczo|an|nocte|mane|om|on|qhs|qam|qpm|q\.a\.m\.?|q\.p\.m\.?|q\.h\.s\.?|q ?am|q ?pm|hs|h\.s\.?|nightly|at bedtime|before bed|at night|every (?:morning|evening|night)|each (?:morning|evening|night)|in the (?:morning|evening)|(?:am|pm)(?= )|na noc|ráno|večer|morgens|mittags|abends|nachts|zur nacht|einmal täglich|jednou denně|une fois par jour|une prise par jour|1 ?\/ ?j(?:our)?|1 dd|en (?:desayuno|cena|comida)|por la (?:mañana|noche)|al acostarse|diari[oa]|una vez al día|la mattina|la sera|al mattino|'s (?:ochtends|avonds)|voor de nacht|le matin|le soir|le midi|au coucher|every 24 hours|with (?:breakfast|dinner|supper)|before breakfast`,
  ),
];

/** Abbreviations that are words too, in lower case: "on", "om", "ac", "am". */
const capitalsOnly = /^(?:on|om|ac|d|am|pm|hs|an)$/i;

const single: Rule['shape'] = shape(
  String.raw`x ?1|once(?! (?:on|he|she|they|the|in|stable|inr|able|off|with|discharged|you|all|tolerat\p{L}*)(?!\p{L}))|einmalig|dose de charge|dose d['’]attaque|loading dose|dosis de carga|dosis única|aufsättigungsdosis|stat|single dose|one dose|one[- ]off|x1 dose|dose unique|en une prise|eenmalig|som engångsdos|engångsdos|engangsdosis|jednorazowo|dose única|in (?:unica|singola) somministrazione|una tantum|dosi singola|en dosis única|in unica dose`,
);
const continuous = shape(
  String.raw`continuous(?:ly)?(?: infusion)?|per continuous infusion|kontinuierlich|en continu|perfusor|infusion continue|infusione continua|perfusión continua|perfusão contínua|wlew ciągły|continu infuus|kontinuerlig infusion|(?:over|över|über|sur|en|in|w ciągu) 24 ?(?:h|hrs?|hours?|timmar|timer|std\.?|stunden|heures|horas|ore|uur|godzin)|csci`,
);

const quantity = String.raw`(?:\d{1,2}(?:[.,](?:5|25|75))?|½|¼|1\/2|1\/4)`;
const scheduleShape = new RegExp(
  String.raw`(?<![\d.,/-])(${quantity}) ?[-–—] ?(${quantity}) ?[-–—] ?(${quantity})(?: ?[-–—] ?(${quantity}))?(?![\d/-]|[.,]\d)`,
);
/** Columns for morning, noon, evening and night. */
const columnShape = new RegExp(
  String.raw`(?<=[\t ])(${quantity})\t(${quantity})\t(${quantity})(?:\t(${quantity}))?(?=\t|$|\n)`,
);

/** @returns undefined where the words give no frequency */
export function readFrequency(after: string): Frequency | undefined {
  const intakes = scheduleShape.exec(after) ?? columnShape.exec(after);
  if (intakes !== null) {
    const amounts = intakes
      .slice(1)
      .filter((part) => part !== undefined)
      .map(amountOf);
    const taken = amounts.filter((amount) => amount > 0);
    const schedule = nameOf(taken.length);
    // "12-11-24" is a date; "22-0-18" units of insulin.
    if (schedule !== undefined && (taken.length < amounts.length || taken.every((amount) => amount < 10))) {
      const range = { start: intakes.index, end: intakes.index + intakes[0].length };
      return { written: intakes[0].replace(/\t/g, '-'), perDay: taken.length, schedule, intakes: taken, ...range };
    }
  }
  let first: Frequency | undefined;
  for (const rule of rules) {
    const match = rule.shape.exec(after);
    if (match === null || (capitalsOnly.test(match[0]) && match[0] !== match[0].toUpperCase())) continue;
    const perDay = rule.perDay(match);
    const schedule = perDay === undefined ? undefined : nameOf(perDay);
    if (schedule === undefined) continue;
    const [start, end] = [match.index, match.index + match[0].length];
    // The one that is written first; of two at one place the longer, as "every other day" and "every day".
    if (first === undefined || start < first.start || (start < first.end && end > first.end))
      first = { written: match[0].trim(), perDay: perDay!, schedule, start, end };
  }
  const span = intervalSpan.exec(after);
  if (span !== null && (first === undefined || span.index <= first.start))
    return { written: span[0], start: span.index, end: span.index + span[0].length };
  return first ?? onlyOnce(after);
}

const intervalSpan =
  /(?<![\p{L}\d])(?:q\.?|every|alle|toutes les) ?\d{1,2} ?(?:-|–|to|bis|à) ?\d{1,2} ?(?:h|hrs?|hours?|std\.?|stunden|heures)(?!\p{L})/iu;

function onlyOnce(after: string): Frequency | undefined {
  for (const [rule, schedule] of [
    [continuous, 'continuous'],
    [single, 'once'],
  ] as const) {
    const match = rule.exec(after);
    if (match !== null)
      return { written: match[0].trim(), schedule, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function amountOf(part: string): number {
  if (part === '½' || part === '1/2') return 0.5;
  if (part === '¼' || part === '1/4') return 0.25;
  return Number(part.replace(',', '.'));
}

export const asNeededShape =
  /(?<!\p{L})(?:prn|p\.r\.n\.?|pro re nata|as needed|if needed|when needed|when required|as required|if required|for breakthrough|při potížích|při bolesti|dle potřeby|bei bedarf|b\. ?bed\.?|bedarfsweise|au besoin|si besoin|si nécessaire|si douleurs?|en cas de (?:douleurs?|besoin)|a demanda|si precisa|si dolor|si \p{L}{5,12}(?=[,.;)\n]|$)|al bisogno|se necessario|zo nodig|se necessário|em sos|w razie (?:potrzeby|bólu)|doraźnie|vid behov|v\.?b\.?(?= ?[,;.)\n]|$)|ved behov|efter behov|etter behov|p\.? ?n\.?(?= ?[,;.)\n]|$)|indien nodig|naar behoefte|zn(?= ?[,;.)\n\d]|$)|se (?:dor|febre|dolore|febbre|occorre|bisogno)|en caso de (?:dolor|fiebre)|em caso de (?:dor|febre)|si fiebre|w razie \p{L}{3,14}|przy bólu|bei schmerzen|z\.?n\.(?= ?[,;.)\n]|$)|b\. ?b\.)(?!\p{L})/iu;
