import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findTerms } from '../../../../agents/tools/hr/employment-terms.ts';
import { computeNoticeEnd, computeSeverance, severanceRule } from '../../../../agents/tools/hr/severance.ts';
import type { TermKind } from '../../../../agents/tools/hr/term-cues.ts';

const values = (text: string, kind: TermKind) =>
  findTerms({ message: 0, text })
    .filter((term) => term.kind === kind)
    .map(({ value }) => value);
const caution = (text: string) => findTerms({ message: 0, text })[0]?.caution;

describe('employment terms', () => {
  it.each<[TermKind, string, string]>([
    ['notice_period', 'The notice period is three months.', 'P3M'],
    ['notice_period', 'Die Kündigungsfrist beträgt 4 Wochen.', 'P4W'],
    ['probation', 'The first 3 months are a probation period.', 'P3M'],
    ['annual_leave', 'The employee has 25 days of annual leave.', 'P25D'],
    ['weekly_hours', 'Working time is 38.5 hours per week.', 'PT38.5H'],
    ['start_date', 'The start date is 1 March 2020.', '2020-03-01'],
    ['end_date', 'The employment ends on 31 October 2024.', '2024-10-31'],
    ['salary', 'The gross salary is EUR 3,250.50 per month.', 'EUR 3250.5 per month'],
    ['non_compete', 'A non-compete covenant applies for 12 months.', 'P12M'],
  ])('has %s in: %s', (kind, text, expected) => {
    expect(values(text, kind)).toEqual([expected]);
  });

  it('does not report overtime as the normal week', () => {
    expect(values('Overtime is at most 8 hours a week.', 'weekly_hours')).toEqual([]);
  });

  it('flags long probation, short leave and long weeks', () => {
    expect(caution('The probation period is nine months.')).toContain('six months');
    expect(caution('The probation period is six months.')).toBeUndefined();
    expect(caution('There are 19 days of annual leave.')).toContain('five working days');
    expect(caution('There are 20 days of annual leave.')).toBeUndefined();
    expect(caution('In a six-day week there are 23 days of annual leave.')).toContain('six working days');
    expect(caution('The working time is 50 hours per week.')).toContain('48 hours');
  });
});

describe('severance', () => {
  it.each([
    ["half a month's salary for each completed year of service", '0.5 months of pay per year of service'],
    ['two weeks’ pay for every year of service', '2 weeks of pay per year of service'],
    ['1.5 months of gross salary per year of employment', '1.5 months of pay per year of service'],
  ])('reads %s', (sentence, expected) => {
    expect(severanceRule(sentence)).toBe(expected);
  });

  const text = (rule: string, pay: string) =>
    `The start date is 1 January 2015. The employment ends on 30 June 2024. The salary is ${pay}. On redundancy the severance is ${rule}.`;
  const amount = (...parts: [string, string]) => {
    const { severance } = computeSeverance(findTerms({ message: 0, text: text(...parts) }));
    return severance === undefined ? undefined : toText(severance.amount, 2);
  };

  it('multiplies rate, completed years and pay', () => {
    expect(amount("one month's salary for each year of service", 'EUR 3,000 per month')).toBe('27000');
    expect(amount("two weeks' pay for each year of service", 'EUR 52,000 per year')).toBe('18000');
  });

  it('is not computed with a missing or ambiguous input', () => {
    expect(computeSeverance([]).missing).toEqual(['start date', 'end date', 'severance rule', 'pay']);
    expect(amount("one month's salary for each year of service", 'EUR 20 per hour')).toBeUndefined();
    const twice = `${text("one month's salary for each year of service", 'EUR 3,000 per month')} The salary is EUR 3,500 per month.`;
    expect(computeSeverance(findTerms({ message: 0, text: twice })).missing).toEqual(['pay (several values)']);
  });
});

describe('the end of a notice', () => {
  const end = (text: string) => computeNoticeEnd(findTerms({ message: 0, text }));

  it('is one notice period after the day on which notice was given', () => {
    expect(end('Notice was given on 31 December 2023. The notice period is two months.')).toBe('2024-02-29');
    expect(end('Notice was given on 1 March 2024. The notice period is 6 weeks.')).toBe('2024-04-12');
  });

  it('is not computed if a period is missing or ambiguous', () => {
    expect(end('Notice was given on 1 March 2024.')).toBeUndefined();
    expect(
      end('Notice was given on 1 March 2024. The notice period is 6 weeks. The notice period is 3 months.'),
    ).toBeUndefined();
  });
});

describe('several terms in one sentence', () => {
  const kinds = (text: string) => findTerms({ message: 0, text }).map(({ kind, value }) => [kind, value]);

  it.each([
    [
      'During the probationary period of six months either party may terminate with a notice period of two weeks.',
      [
        ['probation', 'P6M'],
        ['notice_period', 'P2W'],
      ],
    ],
    ['After probation the period of notice is three months.', [['notice_period', 'P3M']]],
    ['The notice period is one month; during the trial period it is one week.', [['notice_period', 'P1M']]],
    [
      'Notice: 4 weeks\nProbation: 3 months',
      [
        ['notice_period', 'P4W'],
        ['probation', 'P3M'],
      ],
    ],
    [
      "Employment begins with three months' probation and ends with two weeks' notice.",
      [
        ['probation', 'P3M'],
        ['notice_period', 'P2W'],
      ],
    ],
  ])('keep their own durations: %s', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});

describe('exclusions of terms', () => {
  const kinds = (text: string) => findTerms({ message: 0, text }).map(({ kind }) => kind);

  it.each([
    ['As a courtesy, we ask for a notice period of two weeks.', 'notice_period'],
    ['The notice period of six months for executives is in Schedule 2.', 'notice_period'],
    ['The non-compete of twelve months shall not apply.', 'non_compete'],
    ['During probation, sick pay is paid for four weeks.', 'probation'],
    ['The weekly working time must not exceed 48 hours per week on average.', 'weekly_hours'],
  ])('do not report %s', (text, kind) => {
    expect(kinds(text)).not.toContain(kind);
  });

  it.each([
    ['The notice period is two weeks.', 'notice_period'],
    ['The non-compete lasts twelve months.', 'non_compete'],
    ['The probation is four months.', 'probation'],
    ['The weekly working time is 38 hours per week.', 'weekly_hours'],
  ])('keep %s', (text, kind) => {
    expect(kinds(text)).toContain(kind);
  });
});
