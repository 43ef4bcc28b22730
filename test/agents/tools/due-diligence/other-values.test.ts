/** Amounts and percentages next to the words of a term that are not its value, each next to one that is. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findDisputes } from '../../../../agents/tools/due-diligence/disputes.ts';
import { flowOf } from '../../../../agents/tools/due-diligence/flow.ts';
import { findValueTerms } from '../../../../agents/tools/due-diligence/term-values.ts';
import { findWarrantyLimits } from '../../../../agents/tools/due-diligence/warranty-limits.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

function valuesOf(text: string) {
  const flow = flowOf(parseDocument(documentOf(text)));
  return findValueTerms(flow).map(({ term, value }) => `${term} ${value}`);
}

describe('values of financings and sales', () => {
  it.each([
    ['The subscription price is €4.20 per share (€1.00 nominal value).', ['price-per-share 4.2']],
    [
      'Das Darlehen nebst Zinsen wird zu 85 % des von den neuen Investoren gezahlten Anteilspreises gewandelt.',
      ['discount 15'],
    ],
    ['Die Zinsen betragen 7 % p.a.', ['interest 7']],
    ['On 3 May 2025 we sold 900,000 shares for gross proceeds of $4,500,000.', []],
    ['A qualified financing has gross proceeds of $4,500,000 or more.', ['qualified-financing 4500000']],
    ['The purchase price must be stated in EUR (bidders offered between EUR 31m and EUR 44m).', []],
    ['The purchase price is EUR 31,000,000.', ['purchase-price 31000000']],
    ['The price per share of the Series A ($3.10 per share) stays as is.', []],
  ])('in %j', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});

it('takes no comparison of cash with a covenant for a basket of claims', () => {
  const document = parseDocument(
    documentOf('At 30 June our unrestricted cash was $3.1 million, below the $5.0 million minimum of the bank.'),
  );
  const flow = flowOf(document);
  expect(findWarrantyLimits(document, flow, findValueTerms(flow))).toEqual([]);
});

it('reads a dispute without a date for judgment as pending', () => {
  const document = parseDocument(
    documentOf('Vanta Freight Ltd has sued the Company for £120,000. Expert appointed; no date for judgment.'),
  );
  expect(findDisputes(document, flowOf(document))).toMatchObject([{ amount: '120000', status: 'pending' }]);
});
