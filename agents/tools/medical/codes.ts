/** Recognises codes of the ICD-10 and the ATC classification by their shape, and says which chapter they belong to. */
import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { lineAround, type Range } from '../text/span.ts';
import { drugs } from './drugs.ts';

export interface MedicalCode extends Range {
  readonly system: 'ICD-10' | 'ATC';
  readonly code: string;
  /** Chapter of the ICD-10, or anatomical main group of the ATC; for known medicines, their name. */
  readonly meaning: string;
}

export const medicalCodes: AgentTool = {
  name: 'medical_codes',
  version: '1',
  purpose: 'Recognises ICD-10 and ATC codes. Text: the codes.',
  run(documents) {
    const all = countOnce(
      documents
        .map(readDocument)
        .flatMap(({ text, spanOf }) =>
          findCodes(text).map(({ start, end, ...code }) => ({ ...code, span: spanOf({ start, end }) })),
        ),
      ({ system, code }) => `${system} ${code}`,
    );
    const digest = all.map(({ system, code, meaning, span }) => `${system} ${code}: ${meaning} ${place(span)}`);
    return toFindings(sharedBytes({ codes: all }), digest, 15);
  },
};

/**
 * ICD-10: a letter, two digits, and after a point one to four more; without a point only on a line that mentions codes or
 * diagnoses, since rooms and parts are numbered alike. ATC: the full seven characters.
 *
 * @see WHO, ICD-10 volume 2 §2.4; WHO Collaborating Centre, Guidelines for ATC classification
 */
export function findCodes(text: string): MedicalCode[] {
  const found: MedicalCode[] = [];
  for (const match of text.matchAll(
    /(?<![\w.-])(?:([ABCDGHJLMNPRSV]\d{2}[A-Z]{2}\d{2})|([A-Z]\d[0-9A-B](?:\.[0-9A-Z]{1,4})?)([†*+!]?))(?![\w-])/g,
  )) {
    const [written, atc, icd] = match;
    const range = { start: match.index, end: match.index + written.length };
    if (atc !== undefined) {
      const drug = drugs.find((known) => known.atc === atc);
      found.push({ system: 'ATC', code: atc, meaning: drug?.name ?? atcGroups.get(atc[0]!)!, ...range });
      continue;
    }
    const chapter = chapterOf(icd!);
    if (chapter === undefined || (!icd!.includes('.') && !speaksOfCodes(text, match.index))) continue;
    if (icd!.includes('.') && !/^\w\d\w\.\d/.test(icd!)) continue;
    found.push({ system: 'ICD-10', code: icd!, meaning: chapter, ...range });
  }
  return found;
}

function speaksOfCodes(text: string, at: number): boolean {
  const { start } = lineAround(text, at, 120);
  return /\b(?:icd|mkn|cim|diagnos[ei]s|dx|diagnóz[ay]|dg|code)\b/iu.test(text.slice(start, at));
}

/** First and last category of each chapter. @see WHO, ICD-10, 2019 version */
const chapters: readonly (readonly [string, string, string])[] = [
  ['A00', 'B99', 'infectious and parasitic diseases'],
  ['C00', 'D48', 'neoplasms'],
  ['D50', 'D89', 'diseases of blood and immune mechanism'],
  ['E00', 'E90', 'endocrine, nutritional and metabolic diseases'],
  ['F00', 'F99', 'mental and behavioural disorders'],
  ['G00', 'G99', 'diseases of the nervous system'],
  ['H00', 'H59', 'diseases of the eye'],
  ['H60', 'H95', 'diseases of the ear'],
  ['I00', 'I99', 'diseases of the circulatory system'],
  ['J00', 'J99', 'diseases of the respiratory system'],
  ['K00', 'K93', 'diseases of the digestive system'],
  ['L00', 'L99', 'diseases of the skin'],
  ['M00', 'M99', 'diseases of the musculoskeletal system'],
  ['N00', 'N99', 'diseases of the genitourinary system'],
  ['O00', 'O99', 'pregnancy, childbirth and puerperium'],
  ['P00', 'P96', 'perinatal conditions'],
  ['Q00', 'Q99', 'congenital malformations'],
  ['R00', 'R99', 'symptoms and abnormal findings'],
  ['S00', 'T98', 'injury, poisoning and external consequences'],
  ['U00', 'U99', 'codes for special purposes'],
  ['V01', 'Y98', 'external causes'],
  ['Z00', 'Z99', 'factors influencing health status'],
];

function chapterOf(code: string): string | undefined {
  const category = code.slice(0, 3);
  return chapters.find(([from, to]) => category >= from && category <= to)?.[2];
}

const atcGroups = new Map([
  ['A', 'alimentary tract and metabolism'],
  ['B', 'blood and blood forming organs'],
  ['C', 'cardiovascular system'],
  ['D', 'dermatologicals'],
  ['G', 'genito-urinary system and sex hormones'],
  ['H', 'systemic hormonal preparations'],
  ['J', 'antiinfectives for systemic use'],
  ['L', 'antineoplastic and immunomodulating agents'],
  ['M', 'musculo-skeletal system'],
  ['N', 'nervous system'],
  ['P', 'antiparasitic products'],
  ['R', 'respiratory system'],
  ['S', 'sensory organs'],
  ['V', 'various'],
]);
