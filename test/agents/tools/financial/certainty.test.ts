import { describe, expect, it } from 'vitest';
import type { Doubt } from '../../../../agents/tools/financial/certainty.ts';
import { otherWords } from '../../../../agents/tools/financial/heading-words.ts';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readSegments } from '../../../../agents/tools/financial/segments.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';
import { statementsTool } from '../../../../agents/tools/financial/tools.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );
const doubtsOf = (text: string): readonly Doubt[] => [...new Set(statementsOf(text).doubts)];

describe('words of headings', () => {
  it.each([
    ['Six months | ended | 30 June 2025 | £m'],
    ['Net au | 31/03/2025'],
    ['Real acum. mar-25'],
    ['R12 | Oct 24–Sep 25'],
    ['14.03.2025 (geprüft)'],
    ['FYE 31-Mar-25'],
    ['53 weeks to 28 September 2024 | Total'],
  ])('%s describes reported figures', (heading) => {
    expect(otherWords(heading.split(' | '))).toEqual([]);
  });

  it.each([
    ['52 weeks to 27 September 2025 | Exceptional', 'exceptional'],
    ['S1 2024 | publié', 'publié'],
    ['Bank case 2026', 'bank'],
    ['Northern Ltd | 2025', 'northern'],
  ])('%s contains another word', (heading, word) => {
    expect(otherWords(heading.split(' | '))).toContain(word);
  });
});

describe('figures of tables', () => {
  it('are left out if the heading of their column has another word', () => {
    const text =
      '(in thousands)\n| | Legacy 2025 | 2025 |\n|---|---|---|\n| Revenue | 120 | 100 |\n| Gross profit | 50 | 40 |\n';
    expect(read(text, 'revenue')).toEqual({});
    const other = '(in thousands)\n| | 2025 | Legacy 2024 |\n|---|---|---|\n| Revenue | 120 | 100 |\n';
    expect(read(other, 'revenue')).toEqual({ 2025: '120000' });
    expect(doubtsOf(other)).toEqual(['heading']);
  });

  it('are left out if two columns have the same period', () => {
    const text = '| | 2024 | 2023 | 2024 | 2023 |\n| Revenue | 100 | 90 | 7 | 6 |\n';
    expect([read(text, 'revenue'), doubtsOf(text)]).toEqual([{}, ['column']]);
  });

  it('are left out if the document names a unit that their table lacks', () => {
    const text =
      '| | 2025 | 2024 |\n|---|---|---|\n| Revenue | 39,866 | 41,207 |\n\nThe directors approved the accounts. Every amount above is shown in CAD thousands.\n';
    expect([read(text, 'revenue'), doubtsOf(text)]).toEqual([{}, ['unit']]);
  });

  it('are kept without a unit if no part of the document names one', () => {
    expect(read('| | 2025 |\n| Revenue | 5 |\n\nWe serve thousands of customers.\n', 'revenue')).toEqual({ 2025: '5' });
  });

  it('are left out if two tables differ by more than an eighth, and the conflict is reported', () => {
    const text =
      '(in thousands)\n| | 2025 |\n|---|---|\n| Revenue | 100 |\n\nFurther figures\n\n| | 2025 |\n|---|---|\n| Revenue | 140 |\n';
    expect(read(text, 'revenue')).toEqual({});
    expect(statementsOf(text).conflicts).toHaveLength(1);
  });

  it('keep the first of two tables that differ by a misprint', () => {
    const text =
      '(in thousands)\n| | 2025 |\n|---|---|\n| Revenue | 100 |\n\nFurther figures\n\n| | 2025 |\n|---|---|\n| Revenue | 101 |\n';
    expect(read(text, 'revenue')).toEqual({ 2025: '100000' });
  });
});

describe('figures of sentences', () => {
  const table = '(in thousands)\n| | 2025 |\n|---|---|\n| Revenue | 100,000 |\n\n';

  it('are kept if the table shows the item with an amount of about the same size', () => {
    expect(read(`${table}Revenue was EUR 90 million in 2024.\n`, 'revenue')).toEqual({
      2025: '100000000',
      2024: '90000000',
    });
  });

  it('are left out if the amount is of another size', () => {
    const text = `${table}Revenue was EUR 9 million in 2024.\n`;
    expect([read(text, 'revenue'), doubtsOf(text)]).toEqual([{ 2025: '100000000' }, ['sentence']]);
  });
});

describe('figures of segments', () => {
  const readAll = (text: string) => readSegments(statementsOf(text).readings[0]!);

  it('are left out, and counted, if they add up to no printed amount', () => {
    const all = readAll(
      'Sales by division (EUR million)\n\n                 2025      2024\nPaper           120.0     110.0\nBoards           80.0      75.0\nTotal           230.0     195.0\n',
    );
    expect([all.figures.length, all.leftOut]).toEqual([0, 4]);
  });

  it('are kept if they add up to the total', () => {
    const all = readAll(
      'Sales by division (EUR million)\n\n                 2025      2024\nPaper           120.0     110.0\nBoards           80.0      75.0\nTotal           200.0     185.0\n',
    );
    expect([all.figures.length, all.leftOut]).toEqual([4, 0]);
  });
});

describe('the report of statements', () => {
  it('says how many figures were left out, and why', () => {
    const text = '| | 2024 | 2023 | 2024 | 2023 |\n| Revenue | 100 | 90 | 7 | 6 |\n';
    const { result, digest } = statementsTool.run([{ message: 0, text }]);
    const because = 'their table has two columns of one period or a column without a heading';
    expect(result).toMatchObject({ figures_left_out: [{ because, facts: 2 }] });
    expect(digest).toContain(`2 facts were left out, because ${because}`);
  });
});
