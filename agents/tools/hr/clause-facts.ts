/** Terms of an employment document beyond simple values: covenants, place, law, hours, benefits, and conflicts with that law. */
import type { Document } from '../../document/document.ts';
import { benefitFacts, payFacts } from './clause-benefits.ts';
import { covenantFacts } from './clause-covenants.ts';
import { hours } from './clause-hours.ts';
import { leaveFacts } from './clause-leave.ts';
import { noticeFacts, probationFacts } from './clause-notice.ts';
import { termFacts } from './clause-terms.ts';
import { type Clause, type ClauseFact, clausesOf, fact, notOwn, numbers } from './clauses.ts';

/** Only documents about employment are read; others (leases, price lists) are not. */
const employment =
  /employ(?:ee|er|ment)|arbeitnehmer|arbeitgeber|arbeitsvertrag|arbeitszeit|mitarbeiter|tarifvertrag|salarié|contrat de travail|trabajador|contrato de trabajo|lavorator|contratto di lavoro|dipendente|werknemer|arbeidsovereenkomst|zaměstnan/iu;

export function clauseFacts(document: Document): ClauseFact[] {
  if (!employment.test(document.text.slice(0, 20_000))) return [];
  const clauses = clausesOf(document);
  const base = [
    ...probationFacts(clauses),
    ...noticeFacts(clauses),
    ...payFacts(clauses),
    ...benefitFacts(clauses),
    ...leaveFacts(clauses),
    ...covenantFacts(clauses),
    ...workplaces(clauses),
    ...hours(clauses),
    ...termFacts(clauses, document),
  ];
  const law = governingLaw(clauses);
  return [...base, ...law, ...conflicts(clauses, base, law[0]?.value)];
}

const placeWords =
  /(?:normal |usual |principal )?place of work|work location|\blocation\b(?=\t| |:)|(?:will be|are) based (?:at|in)|arbeitsort|dienstort|einsatzort|lieu de travail|centro de trabajo|lugar de trabajo|sede di lavoro|luogo di lavoro|standplaats|plaats van tewerkstelling|werklocatie|arbeidsplaats/iu;
const remoteWords =
  /remote|home|hybrid|mobil|telearbeit|télétrav|teletrabaj|distancia|telelavoro|smart working|lavoro agile|thuis/iu;
const period = {
  week: /^(?:week|woche|semaine|semana|settimana)/iu,
  month: /^(?:calendar month|month|monat|kalendermonat|mois|mes|mese|maand)/iu,
  year: /^(?:year|jahr|kalenderjahr|an|año|anno|jaar)/iu,
};
const remoteDays =
  /(?<![\p{L}\d])(\d{1,2}|\p{L}{2,8}) (?:(?:remote|home|working|full|office-free|homeoffice|mobile) ){0,2}(?:days?|tagen?|jours?|días|giorni|dagen?)(?: (?:of )?(?:remote work(?:ing)?|homeoffice|télétravail|de teletrabajo|thuiswerken|working from home|from home|remotely)){0,1} ?(?:\/|per|an?|each|pro|je|im|in der|par|a la|por|al(?:la)?|al) ?((?:calendar )?\p{L}+)/iu;

function workplaces(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const has = (field: string) => found.some(({ value }) => value[field] !== undefined);
  for (const clause of clauses) {
    const { text } = clause;
    const cue = placeWords.exec(text);
    if (cue !== null && !has('place')) {
      const after = text
        .slice(cue.index + cue[0].length)
        .split(/[.;(☐]|, (?:with|and|or|mit|avec|con|but) /u, 1)[0]!
        .trim();
      const place = /\p{Lu}[\p{L}'’-]+.{0,90}/u.exec(after)?.[0];
      if (place !== undefined && !notOwn.test(text) && !/if we moved|another place/iu.test(text))
        found.push(fact(clause, 'workplace', { place: place.slice(0, 100).trim() }));
    }
    if (
      has('remote_days') ||
      !remoteWords.test(`${clause.label} ${text}`) ||
      /trainee|apprenti/iu.test(text.slice(0, 20))
    )
      continue;
    const days = remoteDays.exec(text);
    const per = days === null ? undefined : Object.entries(period).find(([, shape]) => shape.test(days[2]!))?.[0];
    const count = days === null ? Number.NaN : Number(numbers[days[1]!.toLowerCase()] ?? days[1]);
    if (per !== undefined && Number.isFinite(count) && !/office days|in the office|im büro/iu.test(text))
      found.push(fact(clause, 'workplace', { remote_days: count, per }));
  }
  return found;
}

const laws: readonly (readonly [string, RegExp])[] = [
  ['us', /[Ll]aws? of the (?:[Ss]tate|[Cc]ommonwealth) of (?<state>[A-Z]\p{L}+(?: [A-Z]\p{L}+)?)/u],
  [
    'gb',
    /(?:[Ll]aws? of|[Gg]overning [Ll]aw.{0,30}:|[Ll]aw:?\t) ?(?<state>England(?: and Wales| & Wales)?|Scotland|Northern Ireland)|(?<english>English law)/u,
  ],
  ['ie', /laws? of (?:the Republic of )?Ireland|Irish law/u],
  ['de', /deutsche[sn]? recht|recht der bundesrepublik deutschland|laws? of (?:the federal republic of )?germany/iu],
  ['at', /österreichische[sn]? recht|austrian law/iu],
  ['ch', /schweizer(?:isch)?e[sn]? recht|droit suisse|swiss law|diritto svizzero/iu],
  ['fr', /droit français|loi française|législation française|french law/iu],
  ['es', /(?:ley|legislación|derecho) español|Real Decreto Legislativo 2\/2015|estatuto de los trabajadores/iu],
  ['it', /(?:legge|diritto|legislazione) italian|italian law/iu],
  ['nl', /nederlands recht|dutch law/iu],
  ['be', /belgisch recht|droit belge|belgian law/iu],
];
const statutes: readonly (readonly [string, RegExp])[] = [
  ['de', /\bBGB\b|Kündigungsschutzgesetz|Bundesurlaubsgesetz|Nachweisgesetz/u],
  ['fr', /Code du travail/u],
  ['at', /\bAngG\b|Angestelltengesetz|\bABGB\b/u],
  ['ch', /\bArt\. 3\d\d[a-z]? OR\b|Obligationenrecht/u],
  ['it', /\bCCNL\b|Codice civile|art\. 2\d\d\d c\.c\./u],
  ['nl', /Burgerlijk Wetboek|\b7:6\d\d BW\b/u],
  ['ie', /Terms of Employment \(Information\) Acts?/u],
];

function governingLaw(clauses: readonly Clause[]): ClauseFact[] {
  for (const [country, shape] of laws) {
    for (const clause of clauses) {
      const match = shape.exec(clause.text);
      if (match === null || /without regard|other than/iu.test(clause.text.slice(0, match.index))) continue;
      const state =
        match.groups?.state?.replace(' & ', ' and ') ??
        (match.groups?.english === undefined ? undefined : 'England and Wales');
      return [fact(clause, 'governing_law', { country, ...(state === undefined ? {} : { state }) })];
    }
  }
  const named = statutes.flatMap(([country, shape]) => {
    const clause = clauses.find(({ text }) => shape.test(text));
    return clause === undefined ? [] : [fact(clause, 'governing_law', { country })];
  });
  return named.length === 1 ? named : [];
}

const unpaidCovenant =
  /(?:entschädigung|compensation|indemnité|contrepartie|compensación|corrispettivo|vergoeding)[^.;]{0,40}\b(?:nicht|not|no|aucune|keine?|non|geen|sin)\b|\b(?:keine|no|without|sans|sin|ohne|aucune|senza|zonder) (?:\p{L}+ )?(?:karenz)?(?:entschädigung|compensation|contrepartie|indemnité|compensación|corrispettivo)/iu;
const paidOvertime = /(?:sämtliche|alle|etwaige)\w* (?:über|mehr)\p{L}+ .{0,30}(?:abgegolten|enthalten)/iu;
const banned = /^(?:State of )?(?:California|North Dakota|Oklahoma|Minnesota)$/u;
/** Days a year for a working week of five days. */
const leastLeave: Readonly<Record<string, { readonly working: number; readonly calendar?: number }>> = {
  de: { working: 20 },
  at: { working: 25 },
  es: { working: 20, calendar: 30 },
  fr: { working: 25 },
  it: { working: 20, calendar: 28 },
  nl: { working: 20 },
};
const asMonths = (value: unknown): number => {
  const { count = 0, unit = '' } = (value ?? {}) as { count?: number; unit?: string };
  return (
    count * (unit === 'month' ? 1 : unit === 'year' ? 12 : unit === 'week' ? 1 / 4.345 : unit === 'day' ? 1 / 30.4 : 0)
  );
};

/** Terms that the named law does not allow, if its rule has no exception that could apply. */
function conflicts(
  clauses: readonly Clause[],
  facts: readonly ClauseFact[],
  law: ClauseFact['value'] | undefined,
): ClauseFact[] {
  const country = String(law?.country ?? '');
  const found: ClauseFact[] = [];
  const nonCompete = facts.find(({ value }) => value.covenant === 'non-compete');
  if (nonCompete !== undefined && country === 'us' && banned.test(String(law?.state)))
    found.push({ ...nonCompete, kind: 'legal_conflict', value: { rule: 'non-compete-banned', severity: 'high' } });
  const unpaid = clauses.find(({ text }) => unpaidCovenant.test(text));
  if (nonCompete !== undefined && unpaid !== undefined && ['de', 'fr', 'es', 'it', 'at', 'be'].includes(country))
    found.push(fact(unpaid, 'legal_conflict', { rule: 'non-compete-unpaid', severity: 'high' }));
  const overtime = clauses.find(({ text }) => paidOvertime.test(text));
  if (country === 'de' && overtime !== undefined)
    found.push(fact(overtime, 'legal_conflict', { rule: 'overtime-unpaid' }));
  const notice = (by: string) =>
    facts.find(({ kind, value }) => kind === 'notice' && value.by === by && value.during === 'after-probation');
  const [employee, employer] = [notice('employee'), notice('employer')];
  if (
    ['de', 'fr', 'nl', 'at'].includes(country) &&
    employee !== undefined &&
    employer !== undefined &&
    asMonths(employee.value.duration) > asMonths(employer.value.duration) + 0.1
  )
    found.push({ ...employee, kind: 'legal_conflict', value: { rule: 'notice-longer-for-employee' } });
  const leave = facts.filter(({ kind }) => kind === 'annual_leave');
  const least = leastLeave[country];
  const [only] = leave;
  if (only !== undefined && leave.length === 1 && least !== undefined && only.value.unit === 'days') {
    const isCalendar = only.value.day_type === 'calendar';
    const minimum = isCalendar ? least.calendar : least.working;
    if (minimum !== undefined && Number(only.value.amount) < minimum)
      found.push({ ...only, kind: 'legal_conflict', value: { rule: 'leave-below-minimum', severity: 'high' } });
  }
  const weekly = facts.find(({ kind, value }) => kind === 'working_time' && value.per === 'week');
  if (
    weekly !== undefined &&
    Number(weekly.value.hours) > (country === 'es' ? 40 : 48) &&
    country !== 'us' &&
    country !== ''
  )
    found.push({ ...weekly, kind: 'legal_conflict', value: { rule: 'weekly-hours', severity: 'high' } });
  return found;
}
