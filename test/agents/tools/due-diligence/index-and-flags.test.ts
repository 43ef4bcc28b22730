/** Indexes of data rooms with a column of statuses, and red flags in several languages. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findEntries } from '../../../../agents/tools/due-diligence/data-room-index.ts';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const entriesOf = (text: string) =>
  findEntries(parseDocument(documentOf(text))).map(({ title, status }) => [title, status]);

describe('entries of an index', () => {
  it('take their status from its column and the legend', () => {
    const text =
      'Data room index\nLegend: A available, M missing, E expired\n\nNo.,Document,Status,Comment\n1,Corporate,,\n1.1,Articles of association,A,\n1.2,Minutes 2024,M,\n1.3,Operating permit,E,renewal filed\n1.4,Service agreement,A,draft of counsel\n';
    expect(entriesOf(text)).toEqual([
      ['Articles of association', 'present'],
      ['Minutes 2024', 'missing'],
      ['Operating permit', 'expired'],
      ['Service agreement', 'partial'],
    ]);
  });

  it('prefer the column of the status to what the seller answered', () => {
    const text =
      'Due diligence request list\nRef,Request,VDR,Response of seller,Status\n1,Budget 2027,2.1,Board has not approved it,Draft\n2,Supply contract,2.2,"Provided. No change of control clause",Received\n3,Monthly accounts,,Chased twice,Open\n4,Trade effluent consent,,Not required,N/A\n';
    expect(entriesOf(text)).toEqual([
      ['Budget 2027', 'partial'],
      ['Supply contract', 'present'],
      ['Monthly accounts', 'missing'],
      ['Trade effluent consent', 'not-applicable'],
    ]);
  });

  it('are read from lines if there is no table', () => {
    const text =
      'Datenraum\n1. Gesellschaft\n1.1 Satzung: liegt vor\n1.2 Protokolle: fehlt\n1.3 Mietvertrag (Entwurf)\n';
    expect(entriesOf(text)).toEqual([
      ['Satzung', 'present'],
      ['Protokolle', 'missing'],
      ['Mietvertrag', 'partial'],
    ]);
  });
});

const raised = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);

describe('red flags', () => {
  it.each([
    'No member of the Group is insolvent or unable to pay its debts.',
    'There were no transactions with related parties.',
    'None pending or threatened.',
    'From time to time we may become involved in lawsuits.',
    'If we fail to maintain controls, we could be required to restate our financial statements.',
    'Die Gesellschaft ist weder zahlungsunfähig noch überschuldet.',
    'Ningún cliente representa más del 10 % de la cifra de negocios.',
    '"Data breach" means that a security breach occurred at the Company.',
  ])('are not raised by: %s', (text) => {
    expect(raised(text)).toEqual([]);
  });

  it.each([
    ['Ash Ltd v. Target Ltd, £210,000, trial in March.', 'pending_litigation'],
    ['Der Bestätigungsvermerk wurde eingeschränkt.', 'qualified_audit'],
    ['Existe una incertidumbre material sobre la empresa en funcionamiento.', 'going_concern'],
    ['Der Kunde Nordwerk stand für 41 % der Umsatzerlöse.', 'customer_concentration'],
    ['Two founders have not signed assignments of copyright.', 'ip_not_owned'],
    ['The leverage covenant was breached at 30 June.', 'covenant_breach'],
    ['La société a reçu une proposition de rectification.', 'tax_dispute'],
  ])('are raised by: %s', (text, id) => {
    expect(raised(text)).toContain(id);
  });
});
