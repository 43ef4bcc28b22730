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
  ])('are read from: %s', (text, expected) => {
    expect(actionsOf(text)).toEqual(expected);
  });

  it.each([
    'Information rights: the Company delivers its annual budget to the Investors.',
    'The Board alone approves the annual budget and may incur debt.',
    'This Note may be amended with the consent of the majority of holders.',
  ])('are not read from: %s', (text) => {
    expect(actionsOf(text)).toEqual([]);
  });
});
