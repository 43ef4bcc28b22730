/** How agreements limit a seller's liability. Figures are invented. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const limitsOf = (text: string) =>
  findTerms(parseDocument(documentOf(text))).limits.map(({ limit, scope, amount, percent, count, unit }) =>
    [limit, scope, amount ?? (count === undefined ? `${percent}%` : `${count} ${unit}`)].join(' '),
  );

describe('limits of warranties', () => {
  it.each([
    [
      'The aggregate liability of the Sellers in respect of all Claims shall not exceed £5,000,000.',
      ['cap general 5000000'],
    ],
    [
      'The Seller shall not be liable for any Claim unless the amount of the liability for that Claim exceeds £20,000.',
      ['de-minimis general 20000'],
    ],
    [
      'The Seller shall not be liable unless the aggregate amount of all Claims exceeds £200,000, in which event the Seller is liable for the whole amount.',
      ['basket general 200000'],
    ],
    [
      'No Warranty claim may be brought unless notice is given within 18 months following Completion and, in the case of a Tax Claim, within seven years.',
      ['survival general 18 month', 'survival tax 7 year'],
    ],
    ['The Sellers’ liability for the Title Warranties is capped at £30 million.', ['cap fundamental 30000000']],
    [
      'Limitations on warranty claims\nDe minimis: EUR 10,000 per claim\nBasket: EUR 100,000 (tipping)\nCap: EUR 3 million\nTime limit: 24 months',
      ['de-minimis general 10000', 'basket general 100000', 'cap general 3000000', 'survival general 24 month'],
    ],
    [
      '| Limit | Business warranties | Tax warranties | Fundamental warranties |\n|---|---|---|---|\n| Cap | EUR 2,000,000 | EUR 4,000,000 | EUR 10,000,000 |\n| Time limit | 18 months | 7 years | 10 years |',
      [
        'cap general 2000000',
        'cap tax 4000000',
        'cap fundamental 10000000',
        'survival general 18 month',
        'survival tax 7 year',
        'survival fundamental 10 year',
      ],
    ],
    [
      'The representations and warranties shall survive the Closing for eighteen (18) months; the Fundamental Representations shall survive for six (6) years.',
      ['survival general 18 month', 'survival fundamental 6 year'],
    ],
    [
      'The Seller is liable for Losses only to the extent that the aggregate of all Losses exceeds $150,000 (the “Deductible”).',
      ['basket general 150000'],
    ],
    [
      'The maximum aggregate liability of the Seller for indemnification under this Article is $3,000,000 (the “Cap”).',
      ['cap general 3000000'],
    ],
    ['Individual Losses of less than $15,000 are not indemnified.', ['de-minimis general 15000']],
    [
      'The Warrantors’ total liability under the Warranties is limited to 20% of the Purchase Price.',
      ['cap general 20%'],
    ],
    [
      'Die Gesamthaftung der Verkäufer für Garantieverletzungen ist auf EUR 1.500.000 begrenzt.',
      ['cap general 1500000'],
    ],
    [
      'Garantieansprüche bestehen nur, wenn der einzelne Anspruch EUR 15.000 übersteigt (Bagatellgrenze).',
      ['de-minimis general 15000'],
    ],
    [
      'Die Verkäuferin haftet nur, wenn die Summe aller Garantieansprüche den Betrag von EUR 150.000 übersteigt (Freigrenze).',
      ['basket general 150000'],
    ],
    [
      'Garantieansprüche verjähren 24 Monate nach dem Vollzugstag, Ansprüche aus den Titelgarantien nach fünf Jahren.',
      ['survival general 24 month', 'survival fundamental 5 year'],
    ],
    ['Die Haftung für die Umweltgarantien ist auf EUR 800.000 begrenzt.', ['cap environmental 800000']],
    [
      'La responsabilité du Garant au titre de la garantie d’actif et de passif est plafonnée à 900 000 €.',
      ['cap general 900000'],
    ],
    [
      'Aucune réclamation individuelle inférieure à 5 000 € ne sera prise en compte au titre de la garantie.',
      ['de-minimis general 5000'],
    ],
    [
      'Le Garant ne sera tenu que si le montant cumulé des réclamations excède le seuil de 50 000 €.',
      ['basket general 50000'],
    ],
    ['Durée de la garantie : 36 mois', ['survival general 36 month']],
    [
      'La responsabilidad máxima del Vendedor por incumplimiento de las garantías no excederá de 2.400.000 euros.',
      ['cap general 2400000'],
    ],
    [
      'No se admitirá ninguna reclamación individual inferior a 12.000 euros por las garantías.',
      ['de-minimis general 12000'],
    ],
    [
      'El Vendedor solo responderá si el conjunto de las reclamaciones supera 120.000 euros (franquicia).',
      ['basket general 120000'],
    ],
    [
      'De aansprakelijkheid van Verkoper uit hoofde van de Garanties is beperkt tot EUR 1.100.000.',
      ['cap general 1100000'],
    ],
    [
      'Verkoper is slechts aansprakelijk indien een afzonderlijke vordering EUR 7.500 overschrijdt en de gezamenlijke vorderingen EUR 75.000 overschrijden.',
      ['de-minimis general 7500', 'basket general 75000'],
    ],
    ['Garantieclaims vervallen 18 maanden na de Leveringsdatum.', ['survival general 18 month']],
    [
      '7.1 Survival. The warranties survive until 18 months after the Closing Date, except that (a) the Fundamental Warranties survive for five years and\n(b) those in Section 4.2 (Taxes) until 90 days after the statute of limitations.',
      ['survival general 18 month', 'survival fundamental 5 year', 'survival tax 90 day'],
    ],
    [
      'Special indemnity. For Losses arising from the recall Sellers indemnify Buyer up to $2,000,000, without deductible, for three years from Closing.',
      ['cap specific-indemnity 2000000', 'survival specific-indemnity 3 year'],
    ],
    ['No Loss of less than $15,000 is taken into account under the indemnity.', ['de-minimis general 15000']],
    [
      'Liability for breach of Fundamental Warranties shall not exceed the proceeds actually received.',
      ['cap fundamental undefined%'],
    ],
    [
      "Warranties: From the founders up to one year's salary each (£90,000); claims within 12 months of completion; nothing under £4,000 to count",
      ['cap general 90000', 'de-minimis general 4000', 'survival general 12 month'],
    ],
    [
      'Gewährleistung: Die Verkäufer haften bis zu EUR 750.000; Ansprüche unter EUR 5.000 bleiben außer Betracht.',
      ['cap general 750000', 'de-minimis general 5000'],
    ],
    [
      'El Vendedor no responderá de reclamaciones individuales inferiores a 15.000 euros, ni hasta que el conjunto exceda de 150.000 euros.',
      ['de-minimis general 15000', 'basket general 150000'],
    ],
  ])('are read from: %s', (text, expected) => {
    expect(limitsOf(text)).toEqual(expected);
  });

  it.each([
    'An amount of EUR 1,500,000 is paid into escrow for 12 months under the warranties.',
    'The Seller shall not compete with the Company for three years; the warranties remain unaffected.',
    'The Company has had no claims in the last three years.',
    'The Purchase Price is EUR 12,000,000. The Seller gives the Warranties.',
    'The insurance policy has a limit of EUR 5,000,000 and a retention of EUR 50,000 under the W&I cover.',
    'The valuation cap is $8,000,000.',
  ])('are not read from: %s', (text) => {
    expect(limitsOf(text)).toEqual([]);
  });
});
