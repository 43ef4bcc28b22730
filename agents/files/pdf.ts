/** Reads the text of PDF files, page by page. */
import { getDocumentProxy } from 'unpdf';
import { FileProblem, requireUnits } from './file-text.ts';
import { layOutPage, type PageItem } from './page-layout.ts';
import { dropRunningLines } from './running-lines.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const pagesMax = 2_000;
const pageBreak = '\n\n';

/** @throws {FileProblem} if the file is damaged, encrypted or has too many pages */
export async function readPdf(
  bytes: Uint8Array,
  stopIfCancelled: () => void,
): Promise<{ text: string; pageStarts: readonly number[] }> {
  return await ignoringRejections(async () => {
    const pdf = await openPdf(bytes);
    try {
      return joinPages(await readPages(pdf, stopIfCancelled));
    } finally {
      await pdf.cleanup();
    }
  });
}

/** pdf.js leaves rejected promises of damaged parts unhandled; the call that reads the part reports the damage. */
async function ignoringRejections<Result>(work: () => Promise<Result>): Promise<Result> {
  const ignore = () => undefined;
  process.on('unhandledRejection', ignore);
  try {
    return await work();
  } finally {
    // The `unhandledRejection` event is emitted after the promises of this event-loop turn are settled.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', ignore);
  }
}

function joinPages(pages: readonly (readonly string[])[]): { text: string; pageStarts: readonly number[] } {
  const pageStarts: number[] = [];
  let text = '';
  for (const page of dropRunningLines(pages)) {
    if (text !== '') text += pageBreak;
    pageStarts.push(text.length);
    text += page.join('\n');
  }
  return { text, pageStarts };
}

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    // pdf.js takes ownership of the buffer. It runs no scripts, loads no system fonts and sends no requests.
    return await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      disableAutoFetch: true,
      disableStream: true,
      enableXfa: false,
      verbosity: 0,
    });
  } catch (error) {
    const isEncrypted = (error as Error).name === 'PasswordException';
    throw new FileProblem(
      isEncrypted ? 'is encrypted; send it without a password' : 'is damaged: it is not a readable PDF',
    );
  }
}

/** @returns the lines of each page; a damaged page is empty */
async function readPages(pdf: Pdf, stopIfCancelled: () => void): Promise<string[][]> {
  if (pdf.numPages > pagesMax) throw new FileProblem(`has more than ${pagesMax} pages`);
  const pages: string[][] = [];
  let units = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    stopIfCancelled();
    const lines = layOutPage(await readItems(pdf, number));
    units += lines.reduce((sum, line) => sum + line.length + 1, 0);
    requireUnits(units);
    pages.push(lines);
  }
  return pages;
}

async function readItems(pdf: Pdf, number: number): Promise<PageItem[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: false });
    page.cleanup();
    return items.flatMap((item) => {
      if (!('str' in item) || item.str === '') return [];
      const [, , shear, scale, x, y] = item.transform as [number, number, number, number, number, number];
      const height = item.height > 0 ? item.height : Math.hypot(shear, scale);
      return [{ text: item.str, x, y, width: item.width, height }];
    });
  } catch {
    return [];
  }
}
