import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findActDates } from '../../../../agents/tools/eu-law/act-dates.ts';
import { readLaw } from '../../../../agents/tools/eu-law/read-law.ts';
import { findRelations } from '../../../../agents/tools/eu-law/relations.ts';
import { findStates } from '../../../../agents/tools/eu-law/states.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const law = (text: string) => readLaw(parseDocument(documentOf(text)));
const dates = (text: string) =>
  findActDates(law(text)).map(({ kind, act, date, scope, article, step }) =>
    [kind, act, article?.normalised, scope ?? step, date].filter((part) => part !== undefined).join(' '),
  );
const relations = (text: string) =>
  findRelations(law(text)).map(
    ({ relation, from, to, date }) => `${from} ${relation} ${to}${date === undefined ? '' : ` ${date}`}`,
  );

const published = (title: string, article: string) => ['OJ L, 2031/77, 5.3.2031', title, article].join('\n\n');

describe('dates of acts', () => {
  it.each([
    ['Regulation (EU) 2031/77 entered into force on 1 May 2031.', 'entry into force 32031R0077 2031-05-01'],
    ['Die Verordnung (EU) 2031/77 trat am 1. Mai 2031 in Kraft.', 'entry into force 32031R0077 2031-05-01'],
    ['Le règlement (UE) 2031/77 est entré en vigueur le 1er mai 2031.', 'entry into force 32031R0077 2031-05-01'],
    ['El Reglamento (UE) 2031/77 entró en vigor el 1 de mayo de 2031.', 'entry into force 32031R0077 2031-05-01'],
    ['Il regolamento (UE) 2031/77 è entrato in vigore il 1º maggio 2031.', 'entry into force 32031R0077 2031-05-01'],
    ['Verordening (EU) 2031/77 is op 1 mei 2031 in werking getreden.', 'entry into force 32031R0077 2031-05-01'],
    ['Regulation (EU) 2031/77 has applied since 1 May 2032.', 'application 32031R0077 whole 2032-05-01'],
    ['Die Verordnung (EU) 2031/77 gilt ab dem 1. Mai 2032.', 'application 32031R0077 whole 2032-05-01'],
    ['Directive (EU) 2031/78 had to be transposed by 1 May 2033.', 'transposition 32031L0078 transpose 2033-05-01'],
    [
      'Die Richtlinie (EU) 2031/78 ist bis zum 1. Mai 2033 umzusetzen.',
      'transposition 32031L0078 transpose 2033-05-01',
    ],
  ])('reads %s', (text, expected) => {
    expect(dates(text)).toEqual([expected]);
  });

  it('counts from the publication that the head of the page prints, and separates parts from the whole', () => {
    const text = published(
      'REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL',
      'This Regulation shall enter into force on the twentieth day following that of its publication in the Official Journal of the European Union. It shall apply from 1 May 2033. However, Articles 4 to 6 shall apply from 1 May 2032, and Article 9(2) from 1 May 2034.',
    );
    expect(dates(text)).toEqual([
      'entry into force 32031R0077 2031-03-25',
      'application 32031R0077 whole 2033-05-01',
      'application 32031R0077 Articles 4 to 6 earlier 2032-05-01',
      'application 32031R0077 Article 9(2) later 2034-05-01',
    ]);
  });

  it.each([
    'If adopted, Regulation (EU) 2031/77 would apply from 1 May 2032.',
    'Le règlement (UE) 2031/77 s’appliquerait à partir du 1er mai 2032.',
    'Regulation (EU) 2031/77 was adopted on 1 May 2031.',
  ])('reads none in %s', (text) => {
    expect(dates(text)).toEqual([]);
  });
});

describe('relations of acts', () => {
  it.each([
    [
      'Directive 2001/5/EC was repealed by Directive (EU) 2031/78 with effect from 1 May 2033.',
      ['32031L0078 repeals 32001L0005 2033-05-01'],
    ],
    [
      'Regulation (EU) 2031/77 repealing Directives 2001/5/EC and 2002/9/EC',
      ['32031R0077 repeals 32001L0005', '32031R0077 repeals 32002L0009'],
    ],
    [
      'Die Richtlinie (EU) 2031/78 hob die Richtlinie 2001/5/EG mit Wirkung vom 1. Mai 2033 auf.',
      ['32031L0078 repeals 32001L0005 2033-05-01'],
    ],
    [
      'La directive 2001/5/CE, telle que modifiée par la directive (UE) 2031/78, reste applicable.',
      ['32031L0078 amends 32001L0005'],
    ],
    ['La Directiva (UE) 2031/78 modifica la Directiva 2001/5/CE.', ['32031L0078 amends 32001L0005']],
    ['Verordening (EU) 2031/77 wijzigt Richtlijn 2001/5/EG.', ['32031R0077 amends 32001L0005']],
    [
      'Commission Implementing Regulation (EU) 2031/77 implementing Regulation (EU) 2021/12',
      ['32031R0077 implements 32021R0012'],
    ],
    [
      'Commission Delegated Regulation (EU) 2031/77 supplementing Regulation (EU) 2021/12',
      ['32031R0077 delegated 32021R0012'],
    ],
    ['Das Gesetz dient der Umsetzung der Richtlinie (EU) 2031/78.', ['undefined transposes 32031L0078']],
    ['Loi transposant la directive (UE) 2031/78', ['undefined transposes 32031L0078']],
  ])('reads %s', (text, expected) => {
    expect(relations(text)).toEqual(expected);
  });

  it.each([
    'Directive (EU) 2031/78 does not repeal Directive 2001/5/EC.',
    'The proposal would amend Directive 2001/5/EC.',
    'Member States shall transpose Directive (EU) 2031/78.',
  ])('reads none in %s', (text) => {
    expect(relations(text)).toEqual([]);
  });
});

describe('states of acts', () => {
  const states = (text: string) =>
    findStates(law(text), findRelations(law(text))).map(({ act, status, on }) => `${act} ${status} ${on}`);

  it.each([
    ['On 4 May 2032 Directive 2001/5/EC was no longer in force.', '32001L0005 no-longer-in-force 2032-05-04'],
    [
      'Date: 4 May 2032\n\nRegulation (EU) 2031/77 is not yet applicable today.',
      '32031R0077 not-yet-applicable 2032-05-04',
    ],
    [
      'Datum: 4. Mai 2032\n\nDie Verordnung (EU) 2031/77 ist heute noch nicht in Kraft.',
      '32031R0077 not-yet-in-force 2032-05-04',
    ],
  ])('reads %s', (text, expected) => {
    expect(states(text)).toEqual([expected]);
  });
});
