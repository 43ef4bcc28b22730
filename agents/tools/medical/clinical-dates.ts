/** Dates of clinical documents, including `31.01.25`, `06/2018` and years alone, in the record's order of day and month. */
import type { Document } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import { type DateOrder, type FoundDate, findDates, isCalendarDay, isoDate, monthNumbers } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import { hasMatch } from './clinical-status.ts';
import { tokenDates, tokensIn, withoutTokens } from './deidentified.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import { otherPeople, relative, relativeReports } from './status-cues.ts';

const known = new WeakMap<Document, readonly FoundDate[]>();

/** In the order of the text, without overlaps. */
export function clinicalDates(document: Document): readonly FoundDate[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const order = orderOf(document);
  const full = document.dateOrder === undefined ? findDates(document.text, document.words, order) : document.dates;
  const tokens = tokensIn(document.text);
  const outside = [...full, ...shortDates(document.text), ...years(document.text)].filter(
    ({ start }) => start >= (tokens[indexAt(tokens, start) ?? -1]?.end ?? 0),
  );
  const all = [...outside, ...tokenDates(document.text, tokens)].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const dates: FoundDate[] = [];
  for (const date of all) if (date.start >= (dates.at(-1)?.end ?? 0)) dates.push(date);
  known.set(document, dates);
  return dates;
}

/** Words of records in the United States, by spelling, units, professions and names of services. */
const american =
  /(?<!\p{L})(?:MRN|MD|D\.O\.|PA-C|NP|RN|lbs?|pounds|ounces|°F|hemoglobin|anemia|edema|diarrhea|dyspnea|hematuria|hemorrhage|leukocytes|pediatric\p{L}*|esophag\p{L}*|tumor|color|center|labor|estrogen|fetal|orthopedic\p{L}*|gynecolog\p{L}*|anesthesia|hospitalist|insurance|Medicare|Medicaid|ER|ED|PCP|HPI|ROS|acetaminophen|Tylenol|albuterol|Caucasian|African-American|p\.o\.|b\.i\.d\.|t\.i\.d\.|q\.d\.|CBC|BMP|CMP|K\/uL|feet|inches|RTC|HTN)(?!\p{L})/gu;
/** Words of records that write the day first: British spelling and services, and function words of other languages. */
const european =
  /(?<!\p{L})(?:NHS|A&E|haemoglobin|anaemia|oedema|diarrhoea|dyspnoea|haem\p{L}+|paediatric\p{L}*|oesophag\p{L}*|tumour|colour|centre|labour|oestrogen|foetal|orthopaedic\p{L}*|gynaecolog\p{L}*|anaesthe\p{L}*|paracetamol|salbutamol|GP|Consultant|Registrar|Ward|und|der|die|mit|von|Herr|Frau|con|por|avec|dans|de|en|née?|le|les|des|Madame|Monsieur|pacient\p{L}*|paciente|del|los|las|para|della|alla|paziente|van|het|een|patiënt|mmol\/[lL]|umol\/L|µmol\/L|TTO|FBC|U&Es?|NEWS2|theatre|QDS|TDS|Datix|mobilised|oedematous|micrograms|SHO|Yours sincerely|physio|jest|pacjent\p{L}*|och|med|inte|patienten|ikke|ja|ei|não|uma|della|nella|sin|según|niega|tórax|senza|dal|nel|torace|nega|avec|sans|douleur|für|bei|kein|keine|nach|ohne|voor|bij|geen|met|bez|przy|oraz|sem|utan|uden|till|af|på|ved)(?!\p{L})/gu;

const orders = new WeakMap<Document, { readonly order: DateOrder | undefined }>();

/**
 * Order of day and month as the document determines it; else by the country that its words and units suggest, which is not
 * certain.
 */
export function orderOf(document: Document): DateOrder | undefined {
  if (document.dateOrder !== undefined) return document.dateOrder;
  const read = orders.get(document);
  if (read !== undefined) return read.order;
  const text = document.text.slice(0, 20_000);
  // No country that writes a decimal comma writes the month first.
  const comma = document.decimalMark === ',' ? 3 : 0;
  const balance = [...text.matchAll(american)].length - [...text.matchAll(european)].length - comma;
  const order = Math.abs(balance) < 3 ? orderOfChart(text) : { dayFirst: balance < 0, sure: false };
  orders.set(document, { order });
  return order;
}

/** In a chart of times the part of the date that changes from day to day is the day. */
function orderOfChart(text: string): DateOrder | undefined {
  const found = [...text.matchAll(/(?<![\d./])(\d{1,2})[./](\d{1,2})[./]\d{4}[ T\t,;]{1,3}\d{1,2}:\d\d/g)];
  const [first, second] = [1, 2].map((part) => new Set(found.map((match) => match[part])).size);
  if (found.length < 4 || (first! > 1 && second! > 1) || (first === 1 && second === 1)) return undefined;
  return { dayFirst: first! > 1, sure: false };
}

/** The day that a cell or a heading names. */
export function dayIn(document: Document, text: string): string | undefined {
  if (text.length > 60 || !/\d[./, -]/.test(text)) return undefined;
  const order = orderOf(document);
  // Where nothing in the record tells day from month, an ambiguous day is none.
  const found = findDates(text, undefined, order).find(
    ({ iso, ambiguous }) => iso.length === 10 && (!ambiguous || order !== undefined),
  );
  return found?.iso ?? shortDates(text).find(({ iso }) => iso.length === 10)?.iso;
}

/**
 * "19/02", "23/02" as headings of columns, by their text: days of the year in which the document dates one of them in full.
 * Without such a date, and in an order that is not certain, none.
 */
export function shortDaysOf(document: Document, table: Table): ReadonlyMap<string, string> {
  const titles = table.columns.flatMap(({ headerCells }) => headerCells.map(({ text }) => text.trim()));
  const parts = titles.flatMap((title) => {
    const match = /^(\d{1,2})[./](\d{1,2})\.?$/.exec(title);
    return match === null ? [] : [{ title, one: Number(match[1]), other: Number(match[2]) }];
  });
  const order = orderOf(document);
  if (parts.length < 2 || order === undefined) return new Map();
  const days = parts.map(({ title, one, other }) => ({
    title,
    day: order.dayFirst ? one : other,
    month: order.dayFirst ? other : one,
  }));
  const ends = new Set(days.map(({ day, month }) => isoDate(2000, month, day).slice(5)));
  const years = new Set(
    clinicalDates(document).flatMap(({ iso }) =>
      iso.length === 10 && ends.has(iso.slice(5)) ? [iso.slice(0, 4)] : [],
    ),
  );
  if (years.size !== 1) return new Map();
  const year = Number([...years][0]);
  return new Map(
    days.flatMap(({ title, day, month }) =>
      isCalendarDay(year, month, day) ? [[title, isoDate(year, month, day)]] : [],
    ),
  );
}

/** "31.01.25" and "06/2018". */
function shortDates(text: string): FoundDate[] {
  const days = [...text.matchAll(/(?<![\d.,/])(\d{1,2})\.(\d{1,2})\.(\d{2})(?![\d.])/g)].flatMap(
    (match): FoundDate[] => {
      const year = yearOf(match[3]!);
      const [day, month] = [Number(match[1]), Number(match[2])];
      return isCalendarDay(year, month, day)
        ? [{ iso: isoDate(year, month, day), ambiguous: false, start: match.index, end: match.index + match[0].length }]
        : [];
    },
  );
  const months = [...text.matchAll(/(?<![\d.,/-])(0?[1-9]|1[0-2])[/.]((?:19|20)\d\d)(?!\d|[./]\d)/g)].map((match) => ({
    iso: isoDate(Number(match[2]), Number(match[1])),
    ambiguous: false,
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...days, ...months, ...namedMonths(text)];
}

/** "En enero de 2004": between the month and the year is a preposition. */
function namedMonths(text: string): FoundDate[] {
  return [
    ...text.matchAll(/(?<![\p{L}\d]|\d (?:de )?)(\p{L}{3,10})\s(?:de|del|di|dell’anno)\s((?:19|20)\d\d)(?!\d)/giu),
  ].flatMap((match): FoundDate[] => {
    const month = monthNumbers.get(match[1]!.toLowerCase());
    return month === undefined
      ? []
      : [
          {
            iso: isoDate(Number(match[2]), month),
            ambiguous: false,
            start: match.index,
            end: match.index + match[0].length,
          },
        ];
  });
}

const yearOf = (digits: string): number => (Number(digits) < 70 ? 2000 : 1900) + Number(digits);

/** A year alone, as opposed to a quantity, a form number or a part of an address. */
function years(text: string): FoundDate[] {
  return [...text.matchAll(yearShape)].map((match) => ({
    iso: match[0],
    ambiguous: false,
    start: match.index,
    end: match.index + 4,
  }));
}

/** "… in 2009", "Hinterwandinfarkt 2014", "(2019)": after a word, without a unit after it. */
const yearShape =
  /(?<=[\p{L}.,)][ \u00a0\t]{1,3}|\(|\p{L}\n[ ]{0,12}|\t)(?:19[2-9]|20[0-4])\d(?![\d/:%]|[.,-]\d|[ \u00a0]?(?:mg|ml|g|kg|units?|IU|IE|kcal|mcg|µg|steps|m|cm|h|hrs?|mL|cc|x|mm|U|ng|pg)(?!\p{L}))/gu;

const administrative =
  /(?:^|[\s(])[*](?=\s?$)|(?<!\p{L})(?:dob|f\.? ?(?:de )?(?:nac(?:imiento)?|nasc(?:imento)?)\.?|d\.? ?nasc\.?|data nasc\.?|d\.o\.b\.?|birth|born|geb\.?|geboren|geburtsdatum|n[ée]e?s? le|date de naissance|nar\.?|narozen\p{L}{0,2}|nat[oa](?: il)?|data di nascita|nacid[oa](?: el)?|fecha de nacimiento|f\. ?nac\.?|nascid[oa](?: em)?|data de nascimento|född|födelsedatum|født|fødselsdato|ur\.|urodzon[ya]|data urodzenia|geboortedatum|gebdat\.?|typed|dictated|transcribed|signed|printed|print|faxed|fax|exported|export|letter date|date of letter|report date|date of report|reported|received|generated|scanned|addendum|druck|stampa|afgedrukt|uitdraai|wydrukowano|(?:protocol(?:l|lo)?|formulier|formular) v|impreso|druk|wydruk|stampato|rozporządzeni\p{L}|mod\.|modello|ordinance|filed|version|rev|revised|revision|form|template|copyright|exp|expir\p{L}{0,4}|lot|submitted|accepted|published|licen[cs]e|valid\p{L}{0,3}|page|tel|phone|approved|authori[sz]ed|verified|validated|created|erstellt|gedruckt|druckdatum|diktiert|unterzeichnet|freigegeben|signiert|signerat?|signerad|underskrevet|firmato|firmat[oa]|firmad[oa]|assinad[oa]|podpisan[oya]|ondertekend|getekend|dikterat|dikteret|dettat[oa]|impresso|emitido|utskrivet|validé|édité|imprimé|dicté|signé|tisk|policy|guidelines?|accession|invoice)(?!\p{L})[^\p{L}]{0,8}(?:(?:on|at|am|vom|le|date|du|by|and|uhr|electronically|[\p{L}.]{1,14},?)\s?[^\p{L}]{0,6}){0,3}$/iu;

/** "Completed by: [**Last Name 2011**] MD [**2573-7-1**]", "signed electronically by Dr. N. N. on FRI …". */
function isOfSignature(text: string, at: number): boolean {
  const before = withoutTokens(text.slice(Math.max(0, at - 300), at)).replace(/(?<!\p{L})\p{L}{1,4}\./gu, '');
  return /(?<!\p{L})(?:completed|signed|dictated|transcribed)(?: electronically)? by:?[^.;]{0,60}$/iu.test(before);
}

/** "AJCC 2017", "ESC guideline 2023": the edition of a classification. */
const edition =
  /(?<!\p{L})(?:AJCC|UICC|FIGO|WHO|ESC|AHA|ACC|NICE|GOLD|GINA|KDIGO|DSM|ICD|OPS|TNM)(?:[ -](?:\p{L}{2,14}|\d{1,2}))?[^\p{L}\d]{1,3}$/u;

/** Whether a date is one of a past or planned event of the patient: births, prints, signatures and relatives' dates are not. */
export function isEventDate(document: Document, date: FoundDate): boolean {
  const { text } = document;
  const lineStart = Math.max(text.lastIndexOf('\n', date.start - 1) + 1, date.start - 90);
  const before = text.slice(lineStart, date.start);
  // "Date of birth:" in a cell of its own is the label of the next one.
  const labelled = before.replace(/:\t(?=[^\t]*$)/, ': ');
  const cell = labelled.slice(Math.max(labelled.lastIndexOf('\t'), labelled.search(/ {3,}\S[^\t]*$/)) + 1);
  if (date.iso.length === 4 && edition.test(cell)) return false;
  // "Utskriven 2026-05-19 16:20" is printed; a patient is discharged on a day.
  const isPrinted =
    /(?<!\p{L})(?:utskriven|udskrevet|utskrevet)[ :]{1,3}$/iu.test(cell) &&
    /^ \d\d[:.]\d\d/.test(text.slice(date.end, date.end + 6));
  if (
    isPrinted ||
    administrative.test(cell) ||
    isUnderPaperLabel(text, lineStart, date.start) ||
    isOfSignature(text, date.start) ||
    placeBefore.test(before.trimStart()) ||
    placeBefore.test(cell.trimStart())
  )
    return false;
  if (/(?<!\*)\[\d{0,2}$/.test(before) || /^\s?\[\d/.test(text.slice(date.end, date.end + 4))) return false;
  const section = sectionAt(document, date.start).kind;
  if (section === 'family' || section === 'limits' || section === 'literature') return false;
  const statement = statementAt(document, date.start);
  const words = text.slice(Math.max(statement.start, date.start - 160), date.start);
  if (otherPeople.test(words)) return false;
  // "On 24 February the wife reported that she had fallen".
  const next = /^[ ,]{1,2}(?:(?:the|his|her|their|la|il|el|su|sua|seine?|ihre?|sa|son|de|zijn|haar) )?(\p{L}+)/iu.exec(
    text.slice(date.end, date.end + 30),
  );
  if (
    next !== null &&
    hasMatch(relative, next[1]!) &&
    !relativeReports.test(text.slice(date.end + next[0].length, date.end + 90))
  )
    return false;
  // A rule over the statement may be a part of it.
  const lead = /^[\s\p{P}]*/u.exec(words)![0].length;
  const [first] = words.slice(lead, lead + 30).matchAll(relative);
  return first === undefined || relativeReports.test(words.slice(lead + first.index + first[0].length));
}

/** "Münster, den 27.08.2026": where and when a letter was written. */
const placeBefore = /^\p{Lu}[\p{L} -]{2,30},\s(?:den|le|lì|li|the|dne|a|em|dnia)?\s?$/u;

/** "Typed | 11 May 2026": the cell before contains the label alone. */
function isUnderPaperLabel(text: string, lineStart: number, at: number): boolean {
  const cells = text.slice(lineStart, at).split('\t');
  const label = cells.at(-2)?.trim() ?? '';
  return cells.at(-1) === '' && label.length > 0 && label.length <= 24 && administrative.test(`${label} `);
}

const events = new WeakMap<Document, readonly FoundDate[]>();

/** Dates of events, in the order of the text, without those of which nothing in the record tells the day from the month. */
export function eventDates(document: Document): readonly FoundDate[] {
  const read = events.get(document);
  if (read !== undefined) return read;
  const dates = datesOfEvents(document).filter((date) => isDecided(document, date));
  events.set(document, dates);
  return dates;
}

/** Dates of events of which nothing in the record tells the day from the month: "04/02/2026". */
export function undecidedDates(document: Document): readonly FoundDate[] {
  return datesOfEvents(document).filter((date) => !isDecided(document, date));
}

function datesOfEvents(document: Document): FoundDate[] {
  return clinicalDates(document)
    .slice(0, eventDatesMax)
    .filter((date) => isEventDate(document, date));
}

const eventDatesMax = 4_000;

const isDecided = (document: Document, { ambiguous }: FoundDate): boolean =>
  !ambiguous || orderOf(document) !== undefined;
