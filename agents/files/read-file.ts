/**
 * Reads a caller's file into text. Files are treated as hostile: the format is detected from the content, archives are unpacked
 * within limits, and the work runs in a thread without network access that can be terminated.
 */
import { htmlToMarkdown } from '../document/markdown.ts';
import { readDocx } from './docx.ts';
import { readEmail } from './email.ts';
import {
  type FileKind,
  FileProblem,
  type FileSource,
  type FileText,
  fileBytesMax,
  requireUnits,
  type UnreadFile,
} from './file-text.ts';
import { isJson, jsonToText } from './json.ts';
import { readPdf } from './pdf.ts';
import { decodeText } from './plain.ts';
import { readXlsx } from './xlsx.ts';
import { isZip } from './zip.ts';

const readableKinds = 'PDF, DOCX, XLSX, EML, HTML, JSON, CSV, Markdown or plain text';

/**
 * @param stopIfCancelled called between files, pages and parts; throws to stop
 * @returns the text of each file, or the reason why one was not read
 */
export async function readFiles(
  files: readonly FileSource[],
  stopIfCancelled: () => void,
): Promise<readonly FileText[] | UnreadFile> {
  const texts: FileText[] = [];
  let units = 0;
  for (const [index, file] of files.entries()) {
    stopIfCancelled();
    try {
      const read = await readFile(file, stopIfCancelled);
      units += read.text.length;
      requireUnits(units);
      texts.push(read);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return { index, problem: error.message };
    }
  }
  return texts;
}

/**
 * @param stopIfCancelled called between pages and parts; throws to stop
 * @throws {FileProblem} if the file has an unsupported format, is damaged, encrypted or too long
 */
export async function readFile(source: FileSource, stopIfCancelled: () => void): Promise<FileText> {
  if (source.bytes.length > fileBytesMax) throw new FileProblem(`has more than ${fileBytesMax} bytes`);
  const read = await readAs(kindOf(source), source, stopIfCancelled);
  requireUnits(read.text.length);
  if (read.text.trim() === '') {
    throw new FileProblem(read.kind === 'pdf' ? 'has no text: it may be a scan; send its text' : 'has no text');
  }
  return read;
}

async function readAs(kind: FileKind, { bytes }: FileSource, stopIfCancelled: () => void): Promise<FileText> {
  switch (kind) {
    case 'pdf':
      return { kind, ...(await readPdf(bytes, stopIfCancelled)) };
    case 'docx':
      return { kind, text: await readDocx(bytes) };
    case 'xlsx':
      return { kind, text: await readXlsx(bytes) };
    case 'eml':
      return {
        kind,
        text: await readEmail(bytes, (attachment) => readAttachment(attachment, stopIfCancelled), stopIfCancelled),
      };
    case 'json': {
      const text = decodeText(bytes);
      return isJson(text) ? { kind, text: jsonToText(text) } : { kind: 'text', text };
    }
    case 'html':
      return { kind, text: htmlToMarkdown(decodeText(bytes)) };
    default:
      return { kind, text: decodeText(bytes) };
  }
}

/** An email message attached to a message is not opened. @returns undefined for an attachment with an unsupported format */
async function readAttachment(source: FileSource, stopIfCancelled: () => void): Promise<string | undefined> {
  try {
    return kindOf(source) === 'eml' ? undefined : (await readFile(source, stopIfCancelled)).text;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}

function kindOf({ name, bytes }: FileSource): FileKind {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  if (isZip(bytes)) {
    const kind = zipKindOf(name, bytes);
    if (kind === undefined) throw new FileProblem(`is an archive, which is not supported; send ${readableKinds}`);
    return kind;
  }
  const ending = endingOf(name);
  if (ending === 'eml') return 'eml';
  if (isBinary(bytes)) throw new FileProblem(`has an unsupported format; send ${readableKinds}`);
  return ending === 'json' ? 'json' : textKindOf(name);
}

/** A PDF may begin with up to a kilobyte of other bytes. */
function startsWith(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).includes(mark, 0, 'latin1');
}

/** Archives store entry names uncompressed. */
function zipKindOf(name: string, bytes: Uint8Array): 'docx' | 'xlsx' | undefined {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [isDocument, isWorkbook] = ['word/document', 'xl/workbook'].map((entry) =>
    archive.includes(entry, 0, 'latin1'),
  );
  if (isDocument && isWorkbook) return endingOf(name) === 'xlsx' ? 'xlsx' : 'docx';
  if (isDocument) return 'docx';
  return isWorkbook ? 'xlsx' : undefined;
}

function textKindOf(name: string): 'html' | 'csv' | 'text' {
  const ending = endingOf(name);
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html';
  return ending === 'csv' || ending === 'tsv' ? 'csv' : 'text';
}

function endingOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Text contains no NUL, except in UTF-16. */
function isBinary(bytes: Uint8Array): boolean {
  const hasMark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !hasMark && bytes.subarray(0, 8_192).includes(0);
}
