/** Limits of liability and prices in further wordings, languages and tables. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { dealTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

type Entry = Readonly<Record<string, string | undefined>>;

function listOf(text: string, list: 'warranty_limits' | 'values'): Entry[] {
  const result = dealTerms.run([documentOf(text)]).result as unknown as Record<string, { items: Entry[] }>;
  return result[list]!.items;
}

const limitsOf = (text: string) =>
  listOf(text, 'warranty_limits').map(
    ({ limit, scope, amount, percent, count, unit }) => `${limit} ${scope} ${amount ?? percent ?? `${count} ${unit}`}`,
  );

describe('warranty limits', () => {
  it('of Italian agreements are read with amounts after the word "Euro"', () => {
    const text =
      'INDENNIZZO\n\n5.1 Nessun indennizzo è dovuto per singole Passività inferiori a Euro 9.000, né finché il totale delle Passività non superi Euro 120.000.\n5.2 Per le Passività Fiscali l’importo massimo è di Euro 2.000.000.\n';
    expect(limitsOf(text)).toEqual(
      expect.arrayContaining(['de-minimis general 9000', 'basket general 120000', 'cap tax 2000000']),
    );
  });

  it('of French agreements are read from one sentence with two thresholds', () => {
    const text =
      '2.2 Aucune somme n’est due pour une réclamation dont le montant unitaire est inférieur à 3.000 euros, ni tant que le total des réclamations n’excède pas 45.000 euros.';
    expect(limitsOf(text)).toEqual(['de-minimis general 3000', 'basket general 45000']);
  });

  it('are read from tables in long form', () => {
    const text =
      'Section;Limit;Amount;Applies to\n9.2;Cap;$6,000,000;General representations\n9.3;De minimis;$20,000;General representations\n9.4;Deductible;$400,000;General representations\n9.5;Survival;18 months;General representations\n9.6;Survival;6 years;Tax representations\n';
    expect(limitsOf(text)).toEqual([
      'cap general 6000000',
      'de-minimis general 20000',
      'basket general 400000',
      'survival general 18 month',
      'survival tax 6 year',
    ]);
  });

  it('are not the conditions of a drag-along', () => {
    const text =
      'DRAG-ALONG\n\nEach Stockholder agrees to vote for a sale if the aggregate consideration is at least $9,000,000 and its liability does not exceed the consideration payable to it.';
    expect(limitsOf(text)).toEqual([]);
    expect(listOf(text, 'values')).toEqual([]);
  });
});

describe('values', () => {
  it('are no interest on overdue sums', () => {
    const text =
      'Wandeldarlehen\n\nRückständige Beträge sind mit 5 % p. a. zu verzinsen. Das Darlehen ist mit 7 % p. a. zu verzinsen.';
    expect(listOf(text, 'values').map(({ term, value }) => `${term} ${value}`)).toEqual(['interest 7']);
  });

  it('name a price that is agreed in passing', () => {
    const text = 'Les cédants vendent au Bénéficiaire la totalité des actions pour un prix de 4.100.000 euros.';
    expect(listOf(text, 'values')).toMatchObject([{ term: 'purchase-price', value: '4100000', currency: 'EUR' }]);
  });
});
