/**
 * The format of a document does not change the findings: Markdown, HTML, other tables, other line ends and white space give the
 * same facts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent, Json } from '../../../agents/agent/agent.ts';
import { parseDocument } from '../../../agents/document/document.ts';
import { medicalAnalyst } from '../../../agents/medical-analyst/index.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';
import { documentsOfAgents as documents, type DocumentPart as Part } from './documents-of-agents.ts';

/** Prints a document. */
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

const factsOf = (agent: Agent, text: string) => {
  const given = [documentOf(text)];
  const read = Object.fromEntries(agent.tools.map((tool) => [tool.name, tool.run(given).result]));
  return [
    ...new Set(agent.toolFacts(read, given).facts.map(({ kind, value }) => JSON.stringify([kind, value]))),
  ].sort();
};

describe.each(documents.map(([agent, sections]) => [agent.slug, agent, sections] as const))(
  '%s',
  (_, agent, sections) => {
    const parts = sections.flat();
    const expected = results(agent, forms.bars!(parts));

    it('finds something', () => {
      expect(JSON.stringify(expected).length).toBeGreaterThan(500);
      expect(factsOf(agent, forms.bars!(parts)).length).toBeGreaterThan(2);
    });

    it.each(Object.entries(forms))('reports the same findings after conversion to %s', (_name, form) => {
      expect(results(agent, form(parts))).toEqual(expected);
    });

    it('reports the same facts in another order of the sections', () => {
      const orders = fc.shuffledSubarray([...sections], { minLength: sections.length });
      fc.assert(
        fc.property(orders, (order) => {
          expect(factsOf(agent, forms.bars!(order.flat()))).toEqual(factsOf(agent, forms.bars!(parts)));
        }),
        { numRuns: 12, examples: [[sections.toReversed()]] },
      );
    });
  },
);

describe('the order of day and month', () => {
  it.each([
    ['MM/DD/YYYY', '03/04/2026', '2026-03-04'],
    ['DD/MM/YYYY', '03/04/2026', '2026-04-03'],
  ])('is the order that the document declares: %s', (declared, date, iso) => {
    const [, , , , timeline] = results(medicalAnalyst, `Dates are ${declared}.\n\nSeen ${date}.`);
    expect(timeline).toMatchObject({ events: { items: [{ date: iso }] } });
  });

  it('is the declared one for each date of the document, in each form and wherever the declaration is', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const date = fc.record({
      year: fc.integer({ min: 1990, max: 2060 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 12 }),
    });
    const document = fc.record({
      dates: fc.array(date, { minLength: 1, maxLength: 12 }),
      isDayFirst: fc.boolean(),
      mark: fc.constantFrom('/', '-'),
      isAtEnd: fc.boolean(),
      form: fc.constantFrom(...Object.values(forms)),
    });
    fc.assert(
      fc.property(document, ({ dates, isDayFirst, mark, isAtEnd, form }) => {
        const shown = dates.map(({ year, month, day }) =>
          [...(isDayFirst ? [day, month] : [month, day]).map(two), year].join(mark),
        );
        const table = [['Visit', 'Day'], ...shown.map((day, index) => [`No. ${index + 1}`, day])];
        const declared = `Dates are written ${(isDayFirst ? ['DD', 'MM'] : ['MM', 'DD']).concat('YYYY').join(mark)}.`;
        const parts: readonly Part[] = isAtEnd ? [table, declared] : [declared, table];
        const { dates: found } = parseDocument({ message: 0, text: form(parts) });
        expect(found.map(({ iso, ambiguous }) => [iso, ambiguous])).toEqual(
          dates.map(({ year, month, day }) => [`${year}-${two(month)}-${two(day)}`, false]),
        );
      }),
      { numRuns: 200 },
    );
  });
});
