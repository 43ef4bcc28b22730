/** Converts the findings of the HR analyst's tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { field, list, text } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

export const toolFacts: ToolFacts = (results) => ({
  facts: [
    ...records(results.working_time_2003_88),
    ...weekTables(results.working_time_2003_88),
    ...terms(results.employment_terms),
    ...language(results.protected_and_harassment_language),
    ...policies(results.policy_checklist),
  ],
});

/** The working time tool reports weeks and not days; breaches of other rules have no kind. */
const issues: Readonly<Record<string, string>> = { daily_rest: 'daily-rest', break: 'missing-break' };

function records(result: Json | undefined): Fact[] {
  return list(result, 'people').flatMap((person): Fact[] => {
    const worker = text(person, 'worker');
    const who: Fact['value'] = worker === '' ? {} : { person: worker };
    const record = field(person, 'record');
    const weeks = [...list(record, 'weeks'), ...list(person, 'printed_weeks')].flatMap((week): Fact[] => {
      const [date, hours] = [text(week, 'monday'), hoursOf(text(week, 'hours'))];
      return [
        { kind: 'recorded_hours', value: { ...who, per: 'week', date, hours } },
        ...(field(week, 'above_48') === true
          ? [{ kind: 'timesheet_issue', value: { ...who, issue: 'weekly-hours', date, computed: hours } }]
          : []),
      ];
    });
    const breaches = list(record, 'breaches').flatMap((breach): Fact[] => {
      const issue = issues[text(breach, 'rule')];
      return issue === undefined
        ? []
        : [{ kind: 'timesheet_issue', value: { ...who, issue, date: text(breach, 'date') } }];
    });
    const stated = list(field(person, 'stated_weeks'), 'weeks').map((week): Fact => {
      const hours = hoursOf(text(week, 'hours'));
      return { kind: 'recorded_hours', value: { ...who, per: 'week', hours } };
    });
    const days = list(person, 'days').map(
      (day): Fact => ({
        kind: 'recorded_hours',
        value: { ...who, per: 'day', date: text(day, 'date'), hours: hoursOf(text(day, 'hours')) },
      }),
    );
    const mismatches = list(person, 'mismatches').map((entry): Fact => mismatchFact(who, entry));
    return [...days, ...weeks, ...breaches, ...stated, ...mismatches];
  });
}

function mismatchFact(who: Fact['value'], entry: Json): Fact {
  const date = text(entry, 'date') === '' ? {} : { date: text(entry, 'date') };
  const [stated, computed] = [hoursOf(text(entry, 'stated')), hoursOf(text(entry, 'computed'))];
  return { kind: 'timesheet_issue', value: { ...who, issue: 'total-mismatch', ...date, stated, computed } };
}

/** Tables with a column for each day of a week. */
function weekTables(result: Json | undefined): Fact[] {
  return list(result, 'week_tables').flatMap((week): Fact[] => {
    const person = text(week, 'worker');
    const [hours, stated] = [hoursOf(text(week, 'hours')), text(week, 'stated_hours')];
    const isWhole = text(week, 'hours') !== '';
    const dated = (date: string) => (date === '' ? {} : { date });
    const of = (per: string, date: string, count: number): Fact => ({
      kind: 'recorded_hours',
      value: { person, per, ...dated(date), hours: count },
    });
    const issue = (name: string, more: Fact['value']): Fact => ({
      kind: 'timesheet_issue',
      value: { person, issue: name, computed: hours, ...dated(text(week, 'monday')), ...more },
    });
    return [
      ...list(week, 'days').map((day) => of('day', text(day, 'date'), hoursOf(text(day, 'hours')))),
      ...(isWhole ? [of('week', text(week, 'monday'), hours)] : []),
      ...(field(week, 'above_48') === true ? [issue('weekly-hours', {})] : []),
      ...(!isWhole || stated === '' || hoursOf(stated) === hours
        ? []
        : [issue('total-mismatch', { stated: hoursOf(stated) })]),
    ];
  });
}

function terms(result: Json | undefined): Fact[] {
  const severance = field(result, 'severance');
  const amount = text(severance, 'amount');
  const clauses = list(result, 'clauses').map(
    (clause): Fact => ({ kind: text(clause, 'kind'), value: field(clause, 'value') as unknown as Fact['value'] }),
  );
  return [
    ...clauses,
    ...list(result, 'terms').flatMap((term) => termFacts(term).filter((fact) => !isCovered(fact, clauses))),
    ...(amount === ''
      ? []
      : [
          {
            kind: 'benefit',
            value: { benefit: 'severance', amount: Number(amount), ...currencyOf(text(severance, 'currency')) },
          },
        ]),
  ];
}

/** The clauses contain the same facts with party, phase and period, so these are not taken from the terms again. */
function isCovered({ kind, value }: Fact, clauses: readonly Fact[]): boolean {
  const own = clauses.filter((clause) => clause.kind === kind);
  switch (kind) {
    case 'term':
      return own.some(
        (clause) =>
          clause.value.part === value.part &&
          (value.start === undefined) === (clause.value.start === undefined) &&
          value.end === undefined,
      );
    case 'working_time':
      return own.some((clause) => clause.value.per === 'week');
    case 'notice':
    case 'covenant':
      return true;
    default:
      return own.length > 0 && kind !== 'benefit' && kind !== 'legal_conflict';
  }
}

function termFacts(term: Json): Fact[] {
  const [kind, value, caution] = [text(term, 'kind'), text(term, 'value'), text(term, 'caution')];
  const duration = durationOf(value);
  const conflict = (rule: string): Fact[] => (caution === '' ? [] : [{ kind: 'legal_conflict', value: { rule } }]);
  switch (kind) {
    case 'notice_period':
      return duration === undefined ? [] : [{ kind: 'notice', value: { duration } }];
    case 'probation':
      return duration === undefined
        ? []
        : [{ kind: 'term', value: { part: 'probation', duration } }, ...conflict('probation-too-long')];
    case 'annual_leave':
      return duration === undefined
        ? []
        : [{ kind: 'annual_leave', value: { amount: duration.count, unit: `${duration.unit}s` } }];
    case 'weekly_hours':
      return duration === undefined
        ? []
        : [{ kind: 'working_time', value: { hours: duration.count, per: 'week' } }, ...conflict('weekly-hours')];
    case 'start_date':
      return [{ kind: 'term', value: { part: 'employment', start: value } }];
    case 'end_date':
      return [{ kind: 'term', value: { part: 'employment', end: value } }];
    case 'non_compete':
      return duration === undefined ? [] : [{ kind: 'covenant', value: { covenant: 'non-compete', duration } }];
    case 'salary':
      return [{ kind: 'pay', value: payOf(value) }];
    case 'severance_rule':
      return [{ kind: 'benefit', value: { benefit: 'severance' } }];
    default:
      return [];
  }
}

/** "EUR 5340 per month". */
function payOf(value: string): Fact['value'] {
  const [, mark = '', amount = '', period = ''] = /^(\S*) (\S+) per (.+)$/.exec(value) ?? [];
  const per = period === 'period not stated' ? {} : { per: period };
  return { amount: Number(amount), ...currencyOf(mark), ...per };
}

const marks: Readonly<Record<string, string>> = { $: 'usd', '£': 'gbp', '€': 'eur' };

function currencyOf(mark: string): Fact['value'] {
  const currency = marks[mark] ?? mark.toLowerCase();
  return currency === '' ? {} : { currency };
}

function language(result: Json | undefined): Fact[] {
  return list(result, 'wordings').map((entry) => ({
    kind: 'discriminatory_language',
    value: { ground: text(entry, 'ground'), phrase: text(entry, 'phrase') },
  }));
}

function policies(result: Json | undefined): Fact[] {
  return list(result, 'policies').map((entry) => ({
    kind: 'policy',
    value: { policy: text(entry, 'id').replaceAll('_', '-'), status: text(entry, 'status') },
  }));
}

const units: Readonly<Record<string, string>> = { D: 'day', W: 'week', M: 'month', Y: 'year' };

/** An ISO duration of one unit: `P4W`, `PT38.5H`. */
function durationOf(iso: string): Exclude<FactValue, string | number> | undefined {
  const [, time, count, letter] = /^P(T?)([\d.]+)([DWMYH])$/.exec(iso) ?? [];
  const unit = time === 'T' ? (letter === 'H' ? 'hour' : undefined) : units[letter ?? ''];
  return unit === undefined ? undefined : { count: Number(count), unit };
}

/** `7:40` as 7.67: labels have two decimals. */
function hoursOf(value: string): number {
  const [hours = '', minutes = '0'] = value.split(':');
  return Math.round((Number(hours) + Number(minutes) / 60) * 100) / 100;
}
