/** The text extracted from a caller's file, and the reasons why a file cannot be read. */

export const fileKinds = ['pdf', 'docx', 'xlsx', 'eml', 'html', 'json', 'csv', 'text'] as const;

export type FileKind = (typeof fileKinds)[number];

export interface FileSource {
  /** For text files, the file extension determines the format. Empty if the caller gave none. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface FileText {
  readonly kind: FileKind;
  /** The text in the form that tools and models read: plain text with aligned columns, tab-separated rows, or Markdown. */
  readonly text: string;
  /** For a PDF, the UTF-16 offset in `text` at which each page begins. */
  readonly pageStarts?: readonly number[];
}

/** The index of the first file that could not be read. */
export interface UnreadFile {
  readonly index: number;
  /** The reason, phrased as the end of a sentence about the file. */
  readonly problem: string;
}

/** The reason why a file was not read, phrased as the end of a sentence about it. It never quotes the file. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

/** Largest file, bytes. */
export const fileBytesMax = 5_000_000;
/** Maximum total length of the texts of a request's files, in UTF-16 units. */
export const fileUnitsMax = 2_000_000;

/** @throws {FileProblem} if the text is longer than the limit */
export function requireUnits(units: number): void {
  if (units > fileUnitsMax)
    throw new FileProblem(`has more than ${fileUnitsMax} characters of text; send a part of it`);
}
