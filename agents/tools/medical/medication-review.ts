/** The tool that reviews medication lists: daily doses, maxima, interactions, duplicates, allergies, and laboratory cautions. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import type { Span } from '../text/span.ts';
import { type Allergy, findAllergies } from './allergies.ts';
import { findBrands } from './brands.ts';
import { certainMedications, doubtReasons } from './certainty.ts';
import { withoutEnding } from './drug-mentions.ts';
import { type Interaction, interactions, qtInteraction, serotoninInteraction } from './interactions.ts';
import { drugLabRules } from './lab-cautions.ts';
import { findMedications, type Medication, milligrams } from './medications.ts';
import { findPatient } from './patient.ts';
import { readRecord } from './record.ts';
import { roundTo } from './rounding.ts';
import { computeScores } from './scores.ts';

interface Listed extends Medication {
  readonly span: Span;
}

export interface FoundInteraction {
  readonly medicines: readonly [string, string];
  readonly severity: 'critical' | 'high' | 'medium';
  /** The same as interaction tables name it. */
  readonly grade: Interaction['severity'];
  readonly effect: string;
  readonly advice: string;
  readonly spans: readonly [Span, Span];
}

/** Grades from the worst, and their severities on the scale of all agents. */
const severities = { contraindicated: 'critical', major: 'high', moderate: 'medium' } as const;
const grades = Object.keys(severities);

export const medicationReview: AgentTool = {
  name: 'medication_review',
  version: '3',
  purpose:
    'Checks daily doses, interactions, duplicates and allergies. Text: one medicine per line with dose and frequency.',
  run(documents) {
    const read = documents.map(readDocument).map((document) => {
      const { facts, doubts } = certainMedications(document, findMedications(document));
      return { doubts, listed: facts.map((found) => ({ ...found, span: document.spanOf(found) })) };
    });
    const all = read.flatMap(({ listed }) => listed);
    const omitted = leftOut(
      read.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    const current = onceEach(all.filter(({ status }) => status === 'current'));
    const stated = documents.map(readDocument).flatMap(statedAllergies);
    const found = findInteractions(current);
    const over = aboveMaximum(current, findPatient(documents).ageYears?.value);
    const duplicates = findDuplicates(current);
    const allergies = findAllergyConflicts(all, current);
    const cautions = findCautions(documents, current);
    const digest = [
      ...allergies.map(
        ({ medicine, allergy, span }) =>
          `ALLERGY CONFLICT: ${medicine} listed, allergy to ${allergy} stated ${place(span)}`,
      ),
      ...over.map(
        ({ medicine, daily, maximum, span }) =>
          `DOSE above usual maximum: ${medicine} ${daily}, usual maximum ${maximum} ${place(span)}`,
      ),
      ...found
        .slice(0, 15)
        .map(
          ({ medicines, severity, grade, effect, advice, spans }) =>
            `INTERACTION ${severity} (${grade}): ${medicines.join(' + ')}: ${effect}; ${advice} ${place(spans[0])} ${place(spans[1])}`,
        ),
      ...duplicates.map(({ group, medicines }) => `DUPLICATE ${group}: ${medicines.join(', ')}`),
      ...cautions.map(({ medicine, reason, span }) => `CAUTION ${medicine}: ${reason} ${place(span)}`),
      ...stated
        .slice(0, 10)
        .map(
          ({ substance, reaction, span }) =>
            `ALLERGY ${substance}${reaction === undefined ? '' : `: ${reaction}`} ${place(span)}`,
        ),
      ...shownLines(all).slice(0, 25).map(medicationLine),
      ...leftOutLines(omitted),
    ];
    const lists = {
      medications: all.map(plainMedication),
      interactions: found,
      aboveUsualMaximum: over,
      duplicates,
      allergyConflicts: allergies,
      cautions,
      allergies: stated,
      brands: findBrands(documents),
    };
    const note =
      'Interaction pairs come from a table of well-known ones; a pair that is not reported can still interact.';
    const result = { ...sharedBytes(lists, 58_000), note, leftOut: omitted };
    return toFindings(result, digest, 55);
  },
};

function statedAllergies(document: Document): (Omit<Allergy, 'start' | 'end'> & { readonly span: Span })[] {
  return findAllergies(document).map(({ start, end, ...allergy }) => ({
    ...allergy,
    span: document.spanOf({ start, end }),
  }));
}

/** What is taken, planned or stopped; a medicine that is only mentioned adds nothing. */
function shownLines(list: readonly Listed[]): Listed[] {
  return list.filter(({ status }) => status === 'current' || status === 'planned' || status === 'stopped');
}

/** One per medicine: the first with a daily dose, else the first. At most 100. */
function onceEach(list: readonly Listed[]): Listed[] {
  const first = new Map<string, Listed>();
  for (const medication of list) {
    const known = first.get(medication.drug.name);
    if (known === undefined || (known.daily === undefined && medication.daily !== undefined))
      first.set(medication.drug.name, medication);
  }
  return [...first.values()].slice(0, 100);
}

/** Every pair once, with the most severe matching line of the table. */
export function findInteractions(list: readonly Listed[]): FoundInteraction[] {
  const found: FoundInteraction[] = [];
  for (const [index, one] of list.entries()) {
    for (const other of list.slice(index + 1)) {
      const line = worstLine(one, other);
      if (line === undefined) continue;
      const { severity: grade, effect, advice } = line;
      found.push({
        medicines: [one.drug.name, other.drug.name],
        severity: severities[grade],
        grade,
        effect,
        advice,
        spans: [one.span, other.span],
      });
    }
  }
  return found.sort((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade));
}

function worstLine(one: Medication, other: Medication): Omit<Interaction, 'pair'> | undefined {
  const fits = interactions.filter(
    ({ pair: [first, second] }) => (is(one, first) && is(other, second)) || (is(one, second) && is(other, first)),
  );
  const [worst] = [...fits].sort((a, b) => grades.indexOf(a.severity) - grades.indexOf(b.severity));
  if (worst !== undefined) return worst;
  if (is(one, '@qt') && is(other, '@qt')) return qtInteraction;
  return is(one, '@serotonergic') && is(other, '@serotonergic') ? serotoninInteraction : undefined;
}

function is({ drug }: Medication, side: string): boolean {
  return side.startsWith('@') ? drug.groups.includes(side.slice(1)) : drug.name === side;
}

interface AboveMaximum {
  readonly medicine: string;
  readonly daily: string;
  readonly maximum: string;
  /** High from a quarter above the maximum on. */
  readonly severity: 'high' | 'medium';
  /** Why the maximum is lower than usual. */
  readonly reason?: string;
  readonly span: Span;
}

function aboveMaximum(list: readonly Listed[], age: number | undefined): AboveMaximum[] {
  return list.flatMap(({ drug, daily, span }): AboveMaximum[] => {
    const dose = daily === undefined ? undefined : milligrams(daily);
    const lower = lowerMaxima.find(
      ({ name, from, other }) =>
        name === drug.name && (from === undefined ? list.some((each) => is(each, other!)) : (age ?? 0) > from),
    );
    const max = lower?.max ?? drug.maxDaily?.value;
    if (dose === undefined || max === undefined || dose <= max) return [];
    return [
      {
        medicine: drug.name,
        daily: `${roundTo(dose, 3)} mg daily`,
        maximum: `${max} mg daily`,
        severity: dose >= max * 1.25 ? 'high' : 'medium',
        ...(lower === undefined ? {} : { reason: lower.reason }),
        span,
      },
    ];
  });
}

/** Maxima that age or another medicine lowers, in mg. @see product information, sections 4.2 and 4.5 */
const lowerMaxima: readonly {
  readonly name: string;
  readonly max: number;
  /** Years. */
  readonly from?: number;
  /** A medicine, or a group with `@`. */
  readonly other?: string;
  readonly reason: string;
}[] = [
  { name: 'citalopram', max: 20, from: 65, reason: 'above the age of 65: QT' },
  { name: 'escitalopram', max: 10, from: 65, reason: 'above the age of 65: QT' },
  { name: 'zolpidem', max: 5, from: 65, reason: 'above the age of 65' },
  { name: 'zopiclone', max: 5, from: 65, reason: 'above the age of 65' },
  { name: 'simvastatin', max: 20, other: '@ratelimitingccb', reason: 'with verapamil or diltiazem' },
  { name: 'simvastatin', max: 20, other: 'amlodipine', reason: 'with amlodipine' },
  { name: 'simvastatin', max: 20, other: 'amiodarone', reason: 'with amiodarone' },
  { name: 'lovastatin', max: 20, other: '@ratelimitingccb', reason: 'with verapamil or diltiazem' },
  { name: 'citalopram', max: 20, other: '@cyp2c19inhibitor', reason: 'with an inhibitor of CYP2C19' },
];

/** Groups of which one at a time is the rule. */
const single = new Map([
  ['nsaid', 'non-steroidal anti-inflammatories'],
  ['ppi', 'proton pump inhibitors'],
  ['acei', 'ACE inhibitors'],
  ['arb', 'angiotensin receptor blockers'],
  ['statin', 'statins'],
  ['betablocker', 'beta blockers'],
  ['anticoagulant', 'anticoagulants'],
  ['ssri', 'SSRIs'],
  ['benzodiazepine', 'benzodiazepines'],
  ['loopdiuretic', 'loop diuretics'],
  ['sulfonylurea', 'sulfonylureas'],
]);

function findDuplicates(list: readonly Listed[]): { group: string; medicines: string[] }[] {
  return [...single].flatMap(([group, name]) => {
    const medicines = list.filter(({ drug }) => drug.groups.includes(group)).map(({ drug }) => drug.name);
    return medicines.length > 1 ? [{ group: name, medicines }] : [];
  });
}

const allergyGroups = [
  'penicillin',
  'cephalosporin',
  'sulfonamide',
  'macrolide',
  'quinolone',
  'nsaid',
  'opioid',
  'tetracycline',
];

/** An allergy to a medicine applies to its group, if the group is known for it. */
function findAllergyConflicts(
  all: readonly Listed[],
  current: readonly Listed[],
): { medicine: string; allergy: string; span: Span }[] {
  const allergies = onceEach(all.filter(({ status }) => status === 'allergy'));
  return current.flatMap((medication) => {
    const { drug, span } = medication;
    const against = allergies.find(
      ({ drug: other }) =>
        other.name === drug.name ||
        allergyGroups.some((group) => drug.groups.includes(group) && other.groups.includes(group)),
    );
    return against === undefined ? [] : [{ medicine: drug.name, allergy: against.drug.name, span }];
  });
}

function findCautions(
  documents: readonly AgentDocument[],
  current: readonly Listed[],
): { medicine: string; reason: string; span: Span }[] {
  if (current.length === 0) return [];
  const { patient, latestLabs: labs } = readRecord(documents);
  const scores = computeScores(documents);
  const value = (score: string, unit: string) => scores.find((found) => found.score.startsWith(score))?.result?.[unit];
  const egfr = Number(value('eGFR', 'mL/min/1.73 m²') ?? labs.get('egfr')?.lab.value ?? Number.NaN);
  const qtc = Number(value('corrected QT', 'Fridericia ms') ?? patient.statedQtcMs?.value ?? Number.NaN);
  const read = {
    egfr,
    qtc,
    age: patient.ageYears?.value ?? Number.NaN,
    lab: (key: string) => labs.get(key)?.lab.value ?? Number.NaN,
  };
  return current.flatMap(({ drug, span }) =>
    drugLabRules
      .filter(({ applies, when }) => applies(drug) && when(read))
      .map(({ reason }) => ({ medicine: drug.name, reason: reason(read), span })),
  );
}

function plainMedication({
  drug,
  written,
  status,
  dose,
  route,
  frequency,
  schedule,
  asNeeded,
  daily,
  span,
}: Listed): object {
  return {
    medicine: drug.name,
    // Spelled with the accents or the final vowel of another language: the international name. Else as written.
    written: withoutEnding(written) === withoutEnding(drug.name) ? drug.name : written,
    ...(drug.atc === '' ? {} : { atc: drug.atc }),
    status,
    ...(dose === undefined ? {} : { dose: `${dose.value} ${dose.unit}` }),
    ...(route === undefined ? {} : { route }),
    ...(frequency === undefined ? {} : { frequency }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(asNeeded ? { asNeeded } : {}),
    ...(daily === undefined ? {} : { daily: `${daily.value} ${daily.unit}` }),
    span,
  };
}

function medicationLine({ drug, status, dose, route, frequency, asNeeded, daily, span }: Listed): string {
  const parts = [
    dose === undefined ? 'dose not stated' : `${dose.value} ${dose.unit}`,
    ...(route === undefined ? [] : [route]),
    frequency ?? 'frequency not stated',
    ...(asNeeded ? ['as needed'] : []),
    ...(daily === undefined ? [] : [`daily ${daily.value} ${daily.unit}`]),
    status,
  ];
  return `MEDICINE ${drug.name}${drug.atc === '' ? '' : ` (${drug.atc})`}: ${parts.join(', ')} ${place(span)}`;
}
