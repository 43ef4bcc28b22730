import { describe, expect, it } from 'vitest';
import type { Vocabulary } from '../../../agents/agent/vocabulary.ts';
import { compareFacts, equalNames } from '../../../agents/facts/compare.ts';
import type { Labels } from '../../../bench/agents-quality/documents.ts';
import { labelProblems } from '../../../bench/agents-quality/documents.ts';
import { countJudgements, judgeReading } from '../../../bench/agents-quality/evaluate.ts';

const kinds: Vocabulary = {
  amount: {
    means: 'a sum of money',
    fields: { item: { type: 'code', means: 'which' }, amount: { type: 'number', means: 'units of the currency' } },
  },
  party: { means: 'who signs', fields: { name: { type: 'name', means: 'of the company or person' } } },
  flag: {
    means: 'a risk',
    fields: {
      rule: { type: 'code', means: 'which' },
      severity: { type: 'code', means: 'how severe', values: ['critical', 'low'] },
    },
  },
};

describe('comparing a found fact with a label', () => {
  const label = { kind: 'amount', value: { item: 'cap', amount: 500 } };

  it.each([
    { why: 'all fields agree', value: { item: 'cap', amount: 500 }, compatible: true, whole: true },
    {
      why: 'the fact has a further field',
      value: { item: 'cap', amount: 500, currency: 'EUR' },
      compatible: true,
      whole: true,
    },
    { why: 'the fact lacks a field', value: { amount: 500 }, compatible: true, whole: false },
    { why: 'one field differs', value: { item: 'fee', amount: 500 }, compatible: false, whole: false },
    { why: 'the fact shares no field', value: { currency: 'EUR' }, compatible: false, whole: false },
    { why: 'a text replaces a number', value: { item: 'cap', amount: '500' }, compatible: false, whole: false },
  ])('is compatible: $compatible, complete: $whole if $why', ({ value, compatible, whole }) => {
    expect(compareFacts({ kind: 'amount', value }, label, kinds)).toEqual({ compatible, whole });
  });

  it('accepts a difference due to rounding, and no larger one', () => {
    const found = (amount: number) =>
      compareFacts({ kind: 'amount', value: { item: 'cap', amount } }, label, kinds).whole;
    expect([found(500.0001), found(500.01)]).toEqual([true, false]);
  });

  it.each([
    ['Norden Werke GmbH', 'NORDEN WERKE', true],
    ['Müller & Söhne KG', 'Muller Sohne', true],
    ['Acme, Inc.', 'Acme', true],
    ['A.C.M.E. Ltd', 'ACME', true],
    ['Acme', 'Acmetric Holdings', false],
    ['The Company', 'Company', true],
  ])('treats the names %s and %s as equal: %s', (one, other, equal) => {
    expect(equalNames(one, other)).toBe(equal);
  });
});

describe('judging what was found in a document', () => {
  const labels: Labels = {
    layout: 'note',
    language: 'en-US',
    facts: [
      { kind: 'amount', value: { item: 'cap', amount: 500 }, quote: 'cap of 500' },
      { kind: 'party', value: { name: 'Acme' }, quote: 'Acme' },
    ],
    absent: [{ kind: 'flag', value: { rule: 'insolvency' }, why: 'the word is only in a definition' }],
    complete: ['amount'],
  };
  const document = { name: 'note', text: 'Acme has a cap of 500.', labels };

  it('counts missed labels and wrong facts, and ignores what no label covers', () => {
    const found = [
      { kind: 'amount', value: { item: 'cap', amount: 500 } },
      { kind: 'amount', value: { item: 'cap', amount: 500 } },
      { kind: 'amount', value: { item: 'fee', amount: 7 } },
      { kind: 'party', value: { name: 'Somebody' } },
      { kind: 'flag', value: { rule: 'insolvency', severity: 'critical' } },
      { kind: 'flag', value: { rule: 'other', severity: 'critical' } },
    ];
    const judgement = judgeReading(document, { facts: found }, kinds);
    expect(judgement.missed).toEqual([{ kind: 'party', value: { name: 'Acme' } }]);
    expect(judgement.wrong).toEqual([found[2], found[4]]);
    expect(countJudgements([judgement])).toEqual({
      documents: 1,
      labels: 2,
      recall: 0.5,
      judged: 3,
      precision: 1 - 2 / 3,
      wrongNumbers: 1,
      criticalFalseAlarms: 1,
      rankedPairs: undefined,
    });
  });

  it('counts the pairs of a low and a high risk whose scores are in this order', () => {
    const scored = (risk: 'low' | 'high', score: number | null) =>
      judgeReading({ ...document, labels: { ...labels, risk } }, { facts: [], score }, kinds);
    const { rankedPairs } = countJudgements([
      scored('low', 10),
      scored('low', null),
      scored('high', 5),
      scored('high', 80),
    ]);
    expect(rankedPairs).toBe(3 / 4);
  });

  it('reports a quote that is not unique, and a field or code that is not defined', () => {
    const wrong: Labels = {
      ...labels,
      facts: [
        { kind: 'party', value: { name: 'a' }, quote: 'a' },
        { kind: 'flag', value: { severity: 'high' }, quote: 'cap' },
        { kind: 'party', value: { role: 'buyer' }, quote: 'Acme' },
      ],
    };
    expect(labelProblems({ ...document, labels: wrong }, kinds)).toEqual([
      'note: the quote "a" occurs 3 times',
      'note: flag.severity is not one of the values: "high"',
      'note: party.role is not defined: "buyer"',
    ]);
  });
});
