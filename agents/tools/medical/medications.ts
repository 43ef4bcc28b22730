/** Reads medication lists and prose: medicine, dose, route, how often, the daily dose that follows, and whether it is taken now. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findAllergies } from './allergies.ts';
import { type DrugMention, findDrugMentions } from './drug-mentions.ts';
import type { Drug } from './drugs.ts';
import { withIntakeColumns } from './intake-columns.ts';
import { type MedicationStatus, medicationStatus } from './medication-status.ts';
import { type Dose, type Regimen, readRegimen } from './regimen.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import { rowAt } from './table-titles.ts';

export interface Medication extends Range {
  readonly drug: Drug;
  /** As the record writes it. */
  readonly written: string;
  readonly status: MedicationStatus;
  readonly dose?: Dose;
  readonly route?: string;
  /** As written. */
  readonly frequency?: string;
  readonly schedule?: string;
  readonly perDay?: number;
  readonly asNeeded: boolean;
  readonly daily?: Dose;
}

/** What belongs to a medicine is in its statement or row, before the next one, within so many characters. */
const regimenMax = 240;

/** Ordered by position in the text. */
export function findMedications(document: Document): Medication[] {
  const mentions = findDrugMentions(document);
  const allergies = findAllergies(document);
  const found: Medication[] = [];
  for (const [index, mention] of mentions.entries()) {
    const medication = inAllergy(allergies, mention)
      ? { ...plain(mention), status: 'allergy' as const, asNeeded: false }
      : readMedication(document, mentions, index);
    if (medication !== undefined) found.push(medication);
  }
  return reconciled(document, found);
}

function inAllergy(allergies: readonly Range[], { start }: Range): boolean {
  const at = indexAt(allergies, start);
  return at !== undefined && allergies[at]!.end > start;
}

const plain = ({ drug, written, start, end }: DrugMention) => ({ drug, written, start, end });

function readMedication(document: Document, mentions: readonly DrugMention[], index: number): Medication | undefined {
  const { text } = document;
  const mention = mentions[index]!;
  const { kind } = sectionAt(document, mention.start);
  if (kind === 'family' || kind === 'allergies') return undefined;
  const line = lineOf(document, mention);
  const previous = mentions[index - 1];
  if (previous !== undefined && isSameEntry(text, previous, mention)) return undefined;
  const next = nextOther(text, mentions, index);
  const end = Math.min(line.end, next ?? text.length, mention.end + regimenMax);
  const words = withoutRemarks(
    document,
    mention,
    withIntakeColumns(document, mention, text.slice(mention.end, Math.max(mention.end, end))),
  );
  const whole = withoutStrength(document, mention, words);
  const after = untilOtherProduct(whole);
  const before = text.slice(Math.max(line.start, previous?.end ?? 0, mention.start - 40), mention.start);
  const regimen = readRegimen(after, before);
  const [hasDose, hasFrequency] = [
    regimen.dose !== undefined || regimen.daily !== undefined,
    regimen.frequency !== undefined || regimen.asNeeded,
  ];
  // A further medicine of a row stands in a remark, unless it has its own regimen.
  if (isLaterInRow(text, line, mentions, index) && !hasOwnRegimen(whole)) return undefined;
  const status = medicationStatus(document, mention, {
    after: withoutRemarks(
      document,
      mention,
      restOf(text, mention, line, afterItself(text, mentions, index, line) ?? next),
    ),
    hasDose,
    hasFrequency,
    isOnce: regimen.frequency?.schedule === 'once',
  });
  if (status === undefined) return undefined;
  return medicationOf(mention, status, regimen, { document, kind });
}

interface Context {
  readonly document: Document;
  readonly kind: string;
}

function medicationOf(
  mention: DrugMention,
  status: MedicationStatus,
  regimen: Regimen,
  { document, kind }: Context,
): Medication {
  const { dose, route, frequency, asNeeded, daily, end } = regimen;
  const isRow = document.text
    .slice(Math.max(0, mention.start - 90), mention.start)
    .split('\n')
    .at(-1)!
    .includes('\t');
  // A chart that dates each line notes single doses.
  const isCharted =
    status === 'given' &&
    frequency === undefined &&
    (isRow || kind === 'given') &&
    dose !== undefined &&
    kind !== 'medication';
  return {
    ...plain(mention),
    status,
    ...(dose === undefined ? {} : { dose }),
    ...(route === undefined ? {} : { route }),
    ...(frequency === undefined ? {} : { frequency: frequency.written }),
    ...(frequency?.schedule === undefined ? {} : { schedule: frequency.schedule }),
    ...(frequency?.perDay === undefined ? {} : { perDay: frequency.perDay }),
    ...(isCharted ? { frequency: 'charted once', schedule: 'once' } : {}),
    // A rate per hour is an infusion that goes on.
    ...(dose?.unit.endsWith('/h') === true && dose.unit !== 'µg/h' ? { schedule: 'continuous' } : {}),
    asNeeded,
    ...(daily === undefined ? {} : { daily }),
    end: mention.end + end,
  };
}

const amountShape = /\d ?(?:mg|g|µg|mcg|microgram\p{L}*|units?|IU|IE|UI|ml|mmol|mEq|puffs?|drops?)(?!\p{L}|\/)/iu;

/** A row with a column of strengths and one of doses: the amount of the dose is the one that is taken. */
function withoutStrength(document: Document, { start, end }: Range, after: string): string {
  const row = rowAt(document, start);
  if (row === undefined) return after;
  const { cells, titles } = row;
  const columnOf = (shape: RegExp) => titles.findIndex((title) => shape.test(title));
  const strength = cells[columnOf(/^(?:strength|stärke|dosage fort|wirkstärke|concentration|form|formulation)/iu)];
  const dose = cells[columnOf(/^(?:dose|dosis|dosierung|dosage|single dose|einzeldosis|posologie|dosis \p{L}+)/iu)];
  if (strength === undefined || dose === undefined || strength === dose || strength.start < end) return after;
  if (!amountShape.test(dose.text)) return after;
  const from = strength.start - end;
  return after.slice(0, from) + ' '.repeat(strength.end - strength.start) + after.slice(strength.end - end);
}

const remarkTitle =
  /(?:comments?|remarks?|notes?|reason|rationale|indication|advice|bemerkung\p{L}*|anmerkung\p{L}*|kommentar|hinweis\p{L}*|begründung|indikation|remarques?|commentaires?|observations?|motif|observaci\p{L}+|comentario\p{L}*|motivo|note|commento|indicazione|opmerking\p{L}*|reden|uwagi|wskazanie|poznámk\p{L}|indikace|observaç\p{L}+)$/iu;

/** A remark of a reviewer in a column of its own names limits and other doses. */
function withoutRemarks(document: Document, { start, end }: Range, after: string): string {
  const row = rowAt(document, start);
  const column = row?.titles.findIndex((title) => remarkTitle.test(title.trim())) ?? -1;
  const cell = column <= 0 ? undefined : row!.cells[column];
  if (cell === undefined || cell.start < end || row!.titles[column] === cell.text) return after;
  const isUseful =
    takenRemark.test(cell.text) ||
    !row!.cells.some(
      (other, at) =>
        at > 0 && at !== column && other !== undefined && other.start >= end && /\d|\p{L}{3}/u.test(other.text),
    );
  if (isUseful) return after;
  const from = cell.start - end;
  return after.length <= from
    ? after
    : after.slice(0, from) + ' '.repeat(cell.end - cell.start) + after.slice(cell.end - end);
}

/** What a remark says of the medicine as a whole: that it has ended, or how often it is taken. */
const takenRemark =
  /(?<!\p{L})(?:stop\p{L}*|discontinu\p{L}*|desde|hasta|since|until|seit|bis|depuis|jusqu\p{L}*|dal|fino|según|pauta|terminad\p{L}|finaliz\p{L}+|complet\p{L}+|ended|beendet|terminé\p{L}*|concluid\p{L}|zakończ\p{L}+|ukončen\p{L}*|held|hold|paus\p{L}*|abgesetzt|absetzen|arrêt\p{L}*|suspend\p{L}*|not taking|no longer|nicht mehr|prn|as needed|bei bedarf|si besoin|daily|täglich|\d-\d-\d|x ?\d|\d ?x)(?!\p{L})/iu;

/** The statement, or the row of a table. */
function lineOf(document: Document, { start, end }: Range): Range {
  const { text } = document;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const line = {
    start: Math.max(lineStart, start - 400),
    end: Math.min(lineEnd === -1 ? text.length : lineEnd, end + 400),
  };
  const statement = statementAt(document, start);
  if (!text.slice(line.start, line.end).includes('\t'))
    return { start: statement.start, end: Math.max(statement.end, end) };
  // A cell of prose holds its statements.
  return statement.end - statement.start > 60 &&
    !/\t/.test(text.slice(statement.start, statement.end - 1)) &&
    statement.start > line.start
    ? statement
    : line;
}

/** "Donepezil (Aricept)", "Apixaban | Eliquis", "insulin glargine (Lantus)": one medicine with two names. */
function isSameEntry(text: string, previous: DrugMention, { drug, start }: DrugMention): boolean {
  return previous.drug.name === drug.name && /^[\s(\t,/=®-]{0,5}$/.test(text.slice(previous.end, start));
}

function nextOther(text: string, mentions: readonly DrugMention[], index: number): number | undefined {
  const line = text.indexOf('\n', mentions[index]!.end);
  for (let at = index + 1; at < mentions.length && at <= index + 6; at += 1) {
    const next = mentions[at]!;
    if (isSameEntry(text, mentions[at - 1]!, next)) continue;
    // In a row the regimen may stand behind the remark that names another.
    const isRow = text.slice(mentions[index]!.end, next.start).includes('\t') && (line === -1 || next.start < line);
    // A name at the beginning of a cell is an entry of its own: a list in two columns.
    const opensCell = /\t(?:\d{1,2}[.)] )?$/.test(text.slice(Math.max(0, next.start - 5), next.start));
    if (isRow && !opensCell && !hasOwnRegimen(text.slice(next.end, next.end + 40))) continue;
    return next.start;
  }
  return undefined;
}

/**
 * Where the words about a medicine end that its row names again ("Gliclazide 60 mg | Gliclazide: stop"), or that another follows
 * after "and" alone ("simvastatin and clarithromycin stopped").
 */
function afterItself(text: string, mentions: readonly DrugMention[], index: number, line: Range): number | undefined {
  const [mention, next, third] = [mentions[index]!, mentions[index + 1], mentions[index + 2]];
  if (next === undefined || next.start >= line.end) return undefined;
  const between = text.slice(mention.end, next.start);
  const isAgain = next.drug.name === mention.drug.name && between.includes('\t');
  const isPair = /^ (?:and|und|et|en|y|e|i|&|\/|\+) $/iu.test(between);
  return isAgain || isPair ? Math.min(line.end, third?.start ?? line.end) : undefined;
}

function hasOwnRegimen(after: string): boolean {
  return /^[^\t\n]{0,24}\d[\d.,]{0,6} ?(?:mg|g|µg|mcg|ml|IU|IE|U|units?|puffs?|mmol|mEq|tab|cp|-\d)(?!\p{L})|^[^\t\n]{0,16} \d-\d-\d/iu.test(
    after,
  );
}

function isLaterInRow(text: string, line: Range, mentions: readonly DrugMention[], index: number): boolean {
  const { start } = mentions[index]!;
  const own = text.slice(line.start, start);
  if (!own.includes('\t')) return false;
  // At the beginning of a cell: a list in two columns.
  if (/\t(?:\d{1,2}[.)] )?$/.test(own) && /^\s?[-–]/.test(text.slice(mentions[index]!.end, line.end))) return false;
  const previous = mentions[index - 1];
  return previous !== undefined && previous.start >= line.start && text.slice(previous.end, start).includes('\t');
}

/** The statement after the name for cues, which a next medicine in its list does not end. */
function restOf(text: string, { end }: Range, line: Range, next: number | undefined): string {
  return text.slice(end, Math.max(end, Math.min(line.end, next ?? line.end, end + 200)));
}

/** "10 mg daily, Zebrane 12.5 mg b.i.d.": a name with its own dose, whether we know it or not, ends what belongs to the one before. */
function untilOtherProduct(after: string): string {
  const dose = /\d[\d.,]*[ \u00a0]?(?:mg|g|µg|mcg|IU|units?|U|mEq|ml|puffs?)(?!\p{L})/iu.exec(after);
  if (dose === null) return after;
  const from = dose.index + dose[0].length;
  const other = otherProduct.exec(after.slice(from));
  return other === null ? after : after.slice(0, from + other.index);
}

const otherProduct =
  /(?:[,;\n+]|\band\b|[ \u00a0]{1,2}(?=\p{Lu}))[ \t\n]{0,4}(?:and |plus )?(?!(?:then|increas|titrat|total|up|reduc|start|follow|maximum|max|now|with|by|per|each|every|daily|twice|once|three|four|at|in|for|tab|cap|divided|issued|one|two|inhal|bei|alle|toutes|auf|bis|von|zu|dann|danach|zuletzt|puis|jusqu|depuis|hasta|desde|fino|naar|tot|vanaf)\w{0,8}\b)\p{L}[\p{L}-]{2,30}(?:[ -]\p{L}{1,14}){0,2}[ \u00a0]{1,2}\d{1,5}(?:[.,]\d{1,3})?[ \u00a0]?(?:mg|g|µg|μg|mcg|ug|IU|units?|U|mmol|mEq|ml|puffs?|%)(?!\p{L})/iu;

/** A later stop, or a new dose, ends what an earlier list says; a list of discharge ends one of admission. */
function reconciled(document: Document, list: readonly Medication[]): Medication[] {
  const lastEnd = new Map<string, { readonly at: number; readonly dose: Dose | undefined }[]>();
  const groupEnd = new Map<string, { readonly at: number; readonly name: string }>();
  const discharge = new Map<string, Medication>();
  for (const medication of list) {
    const { drug, status, start, dose } = medication;
    const isEnd = status === 'stopped' || (status === 'planned' && changesDose(document, medication));
    if (isEnd)
      lastEnd.set(drug.name, [
        ...(lastEnd.get(drug.name) ?? []),
        { at: start, dose: status === 'stopped' ? dose : undefined },
      ]);
    for (const group of replacedGroups(document, medication)) groupEnd.set(group, { at: start, name: drug.name });
    if (status === 'current' && sectionAt(document, start).kind === 'medication') discharge.set(drug.name, medication);
  }
  const started = new Map(
    list.filter((each) => each.status === 'planned' && isStarted(document, each)).map((each) => [each.drug.name, each]),
  );
  return list.map((medication) => {
    const { drug, status, start, dose } = medication;
    // A list of what is recommended repeats what is taken already.
    if (status === 'planned' && sectionAt(document, start).kind === 'proposed' && isTakenBefore(list, medication))
      return { ...medication, status: 'current' as const };
    if (status !== 'current' && status !== 'given') return medication;
    // "Start taking X" above, and X as new in the list below.
    if (started.has(drug.name) && started.get(drug.name)!.start < start && isMarkedNew(document, medication))
      return { ...medication, status: 'planned' as const };
    const ends = lastEnd.get(drug.name)?.some((end) => end.at > start && sameDose(end.dose, dose));
    const later = discharge.get(drug.name);
    const isReplaced =
      later !== undefined &&
      later.start > start &&
      !sameDose(later.dose, dose) &&
      sectionAt(document, start).kind === 'admission medication';
    const isExchanged = drug.groups.some(
      (group) => (groupEnd.get(group)?.at ?? -1) > start && groupEnd.get(group)?.name !== drug.name,
    );
    if (ends || isReplaced || isExchanged) return { ...medication, status: 'stopped' as const };
    // In the list of admission alone: the record does not say whether it goes on.
    const isLeft =
      discharge.size > 0 && later === undefined && sectionAt(document, start).kind === 'admission medication';
    return isLeft ? { ...medication, status: 'given' as const } : medication;
  });
}

/** Groups of which a new medicine takes the place of the old one. */
const replacing = [
  'statin',
  'ppi',
  'acei',
  'arb',
  'betablocker',
  'anticoagulant',
  'ssri',
  'sulfonylurea',
  'thiazide',
  'loopdiuretic',
  'opioid',
];

/** "Change to rosuvastatin": the statin of the list ends, unless the change has a later day. */
function replacedGroups({ text }: Document, { drug, start, end, status }: Medication): readonly string[] {
  if (
    status !== 'planned' ||
    !/(?<!\p{L})(?:change|switch|changed|switched) to\s*$/iu.test(text.slice(Math.max(0, start - 24), start))
  )
    return [];
  if (/^[^.\n]{0,40}(?<!\p{L})(?:from|on|ab|am|à partir du) \d/iu.test(text.slice(end, end + 50))) return [];
  return replacing.filter((group) => drug.groups.includes(group));
}

/** An earlier list has the medicine with the same dose. */
function isTakenBefore(list: readonly Medication[], { drug, start, dose, perDay }: Medication): boolean {
  return list.some(
    (each) =>
      each.drug.name === drug.name &&
      each.status === 'current' &&
      each.start < start &&
      each.dose !== undefined &&
      dose !== undefined &&
      sameDose(each.dose, dose) &&
      each.perDay === perDay,
  );
}

function isStarted({ text }: Document, { start }: Range): boolean {
  return /(?<!\p{L})(?:start|begin)(?: taking)?\s$/iu.test(text.slice(Math.max(0, start - 20), start));
}

function isMarkedNew({ text }: Document, { end }: Range): boolean {
  return /\t(?:new|neu|nouveau|nuevo|nuovo|nieuw|novo|nowy)(?:\t|$)/imu.test(
    text.slice(end, end + 160).split('\n', 1)[0]!,
  );
}

function changesDose({ text }: Document, { start, end }: Range): boolean {
  return /(?<!\p{L})(?:increase|decrease|reduce|uptitrate|titrate|change|erhöhen|steigern|reduzieren|augmenter|diminuer|increased|decreased|reduced|erhöht|reduziert|augmentée?|diminuée?|aument\p{L}{2,4}|reduci\p{L}{2,3}|ridott[oa]|verhoogd|verlaagd|zwiększon\p{L}{1,2}|zmniejszon\p{L}{1,2})(?!\p{L})/iu.test(
    text.slice(Math.max(0, start - 30), end + 20),
  );
}

function sameDose(one: Dose | undefined, other: Dose | undefined): boolean {
  return one === undefined || other === undefined || (one.value === other.value && one.unit === other.unit);
}

/** @returns the dose in milligrams; undefined for units that are no mass */
export function milligrams(daily: Dose): number | undefined {
  if (daily.unit === 'mg') return daily.value;
  return daily.unit === 'µg' ? daily.value / 1000 : undefined;
}
