/** Finds the heading or label that a position belongs to. */
import { indexAt } from '../tools/text/ranges.ts';
import type { Document } from './document.ts';

/** How many blocks upwards to search for a label that does not have the form of a heading. */
const blocksMax = 12;

/** Returns the label of its line, else the nearest heading or line that ends with a colon above it, else an empty text. */
export function labelOver({ blocks, text }: Pick<Document, 'blocks' | 'text'>, at: number): string {
  const own = indexAt(blocks, at);
  if (own === undefined) return '';
  for (let index = own, looked = 0; index >= 0 && looked <= blocksMax; index -= 1, looked += 1) {
    const block = blocks[index]!;
    if (block.kind === 'field') return index === own ? text.slice(block.label.start, block.label.end) : '';
    if (block.kind === 'heading') return block.heading.title;
    const shown = text.slice(block.start, Math.min(block.end, block.start + 80));
    if (index < own && shown.endsWith(':')) return shown.slice(0, -1);
  }
  return '';
}
