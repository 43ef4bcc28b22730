/** The due diligence analyst over two documents written for this test. */
import { join } from 'node:path';
import { dueDiligence } from '../../../agents/due-diligence/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';

describeAgent({
  agent: dueDiligence,
  documents: join(import.meta.dirname, 'documents'),
  flood: (index) =>
    `| Hölder ${index} | ${index} | Shares |\nThe SAFE of Alder ${index} for EUR ${index}0 has a valuation cap of EUR 9${index} ${'漢字 '.repeat(60)}. ` +
    `A claim of EUR ${index} is pending; upon a change of control the shares are pledged and the data room lacks minutes ${index}.`,
  units: [
    'pending litigation ',
    'no pending litigation ',
    'no ',
    'change of control ',
    'shares pledged ',
    'data room ',
    'data room minutes ',
    '| a | shares |\n',
    '| a | 1 |\n',
    'holder  shares\n',
    'Total  1\n',
    'SAFE of EUR 1 cap of EUR 2. ',
    'SAFE EUR 1 cap ',
    'convertible note ',
    'pre-money EUR 1 ',
    'invests EUR 1 ',
    'pool 1 % ',
    'filed a claim of EUR 1 ',
    'discount 1 % ',
  ],
});
