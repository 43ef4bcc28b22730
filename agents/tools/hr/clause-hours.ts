/** Agreed hours, breaks, and the times at which shifts start and end. */
import { amendmentIn, type Clause, type ClauseFact, durationsIn, fact, notOwn, numbers } from './clauses.ts';

const hoursWords = String.raw`(?:hours?|hrs?\.?|h|stunden|std\.?|wochenstunden|heures|horas|ore|uren|uur|timer|timmar|tim\.|godzin\w*|godz\.?|hodin\w*|tuntia)`;
const count = String.raw`(?<![\d.,:])(\d{1,2}(?:[.,]\d{1,2})?|twenty|thirty|thirty-five|forty|vierzig|trente-cinq|cuarenta|quaranta|veertig)`;
const weekWords = String.raw`(?:(?:an?|per|each|every|pro|in der|je|par|por|a la|alla|à la|in een|/) ?(?:working )?(?:week|wk|woche|kalenderwoche|arbeitswoche|semaine|semana|settimana)|(?:per|om|i|pr\.?|na|w|por|ved|à|al?) (?:arbets|arbejds|arbeids)?(?:vecka|veckan|ugen?|uken?|tydzień|tygodniu|týden|týdnu|semana|viikossa)|tygodniowo|ugentligt?|ukentlig|týdně|semanais|semanalmente|per week|wöchentlich|hebdomadaires?|semanales|settimanali|weekly|wekelijks)`;
const agreedHours: readonly (readonly [string, RegExp])[] = [
  [
    'week',
    new RegExp(
      String.raw`${count} ?(?:\(\d{1,2}\) ?)?-?(?:${hoursWords} ?)?(?:\([^)]{0,30}\) ?)?(?:of work |of working time |brutto |de travail (?:effectif )?|de trabajo |di lavoro )?${weekWords}`,
      'iu',
    ),
  ],
  [
    'week',
    new RegExp(
      String.raw`(?:wöchentliche\w* (?:regel)?arbeitszeit|wochenarbeitszeit|wochenstunden(?:zahl)?|weekly (?:working )?hours|hours (?:per|a) week|(?:work(?:ing)?|office|normal|standard|full)(?:[- ]time)? ?week(?: has| is| comprises)?|weekly working time|(?:normal|standard|contract(?:ed|ual)?|working) (?:weekly )?hours|durée hebdomadaire|horaire hebdomadaire|orario settimanale|orario di lavoro|arbeidsduur|werkweek|jornada semanal|jornada ordinaria|ugentlige? (?:normale? )?arbejdstid|ukentlige? arbeidstid|(?:ordinarie|ordinær|alminnelig|normale) (?:arbetstid|arbeidstid|arbejdstid)(?:en)?|veckoarbetstid(?:en)?|heltidsmåttet|tygodniow\w+ (?:wymiar|norma|czas)(?: czasu)?(?: pracy)?|período normal de trabalho semanal|wekelijkse arbeidsduur|týdenní pracovní dob\w+)[^.;\d]{0,60}${count} ?${hoursWords}(?! ?(?:(?:per|a|je|pro|par|por|al|im|am) ?(?:day|tag|jour|día|giorno|month|monat|mois|mes)|täglich|daily|diarias|journali|giornalier|dagelijks))`,
      'iu',
    ),
  ],
  [
    'week',
    new RegExp(
      `^(?:hours|working hours|arbeitszeit|wochenarbeitszeit|horaire|durée du travail|jornada|orario|arbeidsduur|werktijd|arbetstid|arbejdstid|arbeidstid|wymiar czasu pracy|czas pracy|período normal de trabalho|horário)[^:]{0,20}: ?${count} ?${hoursWords}`,
      'iu',
    ),
  ],
  [
    'week',
    new RegExp(
      String.raw`(?:weekly (?:working )?hours|hours (?:per|a) week|working hours|wochenstunden|wochenarbeitszeit|wöchentliche arbeitszeit|durée hebdomadaire|jornada semanal|orario settimanale|arbeidsduur)[^.;\d]{0,50}(?:from|von|de|da|van) \d{1,2}(?:[.,]\d{1,2})?(?: ?${hoursWords})? (?:to|auf|à|a|naar) ${count}(?![\d.,:]|\s?%)`,
      'iu',
    ),
  ],
  ['week', new RegExp(`${count} ?(?:wochenstunden|stunden wöchentlich)`, 'iu')],
  [
    'month',
    new RegExp(
      String.raw`(\d{2,3}(?:[.,]\d{1,2})?) ?${hoursWords} (?:per|a|par|pro|im|al|por) ?(?:month|mois|monat|mese|mes|maand)`,
      'iu',
    ),
  ],
  [
    'year',
    new RegExp(
      String.raw`([1-2][.,  ]?\d{3}) ?${hoursWords} (?:(?:per|a|par|pro|im|al|por|de trabajo al?) ?(?:year|an\b|jahr|anno|año|jaar)|de trabajo efectivo,? (?:en cómputo anual|al año|anuales)|anuales|annuelles|annue|jährlich|annually)`,
      'iu',
    ),
  ],
  [
    'day',
    new RegExp(
      String.raw`(?:normal|regular|standard|agreed|vereinbart|tägliche arbeitszeit|tagessoll\w*|(?:sollzeit|regelarbeitszeit) (?:je|pro) tag|daglige? (?:arbejdstid|arbeidstid|arbetstid)|durée quotidienne|dobow\w+ (?:wymiar|norma)|período normal de trabalho diário|dagelijkse arbeidsduur|working day|arbeitstag|jornada diaria|journée)[^.;\d]{0,40}${count} ?${hoursWords}(?: (?:a|per|je|pro|par) (?:day|tag|jour))?`,
      'iu',
    ),
  ],
  [
    'day',
    new RegExp(
      String.raw`${count} ?${hoursWords} ?(?:täglich|daily|diarias|journalières|giornaliere|per dag|pr\.? dag|om dagen|dziennie|na dobę|denně|por dia|diários|ao dia|al día|al giorno|par jour|pro tag|je tag|(?:a|per|each) day)`,
      'iu',
    ),
  ],
];
/** "Hours per week: 36": the title is the unit. */
const titledHours =
  /^(?:(?:contracted|contractual|normal|basic|agreed|working|standard) ){0,2}(?:hours (?:per|a|each) week|weekly (?:working )?hours|wochen(?:arbeits)?stunden|(?:wöchentliche )?arbeitsstunden (?:pro|je) woche|heures (?:par semaine|hebdomadaires)|horas (?:por semana|semanales|a la semana)|ore (?:alla settimana|settimanali)|uren per week)[ :|]{1,4}(\d{1,2}(?:[.,]\d{1,2})?)(?=$| ?[;(|]| {2})/iu;
const limit =
  /may not|must not|shall not|cannot|no more than|not more than|exceed|maximum|reference period|opt(?:ed)?[ -]?out|overtime|beyond|above|over \d{2}|darf nicht|höchstens|überschreit|höchstarbeitszeit|überstunden|máxim|límite|massim|maximaal|maximale|hoogstens|niet meer dan|auszubildende|galten|apprentis|supplémentaires|extraordinari|straordinari|remote|statutory|leave\b|holiday|sick|krank|repos|rest\b|ruhezeit|descanso semanal|riposo|légale|legal|gesetz|standby|on-call|bereitschaft|astreinte|apply again|previously|formerly|bisher|pay period|up to|bis zu/iu;
const limitTitle =
  /\b(?:höchst(?:grenze|arbeitszeit)|obergrenze|(?:upper|legal|statutory) limit|maximum(?: hours)?|limite (?:légale|maximale)|límite|limite massimo)[^:;]{0,30}:[^;:]{0,50}$/iu;
/** "Average" is a limit of the law, except in an agreement: "32 hours a week on average". */
const averageLimit = /\b(?:average|moyenne|durchschnitt\w*|gemiddeld\w*|promedio|media)\b/iu;

const breakWords =
  /\bbreaks?\b|meal (?:period|break)|\blunch\w*|rest (?:period|break)|pausen?\b|mittag\w*|ruhepausen?|\bpausa\b|\w*pauzes?\b|\w*rast(?:en)?\b|\w*frokost\w*|\w*spisepause\w*|\w*pausen?\b|przerw\w*|intervalo|almoço|přestávk\w*|descanso|déjeuner|bocadillo|comida|pranzo/iu;
const otherBreak =
  /gesetzlich|statutory|law requires|arbzg|fuming|coffee machine|repos quotidien|repos hebdomadaire|descanso (?:diario|semanal|entre)|riposo|between (?:two )?(?:shifts|working days)|daily rest|weekly rest|break (?:the|down|up|room|even)/iu;

const clockPair =
  /(?<![\d:.,€£$])([01]?\d|2[0-4])(?:[:.] ?| ?h(?:eures?)? ?)([0-5]\d)?(?: ?(?:uhr|uur|hrs|h))? ?(am|pm|a\.m\.|p\.m\.)? ?(?:-|–|—|to|until|till|through|bis(?: etwa)?|à|a(?: las)?|alle(?: ore)?|tot|till?|do|às?|até(?: às)?|och|og|and|und|et|y|e) ?(?:las |kl\.? ?)?([01]?\d|2[0-4])(?:[:.] ?| ?h(?:eures?)? ?)([0-5]\d)?(?: ?(?:uhr|uur|h))? ?(am|pm|a\.m\.|p\.m\.)?(?![\d:]|\.\d)|(?<![\d:.,])(1?\d)(?:[.:]([0-5]\d))? ?(am|pm|a\.m\.|p\.m\.) ?(?:-|–|to|until|till|and) ?(1?\d)(?:[.:]([0-5]\d))? ?(am|pm|a\.m\.|p\.m\.)|(?<![\d:.,])([01]?\d|2[0-4])(?: uhr)? (?:bis|–|-) ([01]?\d|2[0-4]) uhr/giu;
const shiftWords =
  /shift|hours|work(?:ing)? ?day|work week|monday|mon\b|schedule|schicht|arbeitszeit|arbeitstag|arbeitsbeginn|dienstbeginn|montag|\bmo\b|\blage\b|dienst|durée (?:du|de|hebdomadaire)(?: travail)?|horaire|lundi|journée|jornada|lunes|horario|turno|orario|lunedì|werktijd\w*|werkdag\w*|arbejdstid\w*|arbeidstid\w*|arbetstid\w*|arbetspass|\bskift\w*|\bvagt\w*|\bvakt\w*|\bkl\.|heltid|deltid|arbetet|arbejdet|arbeidet|pracownik|\bservice\b|\bposte\b|czas\w* pracy|godzinach|zmian\w*|pracuje|período|horário|trabalha|trabalho|pracovní dob\w*|maandag|rooster|\bstart|you (?:will )?work|arbeitet|travaill|trabaja|lavor|werkt/iu;
const otherTimes =
  /core|kernzeit|flextid|fleks|kernetid|kärntid|fasttid|åbningstid|öppettid|åpningstid|telefontid|elastyczn|godziny otwarcia|horário de (?:abertura|funcionamento)|stamtijd\w*|glijdend|tronco|blockzeit|plages? (?:fixes?|variables?)|kernarbeitszeit|gleitzeit|rahmenzeit|flexib|fascia|opening|\bopen\b|öffnungszeit|meeting|reachable|available|erreichbar|joignable|bloktijd|horas de presencia|telephone|hotline|\bpresent\b|anwesen\p{L}*|\bbreak\b|night work|nachtarbeit|nachtzeit|quiet|differential|zuschlag|zulage|premium|allowance|majoration|plus de nocturnidad|left (?:the|your)|most of|usually|typically|meistens|la plupart|la mayoría|la maggior parte|de meesten|between|zwischen|entre las|deadline|check-?in|bereitschaft|on[- ]call|interview|appointment|party|lunch is|reception/iu;

/** A record of hours states no agreed times. */
const recordTitle =
  /time ?sheet|time (?:card|record|clock|log)|record of hours|hours (?:worked|diary|record)|attendance (?:log|record|detail|report|list|sheet)|stundenzettel|stundennachweis|zeit(?:erfassung|nachweis|konto)|arbeitszeitnachweis|feuille (?:de temps|d['’]heures)|relevé d['’]heures|registro (?:de jornada|horario|diario)|urenstaat|urenregistratie|foglio (?:ore|presenze)|registro presenze|(?:^|[:–|-]\s)weekly hours(?! (?:are|is|will|shall|of|have|remain|change)\b|\W{0,5}\d)/iu;

export function isRecord(clauses: readonly Clause[]): boolean {
  return clauses.slice(0, 4).some(({ text }) => recordTitle.test(text.slice(0, 120)));
}

/** Each agreed figure once. */
export function hours(all: readonly Clause[]): ClauseFact[] {
  if (isRecord(all)) return [];
  const clauses = withoutAmended(all, namedTimes);
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  const add = (clause: Clause, value: ClauseFact['value']) => {
    const key = JSON.stringify(value);
    if (!known.has(key) && found.length < 24) found.push(fact(clause, 'working_time', value));
    known.add(key);
  };
  for (const clause of clauses) {
    addAgreed(clause, found, add);
    // The row of a time record does not state agreed hours.
    if (/\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{2,4}/u.test(clause.text)) continue;
    addBreaks(clause, add);
    addTimes(clause, add);
  }
  return found;
}

/** Without the statements of a kind that an amendment at the end of the document replaces. */
function withoutAmended(clauses: readonly Clause[], shape: RegExp): readonly Clause[] {
  const from = amendmentIn(clauses);
  const isReplaced = from !== undefined && clauses.slice(from).some(({ text }) => shape.test(text));
  return isReplaced ? clauses.filter(({ text }, index) => index >= from || !shape.test(text)) : clauses;
}

type Add = (clause: Clause, value: ClauseFact['value']) => void;

function addAgreed(clause: Clause, found: readonly ClauseFact[], add: Add): void {
  const { text } = clause;
  for (const [per, shape] of [...agreedHours, ['week', titledHours] as const]) {
    const isKnown = found.some(({ value, start }) => value.per === per && start !== clause.start);
    if (isKnown) continue;
    // One sentence may give the hours of several groups of the same employer.
    for (const match of [...text.matchAll(new RegExp(shape.source, 'giu'))].slice(0, 3)) {
      const near = text.slice(Math.max(0, match.index - 90), match.index + match[0].length + 40);
      const part = near.split(/(?<=[;)] )|(?<=, )/u).find((each) => each.includes(match[1]!)) ?? near;
      // "Upper limit under section 9: 12 hours a day, 60 hours a week": the title holds for each figure.
      if (limitTitle.test(text.slice(Math.max(0, match.index - 100), match.index))) continue;
      const isAverage =
        averageLimit.test(part) &&
        !/teams?\b|you work|vereinbart|beträgt|season|agreed|(?:normal|standard|regular|usual)\b[^.;]{0,40}average/iu.test(
          part,
        );
      if (
        limit.test(part.replace(/(?:in|ex)cluding .{0,30}/iu, '')) ||
        isAverage ||
        notOwn.test(near) ||
        /two weeks|fortnight|zwei wochen/iu.test(part)
      )
        continue;
      const hours = Number(
        match[1]!.replace(/[  ]/gu, '').replace(per === 'year' ? /[.,]/u : ',', per === 'year' ? '' : '.'),
      );
      const value = Number.isNaN(hours) ? numbers[match[1]!.toLowerCase()] : hours;
      if (value !== undefined && isPlausible(value, per)) add(clause, { hours: value, per });
    }
  }
}

function isPlausible(hours: number, per: string): boolean {
  if (per === 'day') return hours >= 2 && hours <= 12;
  if (per === 'week') return hours >= 4 && hours <= 70;
  return hours >= 20;
}

function addBreaks(clause: Clause, add: Add): void {
  const { text, label } = clause;
  if (!breakWords.test(text) || otherBreak.test(text)) return;
  const cues = [...text.matchAll(new RegExp(breakWords.source, 'giu'))].slice(0, 6);
  for (const each of durationsIn(text)) {
    const minutes = each.unit === 'minute' ? Number(each.count) : each.unit === 'hour' ? Number(each.count) * 60 : 0;
    const isNear = cues.some(
      ({ index, 0: cue }) => Math.min(Math.abs(each.start - (index + cue.length)), Math.abs(index - each.end)) < 40,
    );
    const before = text.slice(Math.max(0, each.start - 14), each.start);
    if (
      minutes > 0 &&
      minutes <= 120 &&
      isNear &&
      !/after|more than|nach |mehr als|über |plus de|más de|within|meer dan|every/iu.test(before) &&
      !/^ (?:of work|am stück|de travail|van werken)/iu.test(text.slice(each.end, each.end + 20))
    )
      add(clause, { break_minutes: minutes });
  }
  if (
    /\b(?:an|one|a one)[- ]hour(?:['’]?s?)? (?:(?:unpaid|paid) )?(?:for )?(?:lunch|(?:meal |lunch )?break)|pause (?:déjeuner |méridienne )?d['’]une heure|une heure (?:de pause|pour (?:le )?déjeuner)|eine stunde (?:mittags)?pause|una hora (?:de descanso|para comer)|un['’]ora di pausa|een uur pauze|intervalo de uma hora|uma hora de (?:intervalo|almoço)|con una hora de descanso|(?:en|ett|1) (?:times?|timmes?) (?:frokost|pause|lunch|rast)\w*|godzinn\w+ przerw\w+/iu.test(
      `${label} ${text}`,
    )
  )
    add(clause, { break_minutes: 60 });
  if (
    /\b(?:half[- ](?:an[- ])?hour)(?: (?:unpaid|paid|meal|lunch))* (?:for )?(?:break|lunch|meal)|halbe stunde (?:mittags)?pause|demi-heure de pause|media hora de descanso|mezz['’]ora di pausa|half uur pauze/iu.test(
      text,
    )
  )
    add(clause, { break_minutes: 30 });
}

function addTimes(clause: Clause, add: Add): void {
  const { text, titles } = clause;
  if (!shiftWords.test(`${titles} ${text}`)) return;
  for (const match of [...text.matchAll(clockPair)].slice(0, 6)) {
    const before = text.slice(Math.max(0, match.index - 45), match.index).replace(hoursBetween, '');
    if (otherTimes.test(before) || /\b20\d\d\b/.test(before) || otherTimes.test(clause.label)) continue;
    // "Night premium (7 p.m. to 7 a.m.)": the hours of an allowance.
    if (/\([^)]*$/.test(before) && /[€£$]|\d ?%/u.test(text.slice(0, match.index))) continue;
    const [, h1, m1, half1, h2, m2, half2, h3, m3, half3, h4, m4, half4, h5, h6] = match;
    if (
      h1 !== undefined &&
      m1 === undefined &&
      m2 === undefined &&
      half2 === undefined &&
      !/\dh|heure|uhr/iu.test(match[0])
    )
      continue;
    if (/^[./]\d|^ ?(?:%|€|£|\$|EUR|years?|days?|km)/iu.test(text.slice(match.index + match[0].length))) continue;
    add(clause, {
      start: clock(h1 ?? h3 ?? h5!, m1 ?? m3, half1 ?? half3 ?? halfBefore(h1, half2)),
      end: clock(h2 ?? h4 ?? h6!, m2 ?? m4, half2 ?? half4),
    });
  }
  if (!otherTimes.test(clause.label))
    for (const { groups: both } of [...text.matchAll(startsAndEnds)].slice(0, 4))
      add(clause, { start: clock(both!.h1!, both!.m1, both!.half1), end: clock(both!.h2!, both!.m2, both!.half2) });
  const named = namedTimes.exec(text)?.groups;
  if (named !== undefined)
    add(clause, {
      start: clock(named.h1 ?? named.h3 ?? named.h5!, named.m1 ?? named.m3 ?? named.m5),
      end: clock(named.h2 ?? named.h4 ?? named.h6!, named.m2 ?? named.m4 ?? named.m6),
    });
}

/** "Your normal hours are between 9 and 5": no limits within which the times may be chosen. */
const hoursBetween =
  /(?:(?:working|office|normal) hours|hours of work|arbeitszeit|horaires?|horario|orario|werktijden)\b[^.;]{0,14}\b(?:between|zwischen|entre|tussen|tra|fra) (?:las? |le )?$/iu;

/** "Normal start / finish: 12:00 / 20:18", "finish from the same date 20:48, start 12:30". */
const namedTimes =
  /(?:start|beginn?|début|inicio|inizio|begin) ?\/ ?(?:finish|end|ende|fin|fine|einde|slut)[^\d]{0,12}(?<h1>[01]?\d|2[0-4])[:.](?<m1>[0-5]\d) ?\/ ?(?<h2>[01]?\d|2[0-4])[:.](?<m2>[0-5]\d)|(?:finish|end|ende|fin|einde)\b[^.;\d]{0,40}(?<h4>[01]?\d|2[0-4])[:.](?<m4>[0-5]\d),? (?:and )?(?:start|begin\w*|début|inicio|inizio)[^.;\d]{0,16}(?<h3>[01]?\d|2[0-4])[:.](?<m3>[0-5]\d)|(?:arbeitsbeginn|dienstbeginn|(?:work|day|shift) (?:starts|begins)|start time|hora de entrada|heure de début)[^.;\d]{0,12}(?<h5>[01]?\d|2[0-4])[:.](?<m5>[0-5]\d)[^.;\d]{0,12}(?:arbeitsende|dienstende|ends|finish(?:es)?|end time|finish time|hora de salida|heure de fin)[^.;\d]{0,12}(?<h6>[01]?\d|2[0-4])[:.](?<m6>[0-5]\d)/iu;

const moment = (name: string) =>
  String.raw`(?<h${name}>[01]?\d|2[0-4])(?:[:.]| ?h ?| ?(?=[ap]\.?m\b))(?<m${name}>[0-5]\d)?(?: ?uhr| ?uur| ?(?<half${name}>[ap]\.?m\.?))?`;
/** "The day shift starts at 6:30 and ends at 15:00", in the words of many languages. */
const startsAndEnds = new RegExp(
  String.raw`(?<!\p{L})(?:starts?|begins?|beginnt|startet|commence|débute|empieza|comienza|inicia|inizia|comincia|começa|inicia-se|begint|start|börjar|startar|begynder|starter|begynner|rozpoczyna(?: się)?|zaczyna(?: się)?|začíná)(?!\p{L})[^.;\d]{0,14}${moment('1')}[^.;\d]{0,24}(?<!\p{L})(?:ends?|finish(?:es)?|endet|termine|finit|termina|acaba|finisce|eindigt|stopt|slutar|slutter|kończy(?: się)?|końčí|končí)(?!\p{L})[^.;\d]{0,14}${moment('2')}`,
  'giu',
);

/** "9 to 5.30 pm" begins in the morning. */
function halfBefore(hour: string | undefined, half: string | undefined): string | undefined {
  return half === undefined || hour === undefined ? undefined : 'am';
}

function clock(hour: string, minute = '00', half?: string): string {
  const isAfternoon = half?.toLowerCase().startsWith('p') === true;
  const isMidnight = half?.toLowerCase().startsWith('a') === true && Number(hour) === 12;
  const value = isAfternoon && Number(hour) < 12 ? Number(hour) + 12 : isMidnight ? 0 : Number(hour);
  return `${String(value).padStart(2, '0')}:${minute}`;
}
