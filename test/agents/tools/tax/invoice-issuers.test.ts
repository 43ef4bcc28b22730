/** Invoices whose issuer stands last: the registration in the footer names the seller. All names and numbers are our own. */
import { describe, expect, it } from 'vitest';
import { findInvoices } from '../../../../agents/tools/tax/invoices.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const partiesOf = (text: string) =>
  findInvoices(documentOf(text)).map(({ seller, buyer }) => [seller?.name, buyer?.name]);

const french = (footer: string) => `                                                    BRASSERIE DU CANAL
                                                    Moreau Élise
                                                    8 quai des Tanneurs
                                                    59800 Lille

                              Facture n° 2026-417
   Date : 12/03/2026

   Désignation                Nombre      P.U. HT     Montant HT
   Annonce du 20/03/2026           1      100,00 €      100,00 €
                                        Total HT :      100,00 €
                                        TVA 20 % :       20,00 €
                                       Total TTC :      120,00 €

   Tout retard de paiement entraîne une indemnité de 40 €.

${footer}
`;

describe('the seller of an invoice that begins with the buyer', () => {
  it.each([
    [
      'PRESSE DES FLANDRES',
      '            PRESSE DES FLANDRES\n   Siège social : 3 rue Neuve - 59000 LILLE – Tél : 03 00 00 00 00\n   Sarl au capital de 8 000 € - RCS Lille B 000 000 000 – Siret 00000000000000',
    ],
    [
      'PRESSE DES FLANDRES',
      '  Société PRESSE DES FLANDRES au capital de 8 000 € – SIRET 000 000 000 00000 – TVA FR00000000000',
    ],
    [
      'Presse des Flandres SAS',
      '  Presse des Flandres SAS au capital de 8 000 Euros − B 000 000 000 RCS Lille − Siège social : 3 rue Neuve 59000 Lille',
    ],
  ])('is %s, which the footer registers: case %#', (seller, footer) => {
    expect(partiesOf(french(footer))).toEqual([[seller, 'BRASSERIE DU CANAL']]);
  });

  it('is the company of a register entry in German, not the court', () => {
    const text = `Wagner Metallbau GmbH
Industriestraße 4
72070 Tübingen

Rechnung Nr. R-2026-88            Datum: 02.02.2026

Beratung          1      500,00
Netto                    500,00
USt 19 %                  95,00
Gesamt                   595,00

Lindner Prüftechnik GmbH · Am Wehr 9 · 89073 Ulm
Geschäftsführer: Petra Lindner · AG Ulm HRB 000000 · USt-IdNr. DE000000000
`;
    expect(partiesOf(text)).toEqual([['Lindner Prüftechnik GmbH', 'Wagner Metallbau GmbH']]);
  });

  it('is the company with the registered office in English', () => {
    const text = `Thornbury Bakeries Ltd
2 Mill Lane
Bristol BS1 4ST

INVOICE INV-3021                  Date: 5 May 2026

Oven service                      400.00
VAT 20%                            80.00
Total                     GBP     480.00

Severn Ovens Ltd. Registered office: 7 Dock Road, Cardiff CF10 1AA. Registered in Wales no. 00000000.
`;
    expect(partiesOf(text)).toEqual([['Severn Ovens Ltd.', 'Thornbury Bakeries Ltd']]);
  });

  it('is not the buyer whose own block states a register', () => {
    const text = `Lindner Prüftechnik GmbH
Am Wehr 9
89073 Ulm

Rechnung Nr. R-2026-89            Datum: 02.02.2026

Rechnungsempfänger:
Wagner Metallbau GmbH
Industriestraße 4
72070 Tübingen
HRB 000000

Gesamt                   595,00
`;
    expect(partiesOf(text)).toEqual([['Lindner Prüftechnik GmbH', 'Wagner Metallbau GmbH']]);
  });
});

describe('a name of an invoice', () => {
  it('may begin with a small letter, of a person or a brand', () => {
    const text = french('  iPresse SAS au capital de 8 000 € - RCS Lille B 000 000 000')
      .replace('BRASSERIE DU CANAL', 'de Winter Anneke  ')
      .replace('Moreau Élise', '12 allée Verte');
    expect(partiesOf(text)).toEqual([['iPresse SAS', 'de Winter Anneke']]);
  });

  it('is not an account number below the label of the customer, and not the heading of a column', () => {
    const text = `Factuuradres
Van Doorn Techniek
Kade 4
3511 AB Utrecht

Kopie factuur
Klant                Order             Factuur datum        Factuurnr.
KNL0303006280999     KNL000000444      8-9-2026             VF10051930

Artikel       Omschrijving          Prijs    BTW       Bedrag
E103184       Onderhoudsset         49,99    21 %       49,99

Factuur totaal EUR   49,99
`;
    expect(partiesOf(text)).toEqual([[undefined, 'Van Doorn Techniek']]);
  });
});
