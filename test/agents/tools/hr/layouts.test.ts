/** Forms, records and letters in unusual layouts: certain facts are reported, and others are left out. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';
import { workingTimeTool } from '../../../../agents/tools/hr/tools.ts';
import { findWordings } from '../../../../agents/tools/hr/wording.ts';

const front = 'Employment contract of an employee.\n\n';
const valuesIn = (text: string, kind: string) =>
  clauseFacts(parseDocument({ message: 0, text: front + text }))
    .filter((fact) => fact.kind === kind)
    .map(({ value }) => value);

type People = {
  readonly worker: string;
  readonly days: { date: string; hours: string }[];
  readonly mismatches: unknown[];
}[];
const peopleIn = (lines: readonly string[]) =>
  (workingTimeTool.run([{ message: 0, text: lines.join('\n') }]).result as unknown as { people: People }).people;

describe('time records', () => {
  it('read days without a year in a column of dates, and the total of the hours worked', () => {
    const [person] = peopleIn([
      'Zeitnachweis 02.11.2026 - 08.11.2026 (Druck 13.11.2026)',
      '',
      'Mitarbeiter/in   Datum   Kommt   Geht    Pause   Std',
      'Brandl, Ines     02/11   08:00   16:30   0:30    8:00',
      'Brandl, Ines     03/11   08:00   15:30   0:30    7:00',
      'Brandl, Ines     04/11   08:00   16:30   0:30    8:00',
      '  Summe Brandl gearbeitet 24:00      Urlaub 0:00',
    ]);
    expect(person!.worker).toBe('Brandl, Ines');
    expect(person!.days).toEqual([
      { date: '2026-11-02', hours: '8:00' },
      { date: '2026-11-03', hours: '7:00' },
      { date: '2026-11-04', hours: '8:00' },
    ]);
    expect(person!.mismatches).toMatchObject([{ stated: '24:00', computed: '23:00' }]);
  });

  it('read the total before its word, in the row of the person', () => {
    const [person] = peopleIn([
      'Hours;Out;In;Break;Date;Code;Staff member',
      '8.00;16:30;08:00;30;2026-11-02;W;Ada Quist',
      '8.00;16:30;08:00;30;2026-11-03;W;Ada Quist',
      '15.00;;;;;TOTAL;Ada Quist',
    ]);
    expect(person!.mismatches).toMatchObject([{ stated: '15:00', computed: '16:00' }]);
  });

  it('give no hours if the shifts of people without a known column overlap', () => {
    const people = peopleIn([
      'Date,Start,End,Break,Badge holder',
      '2026-11-02,08:00,16:30,30,Quist',
      '2026-11-02,09:00,17:30,30,Orban',
      '2026-11-03,08:00,16:30,30,Quist',
    ]);
    expect(people.flatMap(({ days }) => days)).toEqual([]);
  });
});

describe('terms in forms', () => {
  it('take the notice of each party from its column', () => {
    const text = [
      '| Notice | Employer | Employee |',
      '|---|---|---|',
      '| During probation | 2 weeks | 1 week |',
      '| After probation | 3 months | 6 weeks |',
    ].join('\n');
    expect(valuesIn(`# Notice\n\n${text}`, 'notice')).toEqual([
      { by: 'employer', during: 'probation', duration: { count: 2, unit: 'week' } },
      { by: 'employee', during: 'probation', duration: { count: 1, unit: 'week' } },
      { by: 'employer', during: 'after-probation', duration: { count: 3, unit: 'month' } },
      { by: 'employee', during: 'after-probation', duration: { count: 6, unit: 'week' } },
    ]);
  });

  it('take the ticked hours and place, and no allowance that does not apply', () => {
    const text = [
      '======== Place of work',
      '[ ] Depot, Hull    [x] Yard, Leeds',
      '',
      'Weekly hours         [ ] 20     [x] 32',
      'Tool allowance       GBP 30.00  per month    [ ] applies   [x] does not',
      'Weekend premium      GBP 45.00  per month    [x] applies   [ ] does not',
    ].join('\n');
    expect(valuesIn(text, 'working_time')).toEqual([{ hours: 32, per: 'week' }]);
    expect(valuesIn(text, 'workplace')).toEqual([{ place: 'Yard, Leeds' }]);
    expect(valuesIn(text, 'benefit')).toEqual([
      { benefit: 'other-allowance', amount: 45, currency: 'gbp', per: 'month' },
    ]);
  });

  it('take what the employer pays, and not the part of the employee', () => {
    const text = 'Titres-restaurant de 11,00 € par jour travaillé, dont 4,40 € sont supportés par le salarié.';
    expect(valuesIn(text, 'benefit')).toEqual([{ benefit: 'meal-allowance', amount: 11, currency: 'eur', per: 'day' }]);
    expect(valuesIn('L’employeur verse 80,00 EUR par mois à la retraite supplémentaire.', 'benefit')).toEqual([
      { benefit: 'pension', amount: 80, currency: 'eur', per: 'month' },
    ]);
  });

  it('take no core hours and no time of day as hours', () => {
    expect(valuesIn('Je werkt in een glijdend rooster; stamtijden van 10.00 tot 15.00 uur.', 'working_time')).toEqual(
      [],
    );
    expect(valuesIn('Bij ziekte bel je de werkgever vóór 9 uur.', 'benefit')).toEqual([]);
  });
});

describe('e-mails', () => {
  it('leave out all paragraphs of the messages that they answer', () => {
    const text = [
      'You start on 4 January 2027. Salary: £41,000 per annum.',
      '',
      'On Fri, 6 Nov 2026 at 09:14 Ines Brandl wrote:',
      '',
      '> Thank you. Could we say:',
      '>',
      '> Salary: £46,000 per annum, and a signing bonus of £3,000.',
      '>',
      '> On Thu, 5 Nov 2026 HR wrote:',
      '>> Salary: £39,000 per annum. Relocation allowance of £2,000.',
    ].join('\n');
    expect(valuesIn(text, 'pay')).toEqual([{ amount: 41_000, currency: 'gbp', per: 'year' }]);
    expect(valuesIn(text, 'benefit')).toEqual([]);
  });

  it('leave out what follows an original message', () => {
    const text = 'Salary: £41,000 per annum.\n\n-----Original Message-----\nFrom: HR\nNotice: two months.\n';
    expect(valuesIn(text, 'notice')).toEqual([]);
  });
});

describe('law', () => {
  it('is the one of the clause, and not one named by mistake', () => {
    const text = 'Es gilt österreichisches Recht. Die Nennung deutschen Rechts im Entwurf gilt als Irrtum.';
    expect(valuesIn(text, 'governing_law')).toEqual([{ country: 'at' }]);
    expect(valuesIn('9. The laws of Scotland.', 'governing_law')).toEqual([{ country: 'gb', state: 'Scotland' }]);
  });

  it('forbids pay of an adult below the minimum wage', () => {
    const text =
      'You start on 1 June 2026. Hourly rate: GBP 12.00 per hour. You are aged 40. English law applies to this contract.';
    expect(valuesIn(text, 'legal_conflict')).toEqual([{ rule: 'pay-below-minimum', severity: 'high' }]);
    expect(valuesIn(text.replace('aged 40', 'aged 19'), 'legal_conflict')).toEqual([]);
  });

  it('has no covenant that the parties lift', () => {
    const text =
      'The non-compete of two years after the end of the employment is lifted. You will not entice staff away for six months after the end.';
    expect(valuesIn(text, 'covenant').map(({ covenant }) => covenant)).toEqual(['non-solicitation']);
  });
});

describe('wording of advertisements', () => {
  const phrasesIn = (text: string) => findWordings(parseDocument({ message: 0, text })).map(({ phrase }) => phrase);

  it('is found in Spanish offers of an agency', () => {
    const text =
      'Ofertas de la semana\n\nAzafata de ferias. Hasta 3 años de experiencia.\n\nImprescindible español y católico practicante.\n\nAmbiente joven de espíritu.\n';
    expect(phrasesIn(text)).toEqual(['Azafata', 'Hasta 3 años de experiencia', 'español', 'católico practicante']);
  });
});
