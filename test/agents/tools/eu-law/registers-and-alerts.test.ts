/** Registers that number their acts, alerts on one new act, and relations in other words. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findActDates } from '../../../../agents/tools/eu-law/act-dates.ts';
import { euDeadlines } from '../../../../agents/tools/eu-law/find-deadlines.ts';
import { readLaw } from '../../../../agents/tools/eu-law/read-law.ts';
import { findRelations } from '../../../../agents/tools/eu-law/relations.ts';
import { findStates } from '../../../../agents/tools/eu-law/states.ts';

const lawOf = (text: string) => readLaw(readDocument({ message: 0, text }));
const relations = (text: string) =>
  findRelations(lawOf(text)).map(({ relation, from = '', to, date = '' }) =>
    `${relation} ${from} ${to} ${date}`.trim(),
  );

describe('a register', () => {
  const register =
    '| No. | Act | Status on 2 May 2033 |\n|---|---|---|\n| K1 | Regulation (EU) 2031/77 | in force |\n| K2 | Directive 2019/5/EU | no longer in force |\n\n';

  it('refers to acts by the numbers of its rows', () => {
    const law = lawOf(`${register}K1 repeals K2 with effect from 1 March 2032. See Article 8(3) of K1.`);
    expect(findRelations(law)).toMatchObject([
      { relation: 'repeals', from: '32031R0077', to: '32019L0005', date: '2032-03-01' },
    ]);
    expect(law.articles).toMatchObject([{ number: '8', paragraph: '3', act: '32031R0077' }]);
    expect(findStates(law, []).map(({ act, on, status }) => [act, on, status])).toEqual([
      ['32031R0077', '2033-05-02', 'in-force'],
      ['32019L0005', '2033-05-02', 'no-longer-in-force'],
    ]);
  });
});

describe('an alert', () => {
  const alert =
    '# New rules\n\n## In brief\n\nRegulation (EU) 2031/77 was published today. The Regulation matters to all.\n\n| What | From |\n|---|---|\n| General application of the Regulation | 4 May 2032 |\n| Articles 9 to 11 (labels) | 4 May 2031 |\n\n## Duties\n\n1. Inform buyers (Article 18(1)).\n\nDirective 2019/5/EU is repealed with effect from 4 May 2032.\n';

  it('is about the act that it announces', () => {
    const law = lawOf(alert);
    expect(law.articles.at(-1)).toMatchObject({ number: '18', act: '32031R0077' });
    expect(relations(alert)).toEqual(['repeals 32031R0077 32019L0005 2032-05-04']);
  });

  it('gives the days of application under "From"', () => {
    expect(findActDates(lawOf(alert)).map(({ date, scope }) => [date, scope])).toEqual([
      ['2032-05-04', 'whole'],
      ['2031-05-04', 'earlier'],
    ]);
  });

  it('sets no time limit where it tells readers how to unsubscribe', () => {
    const found = euDeadlines.run([{ message: 0, text: 'To unsubscribe reply within 14 days of any mailing.' }]);
    expect(JSON.stringify(found)).not.toContain('"count":14');
  });
});

describe('relations', () => {
  it.each([
    [
      'Regulation (EU) 2031/77 repeals and replaces Directive 2019/5/EU with effect from 1 May 2032.',
      ['repeals 32031R0077 32019L0005 2032-05-01'],
    ],
    [
      'Mit der Verordnung (EU) 2031/77 wird die Richtlinie 2019/5/EU zum 1. Mai 2032 aufgehoben.',
      ['repeals 32031R0077 32019L0005 2032-05-01'],
    ],
    ['Das Pumpengesetz setzt die Richtlinie 2019/5/EU in deutsches Recht um.', ['transposes  32019L0005']],
    ['Regulation (EU) 2031/77 is in force. The Commission has proposed to amend Directive 2019/5/EU.', []],
  ])('reads %s', (text, expected) => {
    expect(relations(text)).toEqual(expected);
  });

  it('reads a column of amended acts', () => {
    const text = '| Act | Amends |\n|---|---|\n| Regulation (EU) 2031/77 | Regulation (EU) 2019/1020 |\n';
    expect(relations(text)).toEqual(['amends 32031R0077 32019R1020']);
  });
});

describe('provisions', () => {
  it('leaves out the articles of a national law that the sentence before names', () => {
    const law = lawOf(
      'Artykuł 45 ust. 1 ustawy transponuje art. 23 dyrektywy 2019/5. Zgodnie z art. 46 ust. 5 tej ustawy termin upływa.',
    );
    expect(law.articles.map(({ number }) => number)).not.toContain('46');
  });
});
