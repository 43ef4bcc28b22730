/** The date of a letter, a memo or a notice, and the days that a document names: "the date of opening". */
import type { FoundDate } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { LawText } from './read-law.ts';

const label =
  /^(?:date|datum|fecha|data|dato|dnia|dne|bruxelles|brussels|brüssel|brussel|bruselas|luxembourg|luxemburg|den haag|berlin|paris|madrid|roma|wien|warszawa|praha)(?: ?:|,|\t| )/iu;
const saysToday =
  /(?<![A-Za-zÀ-ž])(?:today(?:'s date)?|heute(?:, am)?|aujourd'hui|hoy|oggi|vandaag|dziś|dnes)[ ,(]{1,3}(?:the |dem |le |el |il |op )?$/iu;

/** What "today" is: a day called so, the date in the head of the document, or alone in a line there. ISO. */
export function documentDate({ flat, dates }: Pick<LawText, 'flat' | 'dates'>): string | undefined {
  const called = statedToday({ flat, dates });
  if (called !== undefined) return called;
  for (const block of flat.blocks.slice(0, 14)) {
    const [first, ...others] = allWithin(dates, block);
    if (first === undefined || others.length > 0) continue;
    const rest = `${flat.text.slice(block.start, first.start)}${flat.text.slice(first.end, block.end)}`;
    const place = /(?:^| )\p{Lu}[A-Za-zÀ-ž-]{2,20}, (?:the |den |le |li |il |el |a |dnia |dne )?$/u;
    if (place.test(flat.text.slice(block.start, first.start))) return first.iso;
    if (rest.trim().length < 24 || label.test(flat.text.slice(block.start, block.start + 30))) return first.iso;
  }
  return undefined;
}

/** The day that the document itself calls today: "today (9 April 2027)". */
export function statedToday({ flat, dates }: Pick<LawText, 'flat' | 'dates'>): string | undefined {
  return dates.find(({ start }) => saysToday.test(flat.text.slice(Math.max(0, start - 24), start)))?.iso;
}

const nameShape =
  /(?:date|fecha|data|datum|dzień|den) (?:of (?:the )?|de (?:la |l'|las? )?|del(?:la|l')? ?|du |der |des |van (?:de |het )?)([A-Za-zÀ-ž]{5,24})/iu;

/** "A la fecha de apertura": the day that the document labels so, "Fecha de apertura: 11 de octubre de 2027". */
export function namedDay({ flat, dates }: Pick<LawText, 'flat' | 'dates'>, wording: string): string | undefined {
  const name = nameShape.exec(wording)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const labelled = flat.blocks
    .slice(0, 60)
    .filter(
      ({ kind, start, end }) =>
        (kind === 'field' || kind === 'row') &&
        end - start < 160 &&
        flat.text.slice(start, end).toLowerCase().includes(name),
    );
  const days = labelled.flatMap((block): FoundDate[] => allWithin(dates, block));
  return days.length === 1 ? days[0]!.iso : undefined;
}
