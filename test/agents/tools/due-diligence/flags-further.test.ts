/** Red flags in the words of reports, answers and annexes in several languages. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const raised = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);

describe('red flags in further wordings', () => {
  it.each([
    ['The fire insurance lapsed in March and was not renewed.', 'insurance_gaps'],
    ['Nobody else knows the firing process, and no deputy has been named for the kiln master.', 'key_people'],
    ['The county claims back 80,000 of the grant of 2022.', 'state_aid'],
    ['Two invoices of the mill are more than 90 days past due.', 'overdue_receivables'],
    ['Billing runs on a platform whose vendor stopped supporting it in 2019.', 'legacy_systems'],
    ['The stall is rented from the wife of a director.', 'related_parties'],
    ['Die Marke ist noch auf die Hochschule eingetragen.', 'ip_not_owned'],
    ['Das Gelände ist nach dem Gutachten mit Altöl belastet.', 'contamination'],
    ['Kesselbau Orth hat mit Schreiben vom 3. Mai Schadensersatz von 40.000 EUR angedroht.', 'pending_litigation'],
    ['Le fichier des clients a été exfiltré en février.', 'data_breach'],
    ['L’arrêté d’exploitation est arrivé à échéance le 30 juin 2025.', 'missing_licence'],
    ['El auditor emitió una opinión con salvedades.', 'qualified_audit'],
    ['Kunden har opsagt aftalen, og der mangler revideret regnskab; jorden på grunden er forurenet.', 'contamination'],
  ])('are raised by: %s', (text, id) => {
    expect(raised(text)).toContain(id);
  });

  it.each([
    [
      'La relazione dei consulenti della società è del mese di maggio. Per la sede di Prato è stata accertata la contaminazione del suolo.',
      'contamination',
    ],
    [
      'Z raportu wynika, że w lutym doszło do wycieku danych klientów, a w maju do urzędu zgłoszono naruszenie ochrony danych przez spółkę.',
      'data_breach',
    ],
    [
      'Av rapporten framgår att bolaget har föråldrade system som inte stöds längre av leverantören och att det inte är klart när de ska bytas.',
      'legacy_systems',
    ],
  ])('are raised in another language by: %s', (text, id) => {
    expect(raised(text)).toContain(id);
  });

  it.each([
    'Les actions sont libres de tout nantissement et de toute sûreté.',
    'Die Anteile sind frei von Verpfändungen.',
    'The board meets without the consent of the observer.',
    'The cut-off date of this report is 6 March.',
    'Transfer pricing documentation: not applicable, no cross-border group companies.',
  ])('are not raised by: %s', (text) => {
    expect(raised(text)).toEqual([]);
  });

  it('are read from a sentence that enumerates findings, but not from a list of what may be one', () => {
    const findings =
      'Points d’attention : le principal client représente 47 % du chiffre d’affaires ; les procès-verbaux de 2021 sont introuvables ; le contrôle URSSAF a donné lieu à un redressement de 88 000 €.';
    expect(raised(findings)).toEqual(
      expect.arrayContaining(['customer_concentration', 'missing_minutes', 'tax_dispute']),
    );
    expect(raised('The review covers going concern doubt, covenant breaches, data breaches and recalls.')).toEqual([]);
  });
});
