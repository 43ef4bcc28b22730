/** Periods of the past and periods of other companies, which an organisation does not keep itself. */
import { describe, expect, it } from 'vitest';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';

const retained = (text: string) =>
  findRetention(readingOf({ message: 0, text })).facts.map(({ period: { count, unit } }) => `${count} ${unit}`);
const limits = (text: string) =>
  findTimeLimits(readingOf({ message: 0, text })).facts.map(({ period: { count, unit } }) => `${count} ${unit}`);

describe('a former retention period', () => {
  const title = 'Politique de conservation des données\n\nLes factures sont conservées 10 ans. ';

  it('is not reported: French imperfect tense', () => {
    expect(retained(`${title}Le fichier des visiteurs n'existe plus ; ses pages étaient conservées 6 mois.`)).toEqual([
      '10 year',
    ]);
  });

  it('is told from a current one by its tense', () => {
    expect(retained(`${title}Les pages du fichier des visiteurs sont conservées 6 mois.`)).toEqual([
      '10 year',
      '6 month',
    ]);
  });
});

describe('a notice that a provider owes by its own contract', () => {
  const procedure = (sentence: string) =>
    `Verfahrensanweisung\n\nMeldung von Vorfällen\n\nDie Compliance-Abteilung meldet Vorfälle der Behörde innerhalb von 24 Stunden.\n${sentence}\n`;

  it.each([
    'Der Hostinganbieter meldet uns Vorfälle laut seinem Vertrag innerhalb von vier Stunden.',
    'Die Dienstleister melden uns Vorfälle nach ihren Verträgen innerhalb von vier Stunden.',
  ])('is no time limit of the procedure: %s', (sentence) => {
    expect(limits(procedure(sentence))).toEqual(['24 hour']);
  });

  it('is a time limit if the organisation itself owes it', () => {
    expect(limits(procedure('Der Service Desk meldet Vorfälle intern innerhalb von vier Stunden.'))).toContain(
      '24 hour',
    );
  });
});
