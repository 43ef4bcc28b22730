/** The paragraphs of a document as the tools of compliance read them: joined over pages, divided at records, lists as lists. */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';

export type Paragraph = Range & { readonly title?: string; readonly label?: string };

export type DocumentPart = Paragraph | { readonly table: Table };

/** Tables, and paragraphs that a page or the width of lines divided joined again. */
export function paragraphsOf({ blocks, text }: Document): DocumentPart[] {
  const parts: DocumentPart[] = [];
  for (const [index, block] of blocks.entries()) {
    const last = parts.at(-1);
    if (block.kind === 'table') parts.push({ table: block.table });
    else if (last !== undefined && !('table' in last) && runsOn(text, last, block))
      parts[parts.length - 1] = { ...last, end: block.end };
    else if (isListed(text, blocks, index)) parts.push({ start: block.start, end: block.end });
    else parts.push(...paragraphOf(text, block));
  }
  return parts;
}

function paragraphOf(text: string, block: Exclude<Block, { kind: 'table' }>): Paragraph[] {
  const range = { start: block.start, end: block.end };
  if (block.kind === 'heading') {
    const { title } = block.heading;
    // "8.1 The data centre backs up all servers. Restores …" is a sentence, however it begins.
    const isSentence = title.split(' ').length >= 5 && range.end - range.start > title.length + 20;
    return [isSentence ? range : { ...range, title }];
  }
  if (block.kind === 'field') return [{ ...range, label: text.slice(block.label.start, block.label.end) }];
  return dividedAtRecords(text, range);
}

/** "OM-02   Opportunity for improvement": an identifier that blanks set apart begins a record, also within a paragraph. */
function dividedAtRecords(text: string, range: Range): Paragraph[] {
  const parts: Paragraph[] = [];
  let { start } = range;
  for (const match of text
    .slice(range.start, range.end)
    .matchAll(/\n(?=[ \t]{0,12}\p{Lu}[\p{L}\d./-]{0,15}\d[\p{L}\d./()-]{0,15}[ \t]{2})/gu)) {
    parts.push({ start, end: range.start + match.index });
    start = range.start + match.index + 1;
  }
  parts.push({ start, end: range.end });
  return parts;
}

/** Whether a block continues the sentence of the previous one: it starts in lower case, or is indented below a line without final punctuation. */
function runsOn(text: string, before: Range, block: Range & { readonly kind: string }): boolean {
  const gap = text.slice(before.end, block.start);
  if (gap.length > 40 || gap.split('\n').length !== 2 || block.kind === 'item') return false;
  if (/[.!?:;]$/.test(text.slice(Math.max(0, before.end - 2), before.end).trimEnd())) return false;
  const lineStart = Math.max(before.start, text.lastIndexOf('\n', before.end - 1) + 1);
  if (before.end - lineStart < 50) return false;
  if (/^\p{Ll}/u.test(text.slice(block.start, block.start + 2))) return true;
  const indent = gap.length - gap.indexOf('\n') - 1;
  const isAtEdge = before.start === 0 || text[before.start - 1] === '\n';
  // A title in the middle of its line is below a line that is indented further.
  const above = /^ */.exec(text.slice(lineStart, before.end))![0].length;
  return indent >= 3 && isAtEdge && above <= indent;
}

/** "4. Logs of each access" on the line between "3. …" and "5. …" is an item of a list, however short it is. */
function isListed(text: string, blocks: readonly Block[], index: number): boolean {
  const own = placeInList(blocks[index]);
  if (own === undefined) return false;
  return [-1, 1].some((step) => {
    const other = blocks[index + step];
    const place = placeInList(other);
    if (other === undefined || place === undefined || place.list !== own.list || place.nth !== own.nth + step)
      return false;
    const [first, second] = step < 0 ? [other, blocks[index]!] : [blocks[index]!, other];
    return text.slice(first.end, second.start).split('\n').length === 2;
  });
}

/** "2.3" is the third of the list "2.". */
function placeInList(block: Block | undefined): { readonly list: string; readonly nth: number } | undefined {
  if (block?.kind !== 'heading' || block.isMarked === true) return undefined;
  const match = /^((?:\d{1,2}\.){0,3})(\d{1,2})$/.exec(block.heading.number ?? '');
  return match === null ? undefined : { list: match[1]!, nth: Number(match[2]) };
}
