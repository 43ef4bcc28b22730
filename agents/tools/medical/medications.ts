/** Reads medication lists and prose: medicine, dose, route, how often, the daily dose that follows, and whether it is taken now. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findAllergies } from './allergies.ts';
import { type DrugMention, findDrugMentions } from './drug-mentions.ts';
import type { Drug } from './drugs.ts';
import { isForeign } from './foreign.ts';
import { isFormer } from './former-medicines.ts';
import { withIntakeColumns } from './intake-columns.ts';
import { type MedicationStatus, medicationStatus } from './medication-status.ts';
import {
  afterItself,
  hasOwnRegimen,
  isLaterInRow,
  isSameEntry,
  lineOf,
  nextOther,
  restOf,
  untilOtherProduct,
  withoutRemarks,
  withoutStrength,
} from './medication-words.ts';
import { withNordicCounts } from './nordic-counts.ts';
import { type Dose, type Regimen, readRegimen, routeOf } from './regimen.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';

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

/** The words of a medicine are in its statement or row, before the next medicine, and within this number of characters. */
const regimenMax = 240;

/** Ordered by position in the text. */
export function findMedications(document: Document): Medication[] {
  const mentions = findDrugMentions(document).filter(({ start }) => !isForeign(document, start));
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
  const after = withNordicCounts(document, untilOtherProduct(whole));
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
  const { dose, frequency, asNeeded, daily, end } = regimen;
  const section = sectionAt(document, mention.start);
  const title = document.text
    .slice(section.start, section.start + 90)
    .trimStart()
    .split('\n', 1)[0]!;
  const isInfused = infusion.test(title);
  const route = regimen.route ?? (isInfused ? routeOf(title) : undefined);
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
  const isContinuous = isInfused && dose !== undefined && frequency === undefined && !asNeeded;
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
    ...((dose?.unit.endsWith('/h') === true && dose.unit !== 'µg/h') || isContinuous ? { schedule: 'continuous' } : {}),
    asNeeded,
    ...(daily === undefined ? {} : { daily }),
    end: mention.end + end,
  };
}

/** Titles of lists of what one pump contains. */
const infusion =
  /(?<!\p{L})(?:continuous .{0,20}infusion|syringe (?:driver|pump)|csci|perfusor\p{L}*|schmerzpumpe|pousse-seringue|pca|infusion continue|infusione continua|bomba de infusión|bomba infusora|spuitpomp|infuuspomp|infusionspump|smärtpump|smertepumpe|pompa infuzyjna)(?!\p{L})/iu;

/** A later stop, or a new dose, ends what an earlier list says; a list of discharge ends one of admission. */
function reconciled(document: Document, list: readonly Medication[]): Medication[] {
  const lastEnd = new Map<
    string,
    { readonly at: number; readonly dose: Dose | undefined; readonly isStop: boolean }[]
  >();
  const groupEnd = new Map<string, { readonly at: number; readonly name: string }>();
  const discharge = new Map<string, Medication>();
  for (const medication of list) {
    const { drug, status, start, dose } = medication;
    const isEnd =
      (status === 'stopped' && !wasFormer(document, medication)) ||
      (status === 'planned' && changesDose(document, medication));
    if (isEnd)
      lastEnd.set(drug.name, [
        ...(lastEnd.get(drug.name) ?? []),
        { at: start, dose: status === 'stopped' ? dose : undefined, isStop: status === 'stopped' },
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
    // A new dose ends an earlier one, and not a medicine that was named without a dose.
    const ends = lastEnd
      .get(drug.name)
      ?.some((end) => end.at > start && sameDose(end.dose, dose) && (end.isStop || hasRegimen(medication)));
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

/** "Previously on X" states the past, and not that X ends what an earlier list says. */
function wasFormer(document: Document, { start }: Range): boolean {
  const statement = statementAt(document, start);
  const before = document.text.slice(Math.max(statement.start, start - 200), start).replace(/\s/g, ' ');
  return isFormer(before, '') !== false;
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

const hasRegimen = ({ dose, schedule, asNeeded }: Medication) =>
  dose !== undefined || schedule !== undefined || asNeeded;

function sameDose(one: Dose | undefined, other: Dose | undefined): boolean {
  return one === undefined || other === undefined || (one.value === other.value && one.unit === other.unit);
}

/** @returns the dose in milligrams; undefined for units that are no mass */
export function milligrams(daily: Dose): number | undefined {
  if (daily.unit === 'mg') return daily.value;
  return daily.unit === 'µg' ? daily.value / 1000 : undefined;
}
