/** How documents list what needs the investors' consent. Names and figures are invented. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const actionsOf = (text: string) =>
  findTerms(parseDocument(documentOf(text)))
    .consents.map(({ action }) => action)
    .sort();

describe('consents', () => {
  it.each([
    [
      'Reserved Matters\nThe following matters require Investor Consent:\n1. Any amendment of the articles\n2. Any borrowing above £100,000\n3. Approval of the annual budget\n4. Any transaction with a related party',
      ['budget', 'charter-change', 'debt', 'related-party'],
    ],
    [
      'Veto rights: the consent of the Investors is required for (a) the issue of new shares, (b) the sale of the business, (c) dividends and (d) the winding-up of the Company.',
      ['distributions', 'sale-or-merger', 'senior-shares', 'winding-up'],
    ],
    [
      'Zustimmungsvorbehalte\nFolgende Maßnahmen bedürfen der Zustimmung der Investoren:\na) Änderung der Satzung\nb) Auflösung der Gesellschaft\nc) Aufnahme von Darlehen über EUR 50.000\nd) Verabschiedung des Jahresbudgets',
      ['budget', 'charter-change', 'debt', 'winding-up'],
    ],
    [
      'Les décisions suivantes ne peuvent être prises sans l’accord préalable des Investisseurs :\n- modification des statuts ;\n- émission de nouvelles actions ;\n- approbation du budget ;\n- distribution de dividendes',
      ['budget', 'charter-change', 'distributions', 'senior-shares'],
    ],
    [
      'Sin el consentimiento de los Inversores la Sociedad no podrá: (i) modificar los estatutos; (ii) repartir dividendos; (iii) contraer préstamos; (iv) aprobar el presupuesto.',
      ['budget', 'charter-change', 'debt', 'distributions'],
    ],
    [
      'Voor de volgende besluiten is goedkeuring van de Investeerders vereist: wijziging van de statuten, uitgifte van aandelen, fusie en vaststelling van de begroting.',
      ['budget', 'charter-change', 'sale-or-merger', 'senior-shares'],
    ],
    [
      "Tant que les obligations sont en circulation, la Société ne peut sans l'accord préalable de l'Obligataire : (a) distribuer un\ndividende ; (b) contracter un endettement supérieur à 300 000 € ; (c) céder\nun actif incorporel ou une marque ; (d) modifier ses statuts.",
      ['charter-change', 'debt', 'distributions', 'ip-transfer'],
    ],
    [
      'The consent of two-thirds of the Preferred Stock is required to\n(1) consummate a Liquidation Event;\n(2) change the authorized number of directors. Acquisitions for less than $1,000,000 require only approval of the board.',
      ['board-size', 'sale-or-merger', 'winding-up'],
    ],
    [
      'Investor consent\tConsent of the Investor is needed for: any change\nmatters\tto the articles; dealing with a person connected with a director. Borrowing needs board approval only.',
      ['charter-change', 'related-party'],
    ],
  ])('are read from: %s', (text, expected) => {
    expect(actionsOf(text)).toEqual(expected);
  });

  it.each([
    'Information rights: the Company delivers its annual budget to the Investors.',
    'The Board alone approves the annual budget and may incur debt.',
    'This Note may be amended with the consent of the majority of holders.',
    'Clause 4 ("The Company shall not incur debt without the consent of the Investor") is deleted.',
    'The consent of the Investor is not affected.\n9. The Company owns its intellectual property.',
  ])('are not read from: %s', (text) => {
    expect(actionsOf(text)).toEqual([]);
  });
});
