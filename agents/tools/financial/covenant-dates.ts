/** The day for which a document tests its covenants. */
import type { Document } from '../../document/document.ts';
import { findDates } from '../text/dates.ts';
import type { DocumentReading } from './document-reading.ts';

const testDateCue =
  /\b(?:test(?:ing)? date|relevant period|calculation date|reference date|computation date|testing period|measurement period|tested (?:as at|as of|at|on)|getestet (?:zum|per)|test[ée]e?s? (?:au|le)|probad[oa] a|testat[oa] al|getoetst per|stichtag|pr[üu]fungsstichtag|date de (?:test|calcul|r[ée]f[ée]rence)|fecha de (?:c[áa]lculo|test|referencia)|data di (?:calcolo|riferimento|verifica)|testdatum|peildatum)\b/giu;
const periodCue =
  /\b(?:fiscal quarter ended|quarter ended|period ended|months ended|year ended|(?<!dated )as (?:of|at))\b/giu;
const cuesMax = 50;

export interface TestDate {
  readonly iso: string | undefined;
  /** Whether the document calls it the test date. */
  readonly isLabelled: boolean;
}

/** The date labelled as the test date, before or after the words; else the end of the period; else the date of the document. */
export function testDateOf({ document, calendar }: DocumentReading): TestDate {
  const labelled = dateAtCue(document, testDateCue);
  return { iso: labelled ?? dateAtCue(document, periodCue) ?? calendar.end, isLabelled: labelled !== undefined };
}

function dateAtCue({ text, dates }: Document, cue: RegExp): string | undefined {
  const days = dates.filter(({ iso }) => iso.length === 10);
  let count = 0;
  for (const { index } of text.matchAll(cue)) {
    if (++count > cuesMax) break;
    const before = text.slice(Math.max(0, index - 40), index).replace(/\s+/g, ' ');
    const isDefined = cue === testDateCue && /\((?:the )?["“«]?$/.test(before);
    const date = isDefined
      ? days.findLast(({ start, end }) => start >= index - 40 && end <= index)
      : days.find(({ start, end }) => start >= index && end <= index + 100);
    if (date !== undefined) return date.iso;
  }
  return undefined;
}

/** "At September 27, 2025 our leverage ratio was 1.9 to 1.0": the only day that a sentence states a figure for. */
export function statedDate(text: string, order: Document['dateOrder']): string | undefined {
  const days = findDates(text, undefined, order).filter(
    ({ iso, start }) => iso.length === 10 && dayCue.test(text.slice(Math.max(0, start - 16), start)),
  );
  const [only, ...others] = new Set(days.map(({ iso }) => iso));
  return others.length === 0 ? only : undefined;
}

const dayCue = /(?<!\p{L}|dated |until |up )(?:as (?:at|of)|at|zum|per|am|au|al|op|em|den) $/iu;
