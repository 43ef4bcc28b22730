/** Reads Word documents as HTML, which keeps headings, lists, tables and notes. */
import mammoth from 'mammoth';
import { FileProblem } from './file-text.ts';
import { unpackedXml } from './zip.ts';

/** @throws {FileProblem} if the document is damaged */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const archive = unpackedXml(bytes);
  const options = { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false };
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(archive) }, options);
    return value === ''
      ? ''
      : `<html><body>${value.replace(/(?<=<\/(?:p|h[1-6]|table|ul|ol|li|tr)>)/g, '\n')}</body></html>`;
  } catch {
    throw new FileProblem('is damaged: its text cannot be read');
  }
}
