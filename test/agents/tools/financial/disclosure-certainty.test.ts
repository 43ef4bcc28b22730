import { describe, expect, it } from 'vitest';
import { disclosuresTool } from '../../../../agents/tools/financial/disclosures-tool.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';
import { tieOutFailures } from '../../../../agents/tools/financial/tie-outs.ts';
import { statementsTool } from '../../../../agents/tools/financial/tools.ts';

interface Disclosures {
  readonly bases: readonly { readonly currency?: string; readonly unit?: string }[];
  readonly guidance: readonly { readonly low: string; readonly high: string }[];
  readonly covenants: readonly { readonly actual: string }[];
  readonly disclosures_left_out: readonly { readonly because: string; readonly facts: number }[];
}

const documentsOf = (text: string) => [{ message: 0, text }];
const disclosuresOf = (text: string) =>
  disclosuresTool.run(documentsOf(text)) as unknown as { result: Disclosures; digest: readonly string[] };
const statementsOf = (text: string) => readStatements(documentsOf(text));

const title = 'Annual report for the year ended 31 December 2025\n\n';
const table = '| (in £m) | 2025 | 2024 |\n|---|---|---|\n| Revenue | 120.5 | 110.2 |\n| Net income | 9.1 | 8.4 |\n\n';

const rivals = 'the document gives two values for a forecast, a covenant, a restatement or organic growth';

describe('figures of sentences', () => {
  it('are left out if only quoted speech states them', () => {
    const sentence = 'We ended the year 2025 with revenue of £120.5 million';
    const spoken = statementsOf(`${title}"${sentence}, a record for us," said the chief executive.\n`);
    expect([spoken.figures.get('revenue'), spoken.doubts]).toEqual([undefined, ['speech']]);
    expect(statementsOf(`${title}${sentence}.\n`).figures.get('revenue')?.size).toBe(1);
  });

  it('are left out if only an aside in parentheses states item and amount', () => {
    const aside = statementsOf(
      `${title}The purchase of Hortiline (revenue 2025: £18.6 million) was completed in May.\n`,
    );
    expect([aside.figures.get('revenue'), aside.doubts]).toEqual([undefined, ['aside']]);
    const own = statementsOf(`${title}In 2025 revenue rose to £18.6 million (2024: £17.2 million).\n`);
    expect([...own.figures.get('revenue')!.keys()]).toEqual(['2025', '2024']);
  });
});

describe('the currency', () => {
  it('is left out if the document names another one nearly as often', () => {
    const named = '| GBP thousands | 2025 | 2024 |\n|---|---|---|\n| Revenue | 24,118 | 22,905 |\n';
    expect(statementsOf(`${title}${named}`).currencies).toEqual(['GBP']);
    const contested = `${title}${named}\n| EUR thousands | Sites |\n|---|---|\n| Rent | 12 |\n`;
    expect(statementsOf(contested).currencies).toEqual([]);
    const { result, digest } = statementsTool.run(documentsOf(contested));
    expect(result).toMatchObject({ currency_left_out: true });
    expect(digest[0]).toContain('the document names several');
  });
});

describe('the unit of the statements', () => {
  it('is left out if no note names it and the amounts are small', () => {
    const unnamed = '| | 2025 | 2024 |\n|---|---|---|\n| Revenue | 24,118 | 22,905 |\n| Net income | 604 | 512 |\n';
    expect(disclosuresOf(`${title}${unnamed}`).result.bases[0]).not.toHaveProperty('unit');
    expect(disclosuresOf(`${title}${table}`).result.bases[0]).toMatchObject({ unit: '1000000' });
  });
});

describe('disclosures', () => {
  const outlook = 'For 2026 we expect revenue of £125 million to £130 million.\n\n';

  it('are left out if the document gives two forecasts of one measure', () => {
    expect(disclosuresOf(`${title}${table}${outlook}`).result.guidance).toMatchObject([
      { low: '125000000', high: '130000000' },
    ]);
    const { result, digest } = disclosuresOf(
      `${title}${table}${outlook}For 2026 we expect revenue of £140 million to £150 million.\n`,
    );
    expect([result.guidance, result.disclosures_left_out]).toEqual([[], [{ because: rivals, facts: 2 }]]);
    expect(digest.at(-1)).toContain('the document gives two values');
  });

  it('are left out if the document gives two results of one covenant', () => {
    const covenant = (actual: string) =>
      `Interest cover shall not be less than 3.50x. At 31 December 2025 interest cover was ${actual}.\n\n`;
    const intro = `${title}Compliance certificate under the facilities agreement.\n\n`;
    expect(disclosuresOf(`${intro}${covenant('3.80x')}`).result.covenants).toMatchObject([{ actual: '3.8' }]);
    const { result } = disclosuresOf(`${intro}${covenant('3.80x')}${covenant('3.62x')}`);
    expect([result.covenants, result.disclosures_left_out]).toEqual([[], [{ because: rivals, facts: 2 }]]);
  });

  it('do not contradict a leverage ratio with figures of another size', () => {
    const text = (stated: string) =>
      `${title}Compliance certificate under the facilities agreement, year ended 31 December 2025 (in £000)\n\n| | 2025 | 2024 |\n|---|---|---|\n| EBITDA | 20,000 | 21,000 |\n| Net debt | 58,000 | 54,000 |\n\nLeverage must not exceed 3.50x. At 31 December 2025 leverage was ${stated}.\n`;
    const failures = (stated: string) => tieOutFailures(statementsOf(text(stated))).map(({ correct }) => correct);
    expect([failures('2.70x'), failures('1.45x')]).toEqual([['2.90'], []]);
  });
});
