import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

describe('sections', () => {
  it('finds numbered, named, Markdown and capital headings', () => {
    const text =
      'SERVICES AGREEMENT\n\n1. Definitions\n1.1 Fees. The fees are due.\nArticle 5 – Liability\nSection 5 shall apply.\n## 7. Law\nEnglish law.\nSchedule A\nList';
    expect(
      parseDocument({ message: 0, text }).sections.map(({ number, title, level }) => [number, title, level]),
    ).toEqual([
      [undefined, 'SERVICES AGREEMENT', 1],
      ['1', 'Definitions', 2],
      ['1.1', 'Fees', 3],
      ['5', 'Liability', 2],
      ['7', 'Law', 2],
      ['A', '', 1],
    ]);
  });

  it('takes a day and a month at the beginning of a line for a date, not for a number', () => {
    const text = `The parties extended the deadline for the filing of the return by six months, that is until the
30. Juni 2026 at the latest, and they notified the tax office of the extension in good time before.

5. May the tenant sublet?
`;
    const { sections, sentences, text: plain } = parseDocument({ message: 0, text });
    expect(sections.map(({ number }) => number)).toEqual([undefined, '5']);
    expect(plain.slice(sentences[0]!.start, sentences[0]!.end)).toMatch(/until the\n30\. Juni 2026 .*before\.$/);
  });

  it('covers the whole text without gaps', () => {
    const lines = fc.array(
      fc.constantFrom(
        '1. Scope',
        'text goes on.',
        '# Head',
        'CAPITALS HERE',
        '',
        '2.1 Each party shall pay.',
        '30 days',
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(lines, (list) => {
        const text = list.join('\n');
        const { sections, text: plain } = parseDocument({ message: 0, text });
        expect(sections.map(({ start, end }) => plain.slice(start, end)).join('')).toBe(plain);
      }),
    );
  });
});
