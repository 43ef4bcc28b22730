/** Which act the articles in a column of a table belong to: correlation tables, tables of transposition, lists of amending acts. */
import { allWithin } from '../text/ranges.ts';
import type { Mention } from './act-references.ts';
import type { FoundArticle } from './article-citations.ts';
import type { FlatBlock, FlatText } from './flat-text.ts';

/** A CELEX number, or `other` for provisions of a national law. */
export type ColumnAct = string;

const nationalHeader =
  /(?<![A-Za-zÀ-ž])(?:national[A-Za-zÀ-ž]{0,3}|nationale|nazionale|nacional|krajow[A-Za-zÀ-ž]{1,4}|ustaw[A-Za-zÀ-ž]{0,2}|wet|gesetz[A-Za-zÀ-ž]{0,3}|innerstaatlich[A-Za-zÀ-ž]{0,2}|umsetzung[A-Za-zÀ-ž]{0,20}|loi|droit français|ley|legge|decreto|act of|bill|zákon[A-Za-zÀ-ž]{0,2})(?![A-Za-zÀ-ž])/iu;

/** Longer cells are notes. */
const headerCharactersMax = 90;

/** By row, the acts of its columns. Rows without a header above them, and rows that name an act in their first cell, are there too. */
export function columnActs(
  flat: FlatText,
  mentions: readonly Mention[],
  articles: readonly FoundArticle[],
): ReadonlyMap<FlatBlock, ReadonlyMap<number, ColumnAct>> {
  const found = new Map<FlatBlock, ReadonlyMap<number, ColumnAct>>();
  let header: Map<number, ColumnAct> | undefined;
  let width = 0;
  for (const block of flat.blocks) {
    if (block.kind !== 'row') {
      // Lines of the page's head and foot divide no table.
      if (block.kind === 'heading' || block.end - block.start > 60) header = undefined;
      continue;
    }
    const named = block.cells.map((cell) =>
      cell.end - cell.start > headerCharactersMax ? undefined : singleAct(mentions, cell),
    );
    const hasArticle = block.cells.map((cell) => allWithin(articles, cell).length > 0);
    if (block.cells.length >= 2 && named.some((act) => act !== undefined) && !hasArticle.some(Boolean)) {
      header = new Map();
      width = block.cells.length;
      for (const [index, { column, start, end }] of block.cells.entries()) {
        const act =
          named[index] ??
          (nationalHeader.test(flat.text.slice(start, Math.min(end, start + 80))) ? 'other' : undefined);
        if (act !== undefined) header.set(column, act);
      }
      continue;
    }
    // A row that names another act in the column of an act is no row below it.
    const isOther = block.cells.some(
      ({ column }, index) => named[index] !== undefined && header?.has(column) && header.get(column) !== named[index],
    );
    if (isOther) header = undefined;
    if (header !== undefined) found.set(block, shifted(flat, block, header, width));
    else if (named[0] !== undefined && !hasArticle[0] && hasArticle.some(Boolean)) {
      found.set(block, new Map(block.cells.slice(1).map(({ column }) => [column, named[0]!])));
    }
  }
  return found;
}

/** "– Article 12" in one cell: the dash is the empty cell of the column before. */
function shifted(
  flat: FlatText,
  block: FlatBlock,
  header: ReadonlyMap<number, ColumnAct>,
  width: number,
): ReadonlyMap<number, ColumnAct> {
  const [first] = block.cells;
  if (block.cells.length >= width || first === undefined) return header;
  if (!/^[-–—] [A-Za-zÀ-ž]/u.test(flat.text.slice(first.start, first.start + 3))) return header;
  return new Map([...header].map(([column, act]) => [column - 1, act]));
}

function singleAct(
  mentions: readonly Mention[],
  cell: { readonly start: number; readonly end: number },
): string | undefined {
  const acts = new Set(allWithin(mentions, cell).map(({ celex }) => celex));
  return acts.size === 1 ? [...acts][0] : undefined;
}
