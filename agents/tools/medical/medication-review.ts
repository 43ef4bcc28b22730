/** The tool that reviews medication lists: daily doses, maxima, interactions, duplicates, allergies, and laboratory cautions. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import type { Span } from '../text/span.ts';
import { type Interaction, interactions, qtInteraction, serotoninInteraction } from './interactions.ts';
import { drugLabRules } from './lab-cautions.ts';
import { findMedications, type Medication, milligrams } from './medications.ts';
import { readRecord } from './record.ts';
import { roundTo } from './rounding.ts';
import { computeScores } from './scores.ts';

interface Listed extends Medication {
  readonly span: Span;
}

export interface FoundInteraction {
  readonly medicines: readonly [string, string];
  readonly severity: Interaction['severity'];
  readonly effect: string;
  readonly advice: string;
  readonly spans: readonly [Span, Span];
}

/** Severities from the worst. */
const severities = ['contraindicated', 'major', 'moderate'] as const;

export const medicationReview: AgentTool = {
  name: 'medication_review',
  version: '2',
  purpose:
    'Checks daily doses, interactions, duplicates and allergies. Text: one medicine per line with dose and frequency.',
  run(documents) {
    const all = documents
      .map(readDocument)
      .flatMap((document) => findMedications(document).map((found) => ({ ...found, span: document.spanOf(found) })));
    const current = onceEach(all.filter(({ status }) => status === 'listed'));
    const found = findInteractions(current);
    const over = aboveMaximum(current);
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
          ({ medicines, severity, effect, advice, spans }) =>
            `INTERACTION ${severity}: ${medicines.join(' + ')}: ${effect}; ${advice} ${place(spans[0])} ${place(spans[1])}`,
        ),
      ...duplicates.map(({ group, medicines }) => `DUPLICATE ${group}: ${medicines.join(', ')}`),
      ...cautions.map(({ medicine, reason, span }) => `CAUTION ${medicine}: ${reason} ${place(span)}`),
      ...current.slice(0, 20).map(medicationLine),
    ];
    const lists = {
      medications: all.map(plainMedication),
      interactions: found,
      aboveUsualMaximum: over,
      duplicates,
      allergyConflicts: allergies,
      cautions,
    };
    const note =
      'Interaction pairs come from a table of well-known ones; a pair that is not reported can still interact.';
    const result = { ...sharedBytes(lists, 58_000), note };
    return toFindings(result, digest, 55);
  },
};

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
      const { severity, effect, advice } = line;
      found.push({
        medicines: [one.drug.name, other.drug.name],
        severity,
        effect,
        advice,
        spans: [one.span, other.span],
      });
    }
  }
  return found.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

function worstLine(one: Medication, other: Medication): Omit<Interaction, 'pair'> | undefined {
  const fits = interactions.filter(
    ({ pair: [first, second] }) => (is(one, first) && is(other, second)) || (is(one, second) && is(other, first)),
  );
  const [worst] = [...fits].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  if (worst !== undefined) return worst;
  if (is(one, '@qt') && is(other, '@qt')) return qtInteraction;
  return is(one, '@serotonergic') && is(other, '@serotonergic') ? serotoninInteraction : undefined;
}

function is({ drug }: Medication, side: string): boolean {
  return side.startsWith('@') ? drug.groups.includes(side.slice(1)) : drug.name === side;
}

function aboveMaximum(list: readonly Listed[]): { medicine: string; daily: string; maximum: string; span: Span }[] {
  return list.flatMap(({ drug, daily, span }) => {
    const dose = daily === undefined ? undefined : milligrams(daily);
    const max = drug.maxDaily;
    if (dose === undefined || max === undefined || dose <= max.value) return [];
    return [{ medicine: drug.name, daily: `${roundTo(dose, 3)} mg daily`, maximum: `${max.value} mg daily`, span }];
  });
}

/** Groups of which usually only one medicine is taken at a time. */
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

function plainMedication({ drug, status, dose, route, frequency, asNeeded, daily, span }: Listed): object {
  return {
    medicine: drug.name,
    atc: drug.atc,
    status,
    ...(dose === undefined ? {} : { dose: `${dose.value} ${dose.unit}` }),
    ...(route === undefined ? {} : { route }),
    ...(frequency === undefined ? {} : { frequency }),
    ...(asNeeded ? { asNeeded } : {}),
    ...(daily === undefined ? {} : { daily: `${daily.value} ${daily.unit}` }),
    span,
  };
}

function medicationLine({ drug, dose, frequency, asNeeded, daily, span }: Listed): string {
  const parts = [
    dose === undefined ? 'dose not stated' : `${dose.value} ${dose.unit}`,
    frequency ?? 'frequency not stated',
    ...(asNeeded ? ['as needed'] : []),
    ...(daily === undefined ? [] : [`daily ${daily.value} ${daily.unit}`]),
  ];
  return `MEDICINE ${drug.name} (${drug.atc}): ${parts.join(', ')} ${place(span)}`;
}
