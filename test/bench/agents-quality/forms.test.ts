/** The same document in another form gives the same facts. */
import { describe, expect, it } from 'vitest';
import { labelledAgents, readDocuments } from '../../../bench/agents-quality/documents.ts';
import { factsOf } from '../../../bench/agents-quality/evaluate.ts';

/** What a reader does not see. */
const blanks: Readonly<Record<string, (text: string) => string>> = {
  'line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'blanks at the ends of lines': (text) => text.replaceAll('\n', '  \n'),
  'a byte order mark': (text) => `\uFEFF${text}`,
  'all lines indented': (text) => text.replace(/^(?=.)/gm, '  '),
  'empty lines around the text': (text) => `\n\n${text}\n\n`,
  'labels in bold': (text) => text.replace(/^(\p{L}[^:\n|]{1,40}):(?= )/gmu, '**$1:**'),
};

/** Sorted, without numbers of lines: empty lines change those. */
function shownFacts(slug: string, text: string): string[] {
  const facts = factsOf(slug, text);
  const isLineNumber = ([field, value]: [string, unknown]) => field === 'line' && typeof value === 'number';
  return facts
    .map(({ kind, value }) =>
      JSON.stringify([
        kind,
        Object.entries(value)
          .filter((entry) => !isLineNumber(entry))
          .sort(),
      ]),
    )
    .sort();
}

describe.each(labelledAgents())('facts of %s', (slug) => {
  it.each(Object.keys(blanks))(
    'are the same with %s',
    (form) => {
      for (const { name, text } of readDocuments(slug, 'development')) {
        const facts = shownFacts(slug, blanks[form]!(text));
        expect({ name, facts }).toEqual({ name, facts: shownFacts(slug, text) });
      }
    },
    60_000,
  );
});

interface TableCase {
  readonly slug: string;
  /** The line before the table. */
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly leastFacts: number;
}

const tables: readonly TableCase[] = [
  {
    slug: 'financial-analyst',
    title: 'Consolidated statements of operations (in thousands of dollars)',
    leastFacts: 8,
    rows: [
      ['', 'Year ended December 31, 2024', 'Year ended December 31, 2023'],
      ['Net sales', '48,210', '44,975'],
      ['Cost of sales', '29,400', '28,115'],
      ['Gross profit', '18,810', '16,860'],
      ['Net income', '3,106', '(412)'],
    ],
  },
  {
    slug: 'medical-analyst',
    title: 'Laboratory results of 12 March 2025',
    leastFacts: 3,
    rows: [
      ['Test', 'Result', 'Unit', 'Reference range'],
      ['Potassium', '5.9', 'mmol/L', '3.5-5.1'],
      ['Creatinine', '141', 'µmol/L', '64-104'],
      ['Hemoglobin', '10.1', 'g/dL', '13.5-17.5'],
    ],
  },
  {
    slug: 'due-diligence',
    title: 'Capitalization table',
    leastFacts: 3,
    rows: [
      ['Shareholder', 'Class', 'Shares', 'Ownership'],
      ['Mara Lindqvist', 'Common', '4,000,000', '50.00%'],
      ['Tarn Ventures II LP', 'Series A Preferred', '2,400,000', '30.00%'],
      ['Option pool', 'Common', '1,600,000', '20.00%'],
    ],
  },
];

type Cells = readonly string[];

const lines = (title: string, rows: readonly string[]) => `${title}\n\n${rows.join('\n')}`;
const bars = (cells: Cells) => `| ${cells.join(' | ')} |`;
const tagged = (cells: Cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

function padded(rows: readonly Cells[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)) + 3);
  const pad = (cell: string, column: number) => cell.padEnd(widths[column]!);
  return rows.map((cells) => cells.map(pad).join('').trimEnd());
}

const forms: Readonly<Record<string, (title: string, rows: readonly Cells[]) => string>> = {
  bars: (title, [header, ...body]) => lines(title, [header!, header!.map(() => '---'), ...body].map(bars)),
  tabs: (title, rows) =>
    lines(
      title,
      rows.map((cells) => cells.join('\t')),
    ),
  CSV: (title, rows) =>
    lines(
      title,
      rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')),
    ),
  HTML: (title, rows) => `<html><body><p>${title}</p><table>${rows.map(tagged).join('')}</table></body></html>`,
  'columns of blanks': (title, rows) => lines(title, padded(rows)),
};

describe.each(tables)('facts of $slug in a table', ({ slug, title, rows, leastFacts }) => {
  it.each(Object.keys(forms))('are the same in %s', (form) => {
    const expected = shownFacts(slug, forms.bars!(title, rows));
    expect(expected.length).toBeGreaterThanOrEqual(leastFacts);
    expect(shownFacts(slug, forms[form]!(title, rows))).toEqual(expected);
  });
});
