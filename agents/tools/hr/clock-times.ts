/** Times of day, lengths of breaks and counts of hours in a cell or a line of a time record, in minutes. */

const timeShape =
  /(?<![\d:.,])(?:([01]?\d|2[0-4])(?::|h)([0-5]\d)(?!\d|:\d)(?:[ \u00a0]?([ap])\.?m\b)?|(1[0-2]|0?[1-9])(?:\.([0-5]\d))?[ \u00a0]?([ap])\.?m\b)/gi;
/** "08.00", "0800", "8 Uhr", "9 am": only in a cell of a column of times. */
const cellTime = /^([01]?\d|2[0-4])(?:[.:h ]?([0-5]\d))?(?:[ \u00a0]?(?:uhr|h|hrs))?(?:[ \u00a0]?([ap])\.?m\.?)?$/i;

/** @param isCell whether the whole text is one time of a column of times */
export function clockTimes(text: string, isCell = false): number[] {
  const times = [...text.matchAll(timeShape)].map(minutesOfDay);
  if (times.length > 0 || !isCell) return times;
  const match = cellTime.exec(text.trim());
  return match === null ? [] : [minutesOfDay(match)];
}

function minutesOfDay(match: RegExpMatchArray): number {
  const half = (match[3] ?? match[6])?.toLowerCase();
  const hour = Number(match[1] ?? match[4]);
  const adjusted = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour;
  return adjusted * 60 + Number(match[2] ?? match[5] ?? '0');
}

/** "0830": hours and minutes without a mark; "2026" is a year. */
const military = /^[|\s]{0,4}(0\d|1[0-6])([0-5]\d)[|\s]{0,4}$/u;

function militaryMinutes(text: string): number | undefined {
  const match = military.exec(text);
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]);
}

/** "30", "30 min", "0:30", "0.5 h", "0,75", "2 x 15", "12:00-12:30", "none"; undefined for other words. */
export function pauseMinutes(text: string): number | undefined {
  const unmarked = militaryMinutes(text);
  if (unmarked !== undefined) return unmarked;
  const times = [...text.matchAll(timeShape)].map(minutesOfDay);
  if (times.length >= 2) return (times[1]! - times[0]! + 1_440) % 1_440;
  if (times.length === 1) return times[0]!;
  const several = /(?<!\d)([2-4]) ?[x×] ?(\d{1,2})(?!\d)/iu.exec(text);
  if (several !== null) return Number(several[1]) * Number(several[2]);
  const hours =
    /(?<![\d.,])(\d{1,2})(?:[.,](\d{1,2}))?[ \u00a0]?(?:h|hours?|hod|std|stunden?)\b/iu.exec(text) ??
    /(?<![\d.,])(\d)[.,](\d{1,2})(?!\d)/u.exec(text);
  if (hours !== null) return Number(hours[1]) * 60 + Math.round(Number(`0.${hours[2] ?? '0'}`) * 60);
  const minutes = /\d{1,3}/.exec(text);
  if (minutes !== null)
    return Number(minutes[0]) < 4 && !/min|['′]/iu.test(text) ? Number(minutes[0]) * 60 : Number(minutes[0]);
  return /^[^\p{L}]*(?:(?:none|no|nil|keine?|ohne|aucune?|n[ée]ant|sans|sin|ningun[ao]?|nessuna|geen|n\/?a)\b.{0,20})?$|\b(?:break|pause|lunch)\b/iu.test(
    text,
  )
    ? 0
    : undefined;
}

/** Minutes of "8:15", "8h15", "8.25", "8,25 h"; undefined for codes and dashes. */
export function hoursCell(text: string): number | undefined {
  const match =
    /^[|\s]{0,4}(\d{1,3})(?:([:h.,])(\d{1,2}))?\s?(?:h|hrs?|hours|std\.?|stunden|timer|timmar|tim\.?|t|u|uur|uren|ore|horas?|heures?|godz\.?|hod\.?)?[|\s]{0,4}$/iu.exec(
      text,
    );
  if (match === null) return militaryMinutes(text);
  const [, hours, mark, rest = ''] = match;
  const isClock = mark === ':' || mark?.toLowerCase() === 'h';
  return Number(hours) * 60 + (isClock ? Number(rest) : Math.round(Number(`0.${rest || '0'}`) * 60));
}
