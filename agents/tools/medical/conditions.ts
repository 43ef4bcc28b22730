/** Which conditions records affirm or deny, as far as the scores need them. */
import type { Document } from '../../document/document.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import type { Span } from '../text/span.ts';
import { clinicalStatus } from './clinical-status.ts';

export type Condition =
  | 'atrial fibrillation'
  | 'heart failure'
  | 'hypertension'
  | 'diabetes'
  | 'stroke or TIA'
  | 'vascular disease'
  | 'liver disease'
  | 'dialysis'
  | 'pregnancy';

export interface ConditionMention {
  readonly condition: Condition;
  readonly denied: boolean;
  readonly span: Span;
}

const phrases = compilePhrases<Condition>([
  [
    'atrial fibrillation',
    ['atrial fibrillation', 'atrial flutter', 'afib', 'vorhofflimmern', 'fibrilace síní', 'fibrillation auriculaire'],
  ],
  [
    'heart failure',
    [
      'heart failure',
      'congestive heart failure',
      'chf',
      'hfref',
      'hfpef',
      'cardiomyopathy',
      'herzinsuffizienz',
      'srdeční selhání',
      'insuffisance cardiaque',
    ],
  ],
  [
    'hypertension',
    [
      'hypertension',
      'hypertensive',
      'htn',
      'high blood pressure',
      'hypertonie',
      'bluthochdruck',
      'hypertenze',
      'hypertension artérielle',
    ],
  ],
  ['diabetes', ['diabetes', 'diabetes mellitus', 'diabetic', 't2dm', 't1dm', 'niddm', 'diabète', 'cukrovka']],
  [
    'stroke or TIA',
    [
      'stroke',
      'tia',
      'cva',
      'transient ischaemic|ischemic attack',
      'cerebral infarction',
      'thromboembolism',
      'schlaganfall',
      'mrtvice',
      'cévní mozková příhoda',
      'accident vasculaire',
    ],
  ],
  [
    'vascular disease',
    [
      'myocardial infarction',
      'heart attack',
      'nstemi',
      'stemi',
      'coronary artery disease',
      'peripheral arterial|artery disease',
      'pad',
      'cad',
      'aortic plaque',
      'coronary stent',
      'cabg',
      'herzinfarkt',
      'infarkt myokardu',
      'ischemická choroba',
      'pavk',
    ],
  ],
  [
    'liver disease',
    [
      'cirrhosis',
      'cirrhotic',
      'liver failure',
      'end stage liver',
      'hepatic encephalopathy',
      'leberzirrhose',
      'cirhóza',
      'cirrhose',
    ],
  ],
  ['dialysis', ['dialysis', 'haemodialysis', 'hemodialysis', 'cvvhd', 'dialyse', 'dialýza', 'dialyzován*']],
  [
    'pregnancy',
    ['pregnant', 'pregnancy', 'schwanger', 'schwangerschaft', 'těhotná', 'těhotenství', 'enceinte', 'gravida'],
  ],
]);

/** Statements about the patient, now or before; statements about relatives and suppositions are excluded. */
export function findConditions(document: Document): ConditionMention[] {
  return findPhrases(document.words, phrases)
    .slice(0, mentionsMax)
    .flatMap(({ label, start, end }) => {
      const status = clinicalStatus(document, { start, end }, episodes.has(label));
      if (status === undefined || status === 'family' || status === 'hypothetical') return [];
      return [{ condition: label, denied: status === 'negated', span: document.spanOf({ start, end }) }];
    });
}

const mentionsMax = 1_000;
const episodes: ReadonlySet<Condition> = new Set(['stroke or TIA']);

/** The first affirmation, else the first denial. */
export function conditionOf(mentions: readonly ConditionMention[], condition: Condition): ConditionMention | undefined {
  const own = mentions.filter((mention) => mention.condition === condition);
  return own.find(({ denied }) => !denied) ?? own[0];
}
