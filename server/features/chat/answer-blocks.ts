/** The parts of an answer in their order: reasoning, text and tool calls, as APIs with content blocks write them. Pure. */
import type { ChatEvent } from '@cloister/runtime/chat/request';

export type AnswerBlock =
  | { readonly kind: 'reasoning' | 'text'; text: string }
  /** `text` is the JSON of the arguments. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; text: string };

/** What one event does to the blocks. One block is open at a time. */
export type BlockStep =
  | { readonly kind: 'open' | 'close'; readonly index: number; readonly block: AnswerBlock }
  | { readonly kind: 'append'; readonly index: number; readonly block: AnswerBlock; readonly text: string };

export class AnswerBlocks {
  readonly blocks: AnswerBlock[] = [];
  #open: AnswerBlock | undefined;
  #call = -1;

  saw({ reasoning, content, toolCalls }: Extract<ChatEvent, { kind: 'delta' }>): readonly BlockStep[] {
    const steps: BlockStep[] = [];
    if (reasoning !== '') this.#append(steps, { kind: 'reasoning', text: '' }, reasoning);
    if (content !== '') this.#append(steps, { kind: 'text', text: '' }, content);
    for (const { index, id = '', name = '', arguments: text } of toolCalls) {
      if (index !== this.#call) {
        this.#call = index;
        this.#begin(steps, { kind: 'call', id, name, text: '' });
      }
      if (text !== '') this.#append(steps, this.#open!, text);
    }
    return steps;
  }

  /** Closes the open block at the end of the answer. */
  close(): readonly BlockStep[] {
    const steps: BlockStep[] = [];
    this.#close(steps);
    return steps;
  }

  /** Appends to the open block if it is of this kind, otherwise to the new one. */
  #append(steps: BlockStep[], wanted: AnswerBlock, text: string): void {
    if (this.#open?.kind !== wanted.kind) this.#begin(steps, wanted);
    const block = this.#open!;
    block.text += text;
    steps.push({ kind: 'append', index: this.blocks.length - 1, block, text });
  }

  #begin(steps: BlockStep[], block: AnswerBlock): void {
    this.#close(steps);
    this.blocks.push(block);
    this.#open = block;
    steps.push({ kind: 'open', index: this.blocks.length - 1, block });
  }

  #close(steps: BlockStep[]): void {
    if (this.#open === undefined) return;
    steps.push({ kind: 'close', index: this.blocks.length - 1, block: this.#open });
    this.#open = undefined;
  }
}
