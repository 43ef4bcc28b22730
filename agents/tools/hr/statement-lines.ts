/** How the lines of statements go on, and the first words of lines. */
import { findDurations } from '../text/durations.ts';

/** "L. 1221-25 du Code", or "(12) months" below "for twelve". */
export const goesOnInBlock =
  /^(?:[LRD]\. ?\d{3}|\(\d{1,3}\)\s{1,3}(?:calendar |business |working )?(?:hours?|days?|weeks?|months?|years?|stunden|tage|wochen|monate|jahre)\b)/iu;

export function goesOn(before: string, after: string): boolean {
  if (/^[LRD]\. ?\d/u.test(after)) return true;
  if (/\b[ap]\.m\.$/i.test(before)) return /^[\p{Ll}–—(-]/u.test(after);
  if (/(?<![\d.])\d{1,2}\.$/.test(before) && !/^\d{1,2}\.$/.test(before.trim()))
    return /(?:\b(?:am|zum|vom|bis|ab|im|ein|das|der|dem|den|des|kein|jeden?) )\d{1,2}\.$/iu.test(before);
  return (
    /(?:^|[\s(])(?:Std|Min|Str|Rev|Ref|Ing|Hrn|Fr|Hr|inkl|einschl|zzgl|monatl|mtl|jährl|wö|tägl|brutto p\.a|p\.a|p\.m|p\.w|p\.h|approx|incl|excl|max|min|mind|ca|hrs|wk|yr|Mo|Di|Mi|Do|Sa|So)\.$/iu.test(
      before,
    ) && /^[\p{Ll}\d(€£$–-]/u.test(after)
  );
}

/** "28 Arbeitstage pro Jahr" is a value, and 28 the number of no section; not "4 Hours of work". */
export function startsWithLength(text: string): boolean {
  const first = findDurations(text.slice(0, 60))[0];
  return (
    first?.start === 0 &&
    /^(?:\s*$| (?:per|a|each|pro|je|im|in|zum|par|por|al|alla|bruto|brutto)\b)/iu.test(text.slice(first.end))
  );
}

export function oneLine(text: string): string {
  return text
    .replace(/(\p{L})-[ \t]{0,4}\r?\n[ \t]{0,60}(?=\p{Ll})/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
}
