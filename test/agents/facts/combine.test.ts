import { describe, expect, it } from 'vitest';
import type { Fact, Vocabulary } from '../../../agents/agent/vocabulary.ts';
import { combineFacts } from '../../../agents/facts/combine.ts';
import type { ConfirmedFact } from '../../../agents/facts/confirm.ts';
import { agents } from '../../../agents/registry.ts';

const facts: Vocabulary = {
  fee: {
    means: 'a fee',
    fields: {
      name: { type: 'name', means: 'whose' },
      amount: { type: 'number', means: 'how much' },
      check: { type: 'code', means: 'whether it adds up', by: 'code' },
    },
  },
  sum: { means: 'the sum', by: 'code', fields: { amount: { type: 'number', means: 'sum' } } },
};

const at = { message: 0, start: 0, end: 1 };
const fee = (amount: number, name?: string): Fact => ({ kind: 'fee', value: { amount, ...(name && { name }) } });
const listed = (fact: Fact): ConfirmedFact => ({ ...fact, judged: [], at });
const sum = (amount: number): Fact => ({ kind: 'sum', value: { amount } });
const whole = { isWhole: true };

describe('the facts of a model and of the tools', () => {
  it('are one if no field contradicts, with the computed fields of the tools', () => {
    const found: Fact = { kind: 'fee', value: { amount: 5, name: 'Example Ltd', check: 'right' } };
    expect(combineFacts({ facts }, [listed(fee(5, 'EXAMPLE Limited'))], [found], whole).facts).toEqual([
      { kind: 'fee', value: { check: 'right', amount: 5, name: 'EXAMPLE Limited' }, judged: [], at, by: 'both' },
    ]);
  });

  it('take a computed field only from the same value', () => {
    const found: Fact = { kind: 'fee', value: { amount: 5, name: 'Example Ltd', check: 'right' } };
    const [fact] = combineFacts(
      { facts },
      [listed({ kind: 'fee', value: { name: 'Example Ltd' } })],
      [found],
      whole,
    ).facts;
    expect(fact).toMatchObject({ value: { name: 'Example Ltd' }, by: 'model' });
  });

  it('are the model’s if the tools read another value, and the tools’ if only they compute the kind', () => {
    const { facts: reported, unlisted } = combineFacts({ facts }, [listed(fee(5))], [fee(6), sum(6)], whole);
    expect(reported.map(({ kind, value, by }) => [kind, value.amount, by])).toEqual([
      ['fee', 5, 'model'],
      ['sum', 6, 'tools'],
    ]);
    expect(unlisted).toBe(1);
  });

  it('keep those of the tools if the list is not whole, or far shorter than theirs', () => {
    const found = [6, 7, 8, 9, 10].map((amount) => fee(amount));
    for (const [list, options] of [
      [[listed(fee(5)), listed(fee(6))], { isWhole: false }],
      [[], whole],
      [[listed(fee(6))], whole],
    ] as const) {
      const { facts: reported, unlisted } = combineFacts({ facts }, list, found, options);
      expect(reported.map(({ value }) => value.amount)).toEqual(expect.arrayContaining([6, 7, 8, 9, 10]));
      expect(unlisted).toBe(0);
    }
  });

  it('are completed by what is computed from the list, in place of what the tools computed', () => {
    const agent = { facts, computedFacts: (list: readonly Fact[]) => [sum(Number(list[0]!.value.amount) + 1)] };
    const { facts: reported } = combineFacts(agent, [listed(fee(5))], [sum(60)], whole);
    expect(reported.slice(1)).toEqual([{ kind: 'sum', value: { amount: 6 }, by: 'computed' }]);
  });
});

const computed = (slug: string, list: readonly Fact[]) =>
  agents.find((agent) => agent.slug === slug)!.computedFacts!(list.map(listed));

describe('what the financial analyst computes', () => {
  const figure = (item: string, amount: number, period: string, span: string): Fact => ({
    kind: 'line_item',
    value: { item, amount, currency: 'eur', period, span },
  });

  it('are ratios and growth of the same period, by the formulas of the tools', () => {
    const list = [
      figure('revenue', 1_000, '2025', 'year'),
      figure('gross-profit', 400, '2025', 'year'),
      figure('revenue', 800, '2024', 'year'),
      figure('current-assets', 300, '2025', 'instant'),
      figure('current-liabilities', 200, '2025', 'instant'),
      figure('revenue', 260, '2025-06-30', 'quarter'),
      figure('revenue', 200, '2024-06-30', 'quarter'),
    ];
    expect(computed('financial-analyst', list)).toEqual([
      { kind: 'ratio', value: { ratio: 'current-ratio', value: 1.5, period: '2025', span: 'instant' } },
      { kind: 'ratio', value: { ratio: 'gross-margin', value: 40, period: '2025', span: 'year' } },
      { kind: 'growth', value: { item: 'revenue', percent: 25, period: '2025', span: 'year' } },
      { kind: 'growth', value: { item: 'revenue', percent: 30, period: '2025-06-30', span: 'quarter' } },
    ]);
  });

  it('leaves out figures that contradict each other, and quarters without their end', () => {
    expect(
      computed('financial-analyst', [
        figure('revenue', 1_000, '2025', 'year'),
        figure('revenue', 1_100, '2025', 'year'),
        figure('gross-profit', 400, '2025', 'year'),
        figure('revenue', 260, '2025', 'quarter'),
        figure('gross-profit', 26, '2025', 'quarter'),
      ]),
    ).toEqual([]);
  });
});

it('computes no ratio of figures in two currencies', () => {
  const figure = (item: string, amount: number, currency: string): Fact => ({
    kind: 'line_item',
    value: { item, amount, currency, period: '2025', span: 'year' },
  });
  expect(computed('financial-analyst', [figure('revenue', 1_000, 'eur'), figure('net-income', 250, 'jpy')])).toEqual(
    [],
  );
});

describe('what the cybersecurity analyst computes', () => {
  const point = (name: string, time: string, more: Fact['value'] = {}): Fact => ({
    kind: 'time_point',
    value: { point: name, time, ...more },
  });

  it('are the durations between single points, over midnight if the dates say so', () => {
    const list = [
      point('start', '23:50', { date: '2026-03-01' }),
      point('detection', '00:05:30', { date: '2026-03-02' }),
      point('mitigation', '01:20', { date: '2026-03-02' }),
    ];
    expect(computed('cybersecurity-analyst', list).map(({ value }) => [value.of, value.minutes])).toEqual([
      ['impact', 90],
      ['detection', 16],
      ['mitigation', 75],
    ]);
  });

  it.each([
    ['two starts', [point('start', '10:00'), point('start', '11:00'), point('mitigation', '12:00')]],
    ['an end before the start', [point('start', '10:00'), point('mitigation', '09:00')]],
    ['a date on one side only', [point('start', '09:00'), point('mitigation', '10:00', { date: '2026-03-02' })]],
    ['a month in place of a date', ['start', 'mitigation'].map((name) => point(name, '10:00', { date: '2026-03' }))],
    ['a time that no clock has', [point('start', '10:00'), point('mitigation', '99:99')]],
    ['no time', [point('start', 'noon'), point('mitigation', '13:00')]],
  ])('are not computed from %s', (_name, list) => {
    expect(computed('cybersecurity-analyst', list)).toEqual([]);
  });
});
