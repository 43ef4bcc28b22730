/** Reads workbooks: each sheet becomes a heading and rows of tab-separated cells. */
import readSheets from 'read-excel-file/universal';
import { FileProblem } from './file-text.ts';
import { cellText, rowsText } from './rows.ts';
import { unpackedXml } from './zip.ts';

/**
 * Maximum number of cells in the rectangle from the first to the last cell of a sheet, including empty cells, because the
 * library allocates all of them.
 */
const cellsMax = 2_000_000;
const columnsMax = 16_384;

/** @throws {FileProblem} if the workbook is damaged */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  const archive = unpackedXml(bytes, (name, xml) => {
    if (/(?:^|\/)worksheets\//.test(name)) requireCells(xml);
  });
  try {
    const sheets = await readSheets(archive.buffer);
    return sheets.map(({ sheet, data }) => `# ${cellText(sheet)}\n\n${rowsText(data)}`).join('\n\n');
  } catch {
    throw new FileProblem('is damaged: its sheets cannot be read');
  }
}

/** @throws {FileProblem} if a row or cell is outside the bounds of a sheet, or the sheet is too large */
function requireCells(xml: string): void {
  let rows = 1;
  let columns = 1;
  for (const [, letters = '', digits] of xml.matchAll(address)) {
    if (letters.length > 3 || !/^[1-9]\d{0,6}$/.test(digits!))
      throw new FileProblem('is damaged: a cell has no valid address');
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (columns > columnsMax) throw new FileProblem('is damaged: a cell has no valid address');
  if (rows * columns > cellsMax) throw new FileProblem(`has a sheet of more than ${cellsMax} cells`);
}

/** The address of a cell, or the number of a row. */
const address = /<(?:\w{1,20}:)?(?:c|row)\s(?:[^>]{0,500}\s)?r\s{0,9}=\s{0,9}["']([A-Za-z]{0,9})([^"']{0,20})/g;

/** Column number: `A` is 1, `AA` is 27; 0 for a row, whose address has no letters. */
function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
}
