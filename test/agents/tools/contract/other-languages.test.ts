/** Contracts in French, Spanish and Dutch: clauses, parties, dates, law. All texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseChecklist } from '../../../../agents/tools/contract/clause-checklist.ts';
import { findContractDates } from '../../../../agents/tools/contract/contract-dates.ts';
import { namedPartiesOf } from '../../../../agents/tools/contract/contract-parties.ts';
import { findCovenants } from '../../../../agents/tools/contract/covenants.ts';
import { findGoverningLaw } from '../../../../agents/tools/contract/law-and-forum.ts';

const contracts = {
  French: `CONTRAT DE PRESTATION

ENTRE LES SOUSSIGNÉES
La société HALLE AUX GRAINS, SAS au capital de 10.000 euros, dont le siège est à Metz, ci-après le « Client »,
ET
La société VERGER INFORMATIQUE, SARL, dont le siège est à Nancy, ci-après le « Prestataire »,

ARTICLE 1 - OBJET
Le Prestataire fournit l'hébergement du site du Client.

ARTICLE 2 - DURÉE
Le présent contrat prend effet le 1er mars 2027 pour une durée de vingt-quatre (24) mois.

ARTICLE 3 - PRIX ET PAIEMENT
Les factures sont payables à trente (30) jours.

ARTICLE 4 - RESPONSABILITÉ
La responsabilité du Prestataire est limitée à 50.000 euros.

ARTICLE 5 - CONFIDENTIALITÉ
Chaque partie garde confidentielles les informations de l'autre.

ARTICLE 6 - CESSION
Le Client ne peut céder le contrat sans l'accord écrit du Prestataire.

ARTICLE 7 - LOI ET JURIDICTION
Le contrat est soumis au droit français. Tout litige relève du tribunal de commerce de Nancy.

Fait à Metz, le 3 février 2027.
`,
  Spanish: `CONTRATO DE DISTRIBUCIÓN

REUNIDOS
De una parte, ACEITES DEL PÁRAMO, S.A., con domicilio en Jaén (España), CIF A-00000000, representada por D.ª Ana Gil (en adelante, el «Vendedor»).
De otra parte, NORDHANDEL GMBH, con domicilio en Graz (Austria), representada por D. Karl Aigner (en adelante, el «Comprador»).

CLÁUSULAS
1. Objeto. El presente contrato tiene por objeto la venta de aceite.

2. Precio y pago. Las facturas se pagarán en 30 días.

3. Duración. El contrato entrará en vigor el 1 de abril de 2027.

4. Confidencialidad. Las partes mantendrán confidencial la información recibida.

5. Responsabilidad. La responsabilidad del Vendedor se limita a 80.000 euros.

6. Cesión. El Comprador no podrá ceder el contrato sin consentimiento.

7. Ley y fuero. El contrato se rige por la ley española. Las partes se someten a los juzgados y tribunales de Jaén.
`,
  Dutch: `OVEREENKOMST VAN OPDRACHT

Partijen:
1. Stichting Waterland, gevestigd te Hoorn, hierna: "Opdrachtgever", en
2. Dijkzicht Advies B.V., gevestigd te Edam, hierna: "Opdrachtnemer".

Artikel 1  Onderwerp
1.1 Opdrachtnemer verricht adviesdiensten voor Opdrachtgever.

Artikel 2  Duur
2.1 Deze overeenkomst treedt in werking op 1 mei 2027.

Artikel 3  Betaling
3.1 Facturen worden binnen 30 dagen betaald.

Artikel 4  Geheimhouding
4.1 Opdrachtnemer houdt alle gegevens geheim.

Artikel 5  Aansprakelijkheid
5.1 De aansprakelijkheid van Opdrachtnemer is beperkt tot EUR 60.000.

Artikel 6  Overdracht
6.1 Opdrachtnemer mag deze overeenkomst niet overdragen zonder toestemming van Opdrachtgever.

Artikel 7  Toepasselijk recht en geschillen
7.1 Nederlands recht is van toepassing. Geschillen worden voorgelegd aan de rechtbank te Hoorn.
`,
};

const expected = {
  French: {
    parties: ['HALLE AUX GRAINS (customer)', 'VERGER INFORMATIQUE (supplier)'],
    start: '2027-03-01',
    law: 'France',
    bound: 'Client',
  },
  Spanish: {
    parties: ['ACEITES DEL PÁRAMO, S.A. (supplier)', 'NORDHANDEL GMBH (customer)'],
    start: '2027-04-01',
    law: 'Spain',
    bound: 'Comprador',
  },
  Dutch: {
    parties: ['Stichting Waterland (customer)', 'Dijkzicht Advies B.V. (supplier)'],
    start: '2027-05-01',
    law: 'Netherlands',
    bound: 'Opdrachtnemer',
  },
};

describe.each(['French', 'Spanish', 'Dutch'] as const)('a contract in %s', (language) => {
  const text = contracts[language];
  const document = parseDocument({ message: 0, text });
  const { parties, start, law, bound } = expected[language];

  it('has the clauses that its headings name', () => {
    const { clauses } = clauseChecklist.run([{ message: 0, text }]).result as unknown as {
      clauses: { id: string; status: string }[];
    };
    const present = clauses.filter(({ status }) => status !== 'absent').map(({ id }) => id);
    for (const id of [
      'payment',
      'term',
      'confidentiality',
      'limitation_of_liability',
      'assignment',
      'governing_law',
      'dispute_resolution',
    ]) {
      expect(present).toContain(id);
    }
    for (const id of ['force_majeure', 'insurance', 'indemnification']) expect(present).not.toContain(id);
  });

  it('has the parties with their roles, and no place or number as a party', () => {
    expect(namedPartiesOf(document).map(({ name, function: code }) => `${name} (${code})`)).toEqual(parties);
  });

  it('has its effective date, its law, and the party that may not assign it', () => {
    expect(findContractDates(document, 20).find(({ role }) => role === 'effective')?.iso).toBe(start);
    expect(findGoverningLaw(document).map(({ jurisdiction }) => jurisdiction)).toEqual([law]);
    expect(findCovenants(document).find(({ type }) => type === 'no-assignment')?.by).toBe(bound);
  });
});
