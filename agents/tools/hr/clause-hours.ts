/** Agreed hours, breaks, and the times at which shifts start and end. */
import { type Clause, type ClauseFact, durationsIn, fact, notOwn } from './clauses.ts';

const hoursWords = String.raw`(?:hours?|hrs|stunden|std\.?|heures|horas|ore|uren|uur)`;
const agreedHours: readonly (readonly [string, RegExp])[] = [
  [
    'week',
    new RegExp(
      String.raw`(\d{1,2}(?:[.,]\d{1,2})?) ?(?:${hoursWords} ?)?(?:(?:an?|per|each|pro|in der|je|par|por|a la|alla|/) ?(?:week|woche|kalenderwoche|semaine|semana|settimana)|wöchentlich|hebdomadaires|semanales|settimanali|weekly)`,
      'iu',
    ),
  ],
  [
    'week',
    new RegExp(
      String.raw`(?:wöchentliche\w* (?:regel)?arbeitszeit|wochenarbeitszeit|weekly (?:working )?hours|work(?:ing)? week|weekly working time|durée hebdomadaire|orario settimanale|arbeidsduur|jornada semanal)[^.;\d]{0,60}(\d{1,2}(?:[.,]\d{1,2})?) ?${hoursWords}`,
      'iu',
    ),
  ],
  [
    'month',
    new RegExp(
      String.raw`(\d{2,3}(?:[.,]\d{1,2})?) ?${hoursWords} (?:per|par|pro|im|al|por) ?(?:month|mois|monat|mese|mes|maand)`,
      'iu',
    ),
  ],
];
const limit =
  /may not|must not|shall not|cannot|no more than|not more than|exceed|maximum|average|reference period|opt(?:ed)?[ -]?out|overtime|darf nicht|höchstens|überschreit|máxim|límite|massim|maximaal|moyenne|auszubildende|galten|apprentis|supplémentaires|extraordinari|straordinari|remote|statutory|leave|holiday|sick|krank/iu;
const breakWords = /\bbreaks?\b|pausen?\b|mittagspause|ruhepause|\bpausa\b|pauze|descanso|lunch/iu;
const clockPair =
  /(?<![\d:.,])([01]?\d|2[0-4])(?:[:.] ?| ?h ?)([0-5]\d)?(?: ?uhr)? ?(am|pm|a\.m\.|p\.m\.)? ?(?:-|–|—|to|until|bis|à|a(?: las)?|alle|tot|and|und) ?(?:las )?([01]?\d|2[0-4])(?:[:.] ?| ?h ?)([0-5]\d)?(?: ?uhr| ?h)? ?(am|pm|a\.m\.|p\.m\.)?(?![\d:]|\.\d)|(?<![\d:.,])(1?\d) ?(?:(am|pm)) ?(?:-|–|to|until) ?(1?\d) ?(am|pm)/giu;
const shiftWords =
  /shift|hours|working day|monday|schicht|arbeitszeit|montag|dienst|horaire|lundi|jornada|lunes|horario|turno|orario|lunedì|werktijd|maandag|rooster|\bstart/iu;
const otherTimes =
  /core|kernzeit|plages? fixes?|kernarbeitszeit|fascia|opening|open from|öffnungszeit|meeting|reachable|erreichbar|bloktijd|horas de presencia|telephone|hotline|break|night work|nachtarbeit|quiet/iu;

export function hours(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  const add = (clause: Clause, value: ClauseFact['value']) => {
    const key = JSON.stringify(value);
    if (!known.has(key) && found.length < 24) found.push(fact(clause, 'working_time', value));
    known.add(key);
  };
  for (const clause of clauses) {
    const { text, label } = clause;
    for (const [per, shape] of agreedHours) {
      const match = shape.exec(text);
      if (match === null || found.some(({ value }) => value.per === per)) continue;
      const near = text.slice(Math.max(0, match.index - 90), match.index + match[0].length + 40);
      if (!limit.test(near.split(/(?<=[;)] )/u).find((part) => part.includes(match[1]!)) ?? near) && !notOwn.test(near))
        add(clause, { hours: Number(match[1]!.replace(',', '.')), per });
    }
    // The row of a time record, which does not state agreed hours.
    if (/\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{2,4}/u.test(text)) continue;
    const pause = breakWords.exec(text);
    if (pause !== null && !/gesetzlich|statutory|law requires|fuming|coffee machine/iu.test(text)) {
      for (const each of durationsIn(text)) {
        const minutes =
          each.unit === 'minute' ? Number(each.count) : each.unit === 'hour' ? Number(each.count) * 60 : 0;
        const distance = Math.min(
          Math.abs(each.start - (pause.index + pause[0].length)),
          Math.abs(pause.index - each.end),
        );
        if (
          minutes > 0 &&
          minutes <= 120 &&
          distance < 40 &&
          !/after|more than|nach|mehr als|über|plus de|más de|within/iu.test(
            text.slice(Math.max(0, each.start - 12), each.start),
          )
        )
          add(clause, { break_minutes: minutes });
      }
      if (/pause (?:déjeuner |méridienne )?d['’]une heure|one[- ]hour (?:unpaid )?(?:lunch|break)/iu.test(text))
        add(clause, { break_minutes: 60 });
    }
    if (!shiftWords.test(`${label} ${text}`)) continue;
    for (const match of [...text.matchAll(clockPair)].slice(0, 4)) {
      const before = text.slice(Math.max(0, match.index - 45), match.index);
      if (otherTimes.test(before) || /\b20\d\d\b/.test(before)) continue;
      const [, h1, m1, half1, h2, m2, half2, h3, half3, h4, half4] = match;
      if (h1 !== undefined && m1 === undefined && m2 === undefined && half2 === undefined) continue;
      add(clause, { start: clock(h1 ?? h3!, m1, half1 ?? half3), end: clock(h2 ?? h4!, m2, half2 ?? half4) });
    }
  }
  return found;
}

function clock(hour: string, minute = '00', half?: string): string {
  const isAfternoon = half?.toLowerCase().startsWith('p') === true;
  const value = isAfternoon && Number(hour) < 12 ? Number(hour) + 12 : Number(hour);
  return `${String(value).padStart(2, '0')}:${minute}`;
}
