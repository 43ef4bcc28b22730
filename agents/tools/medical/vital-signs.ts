/** The tool that reports facts about the patient: age, sex, measures and vital signs, with flags. */
import type { AgentTool } from '../../agent/agent.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { excerpt, type Span } from '../text/span.ts';
import { doubtReasons } from './certainty.ts';
import { conditionOf } from './conditions.ts';
import type { Patient } from './patient.ts';
import { readRecord } from './record.ts';

/** For resting adults. @see Royal College of Physicians, NEWS2 (2017); ESC 2024 for blood pressure from 140/90 mmHg */
const limits: readonly {
  readonly key: keyof Patient;
  readonly name: string;
  readonly unit: string;
  readonly low?: number;
  readonly high?: number;
}[] = [
  { key: 'systolicMmHg', name: 'systolic blood pressure', unit: 'mmHg', low: 91, high: 139 },
  { key: 'diastolicMmHg', name: 'diastolic blood pressure', unit: 'mmHg', high: 89 },
  { key: 'heartRate', name: 'heart rate', unit: '/min', low: 51, high: 90 },
  { key: 'respiratoryRate', name: 'respiratory rate', unit: '/min', low: 12, high: 20 },
  { key: 'saturationPercent', name: 'oxygen saturation', unit: '%', low: 96 },
  { key: 'temperatureC', name: 'temperature', unit: '°C', low: 36.1, high: 38 },
];

const measures: readonly (readonly [keyof Patient, string, string])[] = [
  ['ageYears', 'age', 'years'],
  ['sex', 'sex', ''],
  ['weightKg', 'weight', 'kg'],
  ['heightCm', 'height', 'cm'],
  ['qtMs', 'QT', 'ms'],
  ['statedQtcMs', 'QTc as stated', 'ms'],
];

interface ShownFact {
  readonly name: string;
  readonly value: number | string;
  readonly unit: string;
  readonly flag?: 'low' | 'high' | 'normal';
  readonly span: Span;
}

export const patientFacts: AgentTool = {
  name: 'patient_facts',
  version: '3',
  purpose: 'Reads age, sex, vital signs, problems and procedures. Text: states measures with units.',
  run(documents) {
    const { patient, conditions, problems, procedures, vitals, doubts } = readRecord(documents);
    const omitted = leftOut(doubts.vitals, doubtReasons);
    const child = patient.ageYears !== undefined && patient.ageYears.value < 18;
    const facts: ShownFact[] = [];
    for (const [key, name, unit] of measures) {
      const fact = patient[key];
      if (fact !== undefined) facts.push({ name, value: fact.value, unit, span: fact.span });
    }
    for (const { key, name, unit, low, high } of limits) {
      const fact = patient[key];
      if (fact === undefined || typeof fact.value !== 'number') continue;
      const flag =
        low !== undefined && fact.value < low ? 'low' : high !== undefined && fact.value > high ? 'high' : 'normal';
      facts.push({ name, value: fact.value, unit, ...(child ? {} : { flag }), span: fact.span });
    }
    const mentions = [...new Set(conditions.map(({ condition }) => condition))]
      .sort()
      .map((condition) => conditionOf(conditions, condition)!);
    const digest = [
      notADiagnosis,
      ...facts.map(
        ({ name, value, unit, flag, span }) =>
          `PATIENT ${name} ${value}${unit === '' ? '' : ` ${unit}`}${flag === undefined ? '' : ` (${flag})`} ${place(span)}`,
      ),
      ...mentions.map(
        ({ condition, denied, span }) => `CONDITION ${condition}: ${denied ? 'denied' : 'affirmed'} ${place(span)}`,
      ),
    ];
    const stated = problems.map(
      ({ name, status, span }) =>
        `PROBLEM ${excerpt(name, { start: 0, end: name.length }, 60)}: ${status} ${place(span)}`,
    );
    const done = procedures
      .slice(0, 15)
      .map(
        ({ name, status, date, span }) =>
          `PROCEDURE ${excerpt(name, { start: 0, end: name.length }, 60)}: ${status}${date === undefined ? '' : ` ${date}`} ${place(span)}`,
      );
    return toFindings(
      {
        notice: notADiagnosis,
        facts,
        conditions: mentions,
        ...sharedBytes({ problems, vitals, procedures }, 44_000),
        leftOut: omitted,
      },
      facts.length + mentions.length + stated.length + done.length === 0
        ? [notADiagnosis]
        : [...digest, ...stated, ...done, ...leftOutLines(omitted)],
    );
  },
};

/** Part of every report of this agent, in the findings and, by its prompt, in its answer. */
export const notADiagnosis =
  'This is decision support from documents: not a diagnosis, not a treatment order. A clinician who knows the patient decides.';
