/**
 * Words that mention special categories of personal data (Article 9(1) GDPR), of offences (Article 10), and of children (Article
 * 8).
 */
import { phraseList as list } from '../text/phrases.ts';

export interface SensitiveKind {
  readonly kind: string;
  readonly article: 'Art. 9(1)' | 'Art. 10' | 'Art. 8';
  readonly wording: readonly string[];
}

export const sensitiveKinds: readonly SensitiveKind[] = [
  {
    kind: 'health',
    article: 'Art. 9(1)',
    wording: list(`
      diagnos*; patient*; medical record*|history|condition*|certificate*|report*; illness*; disease*; disabilit*; disabled ~2 person|employee|worker; prescri* ~4 mg|medication|tablet*;
      medication*; therap*; surgery; hospital*; sick leave|note; pregnan*; diabet*; cancer; tumour|tumor; asthma; hypertension; depression; hiv; hepatitis; covid; epilep*; allerg*;
      psychiatr*; blood pressure|type|test|group; vaccinat*; addiction; insulin; health data|status|record*|condition*|insurance; krank*; krankheit; gesundheit*; malad*; zdravot*`),
  },
  {
    kind: 'genetic data',
    article: 'Art. 9(1)',
    wording: list('genetic*; genome; dna; genotyp*; hereditary; brca1; brca2'),
  },
  {
    kind: 'biometric data',
    article: 'Art. 9(1)',
    wording: list(
      'biometric*; fingerprint*; facial recognition; face recognition; iris scan*; retina*; voiceprint*; palm vein',
    ),
  },
  {
    kind: 'racial or ethnic origin',
    article: 'Art. 9(1)',
    wording: list('ethnic*; racial; race ~2 ethnic*; skin colour|color; roma ~2 origin|community; national minority'),
  },
  {
    kind: 'political opinions',
    article: 'Art. 9(1)',
    wording: list('political opinion*|view*|affiliation; party membership; member of ~3 party; voted for'),
  },
  {
    kind: 'religious or philosophical beliefs',
    article: 'Art. 9(1)',
    wording: list(
      'religio*; muslim*; christian*; jewish; catholic*; protestant*; buddhis*; hindu*; atheis*; church tax; philosophical belief*; kirchensteuer',
    ),
  },
  {
    kind: 'trade union membership',
    article: 'Art. 9(1)',
    wording: list('trade union*; union member*|dues|membership; works council member*; gewerkschaft*'),
  },
  {
    kind: 'sex life or sexual orientation',
    article: 'Art. 9(1)',
    wording: list(
      'sexual orientation; sexual life; sex life; homosexual*; heterosexual*; bisexual*; lesbian*; transgender; gender identity',
    ),
  },
  {
    kind: 'criminal convictions and offences',
    article: 'Art. 10',
    wording: list(
      'criminal record*|conviction*|offence*|proceeding*; convicted ~2 of; police record*; prison sentence; strafregister; casier judiciaire',
    ),
  },
  {
    kind: 'children',
    article: 'Art. 8',
    wording: list('minors; child under; children under; pupil*; parental consent; schoolchild*; underage'),
  },
];

/** Words before a date that make it a date of birth. */
export const birthCue =
  /\b(?:date of birth|birth ?date|birthday|born(?: on)?|dob|d\.o\.b|geboren(?: am)?|geb|geburtsdatum|née? le|date de naissance|narozen[aý]?|nato il|nata il)\b[.:]?[^\n.;]{0,12}$/i;
