/** How invoices state their facts in the languages and layouts of Europe; names and numbers are invented. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findInvoices } from '../../../../agents/tools/tax/invoices.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const show = (amount: { readonly value: Parameters<typeof toText>[0] } | undefined) =>
  amount === undefined ? '-' : toText(amount.value, 2);
const read = (text: string) =>
  findInvoices(documentOf(text)).map(({ type, number, seller, buyer, dates, notes, amounts, errors }) =>
    [
      `${type} ${number?.value}`,
      `${seller?.name} > ${buyer?.name}`,
      ...dates.map(({ role, iso }) => `${role} ${iso}`).sort(),
      `${amounts.currency} ${show(amounts.net)} ${show(amounts.tax)} ${show(amounts.gross)}`,
      ...amounts.rates.map(({ rate, net, tax }) => `${toText(rate)}%: ${show(net)} ${show(tax)}`),
      ...notes.map(({ note }) => note),
      ...errors.map(({ of, stated, correct }) => `${of} ${toText(stated, 2)} not ${toText(correct, 2)}`),
    ].join('; '),
  );

it.each([
  [
    'a British invoice with a box of details',
    `Thornbury Joinery Ltd
4 Mill Lane, Frome, BA11 2QX
VAT Reg No 824 9084 15

INVOICE

Bill to:                              Invoice no:      TJ-1042
Marsh & Poole LLP                     Invoice date:    4 May 2026
12 Quay Street                        Tax point:       30 April 2026
Bristol BS1 4ND                       Due date:        3 June 2026

Description                 Qty    Unit price    VAT      Amount
Oak door                      2        300.00    20%      600.00
Fitting                       1        100.00    20%      100.00

Subtotal                                                £700.00
VAT @ 20%                                               £140.00
Total due                                               £840.00
`,
    'invoice TJ-1042; Thornbury Joinery Ltd > Marsh & Poole LLP; invoice-issue 2026-05-04; payment-due 2026-06-03; supply 2026-04-30; GBP 700 140 840; 20%: 700 140',
  ],
  [
    'an Italian invoice with a summary by rate',
    `CEDENTE/PRESTATORE                         CESSIONARIO/COMMITTENTE
Officine Bardi S.r.l.                      Tessitura Ombra S.p.A.
Via Roma 12                                Corso Italia 8
20121 Milano                               50123 Firenze
P.IVA 00743110157

FATTURA n. 112/A del 05/05/2026

Descrizione             Q.tà    Prezzo     Importo   IVA
Revisione telaio           1    500,00      500,00   22%
Manuale tecnico           10     10,00      100,00    4%

Riepilogo IVA
Aliquota     Imponibile     Imposta
22%              500,00      110,00
4%               100,00        4,00
Totale imponibile                600,00
Totale IVA                       114,00
Totale documento EUR             714,00
Scadenza: 04/06/2026
`,
    'invoice 112/A; Officine Bardi S.r.l. > Tessitura Ombra S.p.A.; invoice-issue 2026-05-05; payment-due 2026-06-04; EUR 600 114 714; 22%: 500 110; 4%: 100 4',
  ],
  [
    'a Czech tax document',
    `FAKTURA - DAŇOVÝ DOKLAD č. 2026015
Dodavatel: Pila Horní Lhota s.r.o.
Lesní 3, 763 23 Dolní Lhota
DIČ: CZ25123891
Odběratel: Truhlářství Vrba s.r.o.
Polní 9, 602 00 Brno
Datum vystavení: 12. 5. 2026
DUZP: 11. 5. 2026
Datum splatnosti: 26. 5. 2026

Základ daně 21 %: 10 000,00 Kč
DPH 21 %: 2 100,00 Kč
Celkem k úhradě: 12 100,00 Kč
`,
    'invoice 2026015; Pila Horní Lhota s.r.o. > Truhlářství Vrba s.r.o.; invoice-issue 2026-05-12; payment-due 2026-05-26; supply 2026-05-11; CZK 10000 2100 12100; 21%: 10000 2100',
  ],
  [
    'a Spanish invoice',
    `FACTURA Nº: F-2026/031
Fecha de expedición: 06/05/2026
Fecha de vencimiento: 05/06/2026

Emisor: Carpintería Lorca S.L.
C/ Mayor 4, 30800 Lorca
NIF: B64717838
Cliente: Hotel Bahía Azul S.A.
Paseo del Mar 1, 30860 Mazarrón

Base imponible        1.500,00 €
IVA 21%                 315,00 €
Total factura         1.815,00 €
`,
    'invoice F-2026/031; Carpintería Lorca S.L. > Hotel Bahía Azul S.A.; invoice-issue 2026-05-06; payment-due 2026-06-05; EUR 1500 315 1815; 21%: 1500 315',
  ],
  [
    'an Austrian reverse charge invoice',
    `Seilbahnbau Gruber GmbH
Talstraße 7, 6020 Innsbruck
UID: ATU13585627

Bergbahnen Allgäu AG
Bahnhofstraße 2
87509 Immenstadt
UID DE136695976

Rechnung Nr. 77/2026
Innsbruck, 8. Mai 2026
Leistungszeitraum: April 2026

Montageleistungen                         EUR 9.000,00
Gesamtbetrag                              EUR 9.000,00

Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge), Art. 196 RL 2006/112/EG.
Zahlbar bis 22.05.2026.
`,
    'invoice 77/2026; Seilbahnbau Gruber GmbH > Bergbahnen Allgäu AG; invoice-issue 2026-05-08; payment-due 2026-05-22; supply 2026-04; EUR - - 9000; 0%: 9000 -; reverse-charge',
  ],
  [
    'a Swedish invoice',
    `Bergslagens Verkstad AB                     FAKTURA
Industrigatan 3                             Fakturanummer   88012
702 27 Örebro                               Fakturadatum    2026-05-04
                                            Förfallodatum   2026-06-03
                                            Leveransdatum   2026-04-29
Kund:
Skogs & Maskin i Dala AB
Box 12
791 21 Falun

Summa exkl. moms              8 000,00
Moms 25 %                     2 000,00
Att betala SEK               10 000,00
`,
    'invoice 88012; Bergslagens Verkstad AB > Skogs & Maskin i Dala AB; invoice-issue 2026-05-04; payment-due 2026-06-03; supply 2026-04-29; SEK 8000 2000 10000; 25%: 8000 2000',
  ],
  [
    'a Danish credit note',
    `Kreditnota nr. 501
Vedrørende faktura nr. 482
Sælger: Fynsk Beslag ApS
Havnevej 2, 5000 Odense C
Køber: Nordlys Byg A/S
Torvet 5, 8000 Aarhus C
Dato: 07-05-2026

Netto            -400,00
Moms 25%         -100,00
I alt DKK        -500,00
`,
    'credit-note 501; Fynsk Beslag ApS > Nordlys Byg A/S; invoice-issue 2026-05-07; DKK -400 -100 -500; 25%: -400 -100',
  ],
  [
    'a Dutch invoice in HTML',
    `<html><body><table><tr><td>Zonneveld Optiek B.V.<br>Markt 3<br>2611 GP Delft<br>Btw-id NL004495445B01</td><td>Factuurnummer: 26-118<br>Factuurdatum: 05-05-2026<br>Vervaldatum: 19-05-2026</td></tr></table><h1>FACTUUR</h1><p>Aan:<br>Brillenhuis De Bril V.O.F.<br>Dorpsstraat 9<br>3011 AB Rotterdam</p><table><tr><th>Omschrijving</th><th>Aantal</th><th>Prijs</th><th>Bedrag</th></tr><tr><td>Montuur</td><td>4</td><td>50,00</td><td>200,00</td></tr></table><table><tr><td>Totaal excl. btw</td><td>€ 200,00</td></tr><tr><td>Btw 21%</td><td>€ 42,00</td></tr><tr><td>Totaal incl. btw</td><td>€ 242,00</td></tr></table></body></html>`,
    'invoice 26-118; Zonneveld Optiek B.V. > Brillenhuis De Bril V.O.F.; invoice-issue 2026-05-05; payment-due 2026-05-19; EUR 200 42 242; 21%: 200 42',
  ],
  [
    'a German invoice with an error in the total, in Markdown',
    `# Rechnung

**Flaschen Huber KG**, Glasweg 2, 94227 Zwiesel, USt-IdNr. DE136695976

| | |
|---|---|
| Rechnungs-Nr. | 2026-0044 |
| Datum | 03.05.2026 |
| Liefertermin | 30.04.2026 |
| Kunde | Obstkelterei Rotbach GmbH, Am Bach 1, 88364 Wolfegg |

| Pos. | Artikel | Menge | Preis | Betrag |
|---|---|--:|--:|--:|
| 1 | Flasche 1 l | 100 | 0,50 | 50,00 |

| | |
|---|--:|
| Nettobetrag | 50,00 € |
| zzgl. 19 % USt | 9,50 € |
| **Rechnungsbetrag** | **95,50 €** |
`,
    'invoice 2026-0044; Flaschen Huber KG > Obstkelterei Rotbach GmbH; invoice-issue 2026-05-03; EUR 50 9.5 95.5; 19%: 50 9.5',
  ],
  [
    'a French advance payment invoice',
    `Menuiserie du Val SARL
3 rue du Port, 44000 Nantes
TVA FR40303265045

Facture d'acompte n° AC-2026-7 du 4 mai 2026

Client : Cave Dupin SARL
8 place du Marché, 49000 Angers

Total HT            1 000,00 €
TVA 20 %              200,00 €
Total TTC           1 200,00 €
Date d'échéance : 18/05/2026
`,
    'advance-payment AC-2026-7; Menuiserie du Val SARL > Cave Dupin SARL; invoice-issue 2026-05-04; payment-due 2026-05-18; EUR 1000 200 1200; 20%: 1000 200',
  ],
])('is read from %s', (_, text, expected) => {
  expect(read(text)).toEqual([expected]);
});

describe('texts that are not invoices', () => {
  it.each([
    [
      'terms of payment',
      'Invoices are payable within 30 days. VAT is added at the statutory rate. Total fees are EUR 100.00.',
    ],
    ['a memorandum on invoices', 'The invoice of 3 May was not paid. We recommend that a credit note be requested.'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual([]);
  });
});

it.each([
  [
    'three papers in one text, each with a title of its own',
    `TAX INVOICE 70114

Alder Mills Ltd, 4 Mill Lane, Frome BA11 2QX
Invoiced to: Marsh & Poole LLP, 12 Quay Street, Bristol BS1 4ND
Date: 6 October 2026

Code | Rate | Goods £ | VAT £
---|--:|--:|--:
Z | 0% | 100.00 | 0.00
S | 20% | 50.00 | 10.00

Total due GBP 160.00

---
CREDIT NOTE CR-291 dated 9 October 2026 against invoice 59870 of 14 September 2026 (goods collected 8 October 2026)

Alder Mills Ltd, 4 Mill Lane, Frome BA11 2QX
To: Marsh & Poole LLP, 12 Quay Street, Bristol BS1 4ND

Barley, 14 t at £8.00: 112.00 at 0%. Pallets, 20 at £3.50: 70.00 at 20%, VAT 14.00.

Credit total GBP 196.00 (net 182.00, VAT 14.00)

---
The VAT shown is your output tax — SELF-BILLED INVOICE SB/77

Supplier: Thos. Garrod & Daughters, Wetherden Farm, IP14 3LT
Customer, who issues this document: Alder Mills Ltd, 4 Mill Lane, Frome BA11 2QX
Date: 12 October 2026 · Collected: 10 October 2026 · We pay on 26 October 2026

Haulage, 3 loads at 185.00          555.00
VAT at 20%                          111.00
Total GBP                           666.00
`,
    [
      'invoice 70114; Alder Mills Ltd > Marsh & Poole LLP; invoice-issue 2026-10-06; GBP 150 10 160; 0%: 100 0; 20%: 50 10',
      'credit-note CR-291; Alder Mills Ltd > Marsh & Poole LLP; invoice-issue 2026-10-09; GBP 182 14 196; 0%: 112 -; 20%: 70 14',
      'invoice SB/77; Thos. Garrod & Daughters > Alder Mills Ltd; invoice-issue 2026-10-12; payment-due 2026-10-26; supply 2026-10-10; GBP 555 111 666; 20%: 555 111; self-billing',
    ],
  ],
  [
    'a German invoice that was supplied on its date, with a scheme that it does not use',
    `Rechnung Nr. 2026/118                     Rechnungsdatum: 30.06.2026
Leistungsdatum entspricht dem Rechnungsdatum
Hallbauer Technik GmbH, Gewerbering 4, 04420 Markranstädt, USt-IdNr. DE136695976
An: Bäckerei Jost & Söhne, Hauptstraße 7, 06108 Halle

Nettobetrag                                      1.000,00 EUR
USt 19 %                                           190,00 EUR
Rechnungsbetrag                                  1.190,00 EUR
Die Rückgabe gebrauchter Teile unterliegt der Differenzbesteuerung; diese Rechnung enthält keine.
`,
    [
      'invoice 2026/118; Hallbauer Technik GmbH > Bäckerei Jost & Söhne; invoice-issue 2026-06-30; supply 2026-06-30; EUR 1000 190 1190; 19%: 1000 190',
    ],
  ],
  [
    'a Polish correction with the rate in the header and the number next to the title',
    `FAKTURA KORYGUJĄCA  KOR/7/04/2026       do faktury FV/12/03/2026 z dnia 16.03.2026
Data wystawienia 2026-04-17
Sprzedawca: Drukarnia Olcha s.c., ul. Garbary 40, 61-869 Poznań, NIP 770-758-82-78
Nabywca: Księgarnia Sowa, Rynek 3, 64-100 Leszno
      Poz.   Było         Powinno być     Różnica netto     VAT 23%    Różnica brutto
      1      600,00       500,00           -100,00          -23,00       -123,00
Do zwrotu: 123,00 PLN
`,
    [
      'credit-note KOR/7/04/2026; Drukarnia Olcha s.c. > Księgarnia Sowa; invoice-issue 2026-04-17; PLN -100 -23 -123; 23%: -100 -23',
    ],
  ],
  [
    'a Norwegian invoice that states the base under its own label, an Italian exempt row',
    `Setesdal Sag AS                                              FAKTURA 8841
4748 Rysstad                                                 Dato: 06.03.2026
Byggmester Lunde & Sønn, Øvrebygd 14, 4735 Evje
                                          Grunnlag mva 25 %           1 000,00
                                          Mva 25 %                      250,00
                                          Å betale NOK                1 250,00
`,
    [
      'invoice 8841; Setesdal Sag AS > Byggmester Lunde & Sønn; invoice-issue 2026-03-06; NOK 1000 250 1250; 25%: 1000 250',
    ],
  ],
  [
    'an export with a row per rate, an offer among the invoices',
    `"Company","Kwekerij Zomer B.V.",,,,,,,,
"factuur","soort","factuurdatum","debiteur","btw-nr debiteur","btw%","grondslag","btw","totaal regel","munt"
"Z1","FACTUUR","2026-07-03","Bloemen Aalst","","9","100.00","9.00","109.00","EUR"
"Z1","FACTUUR","2026-07-03","Bloemen Aalst","","21","50.00","10.50","60.50","EUR"
"Q9","OFFERTE","2026-09-24","Tuincentrum Beuk","","21","900.00","189.00","1089.00","EUR"
`,
    [
      'invoice Z1; Kwekerij Zomer B.V. > Bloemen Aalst; invoice-issue 2026-07-03; EUR 150 19.5 169.5; 9%: 100 9; 21%: 50 10.5',
    ],
  ],
])('reads %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});
