/**
 * What kind of contract a text calls itself, and which clauses of the checklist such contracts often leave out on purpose. The score
 * is the same for all kinds; this only tells how to read it.
 */

import type { Document } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';

export type DocumentKind =
  | 'confidentiality agreement'
  | 'data processing agreement'
  | 'employment contract'
  | 'lease'
  | 'loan'
  | 'licence'
  | 'supply or sale'
  | 'services'
  | 'other';

/** Ids of clauses. */
const usuallyAbsent: Readonly<Partial<Record<DocumentKind, readonly string[]>>> = {
  'confidentiality agreement': [
    'scope',
    'payment',
    'limitation_of_liability',
    'indemnification',
    'warranties',
    'insurance',
    'force_majeure',
    'data_protection',
  ],
  'data processing agreement': [
    'payment',
    'intellectual_property',
    'warranties',
    'insurance',
    'force_majeure',
    'indemnification',
  ],
  'employment contract': [
    'limitation_of_liability',
    'indemnification',
    'warranties',
    'insurance',
    'force_majeure',
    'assignment',
    'audit_and_compliance',
  ],
  lease: ['intellectual_property', 'data_protection', 'confidentiality', 'audit_and_compliance'],
  loan: ['intellectual_property', 'data_protection', 'force_majeure', 'warranties'],
};

const kinds = compilePhrases<DocumentKind>([
  [
    'confidentiality agreement',
    phraseList('non disclosure agreement; nondisclosure agreement; confidentiality agreement; nda; mnda'),
  ],
  ['data processing agreement', phraseList('data processing agreement|addendum; processor agreement')],
  [
    'employment contract',
    phraseList('employment contract|agreement; contract of employment; service contract ~3 director'),
  ],
  ['lease', phraseList('lease; lease agreement|contract; rental agreement; tenancy agreement')],
  ['loan', phraseList('loan agreement|contract; facility agreement; credit agreement')],
  ['licence', phraseList('license|licence agreement; licensing agreement; subscription agreement')],
  [
    'supply or sale',
    phraseList(
      'supply agreement|contract; purchase agreement|contract; sale|sales agreement|contract; contract of sale; distribution agreement',
    ),
  ],
  [
    'services',
    phraseList(
      'services|service agreement; maintenance ~3 agreement; consulting agreement; consultancy agreement; statement of work',
    ),
  ],
]);

/** Words looked at: a contract says what it is in its title or first sentence. */
const openingWords = 80;

/** The kind that is named first. */
export function documentKind({ words }: Document): DocumentKind {
  return findPhrases(words.slice(0, openingWords), kinds)[0]?.label ?? 'other';
}

/** @returns ids of the checklist's clauses */
export function oftenAbsent(kind: DocumentKind): readonly string[] {
  return usuallyAbsent[kind] ?? [];
}
