/** How documents state disputes. Names and figures are invented. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findDisputes } from '../../../../agents/tools/due-diligence/disputes.ts';
import { flowOf } from '../../../../agents/tools/due-diligence/flow.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

function disputesOf(text: string) {
  const document = parseDocument(documentOf(text));
  return findDisputes(document, flowOf(document)).map(({ claimant, respondent, amount, status }) => [
    claimant,
    respondent,
    amount,
    status,
  ]);
}
const none = undefined;

describe('disputes', () => {
  it.each([
    [
      'Vanta Freight Ltd has sued the Company for £120,000 in unpaid invoices.',
      [['Vanta Freight Ltd', none, '120000', 'pending']],
    ],
    [
      'On 3 May 2025 Nordlys AS commenced arbitration against the Company, claiming EUR 2,400,000.',
      [['Nordlys AS', none, '2400000', 'pending']],
    ],
    [
      'The Company was sued by Harlan Devices, Inc. in the Northern District of Texas. Harlan seeks $900,000.',
      [['Harlan Devices, Inc.', none, '900000', 'pending']],
    ],
    [
      'Proceedings were brought by Mr Alan Pryce against Solstice Foods Ltd for unfair dismissal (£35,000).',
      [['Mr Alan Pryce', 'Solstice Foods Ltd', '35000', 'pending']],
    ],
    [
      'Coral Bay LLC v. Tamarind Systems, Inc. (D. Del.): breach of warranty, $410,000, settled in March 2025.',
      [['Coral Bay LLC', 'Tamarind Systems, Inc.', '410000', 'settled']],
    ],
    [
      'Claim by Ostler & Finch LLP for fees of £18,500. The claim was dismissed on 4 June 2024.',
      [['Ostler & Finch LLP', none, '18500', 'dismissed']],
    ],
    [
      'A letter before action was received from Brightwell Ltd on 2 May 2025 claiming £75,000.',
      [['Brightwell Ltd', none, '75000', 'threatened']],
    ],
    [
      'Brume SAS ("Brume") (the "Company") is a French company. The Company has sued Pelagic GmbH for EUR 60,000.',
      [['Brume SAS', 'Pelagic GmbH', '60000', 'pending']],
    ],
    [
      'Judgment was entered in favour of Larch Timber Ltd, which had sued the Company for £44,000.',
      [['Larch Timber Ltd', none, '44000', 'judgment']],
    ],
    [
      'Die Gerlach Bau GmbH hat gegen die Gesellschaft Klage auf Zahlung von EUR 95.000 erhoben.',
      [['Gerlach Bau GmbH', none, '95000', 'pending']],
    ],
    [
      'Klage der Sternau Logistik AG gegen die Gesellschaft vor dem Landgericht Ulm auf EUR 310.000; das Verfahren ist anhängig.',
      [['Sternau Logistik AG', none, '310000', 'pending']],
    ],
    [
      'Der Rechtsstreit mit der Firma Holm endete. Die Kern Metall GmbH fordert EUR 48.000; eine Klage wurde angedroht.',
      [['Kern Metall GmbH', none, '48000', 'threatened']],
    ],
    [
      'La société Vermeil SARL a assigné la Société devant le tribunal de commerce de Nantes en paiement de 150 000 euros.',
      [['Vermeil SARL', none, '150000', 'pending']],
    ],
    [
      'Talleres Ibaia, S.L. ha interpuesto demanda contra la Sociedad por importe de 82.000 euros.',
      [['Talleres Ibaia, S.L.', none, '82000', 'pending']],
    ],
    [
      'Molenaar Beheer B.V. vordert EUR 27.500 van de Vennootschap; de procedure is aanhangig bij de rechtbank Utrecht.',
      [['Molenaar Beheer B.V.', none, '27500', 'pending']],
    ],
    [
      '| Claimant | Respondent | Amount | Status |\n|---|---|---|---|\n| Arden plc | Target Ltd | £10,000 | Settled |\n| Ms J. Hale | Target Ltd | £5,000 | Hearing in May 2026 |',
      [
        ['Arden plc', 'Target Ltd', '10000', 'settled'],
        ['Ms J. Hale', 'Target Ltd', '5000', 'pending'],
      ],
    ],
    [
      '| Kläger | Beklagter | Streitwert | Verfahrensstand |\n|---|---|---|---|\n| Alba GmbH | Ziel AG | EUR 12.000 | abgewiesen, rechtskräftig |',
      [['Alba GmbH', 'Ziel AG', '12000', 'dismissed']],
    ],
    [
      '| Case | Court | Amount claimed | Status |\n|---|---|---|---|\n| Rowan Ltd v Target Ltd | High Court | £250,000 | Trial in June 2026 |',
      [['Rowan Ltd', 'Target Ltd', '250000', 'pending']],
    ],
    [
      '| Counterparty | Our role | Amount | Status |\n|---|---|---|---|\n| Fjord Energy AS | Defendant | EUR 77,000 | Under appeal |',
      [['Fjord Energy AS', none, '77000', 'pending']],
    ],
    [
      'Demandeur;Défendeur;Montant;État\nAtelier Roux SARL;Cible SAS;40 000 €;en cours',
      [['Atelier Roux SARL', 'Cible SAS', '40000', 'pending']],
    ],
    [
      'Matter 1\nClaimant: Delft Marine B.V.\nDefendant: Target N.V.\nAmount claimed: EUR 1,200,000\nStatus: judgment against the claimant, under appeal',
      [['Delft Marine B.V.', 'Target N.V.', '1200000', 'pending']],
    ],
    [
      'Hallworth plc\n\nThe only proceedings are those commenced by Sirocco Pumps AG against the Company for €310,000.',
      [['Sirocco Pumps AG', 'Hallworth plc', '310000', 'pending']],
    ],
    [
      'There is no action pending other than "Tern Optics LP v. Hallworth, Inc.", King County, in which plaintiff seeks $55,000.',
      [['Tern Optics LP', 'Hallworth, Inc.', '55000', 'pending']],
    ],
    [
      'Die Lohmar Stahl SE hat die Gesellschaft mit Klageschrift vom\n3. März 2025 auf Zahlung von EUR 410.000 in Anspruch genommen.',
      [['Lohmar Stahl SE', none, '410000', 'pending']],
    ],
    [
      'Disclosed: Denby Malt Ltd v Hallworth, £31,500 invoice dispute, hearing in May',
      [['Denby Malt Ltd', 'Hallworth', '31500', 'pending']],
    ],
    [
      'In Meier GmbH ./. Holz AG fordert die Klägerin EUR 40.000; Termin am 3. Mai 2026.',
      [['Meier GmbH', 'Holz AG', '40000', 'pending']],
    ],
  ])('are read from: %s', (text, expected) => {
    expect(disputesOf(text)).toEqual(expected);
  });

  it.each([
    'The Company is not a party to any action, suit or proceeding.',
    'The Seller is not liable unless a single claim exceeds EUR 10,000.',
    'The Purchaser may bring a claim against the Seller within 18 months.',
    'Es sind keine Klagen gegen die Gesellschaft anhängig.',
    'Ash Ltd v Birch Ltd, £900,000 claimed: the Company was a witness only and is not a party.',
    'From the founders up to £90,000; claims within 12 months of Final Completion.',
    'No claim has been filed by Larch Timber Ltd against the Company.',
    'The Company claims to be the leading supplier in Europe.',
  ])('are not read from: %s', (text) => {
    expect(disputesOf(text)).toEqual([]);
  });
});
