/** Within what time somebody must act under a document: notify, object, answer, patch, revoke, correct. */
import type { Certain } from '../left-out.ts';
import { findDurations } from '../text/durations.ts';
import { oncePer } from '../text/once-per.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { type Doubt, formerInBrackets, isMeasured, partyDoubt } from './certainty.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import { labelsInTitle } from './flat-text.ts';
import { asDefinition, asGoal, asLength, byContract, ofOtherContract, supposed } from './limit-senses.ts';
import { type Topic, topics } from './limit-topics.ts';
import { type FoundPeriod, type Period, periodOf } from './periods.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { findRecurrences } from './recurrence.ts';
import { cellText, isResult } from './register-rows.ts';
import { hasCue, isAside } from './sense.ts';

export type TimeLimitKind =
  | 'breach-notification'
  | 'subprocessor-notice'
  | 'subprocessor-objection'
  | 'audit-notice'
  | 'data-subject-request'
  | 'patching'
  | 'access-revocation'
  | 'remediation'
  | 'incident-report';

export interface TimeLimit {
  readonly what: TimeLimitKind;
  readonly period: Period;
  readonly clause: Clause;
}

/** Words before a period that make it a limit. */
const within =
  /(?:within|no later than|not later than|later than|at the latest|latest|in no more than|not exceed\p{L}*|not more than|in any (?:event|case)|inside|under|up to|maximum(?: of)?|max\.?|not less than|at least|no less than|minimum(?: of)?|with|giving|on|for|after|past|beyond|exceeding|binnen|innerhalb|spätestens|innert|in|frist|mindestens|mit|nach|über|länger als|seit|sous|dans|délai|plus tard|d ici|avec|moins|au moins|minimum|après|depuis|entro|oltre|termine|almeno|con|non oltre|massimo|en|plazo|dentro|máximo|menos|antes|tras|después|uiterlijk|ten minste|tenminste|minimaal|minstens|maximaal|met|termijn|na|objection|no prazo de|até|inferior a|pelo menos|após|com|w ciągu|w terminie|do|nie później niż|najpóźniej|co najmniej|po|przez|z|inom|senast|minst|högst|efter|i|objection|:|critical|high|\||,|und|and|et|y|e|o|ou|or|oder|en|of|of a period of|un|una|a|the|der|die|das|den|dem|einer|eines|le|la|les|los|las|i|il|gli|de|del|di|van|von|een|further|weitere[rn]?)[\s(“"]{0,8}(?:the |der |die |den |dem |einer |einem |von |le |la |les |un |une |un délai de |el |los |las |i |il |de |di |una |un plazo de |een |de |van |ten minste |at most |höchstens |maximal )*(?:\p{L}+ \()?$/iu;

/** "30 days' prior written notice". */
const noticeAfter =
  /^['’]?\s{1,4}(?:(?:prior|advance|written|calendar)\s{1,4}){0,3}(?:notice|vorlauf|ankündigung|préavis|aviso|preaviso|preavviso|vooraf|in advance|im voraus|vorher|zuvor|à l.avance|en avance|de antelación|in anticipo|van tevoren|de antecedência|wcześniej|i förväg|before)/iu;

/** In the order of the text, each kind with each period once. */
export const findTimeLimits = oncePer((reading: Reading): Certain<TimeLimit, Doubt> => {
  const type = documentTypeOf(reading)?.type;
  const ofIncidents = reportsIncidents(reading);
  const found = new Map<string, TimeLimit>();
  const doubts: Doubt[] = [];
  let before: { readonly clause: Clause; readonly what: TimeLimitKind } | undefined;
  for (const [index, clause] of reading.clauses.entries()) {
    const periods = limitsIn(clause);
    if (periods.length === 0) continue;
    const labels = labelsOf(clause);
    const previous = reading.clauses[index - 1];
    const ofSentence = new Set(
      previous?.sentence === clause.sentence ? phrasesIn(previous, topics).map(({ label }) => label) : [],
    );
    for (const { period, ...range } of periods) {
      const what = kindAt(clause, range, labels, { ofIncidents, type, ofSentence }) ?? inherited(clause, before);
      if (what === undefined || isExcluded(clause, range, what, period, reading, type)) continue;
      const doubt = !statutory.has(type) && reports.has(what) ? partyDoubt(clause) : undefined;
      const key = `${what} ${period.count} ${period.unit}`;
      if (doubt !== undefined) doubts.push(doubt);
      else if (!found.has(key)) found.set(key, { what, period, clause });
      before = { clause, what };
    }
  }
  return { facts: [...found.values()], doubts };
});

const nextDayWords = /next|folg|nächst|suivant|lendemain|siguiente|successivo|volgende/iu;
const nextDay =
  /(?<!\p{L})(?:am (?:nächsten|folgenden) (arbeitstag|werktag|tag)|am folgetag|(?:the )?next (business day|working day|day)|(?:le )?(?:jour|lendemain) (ouvré )?(?:suivant|même)?|al día siguiente( hábil)?|(?:il )?giorno (lavorativo )?successivo|de volgende (werkdag|dag))(?!\p{L})/giu;

/** Durations that are limits, and "the next business day". */
function limitsIn(clause: Clause): FoundPeriod[] {
  const mayBeNextDay = nextDayWords.test(clause.text);
  if (clause.durations.length === 0 && !mayBeNextDay) return [];
  const repeated = findRecurrences(clause);
  const found = clause.durations
    .filter((duration) => !repeated.some(({ start, end }) => start <= duration.start && duration.start < end))
    .filter(
      ({ start, end }) =>
        start < 4 ||
        clause.row !== undefined ||
        // A period at the beginning of a line has its indentation before it.
        within.test(
          clause.text
            .slice(Math.max(0, start - 100), start)
            .replace(/\s{2,100}/g, ' ')
            .slice(-60),
        ) ||
        noticeAfter.test(clause.text.slice(end, end + 40)),
    )
    .map((duration): FoundPeriod => ({ start: duration.start, end: duration.end, period: periodOf(duration) }));
  for (const match of mayBeNextDay ? clause.text.matchAll(nextDay) : []) {
    const isBusiness = /arbeitstag|werktag|business|working|ouvré|hábil|lavorativo|werkdag/i.test(match[0]);
    if (/lendemain|jour/i.test(match[0]) && !/suivant|lendemain/i.test(match[0])) continue;
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      period: { count: 1, unit: isBusiness ? 'business day' : 'day' },
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The topics of a clause; of a cell also those of the cells before it. */
function labelsOf(clause: Clause): ReadonlySet<Topic> {
  const own = phrasesIn(clause, topics).map(({ label }) => label);
  const row = clause.row;
  if (row === undefined) return new Set(own);
  const cell = row.cells.findIndex(({ start }) => start === clause.start);
  const others = row.cells.slice(0, Math.max(0, cell)).flatMap(({ text }) => [...labelsInTitle(text, topics)]);
  const header = row.cells[cell]?.header ?? '';
  return new Set([...own, ...others, ...labelsInTitle(header, topics)]);
}

function kindAt(
  clause: Clause,
  range: Range,
  all: ReadonlySet<Topic>,
  {
    ofIncidents,
    type,
    ofSentence,
  }: {
    readonly ofIncidents: boolean;
    readonly type: DocumentType | undefined;
    readonly ofSentence: ReadonlySet<Topic>;
  },
): TimeLimitKind | undefined {
  const own = new Set(phrasesIn(clause, topics).map(({ label }) => label));
  const headed = labelsInTitle(`${clause.heading}; ${clause.label ?? ''}`, topics);
  const isCounted = ofSentence.has('breach') && !own.has('subprocessor') && !own.has('subject') && !own.has('keeping');
  const has = (topic: Topic) => all.has(topic);
  if (
    own.has('objection') &&
    isObjectionNear(clause, range) &&
    (has('subprocessor') ||
      headed.has('subprocessor') ||
      ofSentence.has('subprocessor') ||
      own.has('notice') ||
      clause.row !== undefined)
  )
    return 'subprocessor-objection';
  if (has('revoke')) return 'access-revocation';
  if (has('patch') && !has('keeping')) return 'patching';
  if (has('subprocessor') && (has('notice') || has('report')) && !has('breach')) return 'subprocessor-notice';
  if (headed.has('subprocessor') && has('notice') && !has('breach')) return 'subprocessor-notice';
  if (has('incident') && (has('report') || own.has('incident') || clause.row !== undefined))
    return ofIncidents ? 'incident-report' : 'breach-notification';
  if (has('breach') && (has('report') || headed.has('report')))
    return isReportNear(clause, range) ? 'breach-notification' : undefined;
  if (((headed.has('breach') && has('report')) || (isCounted && (has('report') || has('notice')))) && !has('subject'))
    return 'breach-notification';
  if ((has('subject') || headed.has('subject')) && (has('answer') || clause.row !== undefined))
    return 'data-subject-request';
  if ((has('audit') || headed.has('audit')) && has('notice')) return 'audit-notice';
  // "Scans run weekly; critical findings are remediated within 15 days".
  if (has('remedy'))
    return vulnerabilities.test(`${clause.row?.cells.map(({ text }) => text).join(' ') ?? ''} ${clause.text}`)
      ? 'patching'
      : 'remediation';
  if (type === 'breach-notice' && own.has('report')) return 'breach-notification';
  return undefined;
}

/** "28 days' notice of a new sub-processor, 14 days to object": of several periods, the one whose part names the objection. */
function isObjectionNear({ text, durations }: Clause, { start }: Range): boolean {
  const from = Math.max(text.lastIndexOf(', ', start), text.lastIndexOf('; ', start), 0);
  const next = /[,;] /u.exec(text.slice(start))?.index ?? text.length;
  const isNamed = (part: string) => labelsInTitle(part, topics).has('objection');
  return (
    durations.length < 2 ||
    isNamed(text.slice(from, start + next)) ||
    !isNamed(text.slice(0, from) + text.slice(start + next))
  );
}

const vulnerabilities = /vulnerabilit|schwachstelle|vulnérabilit|vulnerabilidad|kwetsbaar|podatno|sårbarhet/iu;
const unrelatedVerb =
  /(?<!\p{L})(?:classified|triaged|investigated|contained|resolved|acknowledged|klassifiziert|bewertet|untersucht|classé|classés|qualifié|qualifiés|clasifican?|classificat[ie]|geclassificeerd|beoordeeld)(?!\p{L})/iu;

/** "Incidents are classified within 4 hours" is no notice. */
function isReportNear(clause: Clause, { start }: Range): boolean {
  return !unrelatedVerb.test(clause.text.slice(Math.max(0, start - 40), start));
}

/** "…; on dismissal within two hours": the rest of a sentence goes on with what its beginning says. */
function inherited(
  clause: Clause,
  before: { readonly clause: Clause; readonly what: TimeLimitKind } | undefined,
): TimeLimitKind | undefined {
  if (before === undefined || (before.clause.sentence !== clause.sentence && before.clause.row !== clause.row))
    return undefined;
  if (before.clause.row !== clause.row || (clause.row === undefined && before.clause.sentence !== clause.sentence))
    return undefined;
  const own = phrasesIn(clause, topics);
  return own.some(({ label }) => label === 'keeping') ? undefined : before.what;
}

/** Whether the document is under NIS2 or DORA and under no law of personal data. */
const reportsIncidents = oncePer((reading: Reading): boolean => {
  const applied = new Set(
    frameworkMentions(reading)
      .filter(({ status }) => status === 'applied')
      .map(({ id }) => id),
  );
  return (
    applied.has('nis2') ||
    applied.has('dora') ||
    !(applied.has('gdpr') || applied.has('uk_gdpr') || applied.has('hipaa'))
  );
});

const statutory: ReadonlySet<DocumentType | undefined> = new Set<DocumentType>([
  'data-processing-agreement',
  'business-associate-agreement',
  'breach-notice',
  'vendor-questionnaire',
  'dpia',
  'soc-2-report',
  'audit-report',
  'certificate',
]);

function isExcluded(
  clause: Clause,
  range: Range,
  what: TimeLimitKind,
  period: Period,
  { language }: Reading,
  type: DocumentType | undefined,
): boolean {
  if (isAside(clause) || (clause.row !== undefined && isResult(clause.row, clause))) return true;
  const before = clause.text.slice(Math.max(0, range.start - 30), range.start);
  if (what === 'breach-notification' && reviewOfIncident.test(clause.text)) return true;
  if (isMeasured(clause, range) || formerInBrackets.test(clause.text.slice(0, range.start)) || isOfReviewer(clause))
    return true;
  if (asLength.test(before) || asGoal.test(clause.text) || asDefinition.test(clause.text)) return true;
  const first = Math.max(0, (indexAt(clause.words, range.start) ?? 0) - 12);
  const near = { start: clause.words[first]?.start ?? range.start, end: range.end };
  if (hasCue(clause, language, range, 'law', 'example')) return true;
  if (hasCue(clause, language, near, 'former') && !(what === 'access-revocation' && withdrawn.test(clause.text)))
    return true;
  if (what !== 'remediation' && what !== 'patching' && isHypothetical(clause) && !byContract.test(clause.text))
    return true;
  if (what === 'remediation' && hasCue(clause, language, near, 'conditional')) return true;
  if (rules.has(type) && ofOtherContract.test(clause.text)) return true;
  return what === 'breach-notification' && (period.unit === 'year' || isOfLaw(clause, period, type));
}

/** A report on the causes, after the notice. */
const reviewOfIncident =
  /(?<!\p{L})(?:post-?\s?mortems?(?:-\p{L}+)?|post-incident (?:review|report)|root cause (?:analysis|report)|lessons learned|ursachenanalyse|retour d.expérience|análisis de causas|analisi delle cause|oorzaakanalyse)(?!\p{L})/iu;

/** Rules of an organisation, which also speak of what others owe it. */
const rules: ReadonlySet<DocumentType | undefined> = new Set<DocumentType>(['policy', 'standard', 'procedure']);
const reports: ReadonlySet<TimeLimitKind> = new Set<TimeLimitKind>(['breach-notification', 'incident-report']);

/** Words for ending access that elsewhere mean a former rule. */
const withdrawn =
  /(?<!\p{L})(?:withdrawn|removed|retired|gestrichen|aufgehoben|retirés?|supprimés?|retirad[ao]s?|eliminad[ao]s?|suprimid[ao]s?|ritirat[aeio]|ingetrokken|wycofan\p{L})(?!\p{L})/iu;

/** The remark of a reviewer on an answer: "Our standard asks for 24 hours". */
function isOfReviewer({ row, start, text }: Clause): boolean {
  if (row === undefined) return false;
  const index = row.cells.findIndex((each) => each.start === start);
  const cell = row.cells[index];
  if (cell === undefined) return false;
  // The heading of the answer may be unknown, so a cell before the remark that has a period also counts as the answer.
  if (comparison.test(text) && row.cells.slice(0, index).some((each) => hasPeriod(each.text))) return true;
  return (
    row.columns.includes('question') &&
    cell.part === 'comment' &&
    cellText(row, 'answer') !== undefined &&
    reviewer.test(`${cell.header} ${cell.text}`)
  );
}

function hasPeriod(text: string): boolean {
  return findDurations(text, splitWords(text)).length > 0;
}

const reviewer =
  /(?<!\p{L})(?:review\p{L}*|assessor|our (?:standard|policy|contract|requirement)|contract says|we (?:ask|require|expect)|prüfer\p{L}*|bewerter\p{L}*|unsere vorgabe|évaluateur|notre exigence|evaluador|nuestra norma|valutatore|beoordelaar)(?!\p{L})/iu;
const comparison =
  /(?<!\p{L})(?:(?:standard|policy|contract|agreement|requirement) (?:says|asks for|requires|demands|calls for)|(?:vertrag|standard|vorgabe|richtlinie) (?:sagt|verlangt|fordert)|(?:contrat|norme|exigence|politique) (?:dit|exige|demande)|(?:contrato|norma|política) (?:dice|exige|pide)|(?:contratto|norma|politica) (?:dice|richiede|esige)|(?:contract|norm|beleid) (?:zegt|vereist|eist))(?!\p{L})/iu;

function isHypothetical({ text }: Clause): boolean {
  return supposed.test(text);
}

/** 72 hours to the authority: in a document of one party to another, the period of Art. 33 that it reminds of. */
function isOfLaw(clause: Clause, { count, unit }: Period, type: DocumentType | undefined): boolean {
  if (!statutory.has(type) || count !== 72 || unit !== 'hour') return false;
  return (
    type === 'breach-notice' ||
    phrasesIn(clause, topics).some(({ label }) => label === 'authority') ||
    /(?:art(?:icle|ikel|ículo|icolo|\.)?) ?33|(?:art(?:icle|ikel|ículo|icolo|\.)) ?33/iu.test(clause.text)
  );
}
