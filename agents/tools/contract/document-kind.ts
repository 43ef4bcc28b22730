/**
 * Determines which type of contract a text is, whether it is subordinate to another contract, and which checklist clauses such
 * contracts omit on purpose or need.
 */

import type { Document } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';

export type DocumentKind =
  | 'confidentiality agreement'
  | 'data processing agreement'
  | 'order form'
  | 'employment contract'
  | 'lease'
  | 'loan'
  | 'licence'
  | 'distribution'
  | 'supply or sale'
  | 'services'
  | 'other';

/** Clauses that a subordinate contract takes from its master contract. */
const fromTheOther = [
  'termination',
  'limitation_of_liability',
  'confidentiality',
  'governing_law',
  'data_protection',
  'indemnification',
  'intellectual_property',
  'warranties',
  'dispute_resolution',
  'force_majeure',
  'assignment',
  'notices',
  'amendment',
  'entire_agreement',
  'severability',
  'waiver',
  'survival',
  'insurance',
  'audit_and_compliance',
];

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
    'intellectual_property',
    'audit_and_compliance',
    'amendment',
    'severability',
    'waiver',
    'survival',
  ],
  'data processing agreement': [
    'amendment',
    'severability',
    'survival',
    'payment',
    'intellectual_property',
    'warranties',
    'insurance',
    'force_majeure',
    'indemnification',
    'assignment',
    'dispute_resolution',
    'notices',
    'entire_agreement',
    'waiver',
  ],
  'order form': fromTheOther,
  'employment contract': [
    'limitation_of_liability',
    'indemnification',
    'warranties',
    'insurance',
    'force_majeure',
    'assignment',
    'audit_and_compliance',
    'dispute_resolution',
  ],
  lease: [
    'intellectual_property',
    'data_protection',
    'confidentiality',
    'audit_and_compliance',
    'force_majeure',
    'warranties',
    'entire_agreement',
    'limitation_of_liability',
    'waiver',
    'severability',
  ],
  loan: [
    'intellectual_property',
    'data_protection',
    'force_majeure',
    'warranties',
    'limitation_of_liability',
    'confidentiality',
    'insurance',
    'scope',
  ],
  licence: ['insurance', 'force_majeure', 'audit_and_compliance'],
  distribution: ['data_protection', 'insurance'],
  'supply or sale': ['data_protection', 'intellectual_property', 'insurance'],
};

/** Clauses whose absence a reviewer of such a contract must know; the absence of others is reported with low severity. */
const needed: Readonly<Record<DocumentKind, readonly string[]>> = {
  'confidentiality agreement': ['confidentiality', 'governing_law', 'term'],
  'data processing agreement': ['data_protection'],
  'order form': [],
  'employment contract': ['payment', 'termination', 'term'],
  lease: ['payment', 'term'],
  loan: ['payment', 'governing_law', 'term'],
  licence: ['payment', 'termination', 'limitation_of_liability', 'governing_law', 'intellectual_property', 'term'],
  distribution: ['termination', 'limitation_of_liability', 'governing_law', 'term'],
  'supply or sale': ['payment', 'limitation_of_liability', 'governing_law', 'warranties', 'force_majeure'],
  services: [
    'payment',
    'termination',
    'limitation_of_liability',
    'confidentiality',
    'governing_law',
    'force_majeure',
    'intellectual_property',
    'data_protection',
  ],
  other: ['payment', 'termination', 'limitation_of_liability', 'governing_law'],
};

const kinds = compilePhrases<DocumentKind>([
  [
    'confidentiality agreement',
    phraseList(
      'non disclosure agreement|deed; nondisclosure agreement; confidentiality agreement|deed|undertaking; nda; mnda; vertraulichkeitsvereinbarung; geheimhaltungsvereinbarung',
    ),
  ],
  [
    'data processing agreement',
    phraseList(
      'data processing agreement|addendum|annex|schedule|terms; annex ~3 data processing|protection; processor agreement; dpa; auftragsverarbeitung*; auftragsverarbeitungsvertrag',
    ),
  ],
  [
    'order form',
    phraseList('order form; work order; purchase order; statement of work; einzelauftrag; bestellschein; call off'),
  ],
  [
    'employment contract',
    phraseList(
      'employment contract|agreement; contract of employment; service contract ~3 director; arbeitsvertrag; anstellungsvertrag',
    ),
  ],
  [
    'lease',
    phraseList('lease; lease agreement|contract; rental agreement; tenancy agreement; mietvertrag; pachtvertrag'),
  ],
  [
    'loan',
    phraseList(
      'loan agreement|contract|facility; facility agreement; credit agreement; promissory note; darlehensvertrag; kreditvertrag',
    ),
  ],
  [
    'licence',
    phraseList(
      'license|licence agreement; licensing agreement; subscription agreement|terms; lizenzvertrag; software license|licence; saas; software as a service',
    ),
  ],
  [
    'distribution',
    phraseList(
      'distribution|distributor|distributorship|reseller|agency agreement|contract; vertriebsvertrag; händlervertrag; vertragshändlervertrag; handelsvertretervertrag',
    ),
  ],
  [
    'supply or sale',
    phraseList(
      'supply agreement|contract; purchase agreement|contract; sale|sales agreement|contract; contract of sale; kaufvertrag; liefervertrag; rahmenliefervertrag; terms|conditions of sale|purchase|supply',
    ),
  ],
  [
    'services',
    phraseList(
      'research|collaboration|development agreement|contract; services|service agreement|contract; overeenkomst van opdracht; contrat de prestation; contrato de prestación; contratto di servizi; maintenance ~3 agreement; consulting agreement; consultancy agreement; contractor agreement; dienstleistungsvertrag; dienstvertrag; beratungsvertrag; wartungsvertrag; rahmenvertrag; werkvertrag; agreement for ~3 services; terms of service; hosting agreement',
    ),
  ],
]);

/** Number of words examined: a contract states its type in its title or first sentence. */
const openingWords = 90;

const cache = new WeakMap<Document, DocumentKind>();

/** The type that is named first; an order that the text mentions in passing does not count. */
export function documentKind(document: Document): DocumentKind {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const named = findPhrases(document.words.slice(0, openingWords), kinds);
  const first = named.find(({ label, firstWord }) => label !== 'order form' || firstWord < 25)?.label ?? 'other';
  cache.set(document, first);
  return first;
}

const underAnother =
  /\b(?:made|issued|entered into|placed|executed|concluded|agreed) (?:under|pursuant to|in accordance with|subject to|on the basis of)\b[^.;]{0,60}\b(?:agreement|msa|terms|contract|conditions)\b|\b(?:forms? part of|incorporated into|supplements?|annex(?:ed)? to|schedule to|attached to|addendum to|amendment to|governed by the terms of)\b[^.;]{0,80}\b(?:agreement|msa|contract|terms)\b|\bto the \p{L}+(?: \p{L}+){0,3} Agreement\b|\bmeanings? (?:as |given )?(?:in|to them in) the (?:\p{L}+ ){0,4}(?:agreement|msa|contract)\b|\bAnlage (?:\d+ )?zum\b[^.;]{0,60}(?:vertrag|vereinbarung)/iu;

/** An order form, annex or addendum: its master contract supplies the other terms. */
export function isOrderUnder(document: Document): boolean {
  const opening = document.text.slice(0, 1_800).replace(/\s{1,20}/g, ' ');
  const kind = documentKind(document);
  const title = opening.slice(0, 200);
  const isAttachment =
    /^[^\p{L}]{0,20}(?:annex|appendix|schedule|exhibit|addendum|anlage|anhang|amendment|order form|work order|statement of work|change order|nachtrag)\b/iu.test(
      title,
    ) ||
    isAmendment(document) ||
    kind === 'order form' ||
    kind === 'data processing agreement';
  return (
    isAttachment &&
    (underAnother.test(opening) ||
      /\b(?:MSA|Services Agreement|Master Agreement|Main Agreement|Principal Agreement|Hauptvertrag|Rahmenvertrag)\b/.test(
        opening,
      ))
  );
}

/** A letter or deed that changes another contract; its references are to clauses of that contract. */
export function isAmendment({ text, sections }: Document): boolean {
  const titled =
    /^\W{0,4}(?:amendment|deed of (?:variation|amendment)|variation|side letter|supplemental agreement|nachtrag|avenant|adenda)\b/i;
  return (
    titled.test(text.slice(0, 120).trimStart()) ||
    sections.slice(0, 5).some(({ title, start }) => start < 2_000 && titled.test(title))
  );
}

/** Ids of the checklist clauses that a document of its type omits on purpose. */
export function oftenAbsentIn(document: Document): readonly string[] {
  const kind = documentKind(document);
  const base = usuallyAbsent[kind] ?? [];
  const own = isOrderUnder(document) ? [...new Set([...base, ...fromTheOther, 'payment', 'term'])] : base;
  // A single clause does not reveal the type of its contract.
  return document.text.length < 1_500 || handlesPersonalData(document) || own.includes('data_protection')
    ? own
    : [...own, 'data_protection'];
}

/** A contract whose performance involves personal data: software, hosting, personnel records. */
function handlesPersonalData({ text }: Document): boolean {
  return /\bpersonal data\b|\bpersonal information\b|personenbezogen|\bhosting\b|\bhosted\b|\bsoftware\b|\bcustomer data\b|\bend users?\b|\bpatients?\b|\bpayroll\b|\banalytics\b|\bcloud\b/i.test(
    text,
  );
}

/** Whether the absence of a clause matters in this document. */
export function isNeeded(document: Document, clause: string): boolean {
  return !oftenAbsentIn(document).includes(clause) && needed[documentKind(document)].includes(clause);
}
