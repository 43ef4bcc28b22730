/** Numbers the lines of documents, continuously over all of them, so that a model can name a place in them. Pure. */
import type { AgentDocument } from '../agent/agent.ts';
import { splitLines } from '../tools/text/lines.ts';
import { indexAt } from '../tools/text/ranges.ts';
import type { Range } from '../tools/text/span.ts';

interface NumberedDocument {
  readonly document: AgentDocument;
  readonly lines: readonly Range[];
  /** Number of its first line, from 1. */
  readonly first: number;
}

/** A line of a document, without its break. */
export interface FoundLine extends Range {
  /** Place of the document in the list. */
  readonly document: number;
  /** From 0, in this document. */
  readonly index: number;
}

export class NumberedLines {
  readonly #documents: readonly NumberedDocument[];

  constructor(documents: readonly AgentDocument[]) {
    let next = 1;
    this.#documents = documents.map((document) => {
      const numbered = { document, lines: splitLines(document.text), first: next };
      next += numbered.lines.length;
      return numbered;
    });
  }

  /** @returns undefined if no line has the number */
  find(number: number): FoundLine | undefined {
    const document = this.#documents.findLastIndex(({ first }) => first <= number);
    const { lines, first } = this.#documents[document] ?? { lines: [], first: 0 };
    const line = lines[number - first];
    return line === undefined ? undefined : { ...line, document, index: number - first };
  }

  /** Of each document, in the order of the documents. */
  get lines(): readonly (readonly Range[])[] {
    return this.#documents.map(({ lines }) => lines);
  }

  /**
   * A part of a document with the numbers of its lines: `12|text`. Empty lines have none.
   * @param message of the document; without a document, the part is empty
   */
  show(message: number, { start, end }: Range): string {
    const { document, lines, first } = this.#documents.find(({ document: one }) => one.message === message) ?? {};
    if (document === undefined || lines === undefined) return '';
    const from = indexAt(lines, start) ?? 0;
    const to = indexAt(lines, Math.max(start, end - 1)) ?? from;
    return lines
      .slice(from, to + 1)
      .map((line, offset) => {
        const shown = document.text.slice(Math.max(line.start, start), Math.min(line.end, end));
        return shown.trim() === '' ? '' : `${first! + from + offset}|${shown}`;
      })
      .join('\n');
  }
}
