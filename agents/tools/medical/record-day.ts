/** The day on which a record was written: the latest day of its report, signature, discharge or addendum. */
import type { Document } from '../../document/document.ts';
import { clinicalDates, orderOf } from './clinical-dates.ts';

const writing =
  /(?<!\p{L})(?:dictated|transcribed|signed|typed|reported|(?:date of|letter|report) (?:report|letter|date)|addendum|amended|as of|discharged?(?: date)?|date of discharge|visit(?: date)?|diktiert|unterzeichnet|freigegeben|entlassen|entlassung|arztbrief vom|nachtrag|signé|sorti|sortie|dimesso|dimissione|firmado|alta|ontslag(?:en)?|wypisan[ya]|data wypisu|propuštěn[aý]?)(?!\p{L})[^\p{L}\d]{0,6}(?:(?:electronically|by|on|at|am|vom|le|il|el|op|dnia|MD|DO|Dr)(?!\p{L})[^\p{L}\d]{0,4}|\p{Lu}[\p{L}.'-]{0,20}[^\p{L}\d]{1,4}){0,4}$/iu;

const known = new WeakMap<Document, { readonly day: string | undefined }>();

/** @returns ISO 8601; undefined if the record does not say when it was written */
export function recordDay(document: Document): string | undefined {
  const read = known.get(document);
  if (read !== undefined) return read.day;
  const order = orderOf(document);
  const days = clinicalDates(document).flatMap(({ iso, start, ambiguous }) => {
    if (iso.length !== 10 || (ambiguous && order === undefined)) return [];
    return writing.test(document.text.slice(Math.max(0, start - 80), start)) ? [iso] : [];
  });
  const day = days.toSorted().at(-1);
  known.set(document, { day });
  return day;
}
