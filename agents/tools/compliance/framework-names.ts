/** Frameworks and how documents name them in six languages; numbers of acts as the Official Journal prints them. */
import { phraseList } from '../text/phrases.ts';

export type FrameworkId =
  | 'gdpr'
  | 'uk_gdpr'
  | 'bdsg'
  | 'iso_27001'
  | 'iso_27701'
  | 'iso_27017'
  | 'iso_27018'
  | 'iso_22301'
  | 'iso_9001'
  | 'iso_42001'
  | 'soc_2'
  | 'nis2'
  | 'dora'
  | 'hipaa'
  | 'pci_dss'
  | 'ai_act'
  | 'ccpa'
  | 'nist_csf'
  | 'c5'
  | 'swiss_fadp';

const iso = (number: string) =>
  `iso ${number}; iso ~1 ${number}; iec ${number}; en iso ~1 ${number}; une ~3 ${number}; iso ~1 ${number} 20*; din ~3 ${number}; nen ~3 ${number}; uni ~4 ${number}`;

/** A longer name takes its words from a shorter one: "UK GDPR" is not "GDPR". */
export const frameworkNames: readonly (readonly [FrameworkId, string])[] = [
  [
    'uk_gdpr',
    'uk gdpr; uk general data protection regulation; united kingdom general data protection regulation; uk data protection; data protection act 2018; dpa 2018; retained regulation ~2 2016 679; gdpr as it forms part; regulation eu 2016 679 as it forms part',
  ],
  [
    'gdpr',
    `gdpr; eu gdpr; general data protection regulation; 2016 679; dsgvo; ds gvo; eu dsgvo; datenschutz grundverordnung; datenschutzgrundverordnung; rgpd; règlement général sur la protection; reglamento general de protección; avg; algemene verordening gegevensbescherming; regolamento generale sulla protezione; rodo; regulamento geral sobre a proteção|proteção; regulamento geral de proteção; allmänna dataskyddsförordning*; dataskyddsförordning*; rozporządzeni* ~4 2016 679`,
  ],
  ['bdsg', 'bdsg; bundesdatenschutzgesetz; bundesdatenschutzgesetzes'],
  ['iso_27001', `${iso('27001')}; isms nach iso; bs 7799`],
  ['iso_27701', iso('27701')],
  ['iso_27017', iso('27017')],
  ['iso_27018', iso('27018')],
  ['iso_22301', iso('22301')],
  ['iso_9001', iso('9001')],
  ['iso_42001', iso('42001')],
  [
    'soc_2',
    `soc 2; soc ii; trust services criteria; trust services criterion; aicpa tsc; trust services categories; system and organization controls 2; tsc`,
  ],
  [
    'nis2',
    'nis 2; nis 2 direktiv*; nis2; nis2 direktiv*; nis ii; 2022 2555; nis 2 richtlinie; bsig; nis2umsucg; cyberbeveiligingswet; cbw',
  ],
  [
    'dora',
    'dora; 2022 2554; digital operational resilience act; digital operational resilience; résilience opérationnelle numérique; resiliencia operativa digital; resilienza operativa digitale; digitale operationele weerbaarheid; digitale operationale resilienz',
  ],
  ['hipaa', 'hipaa; health insurance portability; 45 cfr ~2 160|164|162; 45 c f r; hitech'],
  [
    'pci_dss',
    'pci dss; pci data security; payment card industry data security; pci 4|3|4.0|4.0.1|3.2.1; pci requirement|requirements',
  ],
  [
    'ai_act',
    'ai act; 2024 1689; artificial intelligence act; ki verordnung; ki vo; règlement sur l ia; règlement ~4 intelligence artificielle; reglamento ~3 inteligencia artificial; ley de ia; regolamento ~4 intelligenza artificiale; ai verordening; eu ai act; rgia; reglamento de ia; regolamento ia; règlement ia; regulamento ia; akt o sztucznej inteligencji; ai förordningen',
  ],
  ['ccpa', 'ccpa; cpra; california consumer privacy; california privacy rights'],
  [
    'nist_csf',
    'nist csf; nist cybersecurity framework; cybersecurity framework; nist cyber security framework; csf 2.0; csf 1.1; csf tiering|tiers|profile',
  ],
  [
    'c5',
    'c 5 testat|kriterien|kriterienkatalog|report|attestation|bericht|prüfung|katalog|typ; bsi c 5; cloud computing compliance; c 5 2020; c 5 ~3 bsi; c 5',
  ],
  [
    'swiss_fadp',
    'fadp; revfadp; revdsg; dsg ~2 schweiz; ndsg; swiss data protection; schweizer datenschutzgesetz; swiss federal act; loi fédérale sur la protection; nlpd; lpd; nfadp; schweizerische* datenschutzgesetz; bundesgesetz über den datenschutz; legge federale sulla protezione',
  ],
];

export const frameworkPhrases = frameworkNames.map(([id, text]) => [id, phraseList(text)] as const);

/** In the words of their publishers, for the model. */
export const frameworkTitles: Readonly<Record<FrameworkId, string>> = {
  gdpr: 'GDPR, Regulation (EU) 2016/679',
  uk_gdpr: 'UK GDPR',
  bdsg: 'BDSG',
  iso_27001: 'ISO/IEC 27001',
  iso_27701: 'ISO/IEC 27701',
  iso_27017: 'ISO/IEC 27017',
  iso_27018: 'ISO/IEC 27018',
  iso_22301: 'ISO 22301',
  iso_9001: 'ISO 9001',
  iso_42001: 'ISO/IEC 42001',
  soc_2: 'SOC 2',
  nis2: 'NIS2, Directive (EU) 2022/2555',
  dora: 'DORA, Regulation (EU) 2022/2554',
  hipaa: 'HIPAA',
  pci_dss: 'PCI DSS',
  ai_act: 'AI Act, Regulation (EU) 2024/1689',
  ccpa: 'CCPA',
  nist_csf: 'NIST Cybersecurity Framework',
  c5: 'BSI C5',
  swiss_fadp: 'Swiss FADP',
};
