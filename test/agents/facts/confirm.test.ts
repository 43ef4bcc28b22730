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
      share: { type: 'number', means: 'percent', also: 'share' },
      multiple: { type: 'number', means: 'times', also: 'multiple' },
      hours: { type: 'number', means: 'hours', also: 'hours' },
      body: { type: 'number', means: 'cm, kg or °C', also: 'body' },
      each: { type: 'duration', means: 'interval', also: 'interval' },
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
    ['with the word that multiplies it on the next line', 'a cap of EUR 1.2\nmillion', 1_200_000],
    ['in hundredths', 'earnings of 71 cents per share', 0.71],
    ['in lakh', 'INR 2.5 lakh', 250_000],
    ['that looks like a year but for its comma', 'Figures in EUR thousand\n| Interest | 1,943 |', 1_943_000],
    [
      'with the scale of shares in the note',
      '(In millions, except number of shares, which are reflected in thousands)\nBasic 15,287,521',
      15_287_521_000,
    ],
  ])('is confirmed %s', (_name, text, amount) => {
    expect(confirm(text, { line: text.split('\n').length, value: { amount } }).facts[0]?.judged).toEqual([]);
  });

  it.each([
    ['share', 'overtime at time and a half', 150],
    ['share', 'double pay', 200],
    ['share', '1.5 times the rate', 150],
    ['multiple', '150 % of the fees', 1.5],
    ['hours', 'Total 7:30', 7.5],
    ['body', 'Height 5’11"', 180.3],
    ['body', '214 lbs', 97.1],
    ['body', 'temp 98.4 °F', 36.9],
  ])('is confirmed as a %s only in fields that are written so: %s', (field, text, value) => {
    expect(isConfirmed(text, 1, { [field]: value })).toBe(true);
    expect(isConfirmed(text, 1, { amount: value })).toBe(false);
  });

  it.each([
    ['without the scale of its table', 'Figures in EUR thousand\n| Revenue | 1,250 |', 1_250],
    ['with the scale of a note below', 'Revenue 437\nFigures in EUR thousand', 437_000],
    ['read otherwise than the other numbers of the document', 'Potassium 4.125, sodium 139.5, pH 7.4', 4_125],
    ['an article', 'un contrat', 1],
  ])('is the model’s reading if it is %s', (_name, text, amount) => {
    expect(confirm(text, { line: text.split('\n').length, value: { amount } }).facts[0]?.judged).toEqual(['amount']);
  });

  it.each([
    ['another number', 'The fee is 1,250 euros.', 1_350],
    ['another scale', 'a cap of EUR 1.2 million', 1_200],
    ['a scale that the document does not state', 'Revenue 1,250', 1_250_000],
    ['a part of a longer number', 'Order 71250', 1_250],
    ['the digits of a far larger number', 'Note 123', 123_000_000_000],
    ['a fraction without its point', 'Digoxin 0.125 mg', 125],
    ['an amount without its multiplier', 'a cap of EUR 1.2 million', 1.2],
    ['a year in thousands', 'Figures in EUR thousand\nin 2025', 2_025_000],
    ['a name on the next line', 'Total 5\nM. Smith', 5_000_000],
    ['a part of a spelled number', 'two hundred and fifty shares', 200],
    ['a price in pounds', 'fee of 500 pounds', 226.8],
    ['“No.”', 'Invoice No. 17', 0],
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
    ['another year next to the day', 'On 30 December 2024.\nBudget 2025', '2025-12-30'],
    ['a verb with a number', 'may terminate with 30 days notice.\nDated 2026', '2026-05-30'],
    ['a percentage', 'Interest is 3.5 % in 2026', '2026-05-03'],
    ['the number of an act', 'Regulation (EU) No 10/2011', '2011-10'],
    ['a day as a year', 'On May 25', '2025'],
    ['not in the calendar', 'Report 2025', '2025-13'],
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
    ['with its unit in the label', 'Notice (months): 3', { count: 3, unit: 'month' }],
    ['with marks of a redline', 'within [~~30~~ **45**] days', { count: 45, unit: 'day' }],
  ])('is confirmed %s', (_name, text, within) => {
    expect(isConfirmed(text, 1, { within })).toBe(true);
  });

  it('is confirmed as an adverb only where periods recur', () => {
    const quarter = { count: 3, unit: 'month' };
    expect(isConfirmed('The policy is reviewed quarterly.', 1, { each: quarter })).toBe(true);
    expect(isConfirmed('The policy is reviewed quarterly.', 1, { within: quarter })).toBe(false);
  });

  it('is in business days if the document says so', () => {
    const unitOf = (unit: string) =>
      confirm('3 days by courier or 3 business days by post', { line: 1, value: { within: { count: 3, unit } } })
        .facts[0]?.value.within;
    expect([unitOf('day'), unitOf('business day')]).toEqual([
      { count: 3, unit: 'day' },
      { count: 3, unit: 'business day' },
    ]);
    const [fact] = confirm('within 3 working days', { line: 1, value: { within: { count: 3, unit: 'day' } } }).facts;
    expect(fact?.value.within).toEqual({ count: 3, unit: 'business day' });
  });

  it.each([
    ['On 3 March he earned 2,000 per month', { count: 3, unit: 'month' }],
    ['interest of 5 % per year', { count: 5, unit: 'year' }],
    ['in the year 2026', { count: 2_026, unit: 'year' }],
  ])('is left out if the number counts something else: %s', (text, within) => {
    expect(isConfirmed(text, 1, { within })).toBe(false);
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
    expect(isConfirmed('203.0.113.17 and CVE-2024-12345', 1, { id: '203.0.113.1' })).toBe(false);
    expect(isConfirmed('203.0.113.17 and CVE-2024-12345', 1, { id: 'CVE-2024-1234' })).toBe(false);
    expect(isConfirmed('at 2:05 p.m.', 1, { id: '14:05' })).toBe(true);
    expect(isConfirmed('EUR 14.05 on 14.05.2026', 1, { id: '14:05' })).toBe(false);
    expect(isConfirmed('VAT DE 123 456 789', 1, { party: 'DE123456789' })).toBe(true);
    expect(isConfirmed('VAT DE 123 456 789', 1, { party: 'DE999999999' })).toBe(false);
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
      fc.property(fc.integer({ min: 100, max: 1e13 }), fc.integer({ min: 100, max: 1e13 }), (stated, claimed) => {
        expect(isConfirmed(`fee ${stated}`, 1, { amount: claimed })).toBe(stated === claimed);
      }),
    );
  });

  it.each([
    ['digits', '1'.repeat(200_000)],
    ['periods', 'one day '.repeat(25_000)],
    ['lines of periods', `${'one day '.repeat(1_900)}\n`.repeat(13)],
  ])('about 200,000 characters of %s takes at most three seconds', (_name, text) => {
    const facts = Array.from({ length: 1_000 }, (_value, index) => ({
      line: 1,
      value: { amount: 1_000 + index, within: { count: 9, unit: 'week' } },
    }));
    const begun = performance.now();
    confirm(text, ...facts);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('stops when its caller wants it', () => {
    const stop = () => {
      throw new Error('stopped');
    };
    const answer = '{"facts": [{"kind": "term", "line": 1, "value": {"amount": 400}}]}';
    expect(() => confirmFacts(vocabulary, [{ message: 0, text: 'fee 400' }], answer, stop)).toThrow('stopped');
  });

  it('that is cut off within a string is not complete, and text before it does not matter', () => {
    const documents = [{ message: 0, text: 'fee 400' }];
    const fact = '{"kind": "term", "line": 1, "value": {"amount": 400}}';
    expect(confirmFacts(vocabulary, documents, `{"facts": [${fact}, {"kind": "x [a]}`).complete).toBe(false);
    expect(confirmFacts(vocabulary, documents, `I list [two] facts: {"facts": [${fact}]}`)).toMatchObject({
      facts: [{ value: { amount: 400 } }],
      complete: true,
    });
  });

  it('of 2,000 facts about 200,000 characters takes at most two seconds', () => {
    const text = Array.from(
      { length: 4_000 },
      (_value, index) => `Line ${index}: fee of EUR ${1_000 + index} by 3 May 2026`,
    ).join('\n');
    const facts = Array.from({ length: 2_000 }, (_value, index) => ({
      line: 1 + (index % 4_000),
      value: { amount: 1_000 + index, by: '2026-05-03', party: 'nobody here', within: { count: 9, unit: 'week' } },
    }));
    const begun = performance.now();
    confirm(text, ...facts);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
