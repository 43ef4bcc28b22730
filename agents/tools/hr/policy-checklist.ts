/**
 * What employment contracts and HR policies in the EU should cover: the essential aspects of which workers must be informed in
 * writing, and the topics that other directives require an employer to regulate. Checks the presence of words, not their
 * quality.
 * @see Directive (EU) 2019/1152 (transparent working conditions), article 4(2); the directive named with each topic; titles and
 *   summaries in our own words
 */
import type { AgentDocument } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';
import { evidenceOf } from './policy-evidence.ts';

export interface PolicyTopic {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly part: 'written_information' | 'policy';
  readonly phrases: readonly string[];
}

/** Phrases as one text, so that the table stays readable. */
const list = (phrases: string) => phrases.split(', ');

const topic = (part: PolicyTopic['part'], id: string, title: string, source: string, phrases: string): PolicyTopic => ({
  id,
  title,
  source,
  part,
  phrases: list(phrases),
});

export const policyTopics: readonly PolicyTopic[] = [
  topic(
    'written_information',
    'parties',
    'identities of the parties',
    'Directive (EU) 2019/1152, art. 4(2)(a)',
    'between ~12 employer, employer ~12 employee, arbeitgeber*, zaměstnavatel*, employeur',
  ),
  topic(
    'written_information',
    'place',
    'place of work',
    'art. 4(2)(b)',
    'place of work, workplace, work location, arbeitsort, místo výkonu práce, lieu de travail',
  ),
  topic(
    'written_information',
    'job',
    'title, grade or description of the work',
    'art. 4(2)(c)',
    'job title, job description, position of, role of, duties, stellenbezeichnung, druh práce, pracovní pozice, fonction',
  ),
  topic(
    'written_information',
    'start',
    'date of commencement',
    'art. 4(2)(d)',
    'start date, commencement date, commence*, beginn des arbeitsverhältnisses, den nástupu, date de début',
  ),
  topic(
    'written_information',
    'fixed_term',
    'end or expected duration of a fixed term',
    'art. 4(2)(e)',
    'fixed term, indefinite ~1 period, permanent contract, indefinite, befristet*, unbefristet*, doba určit*, dobu neurčit*, dobu určit*, durée déterminée, durée indéterminée',
  ),
  topic(
    'written_information',
    'probation',
    'duration and conditions of probation',
    'art. 4(2)(g), art. 8',
    "probation*, trial period, probezeit, zkušební dob*, période d'essai",
  ),
  topic(
    'written_information',
    'training',
    'training provided by the employer',
    'art. 4(2)(h), art. 13',
    'training, professional development, fortbildung*, weiterbildung*, školení, vzdělávání, formation',
  ),
  topic(
    'written_information',
    'leave',
    'amount of paid leave',
    'art. 4(2)(i); Directive 2003/88/EC, art. 7',
    'annual leave, paid leave, holiday entitlement, vacation, urlaub*, dovolen*, congés payés',
  ),
  topic(
    'written_information',
    'termination',
    'procedure and notice for termination',
    'art. 4(2)(j)',
    'notice period, period of notice, termination of employment, notice of termination, kündigungsfrist*, výpověd*, výpovědní dob*, préavis',
  ),
  topic(
    'written_information',
    'pay',
    'remuneration, its parts, frequency and method of payment',
    'art. 4(2)(k)',
    'salary, remuneration, wage|wages, gross pay, gehalt, vergütung, lohn, mzda, mzdy, plat, salaire, rémunération',
  ),
  topic(
    'written_information',
    'hours',
    'length of the normal working day or week, overtime',
    'art. 4(2)(l)–(m)',
    'working hours, hours per week, hours a week, working time, arbeitszeit*, pracovní dob*, temps de travail, horaire*',
  ),
  topic(
    'written_information',
    'overtime',
    'overtime and its remuneration',
    'art. 4(2)(l)',
    'overtime, überstunden, mehrarbeit, přesčas*, heures supplémentaires',
  ),
  topic(
    'written_information',
    'collective',
    'collective agreements that apply',
    'art. 4(2)(n)',
    'collective ~1 agreement*, tarifvertrag*, betriebsvereinbarung*, kolektivní* smlouv*, convention collective',
  ),
  topic(
    'written_information',
    'social_security',
    'social security institutions and protection',
    'art. 4(2)(o)',
    'social security, pension, sozialversicherung*, sociální* zabezpečení, sociální* pojištění, sécurité sociale',
  ),
  topic(
    'policy',
    'rest',
    'daily and weekly rest, breaks',
    'Directive 2003/88/EC, arts. 3–5',
    'daily rest, weekly rest, rest period*, rest break*, ruhezeit*, ruhepause*, odpočin*, přestávk*, repos',
  ),
  topic(
    'policy',
    'recording',
    'measuring daily working time',
    'CJEU C-55/18',
    'record* ~4 working time, record* ~3 hours, timesheet*, time recording, zeiterfassung*, evidence pracovní doby, clock* in',
  ),
  topic(
    'policy',
    'anti_discrimination',
    'equal treatment',
    'Directives 2000/43/EC, 2000/78/EC, 2006/54/EC',
    'equal treatment, equal opportunit*, discriminat*, gleichbehandlung*, diskriminier*, diskriminac*, rovné zacházení',
  ),
  topic(
    'policy',
    'harassment',
    'harassment, sexual harassment and how to report them',
    'Directive 2006/54/EC, art. 26',
    'harass*, bullying, mobbing, belästigung*, obtěžován*, harcèlement',
  ),
  topic(
    'policy',
    'whistleblowing',
    'internal reporting channel',
    'Directive (EU) 2019/1937, arts. 8–9',
    'whistleblow*, speak up, reporting channel, hinweisgeber*, oznamovatel*, lanceur* alerte',
  ),
  topic(
    'policy',
    'grievance',
    'grievance procedure',
    'good practice',
    'grievance*, complaint* procedure, beschwerdeverfahren, stížnost*',
  ),
  topic(
    'policy',
    'discipline',
    'disciplinary procedure',
    'good practice',
    'disciplin*, written warning*, abmahnung*, vytýkac*, sanction*',
  ),
  topic(
    'policy',
    'parental',
    'paternity, parental and carers’ leave',
    'Directive (EU) 2019/1158',
    'parental leave, paternity leave, carers leave, maternity leave, elternzeit, mutterschutz, rodičovsk*, mateřsk*, congé parental',
  ),
  topic(
    'policy',
    'flexible',
    'flexible and remote working',
    'Directive (EU) 2019/1158, art. 9',
    'remote work*, telework*, home office, flexible work*, hybrid work*, mobiles arbeiten, práce na dálku, télétravail',
  ),
  topic(
    'policy',
    'pay_transparency',
    'equal pay and pay transparency',
    'Directive (EU) 2023/970',
    'pay transparency, equal pay, pay gap, pay range*, entgelttransparenz*, rovné odměňování, transparence salariale',
  ),
  topic(
    'policy',
    'safety',
    'health and safety',
    'Directive 89/391/EEC',
    'health and safety, occupational safety, arbeitsschutz, arbeitssicherheit, bezpečnost* ~3 práce, bozp, santé et sécurité',
  ),
  topic(
    'policy',
    'data_protection',
    'employees’ personal data and monitoring',
    'GDPR, arts. 13 and 88',
    'personal data, data protection, privacy, monitoring ~3 employee*, datenschutz*, ochrana osobních údajů, osobní* údaj*, données personnelles',
  ),
  topic(
    'policy',
    'sickness',
    'sickness and sick pay',
    'good practice',
    'sick leave, sick pay, sickness, illness, krankheit*, arbeitsunfähig*, nemoc*, maladie',
  ),
  topic(
    'policy',
    'confidentiality',
    'confidentiality and intellectual property',
    'Directive (EU) 2016/943',
    'confidential*, trade secret*, intellectual property, geheimhaltung*, vertraulich*, mlčenlivost*, obchodní* tajemství, confidentialité',
  ),
];

export interface TopicResult {
  readonly topic: PolicyTopic;
  readonly count: number;
  /** Position of the first mention; absent if there is none. */
  readonly first?: Range & { readonly document: Document };
}

const compiled = compilePhrases(policyTopics.map((entry) => [entry, entry.phrases] as const));

/** Every topic of the list, in its order. */
export function checkPolicy(documents: readonly AgentDocument[]): TopicResult[] {
  const found = new Map<PolicyTopic, { count: number; first: Range & { document: Document } }>();
  for (const document of documents.map(readDocument)) {
    for (const { label, start, end } of findPhrases(document.words, compiled)) {
      const known = found.get(label);
      if (known === undefined) found.set(label, { count: 1, first: { document, start, end } });
      else known.count += 1;
    }
    for (const [id, { start, end }] of evidenceOf(document)) {
      const entry = policyTopics.find((topicOf) => topicOf.id === id && !found.has(topicOf));
      if (entry !== undefined) found.set(entry, { count: 1, first: { document, start, end } });
    }
  }
  return policyTopics.map((entry) => ({ topic: entry, count: 0, ...found.get(entry) }));
}
