/** Items of a numbered list that stand alone in their lines, which look like headings without a body. */
import type { Block } from '../../document/blocks.ts';

/** Whether the blocks above and below are the headings with the numbers before and after. */
export function isNumberedItem(blocks: readonly Block[], index: number): boolean {
  const number = plainNumber(blocks[index]);
  return (
    number !== undefined &&
    (plainNumber(blocks[index - 1]) === number - 1 || plainNumber(blocks[index + 1]) === number + 1)
  );
}

/** The number of a heading that only its number marks as one. */
function plainNumber(block: Block | undefined): number | undefined {
  if (block?.kind !== 'heading' || block.isMarked === true || !/^\d{1,2}$/.test(block.heading.number ?? ''))
    return undefined;
  return Number(block.heading.number);
}
