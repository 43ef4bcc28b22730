/** Which conditions records affirm or deny, as far as the scores need them. */
import type { AgentDocument } from '../../agent/agent.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import { type Span, spanOf } from '../text/span.ts';
import { splitWords, type Word } from '../text/words.ts';

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

/** Within this many words before a mention, in its sentence, a word of denial denies it. */
const denialWords = 6;
const denials = new Set(
  'no not without denies denied denying never negative excluded absent kein keine keinen ohne nicht bez neguje nemá popírá pas sans'.split(
    ' ',
  ),
);
/** "family history of stroke", "mother had diabetes": of somebody else. */
const others = new Set(
  'family mother father brother sister parents familienanamnese mutter vater matka otec rodinná mère père'.split(' '),
);

export function findConditions(
  { message, text }: AgentDocument,
  words: readonly Word[] = splitWords(text),
): ConditionMention[] {
  return findPhrases(words, phrases)
    .filter(({ firstWord }) => !isOfOthers(words, firstWord))
    .map(({ label, firstWord, start, end }) => ({
      condition: label,
      denied: isDenied(text, words, firstWord),
      span: spanOf(message, { start, end }),
    }));
}

/** The first affirmation, else the first denial. */
export function conditionOf(mentions: readonly ConditionMention[], condition: Condition): ConditionMention | undefined {
  const own = mentions.filter((mention) => mention.condition === condition);
  return own.find(({ denied }) => !denied) ?? own[0];
}

/** A new clause begins: "no diabetes, prior TIA", "no fever but known diabetes". Within a list the denial goes on. */
const turns = new Set('but however although except aber jedoch sondern ale mais'.split(' '));
const affirming = new Set(
  'prior previous known with has had history status treated bekannte zustand anamneze st'.split(' '),
);

function isDenied(text: string, words: readonly Word[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - denialWords); at -= 1) {
    if (words[at + 1]!.opens) return false;
    const word = words[at]!;
    if (denials.has(word.text)) return true;
    const afterComma = at > 0 && text.slice(words[at - 1]!.end, word.start).includes(',');
    if (turns.has(word.text) || (affirming.has(word.text) && afterComma)) return false;
  }
  return false;
}

function isOfOthers(words: readonly Word[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - denialWords); at -= 1) {
    if (words[at + 1]!.opens) return false;
    if (others.has(words[at]!.text)) return true;
  }
  return false;
}
