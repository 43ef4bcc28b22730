/** Reads Word documents as Markdown, by way of HTML, which keeps headings, lists, tables and notes. */
import mammoth from 'mammoth';
import { htmlToMarkdown } from '../document/markdown.ts';
import { FileProblem } from './file-text.ts';
import { unpackedXml } from './zip.ts';

/** @throws {FileProblem} if the document is damaged */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const archive = unpackedXml(bytes);
  const options = { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false };
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(archive) }, options);
    return htmlToMarkdown(value);
  } catch {
    throw new FileProblem('is damaged: its text cannot be read');
  }
}
