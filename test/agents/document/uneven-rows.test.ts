/** Tables whose rows have marks behind numbers, cells over several columns, or two dates. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../agents/document/document.ts';

const tablesOf = (text: string) => readDocument({ message: 0, text }).tables;
const cellsOf = (text: string) =>
  tablesOf(text).flatMap(({ rows }) => rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')));

describe('a mark behind a number', () => {
  it('belongs to the number where other rows have one in this place', () => {
    const text = [
      'Test           Unit       01.02.2030     01.03.2030',
      'Sodium         mmol/l      128,4 L        131,5 L',
      'Platelets      /nl         90    L        152',
      'Glucose        mg/dl       99             101   H',
      'Urea           mg/dl       41,2           60,5 H',
    ].join('\n');
    expect(cellsOf(text)).toEqual([
      ['Sodium', 'mmol/l', '128,4 L', '131,5 L'],
      ['Platelets', '/nl', '90 L', '152'],
      ['Glucose', 'mg/dl', '99', '101 H'],
      ['Urea', 'mg/dl', '41,2', '60,5 H'],
    ]);
  });

  it('is an empty cell where no row has such a mark', () => {
    const text = ['Item          2030     2031', 'Rent          1,204    -', 'Licences      310      422'].join('\n');
    expect(cellsOf(text)[0]).toEqual(['Rent', '1,204', '-']);
  });
});

describe('a cell over several columns', () => {
  it('leaves the cells behind it in their columns', () => {
    const text = [
      '| Day   | BP      | Pulse | Temp |',
      '|-------|---------|-------|------|',
      '| Mon   | 120/70  | 66    | 36.5 |',
      '| Tue   | asleep          | 36.9 |',
    ].join('\n');
    const [table] = tablesOf(text);
    expect(
      table!.rows
        .at(-1)!
        .cells.map((cell) => cell?.text)
        .at(-1),
    ).toBe('36.9');
    expect(table!.rows.at(-1)!.cells[2]?.text).not.toBe('36.9');
  });
});

describe('a row with two dates', () => {
  it('is no heading under a heading of words', () => {
    const text = [
      'Lender            Purpose         Drawn         Due',
      'North Bank        plant           01.02.2028    -',
      'Harbour Union     vehicles        15.06.2029    15.06.2031',
    ].join('\n');
    const [table] = tablesOf(text);
    expect(table!.headerRows).toHaveLength(1);
    expect(table!.rows).toHaveLength(2);
  });
});

describe('a row with more cells than columns', () => {
  it('keeps its words, and leaves out a number whose column is unknown', () => {
    const text = [
      'Base pay          GBP  11.90  per hour     not for trainees',
      'Night bonus       GBP   1.10  per hour     waived',
      'Standby           GBP  52.00  per call     17',
      'Extra hours           one and a half',
    ].join('\n');
    expect(cellsOf(text).slice(0, 3)).toEqual([
      ['Base pay', 'GBP', '11.90', 'per hour not for trainees'],
      ['Night bonus', 'GBP', '1.10', 'per hour waived'],
      ['Standby', 'GBP', '52.00', 'per call'],
    ]);
  });
});
