/** Terms, wordings and records in forms that a reader meets rarely: numbered clauses, terms with two days, other forms, events. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';
import { employmentTermsTool, workingTimeTool } from '../../../../agents/tools/hr/tools.ts';
import { findWordings } from '../../../../agents/tools/hr/wording.ts';

const factsIn = (text: string, kind: string) =>
  clauseFacts(parseDocument({ message: 0, text: `Employment contract of an employee.\n\n${text}\n` }))
    .filter((fact) => fact.kind === kind)
    .map(({ value }) =>
      Object.values(value)
        .map((part) => (typeof part === 'object' ? `${part.count} ${part.unit}` : String(part)))
        .join(' '),
    );

describe('clauses in varied forms', () => {
  it.each<[string, string, string[]]>([
    [
      'term',
      'The fixed term contract runs for the period from 3 May 2027 to 30 October 2027.',
      ['fixed-term 2027-10-30 2027-05-03'],
    ],
    ['term', 'Dauer: 1. Mai 2027 bis 30. April 2029; endet ohne Kündigung', ['fixed-term 2029-04-30 2027-05-01']],
    [
      'term',
      'Your employment begins on 3 May 2027 and ends automatically on 30 April 2028.',
      ['employment 2027-05-03', 'fixed-term 2028-04-30 2027-05-03'],
    ],
    [
      'governing_law',
      'Law. The laws of Ireland govern this contract. (The form for Belfast staff, governed by the law of Northern Ireland, is not used.)',
      ['ie'],
    ],
    [
      'working_time',
      'From Monday to Wednesday work starts at 7.30 a.m. and ends at 4.15 p.m., on Thursday it starts at 7.30 a.m. and ends at 1.15 p.m.',
      ['07:30 16:15', '07:30 13:15'],
    ],
    ['working_time', 'Weekly hours are reduced from 39 to 30; the other terms stay the same.', ['30 week']],
    ['working_time', 'Example: somebody who works 20.5 hours a week has half of the leave.', []],
    ['benefit', 'The foundation contributes 7.5 % of the salary to the pension.', ['pension 7.5']],
    ['benefit', 'Die Schichtzulage des Lagers (95 EUR) gilt für diese Stelle nicht.', []],
    [
      'notice',
      'Preavviso: 25 giorni per entrambe le parti.',
      ['employer after-probation 25 day', 'employee after-probation 25 day'],
    ],
    [
      'notice',
      'Okres wypowiedzenia wynosi 2 miesiące dla obu stron.',
      ['employer after-probation 2 month', 'employee after-probation 2 month'],
    ],
    [
      'covenant',
      'For nine months after the employment ends you shall not solicit, within the province of Ulster, any client of the Company.',
      ['non-solicitation 9 month province of Ulster'],
    ],
    ['pay', 'Retribuição: 1.380 EUR brutos por mês.', ['1380 eur month']],
  ])('%s: %s', (kind, text, expected) => {
    expect(factsIn(text, kind).sort()).toEqual([...expected].sort());
  });

  it('do not take the title of the document for one of leave', () => {
    const text =
      'CONTRACT OF EMPLOYMENT (TO COVER A PERIOD OF PARENTAL LEAVE)\n\nIn case of certified illness full salary is paid for four weeks.\n';
    expect(factsIn(text, 'annual_leave')).toEqual([]);
  });

  it('read the number of a clause as no reference to the law', () => {
    const { result } = employmentTermsTool.run([
      { message: 0, text: 'Arbeitsvertrag\n\n§ 8 Der Urlaub beträgt 27 Arbeitstage im Kalenderjahr.\n' },
    ]);
    expect(JSON.stringify(result)).toContain('"amount":27');
  });
});

describe('wordings of advertisements', () => {
  const wordingsIn = (text: string) =>
    findWordings(parseDocument({ message: 0, text: `Vacancies\n\n${text}\n` })).map(
      ({ ground, phrase }) => `${ground}: ${phrase}`,
    );

  it.each<[string, string[]]>([
    ['Older gentleman preferred.', ['age: Older', 'sex: gentleman']],
    ['Someone single would suit the job.', ['family-status: single']],
    ['Only applicants from the Polish community need apply.', ['origin: from the Polish community']],
    [
      'We need people who are free from back problems; no\n     heart trouble please.',
      ['disability: free from back problems', 'disability: no heart trouble'],
    ],
    ['The governors need a practising Catholic, as permitted by section 60 of the School Standards Act.', []],
    [
      'REF 7 CARER\nA woman is needed: an occupational requirement.\n\nREF 8 WAITER\nNative German speakers only.',
      ['origin: Native German speakers only'],
    ],
  ])('%s', (text, expected) => {
    expect(wordingsIn(text).sort()).toEqual(expected);
  });
});

describe('time records in varied forms', () => {
  const hoursIn = (text: string) => {
    const { people, week_tables: tables } = workingTimeTool.run([{ message: 0, text }]).result as unknown as {
      people: readonly { worker: string; days: readonly { date: string; hours: string }[] }[];
      week_tables: readonly { worker: string; hours?: string; stated_hours?: string }[];
    };
    return [
      ...people.flatMap(({ worker, days }) => days.map(({ date, hours }) => `${worker} ${date.slice(5)} ${hours}`)),
      ...tables.map(({ worker, hours, stated_hours: stated }) => `${worker} ${hours} ${stated}`),
    ];
  };

  it.each<[string, string, string[]]>([
    [
      'breaks as events',
      'Nr;Name;Datum;Buchung;Uhrzeit\n4;Kern, Udo;05.10.2026;Kommen;07:00\n4;Kern, Udo;05.10.2026;Pause Beginn;12:00\n4;Kern, Udo;05.10.2026;Pause Ende;12:45\n4;Kern, Udo;05.10.2026;Gehen;15:45\n',
      ['Kern, Udo 10-05 8:00'],
    ],
    [
      'days of the month that the title names',
      'Stundenzettel Oktober 2026\nMitarbeiter: Jana Prell\nTag | Kommen | Gehen | Pause | Stunden\n1 | 08:00 | 16:30 | 0:30 | 8,00\n2 | 08:00 | 14:00 | 0:30 | 5,50\n',
      ['Jana Prell 10-01 8:00', 'Jana Prell 10-02 5:30'],
    ],
    [
      'times without a mark',
      'Employee: Paul Odera   Badge 4471\nMon 5 Oct 2026   0700-1530   break 30\nThu 8 Oct 2026   2200-0600   break 45\n',
      ['Paul Odera 10-05 8:00', 'Paul Odera 10-08 7:15'],
    ],
    [
      'times with points',
      'Medarbejder: Søren Toft\nMandag d. 05.10.2026: 07.00-15.30, pause 30 min\n',
      ['Søren Toft 10-05 8:00'],
    ],
    [
      'a line of days with its total',
      'Crew hours, week 41 (Mon 5 Oct - Sun 11 Oct 2026)\nLabourer Kofi Osei: Mon 9, Tue 9, Wed 10, Thu 9, Fri 9 = 44\n',
      ['Kofi Osei 46:00 44:00'],
    ],
    [
      'headings of times that look like names',
      'Employee: Jo Hollis\nDate,Sched In,Sched Out,Actual In,Actual Out,Meal,Worked\n10/13/2026,08:00,16:00,08:00,16:30,0:30,8:00\n10/14/2026,08:00,16:00,08:00,16:30,0:30,8:00\n',
      ['Jo Hollis 10-13 8:00', 'Jo Hollis 10-14 8:00'],
    ],
  ])('%s', (_, text, expected) => {
    expect(hoursIn(text)).toEqual(expected);
  });
});
