/** Layouts of forms, letters and e-mails, each in another wording than the documents of the evaluation. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const parse = (lines: readonly string[]) => parseDocument({ message: 0, text: lines.join('\n') });
const rowsIn = (lines: readonly string[]) =>
  parse(lines).tables.map(({ rows }) => rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')));

describe('forms with boxes', () => {
  it('read as a label and the option that is ticked', () => {
    const { text } = parse([
      'Term          [ ] 12 months    [X] 24 months    [ ] open',
      'Renewal       (x) yes   ( ) no',
    ]);
    expect(text.trim().replace(/ +/g, ' ').split('\n')).toEqual(['Term\t24 months', 'Renewal\tyes']);
  });

  it('lose options on lines of their own', () => {
    const { text } = parse(['Deposit:   ☐ none', '           ☑ two months of rent', '           ☐ a guarantee']);
    expect(text).toContain('two months');
    expect(text).not.toMatch(/none|guarantee/);
  });

  it('keep every option if no box is ticked', () => {
    expect(parse(['Colour   [ ] red   [ ] blue']).text).toMatch(/red.*blue/);
  });

  it('keep tasks, boxes behind their options and boxes below headings', () => {
    expect(parse(['- [x] Order', '- [ ] Pay the deposit']).text).toContain('Pay the deposit');
    expect(parse(['Passport [x]   Photo [ ]']).text).toContain('Photo');
    expect(parse(['Fever      [ ]   [x]   since Monday']).text).toContain('since Monday');
  });
});

describe('a title in a rule', () => {
  it('is a heading', () => {
    const { sections } = parse(['Text of the cover.', '', '---------- Insurance', '', 'The tenant insures the stock.']);
    expect(sections.map(({ title }) => title)).toEqual(['', 'Insurance']);
  });
});

describe('columns', () => {
  it('of a letterhead are apart from a table with more columns below a rule', () => {
    const tables = rowsIn([
      'ARDEN FREIGHT         Trip sheet',
      'Depot: Hull           Week 12',
      '=========================================',
      'Driver     Day   From    To      Load',
      '-----------------------------------------',
      'Ode, K.    Mon   Hull    Leeds   4 t',
      'Ode, K.    Tue   Leeds   York    2 t',
    ]);
    expect(tables[1]).toEqual([
      ['Ode, K.', 'Mon', 'Hull', 'Leeds', '4 t'],
      ['Ode, K.', 'Tue', 'Leeds', 'York', '2 t'],
    ]);
  });

  it('are found although sums lie across them', () => {
    const [rows] = rowsIn([
      'Driver     Day   Start   End     Hours',
      'Ode, K.    Mon   06:00   14:00   8:00',
      'Ode, K.    Tue   06:00   13:00   7:00',
      '   Sum Ode driven 15:00     idle 0:30',
      'Pym, T.    Mon   07:00   14:00   7:00',
      'Pym, T.    Tue   07:00   15:00   8:00',
      '   Sum Pym driven 15:00     idle 0:10',
    ]);
    expect(rows!.map((cells) => cells[4])).toEqual(['8:00', '7:00', '', '7:00', '8:00', '']);
  });

  it('do not take in a numbered title in capitals below a page header', () => {
    const { blocks } = parse([
      'HARBOUR CLUB                Rules for members',
      'Edition 4                              page 7',
      '',
      '6   USE OF THE SLIPWAY',
      'Members reserve the slipway one day ahead.',
    ]);
    expect(blocks.map(({ kind }) => kind)).toEqual(['table', 'heading', 'paragraph']);
  });
});

describe('the label of a line', () => {
  it('does not begin in the sentence of the line above', () => {
    const { blocks } = parse(['The fee covers three hours of work on', 'site per visit. Further hours: by agreement.']);
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph']);
  });
});

describe('a table that only places its content', () => {
  it('is read as headings and items', () => {
    const { blocks, tables } = parse([
      '<html><body><table><tr><td><h2>Offers</h2><ul><li>Oak table</li><li>Two chairs</li></ul></td></tr>',
      '<tr><td><table><tr><th>Item</th><th>Price</th></tr><tr><td>Lamp</td><td>40</td></tr></table></td></tr></table></body></html>',
    ]);
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'item', 'item', 'table']);
    expect(tables).toHaveLength(1);
  });

  it('keeps a table of data whose labels are headings', () => {
    const { tables } = parse([
      '<table><tr><td><h4>Weight</h4></td><td>12 kg</td></tr><tr><td>Size</td><td>9</td></tr></table>',
    ]);
    expect(tables).toHaveLength(1);
  });
});

describe('quotations of an answer', () => {
  it('include the empty lines between them', () => {
    const { quotations, text } = parse(['Fine.', '', '> First point.', '>', '>> Second point.', 'Bye.']);
    expect(quotations.map(({ start, end }) => text.slice(start, end))).toEqual(['First point.\n\nSecond point.']);
  });
});
