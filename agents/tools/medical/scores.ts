/** The tool that computes clinical scores from the records, or names the missing inputs. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { conditionOf } from './conditions.ts';
import {
  albuminCorrectedCalcium,
  anionGap,
  bmiClass,
  bodyMassIndex,
  correctedQt,
  creatinineClearance,
  egfrCkdEpi2021,
  gfrCategory,
  qtClass,
} from './formulas.ts';
import { meld, meld3, meldNa } from './meld.ts';
import { type MedicalRecord, readRecord } from './record.ts';
import { type Input, Inputs, lastCommonDay, requireOneDay } from './score-inputs.ts';
import { findStatedScores, isNotCalculated, type StatedScore } from './stated-scores.ts';
import { strokeRisk } from './stroke-risk.ts';

export interface Score {
  readonly score: string;
  readonly source: string;
  readonly result?: Readonly<Record<string, number | string>>;
  readonly notComputable?: string;
  readonly inputs: readonly Input[];
  /** The record gives its own points, or says that it was not calculated. */
  readonly inRecord?: 'stated' | 'not calculated';
}

export const clinicalScores: AgentTool = {
  name: 'clinical_scores',
  version: '2',
  purpose:
    'Reads scores that the text states. Computes eGFR, creatinine clearance, BMI, QTc, CHA2DS2-VASc, MELD, anion gap and corrected calcium. Text: age, sex, measures, values, diagnoses.',
  run(documents) {
    const read = documents.map(readDocument);
    const stated = read.flatMap(findStatedScores);
    const scores = computeScores(documents).map((score) => {
      const names = score.score.split(', ');
      const isStated = names.some((name) => stated.some((each) => plainScore(each.score) === plainScore(name)));
      const isDenied = read.some((document) => names.some((name) => isNotCalculated(document, name)));
      const inRecord = isStated ? ('stated' as const) : isDenied ? ('not calculated' as const) : undefined;
      return { ...score, ...(inRecord === undefined ? {} : { inRecord }) };
    });
    const note = 'Computed from what the texts state; not a diagnosis.';
    const digest = [...stated.slice(0, 15).map(statedLine), ...scores.map(scoreLine)];
    return toFindings({ scores, ...sharedBytes({ stated }, 20_000), note }, digest);
  },
};

const plainScore = (name: string): string => name.replace(/₂/g, '2').replace(/[\s-]/g, '').toLowerCase();

function statedLine({ score, value, span }: StatedScore): string {
  return `SCORE stated ${score} ${value} ${place(span)}`;
}

/** Only scores that the texts give a reason for: their own input, or the condition that they belong to. */
export function computeScores(documents: readonly AgentDocument[]): Score[] {
  const record = readRecord(documents);
  return [
    kidneys(record),
    clearance(record),
    body(record),
    qt(record),
    stroke(record),
    liver(record),
    gap(record),
    calcium(record),
  ].filter((score) => score !== undefined);
}

const notComputable = (missing: readonly string[]) => `not computable: ${missing.join(', ')} missing`;

function finish(
  score: string,
  source: string,
  { inputs, missing }: Inputs,
  compute: () => Readonly<Record<string, number | string>>,
): Score {
  if (missing.length > 0) return { score, source, notComputable: notComputable(missing), inputs };
  return { score, source, result: compute(), inputs };
}

const umolPerMgDl = 88.4;

function kidneys(record: MedicalRecord): Score | undefined {
  if (!record.latestLabs.has('creatinine')) return undefined;
  const inputs = new Inputs(record);
  const creatinine = inputs.lab('creatinine', { scale: 1 / umolPerMgDl, unit: 'mg/dL' });
  const age = inputs.fact('ageYears', 'age', 'years')!;
  const sex = inputs.fact('sex', 'sex')!;
  if (age < 18) inputs.missing.push('an adult age (the equation is for 18 years and more)');
  if (creatinine <= 0) inputs.missing.push('creatinine above 0');
  return finish('eGFR (CKD-EPI 2021, creatinine)', 'Inker et al., N Engl J Med 2021;385:1737', inputs, () => {
    const egfr = egfrCkdEpi2021(creatinine, age, sex);
    return { 'mL/min/1.73 m²': egfr, category: gfrCategory(egfr) };
  });
}

function clearance(record: MedicalRecord): Score | undefined {
  if (!record.latestLabs.has('creatinine') || record.patient.weightKg === undefined) return undefined;
  const inputs = new Inputs(record);
  const creatinine = inputs.lab('creatinine', { scale: 1 / umolPerMgDl, unit: 'mg/dL' });
  const age = inputs.fact('ageYears', 'age', 'years')!;
  const weight = inputs.weight(record.latestLabs.get('creatinine')?.date);
  const sex = inputs.fact('sex', 'sex')!;
  if (age < 18 || creatinine <= 0) inputs.missing.push('an adult age and creatinine above 0');
  return finish('creatinine clearance (Cockcroft–Gault)', 'Nephron 1976;16:31', inputs, () => ({
    'mL/min': creatinineClearance(creatinine, age, weight, sex),
  }));
}

function body(record: MedicalRecord): Score | undefined {
  const { weightKg, heightCm } = record.patient;
  if (weightKg === undefined && heightCm === undefined) return undefined;
  const inputs = new Inputs(record);
  const weight = inputs.fact('weightKg', 'weight', 'kg')!;
  const height = inputs.fact('heightCm', 'height', 'cm')!;
  return finish('body mass index', 'WHO Technical Report Series 894', inputs, () => {
    const bmi = bodyMassIndex(weight, height);
    const age = record.patient.ageYears?.value;
    return { 'kg/m²': bmi, class: age !== undefined && age < 18 ? 'the classes apply to adults only' : bmiClass(bmi) };
  });
}

function qt(record: MedicalRecord): Score | undefined {
  if (record.patient.qtMs === undefined) return undefined;
  const inputs = new Inputs(record);
  const qtMs = inputs.fact('qtMs', 'QT', 'ms')!;
  // The heart rate of the ECG itself, if the text states it next to the QT.
  const rate = inputs.fact(record.patient.ecgRate === undefined ? 'heartRate' : 'ecgRate', 'heart rate', '/min')!;
  return finish('corrected QT', 'Bazett; Fridericia; Framingham; Hodges; classes AHA/ACCF/HRS 2009', inputs, () => {
    const corrected = correctedQt(qtMs, rate);
    const outside = rate < 60 || rate > 100 ? { note: 'outside 60–100/min Bazett misleads; prefer Fridericia' } : {};
    return {
      'Bazett ms': corrected.bazettMs,
      'Fridericia ms': corrected.fridericiaMs,
      'Framingham ms': corrected.framinghamMs,
      'Hodges ms': corrected.hodgesMs,
      'class by Fridericia': qtClass(corrected.fridericiaMs, record.patient.sex?.value),
      ...outside,
    };
  });
}

function stroke(record: MedicalRecord): Score | undefined {
  const fibrillation = conditionOf(record.conditions, 'atrial fibrillation');
  if (fibrillation === undefined || fibrillation.denied) return undefined;
  const inputs = new Inputs(record);
  const ageYears = inputs.fact('ageYears', 'age', 'years')!;
  const sex = inputs.fact('sex', 'sex')!;
  const conditions = {
    heartFailure: inputs.condition('heart failure'),
    hypertension: inputs.condition('hypertension'),
    diabetes: inputs.condition('diabetes'),
    strokeOrTia: inputs.condition('stroke or TIA'),
    vascularDisease: inputs.condition('vascular disease'),
  };
  return finish('CHA₂DS₂-VASc', 'Lip et al., Chest 2010;137:263; ESC 2020 and 2024', inputs, () => {
    const risk = strokeRisk({ ageYears, sex, ...conditions });
    return { points: risk.cha2ds2Vasc, 'CHA₂DS₂-VA points': risk.cha2ds2Va, from: risk.points.join(', ') || 'nothing' };
  });
}

function liver(record: MedicalRecord): Score | undefined {
  const disease = conditionOf(record.conditions, 'liver disease');
  if (disease === undefined || disease.denied) return undefined;
  const inputs = new Inputs(record);
  const day = lastCommonDay(record, ['bilirubin', 'creatinine', 'inr']);
  const bilirubinMgDl = inputs.lab('bilirubin', { scale: 1 / 17.1, unit: 'mg/dL', day });
  const creatinineMgDl = inputs.lab('creatinine', { scale: 1 / umolPerMgDl, unit: 'mg/dL', day });
  const inr = inputs.lab('inr', { day });
  const dialysis = inputs.condition('dialysis');
  return finish('MELD, MELD-Na, MELD 3.0', 'OPTN Policy 9.1.D (2016, 2023)', inputs, () => {
    const input = { bilirubinMgDl, creatinineMgDl, inr, dialysis };
    const sodium = new Inputs(record);
    const na = sodium.lab('sodium', { unit: 'mmol/L' });
    const albumin = sodium.lab('albumin', { scale: 0.1, unit: 'g/dL' });
    const sex = sodium.fact('sex', 'sex')!;
    inputs.inputs.push(...sodium.inputs);
    const without = (names: readonly string[]) => sodium.missing.filter((name) => names.includes(name));
    return {
      MELD: meld(input),
      'MELD-Na': Number.isNaN(na) ? notComputable(without(['sodium'])) : meldNa(input, na),
      'MELD 3.0': sodium.missing.length > 0 ? notComputable(sodium.missing) : meld3(input, na, albumin, sex),
    };
  });
}

function gap(record: MedicalRecord): Score | undefined {
  const labs = record.latestLabs;
  if (!labs.has('sodium') || !labs.has('chloride') || !labs.has('bicarbonate')) return undefined;
  const inputs = new Inputs(record);
  const day = lastCommonDay(record, ['sodium', 'chloride', 'bicarbonate']);
  const [sodium, chloride, bicarbonate] = [
    inputs.lab('sodium', { day }),
    inputs.lab('chloride', { day }),
    inputs.lab('bicarbonate', { day }),
  ];
  requireOneDay(inputs);
  return finish('anion gap', 'Emmett, Narins, Medicine 1977;56:38', inputs, () => ({
    'mmol/L': anionGap(sodium, chloride, bicarbonate),
    'usual range': '8–12 without potassium, depending on the laboratory',
  }));
}

function calcium(record: MedicalRecord): Score | undefined {
  if (!record.latestLabs.has('calcium') || !record.latestLabs.has('albumin')) return undefined;
  const inputs = new Inputs(record);
  const day = lastCommonDay(record, ['calcium', 'albumin']);
  const [total, albumin] = [
    inputs.lab('calcium', { unit: 'mmol/L', day }),
    inputs.lab('albumin', { unit: 'g/L', day }),
  ];
  requireOneDay(inputs);
  return finish('calcium corrected for albumin', 'Payne et al., BMJ 1973;4:643', inputs, () => ({
    'mmol/L': albuminCorrectedCalcium(total, albumin),
  }));
}

function scoreLine({ score, result, notComputable: missing, inputs }: Score): string {
  if (result === undefined) return `SCORE ${score}: ${missing}`;
  const values = Object.entries(result).map(([name, value]) => `${name} ${value}`);
  const isMixed = new Set(inputs.flatMap(({ date }) => date ?? [])).size > 1;
  const from = inputs
    .filter(({ span }) => span !== undefined)
    .map(
      ({ name, value, date, span }) => `${name} ${value}${isMixed ? ` (${date ?? 'no date'})` : ''} ${place(span!)}`,
    );
  return `SCORE ${score}: ${values.join('; ')} (from ${from.join(', ')})`;
}
