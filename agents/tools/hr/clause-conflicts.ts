/**
 * Terms that the governing law does not allow. Only rules without an exception that the document could meet are applied.
 * @see leave: BUrlG § 3, Code du travail L3141-3, Working Time Regulations 1998 regs. 13 and 13A, Organisation of Working Time
 *   Act 1997 s. 19, Estatuto de los Trabajadores art. 38, D.Lgs. 66/2003 art. 10, BW 7:634, UrlG § 2, OR art. 329a
 * @see probation: BGB § 622(3), BW 7:652, Code du travail L1221-19 and L1221-21, OR art. 335b, AngG § 19
 * @see notice: Employment Rights Act 1996 s. 86, BGB § 622(1) and (6), BW 7:672
 */
import { type Clause, type ClauseFact, fact } from './clauses.ts';
import { payBelowMinimum } from './minimum-wage.ts';

const unpaidCovenant =
  /(?:entschädigung|compensation|indemnité|contrepartie|compensación|corrispettivo|vergoeding|payment)[^.;]{0,40}\b(?:nicht|not|no|aucune|keine?|non|geen|sin)\b|\b(?:keine|no|without|sans|sin|ohne|aucune|senza|zonder|geen) (?:\p{L}+ )?(?:karenz)?(?:entschädigung|compensation|contrepartie|indemnité|compensación|corrispettivo|vergoeding)/iu;
const covenantWords =
  /wettbewerb|non-?compet|concurren|competencia|concorren|karenz|covenant|restriction|obligation|verbot|interdiction|pacto|patto|beding/iu;
const paidOvertime =
  /(?:sämtliche|alle|etwaige)\w* (?:über|mehr)\p{L}+ .{0,40}(?:abgegolten|enthalten)|mit (?:dem|der) (?:\p{L}+ ){0,3}(?:gehalt|vergütung|lohn)\w* (?:sind|ist) (?:\p{L}+ ){0,3}(?:überstunden|mehrarbeit)\w* (?:\p{L}+ ){0,3}abgegolten/iu;
/** Non-exempt employees in the United States: 29 U.S.C. § 207. */
const straightOvertime =
  /(?:hours|time|overtime)[^.;]{0,40}(?:beyond|above|over|in excess of|worked)[^.;]{0,40}(?:regular|normal|straight|same|usual|ordinary)(?: hourly)? (?:rate|pay|time)|overtime (?:is|will be) (?:not paid|unpaid)|no (?:additional )?(?:pay|compensation) for overtime/iu;
const banned = /^(?:State of )?(?:California|North Dakota|Oklahoma|Minnesota)$/u;
const forfeits =
  /(?:urlaub|leave|holiday|\bpto\b|vacation|congés|vacaciones|ferie|vakantie)\w*[^.;]{0,80}(?:verfällt|verfallen|lapse|forfeit|is lost|perdu|pierd|perd|vervall)/iu;
/** Earned vacation may not be forfeited there: California Labor Code § 227.3, C.R.S. § 8-4-101(14), Neb. Rev. Stat. § 48-1229. */
const noForfeiture = /^(?:State of )?(?:California|Colorado|Montana|Nebraska)$/u;
const withoutException =
  /ohne (?:ausnahme|dass es|hinweis|entschädigung)|ersatzlos|auch (?:wenn|bei)[^.;]{0,60}krank|even if[^.;]{0,60}(?:sick|ill)|without exception|in (?:jedem|allen) f[aä]ll/iu;
const gagging =
  /(?:may|must|shall|will) not[^.;]{0,80}(?:report|disclose|speak|complain|raise (?:any )?concerns?)[^.;]{0,80}(?:authorit|regulator|police|government|agency|labour inspect|public body|tribunal|commission\b|council\b|inspector|the press|any third party including)|(?:darf|dürfen)[^.;]{0,60}(?:behörden|aufsicht)[^.;]{0,40}nicht|(?:not|never) (?:discuss|disclose)[^.;]{0,40}(?:your |their |his )?(?:salary|pay|wages|compensation)\b|(?:gehalt|vergütung)[^.;]{0,60}(?:stillschweigen|verschwiegenheit|geheim)/iu;
const penalty =
  /(?:deduct|withhold)\w*[^.;]{0,60}(?:from (?:your|the|his) (?:wages?|pay|salary))[^.;]{0,60}(?:breakage|shortage|mistake|error|damage|late|uniform)|amendes? (?:de|pour)|multa de haber|sanction pécuniaire/iu;

interface LeaveRule {
  readonly working: number;
  readonly calendar?: number;
  readonly sixDays?: number;
}

/** Days a year for a working week of five days; of six days where the law counts so. */
const leastLeave: Readonly<Record<string, LeaveRule>> = {
  gb: { working: 28 },
  ie: { working: 20 },
  de: { working: 20, sixDays: 24 },
  at: { working: 25, sixDays: 30 },
  ch: { working: 20 },
  es: { working: 22, calendar: 30 },
  fr: { working: 25, sixDays: 30 },
  it: { working: 20, calendar: 28 },
  nl: { working: 20 },
  be: { working: 20, sixDays: 24 },
};
/** In months. */
const longestProbation: Readonly<Record<string, number>> = { de: 6, at: 1, ch: 3, nl: 2, it: 6, ie: 12 };

const asMonths = (value: unknown): number => {
  const { count = 0, unit = '' } = (value ?? {}) as { count?: number; unit?: string };
  return (
    count * (unit === 'month' ? 1 : unit === 'year' ? 12 : unit === 'week' ? 1 / 4.345 : unit === 'day' ? 1 / 30.4 : 0)
  );
};

/** @param law the governing law of the document, if it is known */
export function conflictFacts(
  clauses: readonly Clause[],
  facts: readonly ClauseFact[],
  law: ClauseFact['value'] | undefined,
): ClauseFact[] {
  const country = String(law?.country ?? '');
  if (country === '') return [];
  return [
    ...covenantConflicts(clauses, facts, country, String(law?.state)),
    ...noticeConflicts(facts, country),
    ...leaveConflicts(clauses, facts, country),
    ...forfeitures(clauses, country, String(law?.state)),
    ...probationConflicts(facts, country),
    ...hoursConflicts(clauses, facts, country),
    ...payConflicts(clauses, facts, country),
    ...speechConflicts(clauses, country),
  ];
}

const conflict = (from: ClauseFact, rule: string, severity?: string): ClauseFact => ({
  ...from,
  kind: 'legal_conflict',
  value: { rule, ...(severity === undefined ? {} : { severity }) },
});

function covenantConflicts(
  clauses: readonly Clause[],
  facts: readonly ClauseFact[],
  country: string,
  state: string,
): ClauseFact[] {
  const own = facts.find(({ value }) => value.covenant === 'non-compete');
  if (own === undefined) return [];
  if (country === 'us') return banned.test(state) ? [conflict(own, 'non-compete-banned', 'high')] : [];
  const at = clauses.findIndex(({ start }) => start === own.start);
  const unpaid = clauses.find(
    ({ text, titles }, index) =>
      unpaidCovenant.test(text) && (covenantWords.test(`${titles} ${text}`) || Math.abs(index - at) <= 2),
  );
  const tooLong = country === 'de' && asMonths(own.value.duration) > 24.1;
  return [
    ...(unpaid !== undefined && ['de', 'fr', 'es', 'it', 'be'].includes(country)
      ? [fact(unpaid, 'legal_conflict', { rule: 'non-compete-unpaid', severity: 'high' })]
      : []),
    ...(tooLong ||
    (['at', 'be'].includes(country) && asMonths(own.value.duration) > 12.1) ||
    (country === 'es' && asMonths(own.value.duration) > 24.1)
      ? [conflict(own, 'non-compete-too-long')]
      : []),
  ];
}

function noticeConflicts(facts: readonly ClauseFact[], country: string): ClauseFact[] {
  const notice = (by: string, during = 'after-probation') =>
    facts.find(({ kind, value }) => kind === 'notice' && value.by === by && value.during === during);
  const [employee, employer] = [notice('employee'), notice('employer')];
  const found: ClauseFact[] = [];
  if (
    ['de', 'fr', 'at'].includes(country) &&
    employee !== undefined &&
    employer !== undefined &&
    asMonths(employee.value.duration) > asMonths(employer.value.duration) + 0.1
  )
    found.push(conflict(employee, 'notice-longer-for-employee'));
  const service = facts.find(({ kind, value }) => kind === 'term' && value.part === 'continuous-service')?.value.start;
  const start = facts.find(
    ({ kind, value }) => kind === 'term' && value.part === 'employment' && value.start !== undefined,
  )?.value.start;
  // One week for each complete year, up to twelve; at the start of the employment a longer service already counts.
  const years = typeof service === 'string' && typeof start === 'string' ? yearsBetween(service, start) : 0;
  const [unit, count] = lengthOf(employer);
  if (country === 'gb' && employer !== undefined && years >= 2 && weeksOf(unit, count) < Math.min(12, years))
    found.push(conflict(employer, 'notice-below-minimum', 'high'));
  if (country === 'de' && employer !== undefined && weeksOf(unit, count) < 3.9)
    found.push(conflict(employer, 'notice-below-minimum', 'high'));
  const [probationUnit, probationCount] = lengthOf(notice('employer', 'probation'));
  if (country === 'de' && probationUnit !== '' && weeksOf(probationUnit, probationCount) < 1.9)
    found.push(conflict(notice('employer', 'probation')!, 'notice-below-minimum', 'high'));
  return found;
}

function lengthOf(found: ClauseFact | undefined): readonly [string, number] {
  const { count = 0, unit = '' } = (found?.value.duration ?? {}) as { count?: number; unit?: string };
  return [unit, count];
}

function weeksOf(unit: string, count: number): number {
  return unit === 'day' ? count / 7 : unit === 'week' ? count : unit === 'month' ? count * 4.345 : count * 52;
}

function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

/** A working week of fewer than five days, or part-time work: the minimum is lower then. */
const fewerDays =
  /\b(?:part[- ]time|teilzeit\w*|temps partiel|tiempo parcial|deeltijd|pro rata)\b|\b(?:[2-4]|two|three|four|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro|twee|drie|due|tre|quattro) ?(?:arbeits|working )?(?:days?|tage?n?|jours|días|dagen|giorni) (?:a|per|je|pro|in der|par|a la|por|alla) (?:week|woche|semaine|semana|settimana)/iu;
const remote = /home|remote|télétrav|teletrab|mobil|smart working|thuis/iu;

function leaveConflicts(clauses: readonly Clause[], facts: readonly ClauseFact[], country: string): ClauseFact[] {
  const found: ClauseFact[] = [];
  const leave = facts.filter(({ kind }) => kind === 'annual_leave');
  const least = leastLeave[country];
  const [only] = leave;
  const text = clauses.find(({ start }) => start === only?.start)?.text ?? '';
  const isPartTime = clauses.some((clause) => fewerDays.test(clause.text.slice(0, 400)) && !remote.test(clause.text));
  if (only !== undefined && leave.length === 1 && least !== undefined && only.value.unit === 'days' && !isPartTime) {
    const isSix = /werktag|jours ouvrables|six[- ]day|sechs-tage/iu.test(text);
    const isCalendar = only.value.day_type === 'calendar';
    // In Great Britain the eight public holidays may count; they do not if they come on top.
    const onTop =
      /(?:plus|in addition to|exclusive of|excluding|as well as)[^.;]{0,30}(?:public|bank) holidays|(?:public|bank) holidays[^.;]{0,30}(?:in addition|on top)/iu.test(
        text,
      );
    const stated = /includ|inclusive/iu.test(text);
    const minimum = isCalendar
      ? least.calendar
      : isSix
        ? least.sixDays
        : country === 'gb'
          ? onTop
            ? 20
            : stated
              ? 28
              : 20
          : least.working;
    if (minimum !== undefined && Number(only.value.amount) < minimum)
      found.push(conflict(only, 'leave-below-minimum', 'high'));
  }
  return found;
}

function forfeitures(clauses: readonly Clause[], country: string, state: string): ClauseFact[] {
  const isEuropean = ['de', 'gb', 'fr', 'ie', 'es', 'it', 'nl', 'at', 'be'].includes(country);
  if (!isEuropean && !(country === 'us' && noForfeiture.test(state))) return [];
  const found = clauses.find(
    ({ text }) =>
      forfeits.test(text) &&
      (isEuropean ? withoutException.test(text) : !/\b(?:not|never|no)\b[^.;]{0,20}forfeit/iu.test(text)),
  );
  return found === undefined ? [] : [fact(found, 'legal_conflict', { rule: 'leave-forfeiture' })];
}

function probationConflicts(facts: readonly ClauseFact[], country: string): ClauseFact[] {
  const probation = facts.find(({ kind, value }) => kind === 'term' && value.part === 'probation');
  if (probation === undefined) return [];
  const months = asMonths(probation.value.duration);
  const term = fixedMonths(facts);
  const limit =
    country === 'nl' && term !== undefined ? (term <= 6 ? 0 : term < 24 ? 1 : 2) : longestProbation[country];
  const isLong = limit !== undefined && months > limit + 0.1;
  return isLong ? [conflict(probation, 'probation-too-long', 'high')] : [];
}

/** The length of a fixed term, as stated or by its dates. */
function fixedMonths(facts: readonly ClauseFact[]): number | undefined {
  const fixed = facts.filter(({ kind, value }) => kind === 'term' && value.part === 'fixed-term');
  const length = fixed.find(({ value }) => value.duration !== undefined);
  if (length !== undefined) return asMonths(length.value.duration);
  const end = fixed.find(({ value }) => value.end !== undefined)?.value.end;
  const start = facts.find(
    ({ kind, value }) => kind === 'term' && value.part === 'employment' && value.start !== undefined,
  )?.value.start;
  if (typeof end !== 'string' || typeof start !== 'string') return undefined;
  return (Date.parse(end) - Date.parse(start)) / 86_400_000 / 30.4;
}

function hoursConflicts(clauses: readonly Clause[], facts: readonly ClauseFact[], country: string): ClauseFact[] {
  const found: ClauseFact[] = [];
  const overtime = clauses.find(({ text }) => paidOvertime.test(text));
  if (country === 'de' && overtime !== undefined)
    found.push(fact(overtime, 'legal_conflict', { rule: 'overtime-unpaid' }));
  const isExempt = clauses.some(({ text }) => /(?<!non-)\bexempt\b/iu.test(text.replace(/non-?exempt/giu, '')));
  const straight = clauses.find(
    ({ text }) => straightOvertime.test(text) && !/one and one-half|1\.5|time and a half/iu.test(text),
  );
  if (country === 'us' && straight !== undefined && !isExempt)
    found.push(fact(straight, 'legal_conflict', { rule: 'overtime-unpaid', severity: 'high' }));
  const weekly = facts.find(({ kind, value }) => kind === 'working_time' && value.per === 'week');
  const isOptedOut = clauses.some(({ text }) => /opt(?:ed)?[ -]?out/iu.test(text) && !/not signed|no opt/iu.test(text));
  const limit = country === 'es' || country === 'be' ? 40 : 48;
  if (
    weekly !== undefined &&
    Number(weekly.value.hours) > limit &&
    country !== 'us' &&
    !(country === 'gb' && isOptedOut)
  )
    found.push(conflict(weekly, 'weekly-hours', 'high'));
  const daily = facts.find(({ kind, value }) => kind === 'working_time' && value.per === 'day');
  if (daily !== undefined && country === 'de' && Number(daily.value.hours) > 10)
    found.push(conflict(daily, 'daily-hours', 'high'));
  return found;
}

/** In Great Britain, a deduction for the employer's own expenses may not leave less than the minimum wage. */
const ownExpense =
  /\b(?:uniform|DBS|tools?|training|equipment|shortages?|breakages?)\b[^.;]{0,80}\b(?:deducted|taken|withheld|recovered) from (?:my|your|the|his|her)[^.;]{0,20}(?:wages?|pay|salary)\b/iu;

function payConflicts(clauses: readonly Clause[], facts: readonly ClauseFact[], country: string): ClauseFact[] {
  const low = payBelowMinimum(clauses, facts, country);
  if (low === undefined) return [];
  const deduction = country === 'gb' ? clauses.find(({ text }) => ownExpense.test(text)) : undefined;
  return [
    conflict(low, 'pay-below-minimum', 'high'),
    ...(deduction === undefined ? [] : [fact(deduction, 'legal_conflict', { rule: 'deduction-or-penalty' })]),
  ];
}

function speechConflicts(clauses: readonly Clause[], country: string): ClauseFact[] {
  const gag = clauses.find(
    ({ text }) =>
      gagging.test(text) && !/nothing|prevents?|except|protected|unless|ausgenommen|sauf|salvo/iu.test(text),
  );
  const fine = clauses.find(({ text }) => penalty.test(text) && !/no \w+ may be|not be deducted|interdit/iu.test(text));
  return [
    ...(gag === undefined ? [] : [fact(gag, 'legal_conflict', { rule: 'gagging' })]),
    ...(fine === undefined || !['us', 'fr', 'es'].includes(country)
      ? []
      : [fact(fine, 'legal_conflict', { rule: 'deduction-or-penalty' })]),
  ];
}
