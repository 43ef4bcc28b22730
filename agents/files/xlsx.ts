/** Reads workbooks: each sheet is a heading and rows of cells between tabs. */
import readSheets from 'read-excel-file/universal';
import { FileProblem } from './file-text.ts';
import { cellText, rowsText } from './rows.ts';
import { unpackedXml } from './zip.ts';

/** @throws {FileProblem} if the workbook is damaged */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  const archive = unpackedXml(bytes);
  try {
    const sheets = await readSheets(archive.buffer);
    return sheets.map(({ sheet, data }) => `# ${cellText(sheet)}\n\n${rowsText(data)}`).join('\n\n');
  } catch {
    throw new FileProblem('is damaged: its sheets cannot be read');
  }
}
