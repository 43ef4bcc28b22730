import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findComparables, findTestedResult } from '../../../../agents/tools/tax/comparables.ts';
import { findStatedRanges } from '../../../../agents/tools/tax/stated-range.ts';
import { transferPricingTool } from '../../../../agents/tools/tax/tools.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const values = (text: string) =>
  findComparables(parseDocument(documentOf(text))).map(({ comparables }) =>
    comparables.map(({ value }) => toText(value)),
  );

const table = `Comparable companies
| No | Company | 2022 | 2023 | Average | Status |
|---|---|---|---|---|---|
| 1 | Alpha | 1% | 3% | 2% | ok |
| 2 | Beta | 3% | 5% | 4% | ok |
| 3 | Gamma | 5% | 7% | 6% | ok |
| 4 | Delta | -9% | -9% | -9% | rejected |
| | Median | | | 4% | |
| | Tested party | | | 1% | |
`;

describe('sets of comparables', () => {
  it('are read from the column of averages, without rejected companies and summary rows', () => {
    const [set] = findComparables(parseDocument(documentOf(table)));
    expect(values(table)).toEqual([['2', '4', '6']]);
    expect([set!.rejected, set!.isPercent, [...set!.stated.keys()]]).toEqual([1, true, ['median', 'tested']]);
  });

  it('are read from a sentence', () => {
    expect(values('The uncontrolled comparables earned 2.1 %, 3.4 % and 5 %.')).toEqual([['2.1', '3.4', '5']]);
    expect(values('The comparable prices were EUR 42, EUR 44, EUR 45 and EUR 47.50.')).toEqual([
      ['42', '44', '45', '47.5'],
    ]);
  });

  it('require three results and a word for comparables', () => {
    expect(values('The comparables earned 2 % and 3 %.')).toEqual([]);
    expect(values('Rates were 2 %, 3 % and 4 %.')).toEqual([]);
  });
});

describe('the tested result', () => {
  it('is the percentage after the keywords, in the same statement', () => {
    expect(toText(findTestedResult('The tested party had a margin of 1.5 % in 2024.')!.value)).toBe('1.5');
    expect(findTestedResult('The tested party is ours. The market grew by 3 %.')).toBeUndefined();
  });

  it('is compared with both ranges, and adjusted on revenue if the indicator is a margin on sales', () => {
    const text = `${table.replace('Comparable companies', 'Comparable companies, operating margin')}\nRevenue was EUR 1,000,000 in 2024.\n`;
    const { result } = transferPricingTool.run([{ message: 0, text }]);
    expect(result).toMatchObject({
      sets: [
        {
          count: 3,
          tested: { value: '1' },
          ranges: [
            {
              method: 'us_regulation',
              lower: '2',
              median: '4',
              upper: '6',
              position: 'below',
              adjustment_to_median_amount: '30000',
            },
            { method: 'linear_interpolation', lower: '3', median: '4', upper: '5', position: 'below' },
          ],
          stated: [{ kind: 'median', value: '4', agrees_with: ['us_regulation', 'linear_interpolation'] }],
        },
      ],
    });
  });
});

describe('mark-ups on costs', () => {
  it('are adjusted on the cost base', () => {
    const text =
      'The comparables earned a net cost plus of 4 %, 6 % and 8 %. The tested party charged 2 %. The cost base was EUR 5 million.';
    const { result } = transferPricingTool.run([{ message: 0, text }]);
    expect(result).toMatchObject({
      sets: [{ ranges: [{ adjustment_to_median_amount: '200000', base: 'total costs' }, {}] }],
    });
  });
});

describe('stated ranges', () => {
  const read = (text: string) =>
    findStatedRanges(text).map(({ lower, upper, median }) => [toText(lower), median && toText(median), toText(upper)]);

  it('are read in either wording', () => {
    expect(read('The interquartile range is 2.1 % to 5.4 % with a median of 3.7 %.')).toEqual([['2.1', '3.7', '5.4']]);
    expect(read('Lower quartile 2.1 %, median 3.7 %, upper quartile 5.4 %')).toEqual([['2.1', '3.7', '5.4']]);
    expect(read('The margin was 2.1 % to 5.4 %.')).toEqual([]);
  });

  it('are compared with the tested result and with the comparables', () => {
    const text =
      'The interquartile range is 2 % to 6 %. The tested party earned 1 %. The comparables earned 2 %, 4 % and 6 %.';
    const { result } = transferPricingTool.run([{ message: 0, text }]);
    expect(result).toMatchObject({ stated_ranges: [{ position_of_tested: 'below', agrees_with: ['us_regulation'] }] });
  });
});
