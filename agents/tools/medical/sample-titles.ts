/** Titles of columns with the readings of one point in time. */

/** "08:00", "8 h", "ore 14.30", "kl 20.00", "06.00 Uhr". */
export const isClock = (text: string): boolean =>
  /^(?:(?:ore|kl\.?|um|at|à|às|a las|h|godz\.?) ?)?\d{1,2}(?:[:.h]\d\d(?::\d\d)?|(?= ?h$)|(?= ?uhr$))(?: ?(?:[ap]\.?m\.?|uhr|h|hrs?))?$/iu.test(
    text,
  );

/** A column of readings by its title: a time, a day, a phase of the stay, a posture, or a word for value. */
const sample =
  /^(?:(?:value|reading|result|measured|measurement|wert|messwert|valeur|valor|valore|waarde|värde|værdi|wartość|wynik)s?|(?:on |at )?(?:admission|arrival|triage|discharge|entry)|aufnahme|entlassung|verlauf|kontrolle|entrée|sortie|ingreso|alta|ingresso|dimissione|opname|ontslag|przyjęcie|wypis|inskrivning|utskrivning|ankomst|entrada|saída|pre\p{L}*|post\p{L}*|before|after|vorher|nachher|avant|après|antes|después|prima|dopo|baseline|lying|supine|sitting|seated|standing|liegend|sitzend|stehend|couché|debout|(?:day|tag|jour|día|giorno|dag|dzień|dia|d|j|t|pod|visit|visite|week|woche) ?[+-]?\d{1,2}|[+t]?\d{1,3} ?(?:min|h|std)\.?|morning|evening|noon|night|morgens|mittags|abends|nachts|matin|midi|soir|nuit|mañana|tarde|noche|mattina|pomeriggio|sera|notte|ochtend|middag|avond|morgon|kväll|morgen|aften|rano|wieczór|manhã|noite)(?:[ (,.].{0,16})?$/iu;
export const isSample = (title: string | undefined): boolean =>
  title !== undefined && (isClock(title) || sample.test(title));
