/** Data that all medical tools need from the same documents, parsed once, because each tool runs separately. */
import type { AgentDocument } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { certainLabs, type Doubt } from './certainty.ts';
import { eventDates, undecidedDates } from './clinical-dates.ts';
import { type ConditionMention, findConditions } from './conditions.ts';
import { type ReviewedLab, reviewLabs } from './lab-flags.ts';
import { findPatient, type Patient } from './patient.ts';
import { findProblems, type Problem } from './problems.ts';
import { findProcedures, type Procedure } from './procedures.ts';
import { certainVitalReadings, type VitalReading } from './vital-readings.ts';

export interface DatedEvent {
  readonly document: Document;
  readonly date: FoundDate;
}

export interface MedicalRecord {
  readonly patient: Patient;
  /** In the order of the texts. */
  readonly labs: readonly ReviewedLab[];
  /** The last value of each quantity, by date if the texts give dates. */
  readonly latestLabs: ReadonlyMap<string, ReviewedLab>;
  readonly conditions: readonly ConditionMention[];
  readonly problems: readonly Problem[];
  readonly procedures: readonly Procedure[];
  readonly vitals: readonly VitalReading[];
  /** Why laboratory values and vital signs were left out, one per finding. */
  readonly doubts: { readonly labs: readonly Doubt[]; readonly vitals: readonly Doubt[] };
  /** Dates of events, except births, prints and signatures. */
  readonly dates: readonly DatedEvent[];
  /** Of which nothing in the text tells the day from the month. */
  readonly undecided: readonly DatedEvent[];
}

/** Cached by the identity of the document list and freed with it, so that no data outlives its request. */
const read = new WeakMap<readonly AgentDocument[], MedicalRecord>();

export function readRecord(documents: readonly AgentDocument[]): MedicalRecord {
  const known = read.get(documents);
  if (known !== undefined) return known;
  const patient = findPatient(documents);
  const labs: ReviewedLab[] = [];
  const conditions: ConditionMention[] = [];
  const problems: Problem[] = [];
  const procedures: Procedure[] = [];
  const vitals: VitalReading[] = [];
  const doubts = { labs: [] as Doubt[], vitals: [] as Doubt[] };
  const dates: DatedEvent[] = [];
  const undecided: DatedEvent[] = [];
  for (const document of documents.map(readDocument)) {
    for (const date of eventDates(document)) dates.push({ document, date });
    for (const date of undecidedDates(document)) undecided.push({ document, date });
    const readings = certainVitalReadings(document);
    for (const reading of readings.facts) vitals.push(reading);
    for (const doubt of readings.doubts) doubts.vitals.push(doubt);
    const values = certainLabs(document, reviewLabs(document, patient));
    for (const lab of values.facts) labs.push(lab);
    for (const doubt of values.doubts) doubts.labs.push(doubt);
    for (const mention of findConditions(document)) conditions.push(mention);
    for (const problem of findProblems(document)) problems.push(problem);
    for (const procedure of findProcedures(document)) procedures.push(procedure);
  }
  const record = {
    patient,
    labs,
    latestLabs: latest(labs),
    conditions,
    problems,
    procedures,
    vitals,
    doubts,
    dates,
    undecided,
  };
  read.set(documents, record);
  return record;
}

function latest(labs: readonly ReviewedLab[]): Map<string, ReviewedLab> {
  const last = new Map<string, ReviewedLab>();
  for (const lab of labs) {
    const known = last.get(lab.analyte.key);
    if (known === undefined || (lab.date ?? '') >= (known.date ?? '')) last.set(lab.analyte.key, lab);
  }
  return last;
}
