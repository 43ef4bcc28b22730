/** Citations, dates, states and relations in the official languages of the Union. Sentences are our own. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../bench/agents-quality/evaluate.ts';

const found = (kind: string, text: string) =>
  factsOf('eu-legal', text)
    .filter((fact) => fact.kind === kind)
    .map(({ value }) => value);

describe('citations', () => {
  it.each([
    ['Nos termos do artigo 8.º, n.º 2, alínea b), do Regulamento (UE) 2031/77.', '8', '2', 'b', '2031/77'],
    ['Potrivit articolului 8 alineatul (2) litera (b) din Directiva 2011/55/UE.', '8', '2', 'b', '2011/55'],
    ['Artikel 8.2 b i direktiv 2011/55/EU gäller.', '8', '2', 'b', '2011/55'],
    ['Artikel 8, stk. 2, litra b), i forordning (EU) 2031/77.', '8', '2', 'b', '2031/77'],
    ['Direktiivin 2011/55/EU 8 artiklan 2 kohdan b alakohdan mukaan.', '8', '2', 'b', '2011/55'],
    ['El artículo 8.2 de la Directiva 2011/55/UE.', '8', '2', undefined, '2011/55'],
  ])('%s', (text, article, paragraph, point, act) => {
    const value = { article, paragraph, ...(point === undefined ? {} : { point }), act };
    expect(found('provision', text)).toEqual([value]);
  });

  it.each([
    ['See recitals (12) to (14) of Directive 2011/55/EU.', { number: '12', until: '14', act: '2011/55' }],
    ['ErwGr. 12 der Richtlinie 2011/55/EU.', { number: '12', act: '2011/55' }],
    ['Bod 12 odůvodnění směrnice 2011/55/EU.', { number: '12', act: '2011/55' }],
    ['Skäl 12 i direktiv 2011/55/EU.', { number: '12', act: '2011/55' }],
  ])('%s', (text, value) => {
    expect(found('recital', text)).toEqual([value]);
  });
});

describe('application', () => {
  it.each([
    ['O Regulamento (UE) 2031/77 é aplicável a partir de 20 de junho de 2032.', '2032-06-20'],
    ['Förordning (EU) 2031/77 ska tillämpas från och med den 1 mars 2032.', '2032-03-01'],
    ['Forordning (EU) 2031/77 finder anvendelse fra den 1. marts 2032.', '2032-03-01'],
  ])('%s', (text, date) => {
    expect(found('application', text)).toEqual([{ act: '2031/77', date, scope: 'whole' }]);
  });

  it('reads the column of dates though another column is empty', () => {
    const rows = ['Act,Provision,Due,Applies from', 'Regulation (EU) 2031/77,Article 4(1),,2 August 2032'];
    expect(found('application', `${rows.join('\n')}\n`)).toMatchObject([{ act: '2031/77', date: '2032-08-02' }]);
  });

  it('says nothing of the Treaty that an act is based on', () => {
    const text =
      'Regulation (EU) 2031/77 is based on Article 91(1) TFEU and entered into force on 11 August 2031. It applies from 1 January 2033, except for Article 6, which applies from 1 July 2032.';
    expect(found('entry_into_force', text)).toEqual([{ act: '2031/77', date: '2031-08-11' }]);
    expect(found('application', text)).toMatchObject([
      { act: '2031/77', date: '2033-01-01' },
      { act: '2031/77', date: '2032-07-01', article: '6' },
    ]);
  });
});

describe('states', () => {
  it('takes the day of the sentence before', () => {
    const text =
      'Am 15. Mai 2031 war die Richtlinie 2011/55/EU noch in Kraft. Die Verordnung (EU) 2031/77 war an diesem Tag noch nicht in Kraft getreten.';
    expect(found('in_force', text)).toEqual([
      { act: '2011/55', on: '2031-05-15', status: 'in-force' },
      { act: '2031/77', on: '2031-05-15', status: 'not-yet-in-force' },
    ]);
  });

  it('reads a list of acts under a day', () => {
    const text =
      'As at 1 June 2031:\n- Directive 2011/55/EU: no longer in force\n- Regulation (EU) 2031/77: in force\n';
    expect(found('in_force', text).map(({ status }) => status)).toEqual(['no-longer-in-force', 'in-force']);
  });
});

describe('tables of states', () => {
  it('takes the day of each column', () => {
    const rows = [
      '| Act | 1 March 2031 | 1 March 2032 |',
      '|---|---|---|',
      '| Directive 2011/55/EU | in force | repealed |',
    ];
    expect(found('in_force', `${rows.join('\n')}\n`)).toEqual([
      { act: '2011/55', on: '2031-03-01', status: 'in-force' },
      { act: '2011/55', on: '2032-03-01', status: 'no-longer-in-force' },
    ]);
  });
});

describe('relations', () => {
  it.each([
    [
      'Regulation (EU) 2031/77 stands. Implementing Regulation (EU) 2032/9 implements it.',
      'implements',
      '2032/9',
      '2031/77',
    ],
    ['Directive 2011/55/EU ended: Regulation (EU) 2031/77 repealed it.', 'repeals', '2031/77', '2011/55'],
    ['Direktiv 2011/55/EU upphävdes genom förordning (EU) 2031/77.', 'repeals', '2031/77', '2011/55'],
    [
      'Die Richtlinie 2011/55/EU ist durch die Verordnung (EU) 2031/77 aufgehoben worden.',
      'repeals',
      '2031/77',
      '2011/55',
    ],
    [
      'Le règlement d’exécution (UE) 2032/9 porte modalités d’application du règlement (UE) 2031/77.',
      'implements',
      '2032/9',
      '2031/77',
    ],
  ])('%s', (text, relation, from, to) => {
    expect(found('relation', text)).toEqual([{ relation, from, to }]);
  });

  it('reads what a national law has transposed, and no last day', () => {
    expect(found('relation', 'Richtlijn 2011/55/EU is omgezet bij de Waterwet.')).toEqual([
      { relation: 'transposes', to: '2011/55' },
    ]);
    expect(found('relation', 'Directive 2011/55/EU had to be transposed by 1 May 2013.')).toEqual([]);
  });
});
