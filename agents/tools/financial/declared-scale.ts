/** The unit that a document declares for all its amounts, those in sentences included. */
import { readUnitNote } from './units.ts';

/**
 * "All amounts are in thousands of dollars unless otherwise stated": powers of ten of amounts without a multiplier; 0 if the document
 * declares none. A unit that is only declared for tables says nothing about sentences.
 */
export function declaredZeros(text: string): number {
  const shown = text.slice(0, charactersMax);
  for (const { index, 0: all } of shown.matchAll(exception)) {
    const before = shown.slice(Math.max(0, index - reach), index);
    const after = shown.slice(index, index + all.length + reach);
    const sentence = `${before.slice(lastEnd(before))} ${after.slice(0, firstEnd(after))}`.replace(/\s+/g, ' ');
    const zeros = readUnitNote(sentence.replace(perShare, ' '))?.zeros ?? 0;
    if (zeros > 0 && !tablesOnly.test(sentence)) return zeros;
  }
  return 0;
}

const charactersMax = 60_000;
const reach = 260;

const exception =
  /(?<!\p{L})(?:unless (?:otherwise|noted|stated)|(?:sofern|soweit|wenn) nicht anders|sauf (?:indication|mention) contraire|salvo (?:indicaci[óo]n|que se indique|diversa|ove|diversamente|men[çc][ãa]o)|se non diversamente|ove non diversamente|tenzij anders|om (?:inte|ej) annat|medmindre andet|hvis ikke annet|o ile nie)/giu;
const perShare = /(?<!\p{L})(?:except|other than|sauf|au[ßs]er)[^,;.]{0,60}per[- ]share[^,;.]{0,30}/giu;
const tablesOnly = /(?<!\p{L})(?:tabular|tables?|tabellen?|tableaux?|tablas?|tabelle|tabeller|statistics)(?!\p{L})/iu;

function lastEnd(text: string): number {
  return Math.max(
    0,
    ...[...text.matchAll(/[.!?]\s+(?=\p{Lu})|\n\s*\n/gu)].map(({ index, 0: all }) => index + all.length),
  );
}

function firstEnd(text: string): number {
  return /[.!?)](?:\s|$)|\n\s*\n/u.exec(text)?.index ?? text.length;
}
