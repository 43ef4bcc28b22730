/** The day on which something was measured or taken: of a heading or a caption over it, of the arrival, or of the only visit. */
import type { Document } from '../../document/document.ts';
import { oncePer } from '../text/once-per.ts';
import { rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { entryDay } from './journal.ts';
import { sectionAt } from './sections.ts';
import { shortDayIn } from './short-days.ts';

/** Headings of the findings of one examination. */
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
  return onlyOne(found);
}

const stays: readonly (readonly [shape: RegExp, label: RegExp])[] = [
  [
    /(?<!\p{L})(?:triage|(?:on|at) (?:admission|arrival)|admission|arrival|bei (?:aufnahme|ankunft)|aufnahme\p{L}*|à l['’](?:entrée|admission|arrivée|accueil)|al ingreso|a su llegada|all['’](?:ingresso|arrivo|accesso)|al triage|bij (?:opname|binnenkomst)|przy przyjęciu|vid (?:ankomst|inskrivning)|ved (?:ankomst|indlæggelse|innkomst)|à (?:entrada|admissão|chegada))(?!\p{L})/iu,
    /(?<!\p{L})(?:admit(?:ted)?(?: on| date)?|admission(?: date)?|date of admission|arriv(?:al|ed)(?: date)?|aufnahme(?:datum|tag)?|aufgenommen am|stationär (?:vom|von)|aufenthalt (?:vom|von)|date d['’](?:entrée|admission)|(?:entrée|arrivée)(?: le)?(?= ?:)|(?:date de )?l['’]?entrée le|admise? le|hospitalisée? du|fecha de ingreso|ingreso|fecha de llegada|data (?:di )?(?:ricovero|ingresso|accesso)|ricovero|accesso|data ingresso|opname(?:datum)?|opgenomen (?:van|op)|data przyjęcia|przyjęt[ay]|data de (?:internamento|admissão|entrada)|vårdtid|inskriven|inskrivningsdatum|inskrivning|ankomst|indlagt|indlæggelsesdato|innlagt|innleggelsesdato)(?!\p{L})[^\p{L}\d]{0,12}/giu,
  ],
  [
    /(?<!\p{L})(?:(?:on|at) discharge|bei entlassung|entlassbefund|à la sortie|al alta|alla dimissione|bij ontslag|przy wypisie|vid utskrivning|ved udskrivelse|à alta|na alta)(?!\p{L})/iu,
    /(?<!\p{L})(?:discharged(?: on)?|discharge(?: date)?|date of discharge|entlassung(?:sdatum|stag)?|entlassen am|date de sortie|sortie le|sortie(?= ?:)|fecha de alta|data (?:di )?dimissione|dimesso il|dimessa il|ontslag(?:datum)?|data wypisu|data de alta|utskriven|utskrivningsdatum|udskrevet|udskrivelsesdato|utskrevet)(?!\p{L})[^\p{L}\d]{0,12}/giu,
  ],
];

/** "Parametri al triage" on the day of the arrival, "Befund bei Entlassung" on that of the discharge, if the record states one. */
export function dayOfStay(document: Document, words: string): string | undefined {
  const label = stays.find(([shape]) => shape.test(words))?.[1];
  if (label === undefined) return undefined;
  return onlyOne(daysAfter(document, label, headMax));
}

/** The beginning of a record states when the patient came and left. */
const headMax = 3_000;

/** The day of the heading, the caption, the entry of a journal or the only visit to which a reading at a position belongs. */
export function dayOfReading(document: Document, at: number): string | undefined {
  return dayOver(document, at) ?? entryDay(document, at) ?? visitDay(document);
}

/** The day on which a record of one visit, examination or intervention was made. */
export const visitDay = oncePer(findVisitDay);

/** "Visit: 10/14/2024" at the beginning of a note, its only day with a time, or the day after the label of a date alone. */
function findVisitDay(document: Document): string | undefined {
  const labelled = daysAfter(document, visitLabel, 1_200);
  if (labelled.length > 0) return onlyOne(labelled);
  const timed = [
    ...document.text
      .slice(0, 600)
      .matchAll(
        /([^\d\n\t]{0,24})(?<![\d/.-])(\d[\d/.-]{6,9})(?:,? {1,4}|\t)(?:kl\.? |um |at )?\d{1,2}[:.]\d\d(?!\d)/giu,
      ),
  ].filter(([, before]) => !birthLabel.test(before!));
  const [only] = timed;
  if (timed.length === 1 && !aboutPaper.test(only![1]!)) {
    const day = dayIn(document, only![2]!);
    // Messages and entries of several days have each their own.
    return entryDays(document).some((other) => other !== day) ? undefined : day;
  }
  if (timed.length > 1 || daysAfter(document, stays[0]![1], headMax).length > 0) return undefined;
  const plain = onlyOne(daysAfter(document, dateLabel, 600));
  return entryDays(document).some((other) => other !== plain) ? undefined : plain;
}

const visitLabel =
  /(?<!\p{L})(?:visit(?: date)?|date of (?:visit|service|encounter|(?:the )?examination|attendance|case|call|incident|procedure|operation|surgery|assessment|study|session|treatment)|(?:encounter|procedure|operation|surgery|exam(?:ination)?|study|session|assessment|treatment|incident|service|appointment) date|dos|seen on|(?:telephone )?encounter|clinic(?: date)?|date of (?:clinic|review|consult(?:ation)?)|review date|date seen|untersuchung (?:vom|am)|untersuchungs(?:datum|tag)|(?:operations?|eingriffs|op|behandlungs|einsatz|konsultations|besuchs|termin)-?(?:datum|tag)|op-tag|einsatz(?: am| vom)?|vorstellung (?:am|vom)|vorgestellt am|konsultation (?:vom|am)|date (?:de (?:la |l['’])?|d['’])(?:consultation|visite|examen|intervention|acte|séance|opération)|(?:consultation|examen|visite|intervention|séance) du|vue? en consultation le|fecha (?:de (?:la |el )?|del )(?:consulta|visita|exploración|estudio|intervención|procedimiento|atención|prueba|examen)|data (?:della |dell['’]|di )?(?:visita|esame|intervento|procedura|prestazione|seduta|accertamento)|visita del|data (?:da |do )?(?:consulta|exame|procedimento|cirurgia|atendimento|visita)|datum (?:van )?(?:consult|onderzoek|ingreep|operatie|bezoek|afspraak|visite)|(?:consult|operatie|onderzoeks|ingreep|bezoek)datum|data (?:wizyty|badania|zabiegu|operacji|konsultacji)|besöks?(?:datum)?|(?:operations|undersöknings|undersøgelses|konsultations|uppdrags)(?:datum|dato)|uppdrag|besøgsdato|datum (?:vyšetření|kontroly|výkonu|návštěvy))[ :\t.]{1,10}(?=\d|\p{L}{3,10},? \d)/giu;
/** "Date: 14 Jul 2026" alone in its line or cell. */
const dateLabel =
  /(?<=^|\n|\t| {3})(?:date|datum|fecha|data|dato|dag|dzień|tag)(?: and time| ?\/ ?(?:time|uhrzeit|heure|hora|ora|tijd))?[ ]?[:.][ \t]{0,8}(?=\d|\p{L}{3,10},? \d)/giu;
const birthLabel = /(?<!\p{L})(?:dob|d\.o\.b|born|birth|geb|né|née|nac|nat[oa]|nasc|født|född|ur\.?)(?!\p{L})/iu;

/** The days directly after a label at the beginning of a record. */
function daysAfter(document: Document, label: RegExp, max: number): string[] {
  const head = document.text.slice(0, max);
  return [...head.matchAll(label)].flatMap((match) => {
    const at = match.index + match[0].length;
    const after = head.slice(at, at + 24);
    const written = after.match(dayShape)?.[0];
    return written === undefined || !after.startsWith(written) ? [] : (dayIn(document, written) ?? []);
  });
}

const onlyOne = (days: readonly string[]): string | undefined => (new Set(days).size === 1 ? days[0] : undefined);

/** A day at the beginning of a statement or after a word, before a time or a colon: "Labs 03/04 05:30: Na 138". */
const leadShape =
  /(?<![\d./-])\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?![\d./-]\d)|(?<=^|\n|[(.;,:] ?|\p{L} |\t)(?:\d{1,2}\/\d{1,2}(?=,? \d{1,2}[:.h]\d\d|h?:(?!\d))|\d{1,2}\.\d{1,2}\.(?=,? \d{1,2}[:.h]\d\d|:(?!\d)|\s))(?![\d./-]\d)/gu;

/** The days that a part of a text names, in its order. */
export function daysIn(document: Document, { start, end }: Range): { at: number; day: string }[] {
  return [...document.text.slice(start, end).matchAll(leadShape)].flatMap((match) => {
    const day = dayOfCell(document, match[0]);
    return day === undefined ? [] : [{ at: start + match.index, day }];
  });
}

/** "21:40", "23h10" in the record of a stay of less than a day: the day of the arrival, or the next one. */
export function dayOfClock(document: Document, text: string): string | undefined {
  const clock = minutesIn(text);
  if (clock === undefined) return undefined;
  const head = document.text.slice(0, headMax);
  const arrivals = [...head.matchAll(stays[0]![1])].flatMap((match) => {
    const after = head.slice(match.index + match[0].length, match.index + match[0].length + 40).split('\n', 1)[0]!;
    const written = after.match(dayShape)?.[0];
    const day = written === undefined || !after.startsWith(written) ? undefined : dayIn(document, written);
    const minutes = written === undefined ? undefined : minutesIn(after.slice(written.length));
    return day === undefined || minutes === undefined ? [] : [{ day, minutes }];
  });
  const [arrival] = arrivals;
  if (arrival === undefined || onlyOne(arrivals.map(({ day }) => day)) === undefined) return visitDay(document);
  const left = onlyOne(daysAfter(document, stays[1]![1], headMax));
  const next = new Date(Date.parse(arrival.day) + dayMs).toISOString().slice(0, 10);
  if (left !== undefined && left > next) return undefined;
  return clock >= arrival.minutes ? arrival.day : left === arrival.day ? undefined : next;
}

const dayMs = 86_400_000;

function minutesIn(text: string): number | undefined {
  const match = /(?<!\d)(\d{1,2})(?:[:.h](\d\d)|(?= ?h\b))(?!\d)/iu.exec(text);
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2] ?? 0);
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
