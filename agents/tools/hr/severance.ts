/** Severance rules that an agreement or a law states in words: "half a month's salary per completed year of service". */
import { divide, multiply, parseRational, type Rational, rational } from '../financial/rational.ts';
import { addDuration, serviceBetween } from './calendar.ts';
import type { Term, TermKind } from './term-cues.ts';

const counts: Readonly<Record<string, string>> = {
  half: '0.5',
  one: '1',
  a: '1',
  two: '2',
  three: '3',
  four: '4',
  six: '6',
};

/** @returns "0.5 months of pay per year of service", or undefined if the sentence states no such rule */
export function severanceRule(sentence: string): string | undefined {
  const match =
    /\b(\d{1,2}(?:[.,]\d{1,2})?|half|one|an?|two|three|four|six)(?: of)?(?: an?)? ?\(?\d{0,2}\)? ?(week|month)['’]?s?['’]?(?: of)?(?: (?:gross|basic|monthly|average|base|weekly)){0,2} (?:pay|salary|wages?|earnings)[^.;]{0,40}?(?:per|for (?:each|every))(?: \w+){0,2} year/iu.exec(
      sentence,
    );
  if (match === null) return undefined;
  const word = match[1]!.toLowerCase();
  const count = counts[word] ?? (word === 'an' ? '1' : word.replace(',', '.'));
  return `${count} ${match[2]!.toLowerCase()}s of pay per year of service`;
}

export interface SeveranceComputation {
  readonly service?: { readonly years: number; readonly months: number; readonly days: number };
  /** Rate × completed years × pay; weekly pay is monthly pay × 12 / 52. */
  readonly severance?: { readonly amount: Rational; readonly currency: string; readonly formula: string };
  readonly missing: readonly string[];
}

/** Computed only if each input has exactly one stated value. */
export function computeSeverance(terms: readonly Term[]): SeveranceComputation {
  const missing: string[] = [];
  const only = (kind: TermKind, name: string): string | undefined => {
    const values = [...new Set(terms.filter((term) => term.kind === kind).map(({ value }) => value))];
    if (values.length !== 1) missing.push(values.length === 0 ? name : `${name} (several values)`);
    return values.length === 1 ? values[0] : undefined;
  };
  const start = only('start_date', 'start date');
  const end = only('end_date', 'end date');
  const rule = only('severance_rule', 'severance rule');
  const pay = only('salary', 'pay');
  const service = start === undefined || end === undefined ? undefined : serviceBetween(start, end);
  if (start !== undefined && end !== undefined && service === undefined)
    missing.push('an end date after the start date');
  const severance =
    service === undefined || rule === undefined || pay === undefined ? undefined : amountOf(service.years, rule, pay);
  if (severance === undefined && missing.length === 0) missing.push('the period of pay');
  return { ...(service === undefined ? {} : { service }), ...(severance === undefined ? {} : { severance }), missing };
}

/** The last day of the notice by the calendar, if the date and the period of notice are each stated once. */
export function computeNoticeEnd(terms: readonly Term[]): string | undefined {
  const only = (kind: TermKind) => {
    const values = [...new Set(terms.filter((term) => term.kind === kind).map(({ value }) => value))];
    return values.length === 1 ? values[0] : undefined;
  };
  const given = only('notice_given');
  const period = /^P(\d{1,4})([DWMY])$/.exec(only('notice_period') ?? '');
  return given === undefined || period === null ? undefined : addDuration(given, Number(period[1]), period[2]!);
}

function amountOf(years: number, rule: string, pay: string): SeveranceComputation['severance'] {
  const [currency = '', amountText = '', , period = ''] = pay.split(' ');
  const [rateText = '', unit] = rule.split(' ');
  const amount = parseRational(amountText);
  const rate = parseRational(rateText);
  if (amount === undefined || rate === undefined || (period !== 'month' && period !== 'year')) return undefined;
  const yearly = period === 'year' ? amount : multiply(amount, rational(12n));
  const perUnit = divide(yearly, rational(unit === 'weeks' ? 52n : 12n));
  const total = multiply(multiply(rate, rational(BigInt(years))), perUnit);
  return {
    amount: total,
    currency,
    formula: `${rateText} ${unit} × ${years} completed years × pay per ${unit === 'weeks' ? 'week' : 'month'}`,
  };
}
