import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findLabValues } from '../../../../agents/tools/medical/lab-values.ts';

const valuesOf = (text: string) =>
  findLabValues(parseDocument({ message: 0, text })).map(({ label, writtenNumber, writtenRange, date }) => ({
    label,
    value: writtenNumber,
    ...(writtenRange === undefined ? {} : { range: writtenRange }),
    ...(date === undefined ? {} : { date }),
  }));

describe('lines of results under headings', () => {
  it('reads an earlier result with the day in the line below its heading', () => {
    const text = `Colheita 22-01-2026
ANÁLISE                       RESULTADO    UNIDADES    VAL. REFERÊNCIA   ANTERIOR
                                                                        (10-07-2025)
HEMATOLOGIA
Hemoglobina                     12,4  *    g/dL        13,0 - 17,5        13,1
Plaquetas                      231         x10^9/L     150 - 400         240
BIOQUÍMICA
Creatinina                       1,38 *    mg/dL       0,70 - 1,20         1,29 *
Colesterol total               198         mg/dL       desejável < 190
`;
    expect(valuesOf(text)).toMatchObject([
      { label: 'Hemoglobina', value: 12.4, range: { low: 13, high: 17.5 } },
      { label: 'Hemoglobina', value: 13.1, date: '2025-07-10' },
      { label: 'Plaquetas', value: 231 },
      { label: 'Plaquetas', value: 240, date: '2025-07-10' },
      { label: 'Creatinina', value: 1.38 },
      { label: 'Creatinina', value: 1.29, date: '2025-07-10' },
      { label: 'Colesterol total', value: 198, range: { high: 190 } },
    ]);
  });

  it('gives a sign after a number to the number, and one under a day to the day', () => {
    const text = `Přijata: 9. 4. 2026, propuštěna 15. 4. 2026

LABORATOŘ             9.4.          13.4.         jednotky     ref. meze
  Kalium              3,4   -       4,2           mmol/l       3,8 – 5,2
  NT-proBNP           312           -             ng/l         < 450
`;
    expect(valuesOf(text)).toMatchObject([
      { label: 'Kalium', value: 3.4, date: '2026-04-09' },
      { label: 'Kalium', value: 4.2, date: '2026-04-13' },
      { label: 'NT-proBNP', value: 312, range: { high: 450 }, date: '2026-04-09' },
    ]);
  });
});
