/**
 * The format of a document does not change the findings: Markdown, HTML, other tables, other line ends and white space give the
 * same facts.
 */
import { describe, expect, it } from 'vitest';
import type { Agent, Json } from '../../../agents/agent/agent.ts';
import { dueDiligence } from '../../../agents/due-diligence/index.ts';
import { financialAnalyst } from '../../../agents/financial-analyst/index.ts';
import { hrAnalyst } from '../../../agents/hr-analyst/index.ts';
import { medicalAnalyst } from '../../../agents/medical-analyst/index.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

/** A document as paragraphs and tables, printed in one form. */
type Part = string | readonly (readonly string[])[];
type Form = (parts: readonly Part[]) => string;

const rows = (print: (cells: readonly string[]) => string) => (part: Part) =>
  typeof part === 'string' ? part : part.map(print).join('\n');
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const forms: Readonly<Record<string, Form>> = {
  bars: (parts) => parts.map(rows((cells) => `| ${cells.join(' | ')} |`)).join('\n\n'),
  'quoted commas': (parts) => parts.map(rows((cells) => cells.map((cell) => `"${cell}"`).join(','))).join('\n\n'),
  tabs: (parts) => parts.map(rows((cells) => cells.join('\t'))).join('\n\n'),
  'aligned columns': (parts) =>
    parts
      .map(
        rows((cells) =>
          cells
            .map((cell) => cell.padEnd(28))
            .join('')
            .trimEnd(),
        ),
      )
      .join('\n\n'),
  'Markdown with bold cells': (parts) =>
    parts
      .map((part) =>
        typeof part === 'string'
          ? part.replace(/(?<=^|\s)(the)(?=\s)/giu, '**$1**')
          : part
              .map(
                (cells, index) =>
                  `| ${cells.map((cell) => (cell === '' ? '' : `**${cell}**`)).join(' | ')} |${index === 0 ? `\n|${'---|'.repeat(cells.length)}` : ''}`,
              )
              .join('\n'),
      )
      .join('\n\n'),
  HTML: (parts) =>
    `<html><body>${parts
      .map((part) =>
        typeof part === 'string'
          ? `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
          : `<table>${part.map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`).join('')}</table>`,
      )
      .join('\n')}</body></html>`,
  'line ends of Windows': (parts) =>
    parts
      .map(rows((cells) => `| ${cells.join(' | ')} |`))
      .join('\n\n')
      .replaceAll('\n', '\r\n'),
  'more empty lines and blanks at line ends': (parts) =>
    `\n\n${parts.map(rows((cells) => `| ${cells.join('  | ')} |`)).join('  \n\n\n\n')}  \n`,
};

const documents: readonly (readonly [Agent, readonly Part[]])[] = [
  [
    medicalAnalyst,
    [
      'A 71-year-old woman was admitted on 14 March 2026. Review of systems is negative for fever, seizure, or stroke.',
      'Father has diabetes. The patient has hypertension and atrial fibrillation.',
      [
        ['Test', 'Result', 'Units', 'Reference', 'Flag'],
        ['Potassium', '5.9', 'mmol/L', '3.5-5.1', 'H'],
        ['Creatinine', '2.4', 'mg/dL', '0.7-1.3', 'H'],
        ['Sodium', '128', 'mmol/L', '135-145', 'L'],
      ],
      [
        ['Medicine', 'Dose', 'Frequency'],
        ['Apixaban', '5 mg', 'twice daily'],
        ['Amlodipine', '10 mg', 'once daily'],
      ],
    ],
  ],
  [
    financialAnalyst,
    [
      'Amounts in EUR thousand',
      [
        ['Item', '2024', '2023'],
        ['Revenue', '1,250', '1,100'],
        ['Cost of sales', '(700)', '(650)'],
        ['Net income', '96', '(12)'],
        ['Total assets', '2,400', '2,210'],
      ],
      'In 2022 revenue was EUR 0.9 million.',
    ],
  ],
  [
    dueDiligence,
    [
      'The auditor issued an unqualified opinion. The agreement is enforceable except as limited by bankruptcy laws.',
      'The Company is defendant in a pending litigation for EUR 300,000 before the courts of Brno.',
      [
        ['Holder', 'Common Shares', 'Series Seed'],
        ['Ada Lind', '6,000', '1,000'],
        ['Bo Keller', '4,000', '500'],
      ],
    ],
  ],
  [
    hrAnalyst,
    [
      'During the probationary period of six months the notice period is two weeks.',
      'After the probation the period of notice is three months. The annual leave is 25 days.',
    ],
  ],
];

const without = new Set(['span', 'spans', 'start', 'end', 'message', 'excerpt', 'line', 'event']);

function facts(value: Json): Json {
  if (Array.isArray(value)) return value.map(facts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !without.has(key))
      .map(([key, inner]) => [key, facts(inner as Json)]),
  );
}

const results = ({ tools }: Agent, text: string) =>
  tools.map((tool) => facts(JSON.parse(JSON.stringify(tool.run([documentOf(text)]).result))));

describe.each(documents.map(([agent, parts]) => [agent.slug, agent, parts] as const))('%s', (_, agent, parts) => {
  const expected = results(agent, forms.bars!(parts));

  it('finds something', () => {
    expect(JSON.stringify(expected).length).toBeGreaterThan(500);
  });

  it.each(Object.entries(forms))('reports the same findings after conversion to %s', (_name, form) => {
    expect(results(agent, form(parts))).toEqual(expected);
  });

  it('reports at least the same findings when its sections are reordered', () => {
    const count = (text: string) => results(agent, text).map((result) => JSON.stringify(result).length > 2);
    expect(count(forms.bars!(parts.toReversed()))).toEqual(count(forms.bars!(parts)));
  });
});

describe('the order of day and month', () => {
  it.each([
    ['MM/DD/YYYY', '03/04/2026', '2026-03-04'],
    ['DD/MM/YYYY', '03/04/2026', '2026-04-03'],
  ])('is the order that the document declares: %s', (declared, date, iso) => {
    const [, , , , timeline] = results(medicalAnalyst, `Dates are ${declared}.\n\nSeen ${date}.`);
    expect(timeline).toMatchObject({ events: { items: [{ date: iso }] } });
  });
});
