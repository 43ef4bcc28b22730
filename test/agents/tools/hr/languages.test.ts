/** Advertisements, handbooks and contracts in languages of the European Union and the Nordic countries. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../bench/agents-quality/evaluate.ts';

const facts = (kind: string, text: string) =>
  factsOf('hr-analyst', text)
    .filter((fact) => fact.kind === kind)
    .map(({ value }) => value);
const wordings = (text: string) =>
  facts('discriminatory_language', text).map(({ ground, phrase }) => `${ground}: ${phrase}`);

describe('discriminatory wording', () => {
  it.each([
    ['Swedish', 'Annons: Vi söker en ung kille till lagret.', ['age: ung', 'sex: kille']],
    [
      'Norwegian',
      'Stillingsannonse: Vi søker en mann med norsk som morsmål.',
      ['sex: mann', 'origin: norsk som morsmål'],
    ],
    [
      'Polish',
      'Ogłoszenie: Poszukujemy mężczyzny do magazynu, wiek do 35 lat.',
      ['sex: mężczyzny', 'age: wiek do 35 lat'],
    ],
    ['Portuguese', 'Anúncio: Procura-se rapaz para armazém, até 30 anos.', ['sex: rapaz', 'age: até 30 anos']],
    [
      'Italian',
      'Annuncio: Cercasi impiegato, massimo 35 anni, nubile.',
      ['age: massimo 35 anni', 'family-status: nubile'],
    ],
  ])('is found in %s', (_, text, expected) => {
    expect(wordings(text)).toEqual(expected);
  });

  it('is neither a length of experience nor the age of those who are there', () => {
    expect(wordings('Offre : vous justifiez de 25 ans d’expérience, notre équipe a de 23 à 61 ans.')).toEqual([]);
    expect(wordings('Annons: Vi söker en kollega, oavsett kön och ålder.')).toEqual([]);
  });
});

describe('a handbook in Swedish', () => {
  const text =
    '# Personalhandbok\n\n## Semester\nAnsökan lämnas till din chef senast den 1 mars varje år.\n\n## Arbetsmiljö\nTillbud rapporteras samma dag, och skyddsskor bärs alltid i hallen.\n\n## Visselblåsning\nSidan skrivs av personalavdelningen, klar till hösten.\n';

  it('has the policies whose sections state rules', () => {
    const policies = facts('policy', text);
    expect(policies).toContainEqual({ policy: 'leave', status: 'present' });
    expect(policies).toContainEqual({ policy: 'health-and-safety', status: 'present' });
    expect(policies).toContainEqual({ policy: 'whistleblowing', status: 'missing' });
  });
});

describe('agreed hours', () => {
  it.each([
    [
      'Danish',
      'Ansættelseskontrakt. Den ugentlige arbejdstid er 37 timer. Arbejdstiden er kl. 8.00 til 16.00.',
      37,
      '08:00',
      '16:00',
    ],
    [
      'Swedish',
      'Anställningsavtal. Heltid är 38,5 timmar per vecka. Arbetet börjar 06.45 och slutar 15.15.',
      38.5,
      '06:45',
      '15:15',
    ],
    [
      'Polish',
      'Umowa o pracę. Czas pracy: 40 godzin tygodniowo. Pracownik zaczyna o 8:00 i kończy o 16:00.',
      40,
      '08:00',
      '16:00',
    ],
    [
      'French',
      'CONTRAT DE TRAVAIL. La durée est de 39 heures par semaine. Le service commence à 14 h 30 et se termine à 22 h 48.',
      39,
      '14:30',
      '22:48',
    ],
  ])('are read in %s', (_, text, hours, start, end) => {
    expect(facts('working_time', text)).toEqual(
      expect.arrayContaining([
        { hours, per: 'week' },
        { start, end },
      ]),
    );
  });
});
