import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Vocabulary } from '../../../agents/agent/vocabulary.ts';
import { confirmFacts } from '../../../agents/facts/confirm.ts';
import { agents } from '../../../agents/registry.ts';

const vocabulary: Vocabulary = {
  term: {
    means: 'a term',
    fields: {
      amount: { type: 'number', means: 'in base units' },
      by: { type: 'date', means: 'last day' },
      within: { type: 'duration', means: 'period' },
      party: { type: 'name', means: 'who' },
      of: { type: 'code', means: 'which', values: ['fee', 'cap'] },
      id: { type: 'code', means: 'identifier' },
      class: { type: 'code', means: 'class', inferred: true },
    },
  },
  sum: { means: 'a sum', by: 'code', fields: { amount: { type: 'number', means: 'sum' } } },
};

function confirm(text: string, ...facts: readonly { line: number; value: object; kind?: string }[]) {
  const answer = JSON.stringify({ facts: facts.map((fact) => ({ kind: 'term', ...fact })) });
  return confirmFacts(vocabulary, [{ message: 0, text }], answer);
}

/** Whether a document of these lines confirms one value. */
function isConfirmed(text: string, line: number, value: object): boolean {
  return confirm(text, { line, value }).facts.length === 1;
}

describe('a number of a model’s fact', () => {
  it.each([
    ['as printed', 'The fee is 1,250.50 euros.', 1_250.5],
    ['in European notation', 'Die Gebühr beträgt 1.250,50 Euro.', 1_250.5],
    ['without the sign that its meaning gives it', 'Loss (1,250)', -1_250],
    ['in words', 'within fifteen instalments', 15],
    ['with the word that multiplies it', 'a cap of EUR 1.2 million', 1_200_000],
    ['with the scale of its table', 'Figures in EUR thousand\n| Revenue | 1,250 |', 1_250_000],
    ['as a share that is printed in percent', '150 % of the fees', 1.5],
    ['as hours of a time', 'Total 7:30', 7.5],
    ['in lakh', 'INR 2.5 lakh', 250_000],
  ])('is confirmed %s', (_name, text, amount) => {
    expect(isConfirmed(text, text.split('\n').length, { amount })).toBe(true);
  });

  it.each([
    ['another number', 'The fee is 1,250 euros.', 1_350],
    ['another scale', 'a cap of EUR 1.2 million', 1_200],
    ['a scale that the document does not state', 'Revenue 1,250', 1_250_000],
    ['a part of a longer number', 'Order 71250', 1_250],
    ['a small number far away', `${'Clause\n'.repeat(20)}5 days`, 5],
  ])('is left out if it is %s', (_name, text, amount) => {
    expect(confirm(text, { line: 1, value: { amount } })).toEqual({
      facts: [],
      left_out: [{ because: 'the document does not state the number', facts: 1 }],
      complete: true,
    });
  });
});

describe('a date of a model’s fact', () => {
  it.each([
    ['in any form', 'Signed on 3 March 2026.', '2026-03-03'],
    ['in the order of the document', 'DD/MM/YYYY: due 04/03/2026', '2026-03-04'],
    ['as the month alone', 'in March 2026', '2026-03'],
    ['as a month in digits', 'since 02/2019', '2019-02'],
    ['as the year of a day', 'as at 31 December 2025', '2025'],
    ['as the last day of a printed quarter', 'Revenue Q3 2025', '2025-09-30'],
    ['with its year in another line', '2025\n| 31 December |', '2025-12-31'],
  ])('is confirmed %s', (_name, text, by) => {
    expect(isConfirmed(text, text.split('\n').length, { by })).toBe(true);
  });

  it.each([
    ['another day', 'Signed on 3 March 2026.', '2026-03-13'],
    ['a day of a month without one', 'in March 2026', '2026-03-14'],
    ['in another year', 'On 31 December 2024', '2025-12-31'],
    ['in a year that the document does not name', 'Revenue Q3 2025', '2024-06-30'],
  ])('is left out if it is %s', (_name, text, by) => {
    expect(isConfirmed(text, 1, { by })).toBe(false);
  });

  it.each(['Revenue Q1 FY25', 'Revenue mar-25', 'Revenue ’25', 'Revenue 2025'])(
    'is the model’s reading if it ends a month and only the year is printed: %s',
    (text) => {
      expect(confirm(text, { line: 1, value: { by: '2025-06-30' } }).facts[0]?.judged).toEqual(['by']);
      expect(isConfirmed(text, 1, { by: '2025-06-29' })).toBe(false);
    },
  );
});

describe('a duration of a model’s fact', () => {
  it.each([
    ['as printed', 'within thirty (30) days', { count: 30, unit: 'day' }],
    ['across a line break', 'revoked within one\nbusiness day', { count: 1, unit: 'day' }],
    ['as an adverb', 'The policy is reviewed quarterly.', { count: 3, unit: 'month' }],
    ['with its unit in the label', 'Notice (months): 3', { count: 3, unit: 'month' }],
  ])('is confirmed %s', (_name, text, within) => {
    expect(isConfirmed(text, 1, { within })).toBe(true);
  });

  it('is left out in another unit, because 72 hours are not 3 days', () => {
    expect(isConfirmed('within 72 hours', 1, { within: { count: 3, unit: 'day' } })).toBe(false);
  });
});

describe('what else a model says', () => {
  it('is marked as its judgement, unless the document has the words', () => {
    const text = 'Example GmbH pays a fee of EUR 100.';
    const [fact] = confirm(text, { line: 1, value: { of: 'fee', amount: 100, party: 'EXAMPLE GmbH' } }).facts;
    expect(fact).toEqual({
      kind: 'term',
      value: { of: 'fee', amount: 100, party: 'EXAMPLE GmbH' },
      judged: [],
      at: { message: 0, start: text.indexOf('100'), end: text.indexOf('100') + 3 },
    });
    expect(confirm(text, { line: 1, value: { of: 'cap', party: 'the buyer' } }).facts[0]).toMatchObject({
      judged: ['of', 'party'],
      at: { start: 0, end: text.length },
    });
  });

  it('is left out if it is an identifier that the document does not have', () => {
    const text = 'beacons to 203[.]0[.]113[.]7 over hxxps://evil[.]example/a';
    expect(isConfirmed(text, 1, { id: '203.0.113.7' })).toBe(true);
    expect(isConfirmed(text, 1, { id: 'https://evil.example/a' })).toBe(true);
    expect(isConfirmed(text, 1, { id: '203.0.113.8' })).toBe(false);
    expect(confirm(text, { line: 1, value: { class: 'T1071' } }).facts[0]?.judged).toEqual(['class']);
  });
});

describe('a list of facts', () => {
  it('counts lines over all documents', () => {
    const documents = [
      { message: 1, text: 'one\ntwo' },
      { message: 3, text: 'three\nfee 400' },
    ];
    const answer = '{"facts": [{"kind": "term", "line": 4, "value": {"amount": 400}}]}';
    expect(confirmFacts(vocabulary, documents, answer).facts[0]?.at).toEqual({ message: 3, start: 10, end: 13 });
  });

  it('loses only what is wrong, and says why', () => {
    const { facts, left_out } = confirm(
      'fee 400',
      { line: 1, value: { amount: 400 } },
      { line: 1, value: { amount: 400 } },
      { line: 9, value: { amount: 400 } },
      { line: 1, value: { price: 400 } },
      { line: 1, value: {} },
      { line: 1, value: { amount: 400 }, kind: 'sum' },
    );
    expect(facts).toHaveLength(1);
    expect(left_out).toEqual([
      { because: 'the documents have no such line', facts: 1 },
      { because: 'the same fact was listed before', facts: 1 },
      { because: 'it is not in the agent’s vocabulary', facts: 3 },
    ]);
  });

  it('that is cut off keeps its whole facts', () => {
    const answer = '{"facts": [{"kind":"term","line":1,"value":{"amount":400}},{"kind":"term","line":1,"val';
    expect(confirmFacts(vocabulary, [{ message: 0, text: 'fee 400' }], answer)).toMatchObject({
      facts: [{ value: { amount: 400 } }],
      complete: false,
    });
  });

  it('never throws and never reports a number that no document has, whatever the model writes', () => {
    const piece = fc.constantFrom(
      '{"facts":[',
      '{',
      '}',
      ']',
      '"',
      '\\',
      'kind',
      '"term"',
      ':',
      ',',
      '"line":1',
      '9e999',
      'null',
    );
    const answers = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(answers, fc.string(), (answer, text) => {
        for (const { facts } of agents) confirmFacts(facts, [{ message: 0, text }], answer);
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1e9 }), fc.integer({ min: 100, max: 1e9 }), (stated, claimed) => {
        expect(isConfirmed(`fee ${stated}`, 1, { amount: claimed })).toBe(stated === claimed);
      }),
    );
  });

  it('of 5,000 facts about 200,000 characters takes at most two seconds', () => {
    const text = Array.from(
      { length: 4_000 },
      (_value, index) => `Line ${index}: fee of EUR ${1_000 + index} by 3 May 2026`,
    ).join('\n');
    const facts = Array.from({ length: 5_000 }, (_value, index) => ({
      line: 1 + (index % 4_000),
      value: { amount: 1_000 + index, by: '2026-05-03', party: 'nobody here', within: { count: 9, unit: 'week' } },
    }));
    const begun = performance.now();
    confirm(text, ...facts);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
