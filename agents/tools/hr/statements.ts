/**
 * The statements of an employment document: one sentence or row each, with the titles above it. A title may be a heading of a
 * higher level, the first words of a paragraph ("TIME AWAY. You earn …", "3. Essai – Elle est de …"), or the first cell of a row.
 */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { columnLines } from './column-lines.ts';
import { withDigits } from './number-forms.ts';
import { cellsOutside, changedRows, otherVoices, type SupersededColumns, supersededColumns } from './other-voices.ts';
import { ownText } from './own-parts.ts';
import { statementsOfParties } from './party-columns.ts';
import { goesOn, goesOnInBlock, oneLine, startsWithLength } from './statement-lines.ts';
import {
  dashed,
  enumerator,
  formLabel,
  indentationAt,
  indentationMax,
  isFormLabel,
  isPlainHeading,
  leaderLines,
  ownTitle,
  stackedRows,
  titleCharacters,
} from './statement-titles.ts';

export interface Clause extends Range {
  /** On one line, without line breaks and hyphens at line ends. Parts that do not concern the employee are blank. */
  readonly text: string;
  /** The nearest title; for a row, its first cell. */
  readonly label: string;
  /** All titles above the statement and its own, from the nearest. */
  readonly titles: string;
}

export const clausesMax = 1_500;
const clauseCharacters = 700;

/** In the order of the text. */
export function clausesOf(document: Document): Clause[] {
  const reader = new Reader(document);
  const stacked = stackedRows(document);
  for (const [index, block] of document.blocks.entries()) {
    if (reader.clauses.length >= clausesMax) break;
    if (stacked.has(index)) reader.addRow(block, document.blocks[index + 1]!);
    else if (!stacked.has(index - 1)) reader.add(block, document.blocks[index + 1]);
  }
  const voices = otherVoices(document);
  return reader.clauses.flatMap(({ parts, start, end, titles }) => {
    if (voices.some((voice) => start >= voice.start && end <= voice.end)) return [];
    const text = ownText(withDigits(oneLine(parts.join(' ')).slice(0, clauseCharacters)));
    const label = titles[0] ?? '';
    const isOwn = text.trim() !== '' && (label === '' || ownText(label).trim() !== '');
    return isOwn ? [{ start, end, text, label, titles: titles.join(' > ') }] : [];
  });
}

interface Draft {
  readonly parts: string[];
  readonly start: number;
  end: number;
  readonly titles: readonly string[];
  /** Whether further lines may continue the value of a form's row. */
  readonly isRow: boolean;
}

class Reader {
  readonly clauses: Draft[] = [];
  readonly #document: Document;
  readonly #superseded: SupersededColumns;
  #isAfterLabel = false;
  #wasForm = false;
  readonly #titles: { readonly level: number; readonly title: string }[] = [];
  /** A line such as "Your benefits:" above a list. */
  #lead = '';
  #isUnderHeading = false;
  /** The labels of a form that stand on lines of their own, above their indented values. */
  #form: { readonly indentation: number; readonly label: string }[] = [];
  #nextSentence = 0;

  constructor(document: Document) {
    this.#document = document;
    this.#superseded = supersededColumns(document);
  }

  add(block: Block, next?: Block): void {
    // The cells of a table have lost their indentation.
    const isValue = block.kind === 'table' && this.#isAfterLabel;
    const indentation = isValue ? indentationMax : indentationAt(this.#document.text, block.start);
    this.#isAfterLabel = false;
    this.#wasForm = this.#form.length > 0;
    while (indentation <= (this.#form.at(-1)?.indentation ?? -1)) this.#form.pop();
    if (this.#form.length > 0 && block.kind !== 'table') {
      this.#addFormValue(block, indentation, next);
      return;
    }
    if (isFormLabel(this.#document.text, block, next, this.#wasForm)) {
      this.#pushLabel(indentation, formLabel(this.#document.text.slice(block.start, block.end)));
      this.#lead = '';
      return;
    }
    if (block.kind === 'paragraph' && this.#addLabelledLines(block, next, [])) return;
    if (block.kind === 'table') {
      this.#addTable(block.table);
      return;
    }
    if (block.kind === 'heading' && !startsWithLength(this.#document.text.slice(block.start, block.end))) {
      const { level, title, bodyStart } = block.heading;
      while ((this.#titles.at(-1)?.level ?? 0) >= level) this.#titles.pop();
      const own = dashed(title) ?? title;
      const isSentence = /\.$/.test(this.#document.text.slice(block.start, block.end)) && bodyStart >= block.end;
      this.#lead = '';
      if (own !== '' && !isSentence) this.#titles.push({ level, title: own.slice(0, titleCharacters) });
    }
    this.#addSentences(block);
  }

  /** "Salary" above "£35,000 per annum". */
  addRow(label: Block, value: Block): void {
    const { text } = this.#document;
    const title = text.slice(label.start, label.end).trim().replace(/:$/u, '');
    this.#addField(title, text.slice(value.start, value.end), { start: label.start, end: value.end });
  }

  #pushLabel(indentation: number, label: string): void {
    this.#form.push({ indentation, label });
    this.#isAfterLabel = true;
  }

  /** "fixed term / From": the last line of a value is the label of the next one. */
  #addLabelledLines(block: Block, next: Block | undefined, titles: readonly string[]): boolean {
    const { text } = this.#document;
    const lines = text.slice(block.start, Math.min(block.end, block.start + clauseCharacters)).split('\n');
    const last = lines.at(-1)!.trim();
    if (lines.length !== 2 || next === undefined || next.kind === 'table' || !/^\p{Lu}[^.:;!?\d]{1,24}$/u.test(last))
      return false;
    const at = block.end - lines[1]!.trimStart().length;
    if (
      indentationAt(text, next.start) < indentationAt(text, at) + 2 ||
      text.slice(block.end, next.start).split('\n').length !== 2
    )
      return false;
    const [label, ...value] = lines[0]!.trim().split(/\s{3,}/);
    const range = { start: block.start, end: at };
    if (titles.length > 0) this.#addField(titles.join(' '), lines[0]!.trim(), range);
    else if (value.length === 0) return false;
    else this.#addField(label!, value.join(' '), range);
    if (titles.length === 0) this.#pushLabel(indentationAt(text, block.start), label!);
    this.#pushLabel(indentationAt(text, at), last);
    return true;
  }

  /** A value under the labels of a form, or a further label. */
  #addFormValue(block: Block, indentation: number, next: Block | undefined): void {
    const { text } = this.#document;
    if (isFormLabel(text, block, next, this.#wasForm)) {
      this.#pushLabel(indentation, formLabel(text.slice(block.start, block.end)));
      return;
    }
    const titles = this.#form.map(({ label }) => label);
    if (block.kind === 'paragraph' && this.#addLabelledLines(block, next, titles)) return;
    const sentences = this.#sentencesIn(block);
    for (const { start, end } of sentences) this.#addField(titles.join(' '), text.slice(start, end), { start, end });
    if (sentences.length === 0) this.#addField(titles.join(' '), text.slice(block.start, block.end), block);
  }

  #addSentences(block: Block): void {
    const { text } = this.#document;
    const last = this.clauses.at(-1);
    // "l'article / L. 1221-25 du Code": the number of an article at the beginning of a line looks like a list.
    if (
      last !== undefined &&
      goesOnInBlock.test(text.slice(block.start, block.start + 40)) &&
      !/[.:;]\s*$/u.test(text.slice(last.start, block.start))
    ) {
      last.parts.push(text.slice(block.start, Math.min(block.end, block.start + clauseCharacters)));
      last.end = block.end;
      return;
    }
    if (block.kind === 'paragraph' && this.#addColumnLines(block)) return;
    const lines = leaderLines(text, block);
    if (lines.length > 0) {
      for (const { label, value, start, end } of lines) this.#addField(label, value, { start, end });
      return;
    }
    const sentences = this.#sentencesIn(block);
    const own =
      block.kind === 'field' ? text.slice(block.label.start, block.label.end) : ownTitle(text, block, sentences);
    if (this.#continuesRow(block)) {
      last!.parts.push(text.slice(block.start, Math.min(block.end, block.start + clauseCharacters)));
      last!.end = block.end;
      return;
    }
    for (const { start, end } of sentences) {
      // A title in a rule is read without the rule.
      const part = text.slice(start, end).replace(/^[-=─═_*~]{3,}|[-=─═_*~]{3,}$/gu, '');
      this.#push([part], { start, end }, own, false);
    }
    const shown = text.slice(block.start, Math.min(block.end, block.start + titleCharacters + 1));
    if (block.end - block.start <= titleCharacters && shown.endsWith(':')) this.#lead = shown.slice(0, -1);
    else if (isPlainHeading(text, block)) this.#lead = shown;
    else if (block.kind === 'paragraph' && !this.#isUnderHeading) this.#lead = '';
    if (block.kind === 'paragraph') this.#isUnderHeading = isPlainHeading(text, block);
  }

  /** Rows of a letter in two columns, which begin where the value of the row before them ends. */
  #addColumnLines(block: Block): boolean {
    const { text } = this.#document;
    const found = columnLines(text, block);
    if (found === undefined) return false;
    const { rest, lines } = found;
    const last = this.clauses.at(-1);
    if (rest !== undefined) {
      const isOfRow = last?.isRow === true && !/\S|\n\s*\n/.test(text.slice(last.end, rest.start));
      if (isOfRow) {
        last.parts.push(text.slice(rest.start, rest.end));
        last.end = rest.end;
      } else this.#push([text.slice(rest.start, rest.end)], rest, '', false);
    }
    for (const { label, value, start, end } of lines)
      for (const sentence of value.split(/(?<=[\p{L}\d)]\.)\s+(?=\p{Lu})/u))
        this.#addField(label, sentence, { start, end });
    return true;
  }

  /** Joins what the common splitting divides: "9 a.m. to 5 p.m.", "am 31. Dezember", "13. Gehalt". */
  #sentencesIn(block: Block): Range[] {
    const { sentences, text } = this.#document;
    const own: { start: number; end: number }[] = [];
    while (this.#nextSentence < sentences.length && sentences[this.#nextSentence]!.start < block.start)
      this.#nextSentence += 1;
    for (; this.#nextSentence < sentences.length; this.#nextSentence += 1) {
      const { start, end } = sentences[this.#nextSentence]!;
      if (start >= block.end) break;
      const last = own.at(-1);
      if (
        last !== undefined &&
        goesOn(text.slice(Math.max(last.start, last.end - 30), last.end), text.slice(start, start + 30))
      )
        last.end = end;
      else own.push({ start, end });
    }
    return own;
  }

  /** "began" below the row "Date employment | 14/09/2026", and "7:00 p.m. to 7:30 a.m." below a row that ends with a comma. */
  #continuesRow(block: Range): boolean {
    const last = this.clauses.at(-1);
    if (last?.isRow !== true) return false;
    const { text } = this.#document;
    const between = text.slice(last.end, block.start);
    if (/\S|\n\s*\n/.test(between)) return false;
    return (
      /^[\p{Ll}(]/u.test(text.slice(block.start, block.start + 1)) || /[,:–-]$/.test(text.slice(last.start, last.end))
    );
  }

  #addChanges(table: Table, superseded: ReadonlySet<number>): void {
    for (const cells of changedRows(table)) {
      const last = this.clauses.at(-1);
      const rest = cellsOutside(cells, superseded);
      // The new term goes on below, without a label.
      if (cells[0] === undefined && last?.isRow === true && rest.length > 0) {
        last.parts.push(rest.map(({ text }) => text).join(' | '));
        last.end = rest.at(-1)!.end;
        continue;
      }
      const [label, ...values] = rest;
      const value = values.map(({ text }) => text).join(' | ');
      const end = cells.findLast((cell) => cell !== undefined)?.end;
      if (label !== undefined && value !== '')
        this.#addField(label.text.trim(), value, { start: label.start, end: end! });
    }
  }

  #addTable(table: Table): void {
    const superseded = this.#superseded.get(table);
    if (superseded !== undefined) {
      this.#addChanges(table, superseded);
      return;
    }
    const ofParties = statementsOfParties(table, this.#titles.at(-1)?.title ?? '');
    if (ofParties !== undefined) {
      for (const { text, range, label } of ofParties) this.#push([text], range, label, false);
      return;
    }
    const rows = [
      ...table.headerRows.map((cells) => ({ cells, start: cells[0]!.start, end: cells.at(-1)!.end })),
      ...table.rows,
    ];
    const isForm =
      table.columns.length <= 3 && rows.every(({ cells }) => cells.filter((cell) => cell !== undefined).length <= 4);
    for (const { cells, start, end } of rows) {
      const own = cells.filter((cell) => cell !== undefined);
      if (own.length === 0) continue;
      if (isForm) this.#addFormRow(own, { start: own[0]!.start, end }, cells[0] === undefined);
      else this.#push([joinedCells(this.#shown({ start, end }))], { start, end }, '', false);
    }
  }

  #shown({ start, end }: Range): string {
    return this.#document.text.slice(start, end);
  }

  #addFormRow(cells: readonly Cell[], range: Range, isIndented: boolean): void {
    const last = this.clauses.at(-1);
    const shown = this.#shown(range);
    const isSingle = !shown.includes('\t');
    const isRest =
      last?.isRow === true &&
      !/\n\s*\n/.test(this.#document.text.slice(last.end, range.start)) &&
      (isIndented || (isSingle && (/^[\p{Ll}(]/u.test(shown) || /[,:–-]$/.test(last.parts.at(-1)!))));
    if (isRest) {
      last.parts.push(shown);
      last.end = range.end;
      return;
    }
    const isNumbered =
      cells.length > 2 &&
      /^(?:(?:no\.?|nr\.?|n°|§)? ?\d{1,2}[a-z]?|\(?[a-z]|[ivx]{1,4})[.)]?$/iu.test(cells[0]!.text.trim());
    const label = cells[isNumbered ? 1 : 0]!;
    const value = this.#shown({ start: label.end, end: range.end }).replace(/^[\s|]+/, '');
    if (value === '') this.#push([label.text], range, '', false);
    else this.#addField(label.text.trim(), value, range);
  }

  #addField(label: string, value: string, range: Range): void {
    const form = this.#form.map((each) => each.label).join(' ');
    const own = label.replace(enumerator, '').replace(/\s*:$/, '');
    // "Per week" under "Hours" is "Hours per week".
    const title = form === '' || own.startsWith(form) ? own : `${form} ${own.charAt(0).toLowerCase()}${own.slice(1)}`;
    this.#push([`${title}: ${value}`], range, title, true);
  }

  #push(parts: string[], { start, end }: Range, own: string, isRow: boolean): void {
    const above = [this.#lead, ...this.#titles.map(({ title }) => title).reverse()].filter((title) => title !== '');
    const titles = [own.slice(0, titleCharacters), ...above].filter((title) => title !== '').slice(0, 5);
    this.clauses.push({ parts, start, end, titles: [...new Set(titles)], isRow });
  }
}

function joinedCells(row: string): string {
  return row.replace(/(?<=(?:^|\t)(?:[A-Z]{3}|[€£$]))\t(?=\d)/gu, ' ').replaceAll('\t', ' | ');
}
