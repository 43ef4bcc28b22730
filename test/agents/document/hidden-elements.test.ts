/** HTML that a browser does not show is neither in the document of the tools nor in the Markdown of the model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { htmlToMarkdown } from '../../../agents/document/markdown.ts';

const page = (body: string) => `<html><body><p>Before.</p>${body}<p>After.</p></body></html>`;
const textOf = (body: string) =>
  parseDocument({ message: 0, text: page(body) })
    .text.trim()
    .split(/\s*\n\s*/);

describe('a hidden element', () => {
  it.each([
    ['of a style', '<p style="margin:0;display:none">Rent: EUR 9</p>'],
    ['of a style with blanks and capitals', "<p STYLE='DISPLAY : None !important'>Rent: EUR 9</p>"],
    ['of a style with a comment and a reference', '<p style="display:/* x */&#32;none">Rent: EUR 9</p>'],
    ['by visibility', '<span style="visibility:hidden">Rent: EUR 9</span>'],
    ['of an attribute', '<div class="a" hidden><p>Rent: EUR 9</p></div>'],
    ['of an attribute with a value', '<div hidden="until-found">Rent: EUR 9</div>'],
    ['that is a template', '<template><p>Rent: EUR 9</p></template>'],
    ['that is the header of inline XBRL', '<ix:header><ix:hidden>Rent: EUR 9</ix:hidden></ix:header>'],
    ['with elements of its own name', '<div hidden><div>Rent</div>: EUR 9</div>'],
    ['with a script', '<div hidden><script>"</div>"</script>Rent: EUR 9</div>'],
    ['that the end of an element around it ends', '<div><span hidden>Rent: EUR 9</div>'],
    ['that a further paragraph ends', '<p hidden>Rent: EUR 9'],
    ['with an end tag of no element', '<div hidden></em>Rent: EUR 9</div>'],
    ['with a list', '<ul><li hidden>Rent<ul><li>: EUR 9</li></ul></ul>'],
  ])('%s is left out', (_, body) => {
    expect(textOf(body)).toEqual(['Before.', 'After.']);
    expect(htmlToMarkdown(page(body))).toBe('Before.\n\nAfter.\n');
  });

  it.each([
    '<p aria-hidden="true">Rent: EUR 9</p>',
    '<p class="hidden">Rent: EUR 9</p>',
    '<p style="overflow:hidden">Rent: EUR 9</p>',
    '<p title="display:none">Rent: EUR 9</p>',
    '<img hidden><input type=hidden><p>Rent: EUR 9</p>',
    '<p><br style="display:none">Rent: EUR 9</p>',
    '<div hidden></div><p>Rent: EUR 9</p>',
    '<ul><li hidden>x<li>Rent: EUR 9</ul>',
  ])('is not %s', (body) => {
    expect(textOf(body)).toContain('Rent: EUR 9');
  });

  it('does not shift the columns of a table', () => {
    const { tables } = parseDocument({
      message: 0,
      text: '<table><tr><td>Item</td><td>2024</td><td>2023</td></tr><tr><td>Sales</td><td style="display:none">9</td><td>5</td><td>4</td></tr><tr hidden><td>x</td><td>1</td><td>2</td></tr></table>',
    });
    expect(tables[0]!.rows.map(({ cells }) => cells.map((cell) => cell?.text))).toEqual([['Sales', '5', '4']]);
  });

  it('takes time in proportion to the text, also if no element is closed', () => {
    for (const part of ['<p hidden>a', '<div hidden>', '</div><b hidden>', '<div style="display:none">x</div>']) {
      const startedAt = performance.now();
      parseDocument({ message: 0, text: page(part.repeat(200_000 / part.length)) });
      expect(performance.now() - startedAt, part).toBeLessThan(500);
    }
  });

  it('keeps the offsets of the source, whichever tags are around it', () => {
    const tags = [
      '<p>',
      '</p>',
      '<p hidden>',
      '<div>',
      '</div>',
      '<div hidden>',
      '<td>',
      '<tr hidden>',
      '<table>',
      'a',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tags), { maxLength: 30 }), (parts) => {
        const source = page(parts.join(''));
        const document = parseDocument({ message: 0, text: source });
        for (const block of document.blocks) {
          const { start, end } = document.spanOf(block);
          expect(start <= end && end <= source.length).toBe(true);
        }
      }),
    );
  });
});
