/** The day on which something was measured or taken: of a heading or a caption over it, of the arrival, or of the only visit. */
import type { Document } from '../../document/document.ts';
import { rangeAt } from '../text/ranges.ts';
import { dayIn } from './clinical-dates.ts';
import { sectionAt } from './sections.ts';
import { shortDayIn } from './short-days.ts';

/** Headings under which a clinician notes what was found at one time. */
const finding =
  /(?<!\p{L})(?:exam\p{L}*|o\/e|findings?|triage|arrival|assessment|status|befund\p{L}*|untersuchung\p{L}*|examen\p{L}*|exploraci[óo]n|esame|obiettivo|onderzoek|badanie|badania|undersøgelse|undersökning|objektivt|exame|constantes|signos|param\p{L}+|vital\p{L}*|obs\p{L}*|messwerte|kontroller)(?!\p{L})/iu;

const dayShape =
  /(?<![\d./-])(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? (?:de )?\p{L}{3,10}\.?,? (?:de )?\d{4}|\p{L}{3,9} \d{1,2},? \d{4}|\d{1,2}[./]\d{1,2}\.?(?![\d/]))(?![\d./-]\d)/gu;

/** The day that a cell or a title names, with its year or near a day of the record. */
export function dayOfCell(document: Document, text: string): string | undefined {
  return dayIn(document, text) ?? shortDayIn(document, text);
}

/** The day of the heading of the section around a position, or of the line above its table. */
export function dayOver(document: Document, at: number): string | undefined {
  const table = rangeAt(document.tables, at);
  return (table === undefined ? undefined : dayOfCaption(document, table.start)) ?? dayOfHeading(document, at);
}

function dayOfHeading(document: Document, at: number): string | undefined {
  const section = sectionAt(document, at);
  const isFinding = section.kind === 'vitals' || section.kind === 'laboratory' || finding.test(section.title);
  if (!isFinding || section.kind === 'past' || section.kind === 'plan') return undefined;
  const { text } = document;
  const from = section.start + (/^\s*/.exec(text.slice(section.start, section.start + 40))?.[0].length ?? 0);
  const lineEnd = text.indexOf('\n', from);
  const titleEnd = from + section.title.length + 24;
  const heading = text.slice(from, Math.min(at, lineEnd === -1 ? titleEnd : Math.min(lineEnd, titleEnd)));
  return onlyDay(document, heading) ?? dayOfStay(document, section.title);
}

function dayOfCaption(document: Document, tableStart: number): string | undefined {
  const above = document.text.slice(Math.max(0, tableStart - 160), tableStart).trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1);
  // A sentence above a table is no caption.
  if (line.length > 90 || /[.;]$/.test(line) || line.includes('\t')) return undefined;
  return onlyDay(document, line) ?? dayOfStay(document, line);
}

/** @returns undefined if the words name no day, or several */
function onlyDay(document: Document, words: string): string | undefined {
  const found = [...words.matchAll(dayShape)].flatMap(
    ([written]) => dayIn(document, written) ?? shortDayIn(document, written) ?? [],
  );
  return new Set(found).size === 1 ? found[0] : undefined;
}

const stays: readonly (readonly [shape: RegExp, label: RegExp])[] = [
  [
    /(?<!\p{L})(?:triage|(?:on|at) (?:admission|arrival)|admission|arrival|bei (?:aufnahme|ankunft)|aufnahme\p{L}*|à l['’](?:entrée|admission|arrivée|accueil)|al ingreso|a su llegada|all['’](?:ingresso|arrivo|accesso)|al triage|bij (?:opname|binnenkomst)|przy przyjęciu|vid (?:ankomst|inskrivning)|ved (?:ankomst|indlæggelse|innkomst)|à (?:entrada|admissão|chegada))(?!\p{L})/iu,
    /(?<!\p{L})(?:admitted(?: on)?|admission(?: date)?|date of admission|arriv(?:al|ed)(?: date)?|aufnahme(?:datum|tag)?|aufgenommen am|stationär (?:vom|von)|aufenthalt (?:vom|von)|date d['’](?:entrée|admission)|(?:date de )?l['’]?entrée le|admise? le|hospitalisée? du|fecha de ingreso|ingreso|fecha de llegada|data (?:di )?(?:ricovero|ingresso|accesso)|ricovero|accesso|data ingresso|opname(?:datum)?|opgenomen (?:van|op)|data przyjęcia|przyjęt[ay]|data de (?:internamento|admissão|entrada)|vårdtid|inskriven|inskrivningsdatum|inskrivning|ankomst|indlagt|indlæggelsesdato|innlagt|innleggelsesdato)(?!\p{L})[^\p{L}\d]{0,12}/giu,
  ],
  [
    /(?<!\p{L})(?:(?:on|at) discharge|bei entlassung|entlassbefund|à la sortie|al alta|alla dimissione|bij ontslag|przy wypisie|vid utskrivning|ved udskrivelse|à alta|na alta)(?!\p{L})/iu,
    /(?<!\p{L})(?:discharged(?: on)?|discharge(?: date)?|date of discharge|entlassung(?:sdatum|stag)?|entlassen am|date de sortie|sortie le|fecha de alta|data (?:di )?dimissione|dimesso il|dimessa il|ontslag(?:datum)?|data wypisu|data de alta|utskriven|utskrivningsdatum|udskrevet|udskrivelsesdato|utskrevet)(?!\p{L})[^\p{L}\d]{0,12}/giu,
  ],
];

/** "Parametri al triage" on the day of the arrival, "Befund bei Entlassung" on that of the discharge, if the record states one. */
export function dayOfStay(document: Document, words: string): string | undefined {
  const label = stays.find(([shape]) => shape.test(words))?.[1];
  if (label === undefined) return undefined;
  const head = document.text.slice(0, headMax);
  const found = [...head.matchAll(label)].flatMap((match) => {
    const after = head.slice(match.index + match[0].length, match.index + match[0].length + 18);
    const written = after.match(dayShape)?.[0];
    return written === undefined || !after.startsWith(written) ? [] : (dayIn(document, written) ?? []);
  });
  return new Set(found).size === 1 ? found[0] : undefined;
}

/** The beginning of a record states when the patient came and left. */
const headMax = 3_000;

/** "Visit: 10/14/2024" at the beginning of a note, or its only day with a time: "9/23/2025 1:40 PM". */
export function visitDay(document: Document): string | undefined {
  const labelled = [
    ...document.text
      .slice(0, 1_200)
      .matchAll(
        /(?<!\p{L})(?:visit(?: date)?|date of (?:visit|service|encounter|examination|attendance|case|call|incident)|encounter(?: date)?|dos|seen on|clinic(?: date)?|date of (?:clinic|review|consult(?:ation)?)|review date|date seen|untersuchung vom|untersuchungsdatum|vorstellung am|vorgestellt am|date de (?:la )?(?:consultation|visite)|consultation du|fecha de (?:la )?(?:consulta|visita)|data (?:della )?visita|data da consulta|datum consult|consultdatum|data wizyty|besöksdatum|besök|besøgsdato|konsultationsdatum|datum (?:vyšetření|kontroly))[ :\t]{1,10}([^\n\t]{6,20})/giu,
      ),
  ];
  const days = labelled.flatMap((match) => dayIn(document, match[1]!) ?? []);
  if (days.length > 0) return days.length === 1 ? days[0] : undefined;
  const timed = [
    ...document.text.slice(0, 600).matchAll(/([^\d\n\t]{0,24})(?<![\d/.-])(\d[\d/.-]{6,9}),?[ ]\d{1,2}:\d\d(?!\d)/gu),
  ];
  const [only] = timed;
  if (timed.length !== 1 || aboutPaper.test(only![1]!)) return undefined;
  const day = dayIn(document, only![2]!);
  // Messages and entries of several days have each their own.
  return entryDays(document).some((other) => other !== day) ? undefined : day;
}

/** Days with a time at the beginning of a line or after the label of a message: "Sent: 04/20/2026 10:31 PM". */
function entryDays(document: Document): (string | undefined)[] {
  return [
    ...document.text.matchAll(
      /(?<=^|\n|\t)[ ]{0,8}(?:(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|wysłano)[ ]?:[ ]{0,3})?(?:(?:on|am|le) )?(\d[\d/.-]{6,9}),?[ ]{1,2}\d{1,2}:\d\d(?!\d)/giu,
    ),
  ].map((match) => dayIn(document, match[1]!));
}

const aboutPaper =
  /(?<!\p{L})(?:print|sent|uitdraai|stampa|wydruk|faxed|scan|receiv|report|signed|dictat|transcri|export|admi|discharge|entr|alta|druck|geb|dob|birth|impr|stamp)/iu;
