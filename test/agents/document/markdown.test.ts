import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { htmlToMarkdown } from '../../../agents/document/markdown.ts';

describe('HTML as Markdown', () => {
  it('keeps headings, paragraphs, lists and characters, and leaves markup out', () => {
    const html = `<html><head><title>x</title><style>p { color: red }</style></head><body><h2>Term &amp; notice</h2><p style="margin:0">The
term is <b>three</b> years.<br>It renews.</p><ul><li>By letter</li><li>(b) by fax</li></ul><script>alert(1)</script></body></html>`;
    expect(htmlToMarkdown(html)).toBe(
      '## Term & notice\n\nThe term is three years.\nIt renews.\n\n- By letter\n(b) by fax\n',
    );
  });

  it('writes tables between bars, with marks joined to their numbers and spanning headings repeated', () => {
    const html = `<table>
      <tr><td colspan="3"></td><td colspan="6">Thirteen weeks ended</td><td colspan="3">Change</td></tr>
      <tr><td colspan="3"></td><td colspan="3">2 November 2024</td><td colspan="3">28 October 2023</td><td colspan="3">in percent</td></tr>
      <tr><td colspan="3">Sales</td><td>$</td><td>293,618</td><td></td><td>$</td><td>303,457</td><td></td><td colspan="3">(3.2</td></tr>
      <tr><td colspan="3">Less: returns | credits</td><td colspan="2">(1,204</td><td>)</td><td colspan="2">(980</td><td>)</td><td colspan="3">22.9</td></tr>
    </table>`;
    expect(htmlToMarkdown(html)).toBe(
      [
        '|  | Thirteen weeks ended | Thirteen weeks ended | Change |',
        '|  | 2 November 2024 | 28 October 2023 | in percent |',
        '| --- | --- | --- | --- |',
        '| Sales | $ 293,618 | $ 303,457 | (3.2 |',
        '| Less: returns \\| credits | (1,204) | (980) | 22.9 |',
        '',
      ].join('\n'),
    );
  });

  it('is read as the same table', () => {
    const html = `<h1>Fees</h1><table><tr><th>Service</th><th>2025</th><th>2026</th></tr>
      <tr><td>Hosting</td><td>1,200</td><td>1,300</td></tr><tr><td>Support</td><td>400</td><td>450</td></tr></table>`;
    const [one, other] = [html, htmlToMarkdown(html)].map((text) => {
      const { tables } = parseDocument({ message: 0, text });
      return tables.map(({ rows }) => rows.map(({ cells }) => cells.map((cell) => cell?.text)));
    });
    expect(other).toEqual(one);
    expect(one).toEqual([
      [
        ['Hosting', '1,200', '1,300'],
        ['Support', '400', '450'],
      ],
    ]);
  });

  it('has no column for cells of zero-width spaces', () => {
    const row = (cells: readonly string[]) =>
      `<tr>${cells.map((cell) => `<td>\u200b</td><td>&#8203;</td><td>${cell}</td>`).join('')}</tr>`;
    const html = `<table>${[
      ['Name', 'Shares'],
      ['Polaris', '8,840,737'],
      ['Holtzman', '110,014'],
    ]
      .map(row)
      .join('')}</table>`;
    expect(htmlToMarkdown(html)).toBe(
      '| Name | Shares |\n| --- | --- |\n| Polaris | 8,840,737 |\n| Holtzman | 110,014 |\n',
    );
  });

  it('loses no cell of a heading that has other columns than the rows below it', () => {
    const html = `<table><tr><td colspan="3">Contact:</td><td colspan="3">T. Heacock</td></tr>
      <tr><td colspan="3"></td><td colspan="3">(308) 236-8491</td></tr></table>`;
    expect(htmlToMarkdown(html)).toMatch(/Contact:.*T\. Heacock[\s\S]*\(308\) 236-8491/);
  });

  it('takes time in proportion to the text, also of hostile HTML', () => {
    for (const part of ['<table>', '<td colspan=200>', '<p>', '<b><i>', '</table><table><tr><td>a']) {
      const startedAt = performance.now();
      htmlToMarkdown(part.repeat(200_000 / part.length));
      expect(performance.now() - startedAt, part).toBeLessThan(2_000);
    }
  });
});
