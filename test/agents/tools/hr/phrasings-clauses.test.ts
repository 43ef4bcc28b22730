/** How employment documents state notice, pay, benefits, covenants, place, law, hours and leave, and near misses. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';

/** Each fact as "kind value value"; durations as "3 month". */
const factsIn = (text: string, kind: string) =>
  clauseFacts(parseDocument({ message: 0, text: `Employment contract of an employee.\n\n${text}\n` }))
    .filter((fact) => fact.kind === kind)
    .map(({ value }) =>
      Object.values(value)
        .map((part) => (typeof part === 'object' ? `${part.count} ${part.unit}` : String(part)))
        .join(' '),
    );

const each = (period: string, phase = 'after-probation') => [
  `employer ${phase} ${period}`,
  `employee ${phase} ${period}`,
];

describe('clauses', () => {
  it.each<[string, string, string[]]>([
    ['notice', 'Either party may terminate the employment by giving three months’ notice.', each('3 month')],
    ['notice', 'During the probationary period either party may give one week’s notice.', each('1 week', 'probation')],
    [
      'notice',
      'The Company must give two months’ notice and the Employee one month’s notice.',
      ['employer after-probation 2 month', 'employee after-probation 1 month'],
    ],
    ['notice', 'Die Kündigungsfrist beträgt für beide Seiten sechs Wochen.', each('6 week')],
    [
      'notice',
      'Während der Probezeit kann mit einer Frist von zwei Wochen gekündigt werden.',
      each('2 week', 'probation'),
    ],
    ['notice', 'Le préavis est de trois mois pour chacune des parties.', each('3 month')],
    ['notice', 'El trabajador deberá dar un preaviso de quince días.', ['employee after-probation 15 day']],
    ['notice', 'De opzegtermijn bedraagt voor de werknemer twee maanden.', ['employee after-probation 2 month']],
    ['notice', 'You may withdraw your opt-out on four weeks’ notice.', []],
    ['notice', 'A final written warning stays live for 6 months before dismissal with notice.', []],
    ['pay', 'Your salary is £41,000 per annum.', ['41000 gbp year']],
    ['pay', 'Das Bruttogehalt beträgt 4.200,00 EUR monatlich.', ['4200 eur month']],
    ['pay', 'Le salarié perçoit un salaire mensuel brut de 2 800 €.', ['2800 eur month']],
    ['pay', 'El salario bruto anual es de 31.000 €.', ['31000 eur year']],
    ['pay', 'Het salaris bedraagt € 3.450 bruto per maand.', ['3450 eur month']],
    ['pay', 'The minimum wage is £12.21 per hour.', []],
    ['benefit', 'You receive a car allowance of £450 per month.', ['car-allowance 450 gbp month']],
    ['benefit', 'No company car is provided to the employee.', []],
    ['benefit', 'Overtime is paid at time and a half.', ['overtime-rate 150']],
    ['benefit', 'You pay 4% and the employer pays 7% into the pension scheme.', ['pension 7']],
    ['benefit', 'Du erhältst ein Weihnachtsgeld von 50 % eines Monatsgehalts.', ['extra-month 50']],
    ['benefit', 'La empresa abona un plus de transporte de 80 € mensuales.', ['transport-allowance 80 eur month']],
    ['covenant', 'The employee shall keep all confidential information secret.', ['confidentiality']],
    [
      'covenant',
      'For six months after the termination the employee shall not solicit customers.',
      ['non-solicitation 6 month'],
    ],
    ['covenant', 'The non-competition clause of twelve months after termination shall not apply.', []],
    ['workplace', 'The place of work is Leeds.', ['Leeds']],
    [
      'workplace',
      'Arbeitsort ist Kassel. Sie dürfen zwei Tage pro Woche im Homeoffice arbeiten.',
      ['Kassel', '2 week'],
    ],
    ['governing_law', 'This contract is governed by the laws of the State of Oregon.', ['us Oregon']],
    ['governing_law', 'Es gilt deutsches Recht.', ['de']],
    ['governing_law', 'Op deze overeenkomst is Nederlands recht van toepassing.', ['nl']],
    ['working_time', 'Normal hours of work are 36 hours per week.', ['36 week']],
    ['working_time', 'The early shift is from 06:15 to 14:15, with a break of 30 minutes.', ['30', '06:15 14:15']],
    ['working_time', 'Core hours are 10:00 to 15:00.', []],
    ['working_time', 'Average working time may not exceed 48 hours per week.', []],
    ['annual_leave', 'You are entitled to 26 days of annual leave.', ['26 days']],
    ['annual_leave', 'Der Urlaub beträgt bei einer Fünf-Tage-Woche 28 Arbeitstage.', ['28 days working']],
    ['annual_leave', 'Up to five days of annual leave may be carried over.', []],
    [
      'legal_conflict',
      'Es gilt deutsches Recht. Alle Überstunden sind mit dem Gehalt abgegolten.',
      ['overtime-unpaid'],
    ],
    [
      'term',
      'The appointment starts on 4 May 2026 and is for a fixed term of two years.',
      ['employment 2026-05-04', 'fixed-term 2 year'],
    ],
    [
      'term',
      'El contrato temporal dura del 1 de junio de 2026 al 30 de noviembre de 2026.',
      ['fixed-term 2026-11-30 2026-06-01'],
    ],
    ['term', 'Your continuous service began on 9 March 2018.', ['continuous-service 2018-03-09']],
    ['term', 'Der Arbeitnehmer wird ab dem 1. September 2026 unwiderruflich freigestellt.', []],
    [
      'notice',
      'Die Probezeit dauert sechs Monate. In dieser Zeit beträgt die Kündigungsfrist zwei Wochen.',
      each('2 week', 'probation'),
    ],
    ['notice', 'The Company or you may end the secondment on one month’s notice.', []],
    ['pay', 'Your salary increases from £30,000 to £33,500 per annum.', ['33500 gbp year']],
    [
      'benefit',
      'Sick pay is full pay for 8 weeks and half pay for a further 6 weeks.',
      ['sick-pay 100 8 week', 'sick-pay 50 6 week'],
    ],
    [
      'benefit',
      'Sick pay: four weeks at full pay followed by three weeks at half pay.',
      ['sick-pay 100 4 week', 'sick-pay 50 3 week'],
    ],
    ['benefit', 'Der Dienstwagen ist bis zum Monatsende zurückzugeben.', []],
    ['benefit', 'The night differential is $4.75 per hour.', ['other-allowance 4.75 usd']],
    [
      'benefit',
      'Private medical insurance is provided; cover for a partner is at your cost (£60 a month).',
      ['health-insurance'],
    ],
    ['benefit', 'Bij ziekte betaalt de werkgever gedurende 52 weken 90% van het loon.', ['sick-pay 90 52 week']],
    [
      'covenant',
      'For four months after the termination you shall not compete with the Company in Wales, and for eight months you shall not solicit its clients.',
      ['non-compete 4 month Wales', 'non-solicitation 8 month'],
    ],
    [
      'covenant',
      'You shall not for 12 months after the termination solicit clients with whom you dealt in the last 6 months.',
      ['non-solicitation 12 month'],
    ],
    ['covenant', 'Apprentices may not compete for two years after the end of their training.', []],
    ['workplace', 'La lavoratrice può lavorare in smart working due giorni alla settimana.', ['2 week']],
    ['workplace', 'We offer you the post of cook at our Truro hotel.', ['Truro']],
    ['governing_law', 'Texas law applies to this letter.', ['us Texas']],
    [
      'governing_law',
      'This contract is governed by the law of Scotland; the form for England is not used.',
      ['gb Scotland'],
    ],
    [
      'working_time',
      'Your hours are 36 a week, from 8.30 a.m. to 4.30 p.m., with an hour for lunch.',
      ['36 week', '60', '08:30 16:30'],
    ],
    ['working_time', 'Your contracted hours at your former employer were 40 hours per week.', []],
    [
      'annual_leave',
      'Vakantie: 28 dagen per jaar, waarvan 20 wettelijke en 8 bovenwettelijke dagen.',
      ['28 days total', '20 days statutory', '8 days contractual'],
    ],
    ['annual_leave', 'PTO: 160 hours per year.', ['160 hours']],
    [
      'legal_conflict',
      'This contract is governed by the law of England and Wales. You have 21 days of paid holiday, which include public holidays.',
      ['leave-below-minimum high'],
    ],
    ['legal_conflict', 'This contract is governed by the law of Ireland. You have 21 days of annual leave.', []],
  ])('%s: %s', (kind, text, expected) => {
    expect(factsIn(text, kind)).toEqual(expected);
  });

  it('are not searched for in documents on another subject', () => {
    expect(
      clauseFacts(parseDocument({ message: 0, text: 'Lease. Either party may give three months notice.' })),
    ).toEqual([]);
  });

  it.each(['salary £1 per ', '9:00 - ', 'notice of ', 'medical dental and ', 'within the A '])(
    'of 200,000 characters of %j take linear time',
    (part) => {
      const document = parseDocument({ message: 0, text: `employment ${part.repeat(200_000 / part.length)}` });
      const start = process.cpuUsage().user;
      clauseFacts(document);
      expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(1.5);
    },
  );
});
