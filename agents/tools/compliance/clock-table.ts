/**
 * Deadlines for notifying incidents and breaches, by regime and step, each with its article. Durations only: the start is
 * described in words, and no clock is read.
 */

export interface Clock {
  readonly step: string;
  readonly article: string;
  /** ISO 8601; undefined if the rule only says "without undue delay". */
  readonly within?: string;
  readonly from: string;
  readonly to: string;
}

export interface Regime {
  readonly id: string;
  readonly name: string;
  /** Wording that suggests that the regime applies, in the syntax of `phraseList`. */
  readonly cues: string;
  readonly clocks: readonly Clock[];
}

/** `step | article | ISO duration or a dash | from | to`, one per line. */
function clocks(table: string): Clock[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [step = '', article = '', within = '-', from = '', to = ''] = line.split('|').map((part) => part.trim());
      return { step, article, ...(within === '-' ? {} : { within }), from, to };
    });
}

export const clockRegimes: readonly Regime[] = [
  {
    id: 'gdpr',
    name: 'GDPR, Regulation (EU) 2016/679',
    cues: 'gdpr; personal data ~3 breach*; data breach*; 2016 679; supervisory authority; data subject*; personal data',
    clocks: clocks(`
      notification to the authority | Art. 33(1) | PT72H | awareness of the breach | supervisory authority
      processor to controller | Art. 33(2) | - | awareness of the breach, without undue delay | controller
      communication to persons, where the risk is high | Art. 34(1) | - | without undue delay | data subjects`),
  },
  {
    id: 'nis2',
    name: 'NIS2, Directive (EU) 2022/2555',
    cues: 'nis2; nis 2; 2022 2555; essential entity|entities; important entity|entities; csirt; significant incident*',
    clocks: clocks(`
      early warning | Art. 23(4)(a) | PT24H | awareness of the significant incident | CSIRT or competent authority
      incident notification | Art. 23(4)(b) | PT72H | awareness of the significant incident | CSIRT or competent authority
      incident notification by trust service providers | Art. 23(4), second subparagraph | PT24H | awareness of the significant incident | CSIRT or competent authority
      final report, or progress report while it lasts | Art. 23(4)(d), (e) | P1M | submission of the incident notification | CSIRT or competent authority`),
  },
  {
    id: 'dora',
    name: 'DORA, Regulation (EU) 2022/2554, with Delegated Regulation (EU) 2025/301',
    cues: 'dora; 2022 2554; digital operational resilience; financial entity|entities; major ~3 incident*; credit institution; payment institution; insurance undertaking',
    clocks: clocks(`
      initial notification | Art. 19(4)(a); 2025/301 Art. 5(1)(a) | PT4H | classification as major | competent authority
      initial notification, at the latest | Art. 19(4)(a); 2025/301 Art. 5(1)(a) | PT24H | awareness of the incident | competent authority
      intermediate report | Art. 19(4)(b); 2025/301 Art. 5(1)(b) | PT72H | submission of the initial notification | competent authority
      final report | Art. 19(4)(c); 2025/301 Art. 5(1)(c) | P1M | submission of the intermediate report or its last update | competent authority
      information of clients, where their interests are affected | Art. 19(3) | - | without undue delay after awareness | clients`),
  },
  {
    id: 'cra',
    name: 'Cyber Resilience Act, Regulation (EU) 2024/2847 (reporting applies from 11 September 2026)',
    cues: 'cyber resilience act; 2024 2847; products with digital elements; actively exploited',
    clocks: clocks(`
      early warning of an actively exploited vulnerability | Art. 14(2)(a) | PT24H | awareness | CSIRT and ENISA
      vulnerability notification | Art. 14(2)(b) | PT72H | awareness | CSIRT and ENISA
      final report on the vulnerability | Art. 14(2)(c) | P14D | a corrective measure is available | CSIRT and ENISA
      early warning of a severe incident | Art. 14(4)(a) | PT24H | awareness | CSIRT and ENISA
      incident notification | Art. 14(4)(b) | PT72H | awareness | CSIRT and ENISA
      final report on the incident | Art. 14(4)(c) | P1M | submission of the incident notification | CSIRT and ENISA`),
  },
  {
    id: 'cer',
    name: 'CER, Directive (EU) 2022/2557',
    cues: 'critical entity|entities; 2022 2557; resilience of critical entities',
    clocks: clocks(`
      initial notification | Art. 15(1) | PT24H | awareness of the incident | competent authority
      detailed report, where relevant | Art. 15(1) | P1M | the initial notification | competent authority`),
  },
  {
    id: 'telecom',
    name: 'Regulation (EU) 611/2013 on breaches at providers of electronic communications',
    cues: '611 2013; electronic communications ~2 service*; telecom* provider*|operator*',
    clocks: clocks(`
      notification of a personal data breach | Art. 2(2) | PT24H | detection of the breach | competent national authority
      further information, where the first was incomplete | Art. 2(3) | P3D | the initial notification | competent national authority`),
  },
  {
    id: 'ai_act',
    name: 'AI Act, Regulation (EU) 2024/1689',
    cues: 'ai act; 2024 1689; high risk ai; artificial intelligence act',
    clocks: clocks(`
      serious incident | Art. 73(2) | P15D | awareness | market surveillance authority
      widespread infringement, or critical infrastructure disrupted | Art. 73(3) | P2D | awareness | market surveillance authority
      death of a person | Art. 73(4) | P10D | awareness | market surveillance authority`),
  },
  {
    id: 'mdr',
    name: 'Medical devices, Regulation (EU) 2017/745',
    cues: 'medical device*; 2017 745; vigilance report*',
    clocks: clocks(`
      serious incident | Art. 87(3) | P15D | awareness of the link or its reasonable possibility | competent authority
      serious public health threat | Art. 87(4) | P2D | awareness of the threat | competent authority
      death or unanticipated serious deterioration | Art. 87(5) | P10D | awareness of the incident | competent authority`),
  },
  {
    id: 'uk_gdpr',
    name: 'UK GDPR',
    cues: 'uk gdpr; information commissioner; data protection act 2018',
    clocks: clocks(`
      notification to the Commissioner | Art. 33(1) | PT72H | awareness of the breach | Information Commissioner
      communication to persons, where the risk is high | Art. 34(1) | - | without undue delay | data subjects`),
  },
  {
    id: 'hipaa',
    name: 'HIPAA Breach Notification Rule, 45 CFR 164.404 to 164.410',
    cues: 'hipaa; protected health information; phi; covered entity; business associate',
    clocks: clocks(`
      notice to individuals | 164.404(b) | P60D | discovery of the breach, without unreasonable delay | individuals
      notice to the Secretary, 500 or more individuals | 164.408(b) | P60D | discovery of the breach | HHS
      business associate to covered entity | 164.410(b) | P60D | discovery of the breach | covered entity`),
  },
];
