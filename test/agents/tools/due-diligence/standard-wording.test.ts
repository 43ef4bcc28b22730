/** Wording that occurs in every report and agreement and raises no flag. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const raised = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);

describe('red flags', () => {
  it.each([
    'We have issued an unqualified opinion on the consolidated financial statements.',
    'Our report expresses an un-qualified opinion on the statements of the Company.',
    'An audit includes assessing the risk that a material weakness exists and testing the design of controls.',
    'The reports of the auditor contained no adverse opinion or disclaimer of opinion and were not qualified as to uncertainty.',
    'Management evaluates whether there is substantial doubt about the ability to continue as a going concern.',
    'The obligations are enforceable except as limited by applicable bankruptcy, insolvency, reorganization and similar laws.',
    'Enforcement may be limited by bankruptcy, insolvency or other laws of general application.',
    'The conduct of the business does not infringe, misappropriate or otherwise violate any patents or trademarks of others.',
    'Neither the products nor the services, as sold in each of the territories of the Company, infringe any patent rights.',
    'The Company has received no notice that its products infringe any patents of third parties.',
    'The lender may accelerate if an event of default occurs or the borrower becomes insolvent.',
  ])('are not raised by: %s', (text) => {
    expect(raised(text)).toEqual([]);
  });

  it.each([
    ['The auditor issued a qualified opinion on the accounts for 2025.', 'qualified_audit'],
    ['Management identified a material weakness in controls over revenue.', 'internal_control'],
    ['There is material uncertainty about the going concern of the Company.', 'going_concern'],
    ['A competitor claims that the product infringes two of its patents.', 'ip_infringement'],
    ['An event of default occurred in May and was not waived by the bank.', 'covenant_breach'],
    ['Northwind may terminate if a change of control occurs.', 'change_of_control'],
  ])('are raised by: %s', (text, id) => {
    expect(raised(text)).toContain(id);
  });
});
