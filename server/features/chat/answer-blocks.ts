/** The parts of an answer in their order: reasoning, text and tool calls, as APIs with content blocks write them. Pure. */
import type { ChatEvent, TokenReport } from '@cloister/runtime/chat/request';

export type AnswerBlock =
  | { readonly kind: 'reasoning'; text: string }
  /** `logprobs` is empty unless the request enables log probabilities. */
  | { readonly kind: 'text'; text: string; readonly logprobs: TokenReport[] }
  /** `text` is the JSON of the arguments. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; text: string };

/** What one event does to the blocks. One block is open at a time. */
export type BlockStep =
  | { readonly kind: 'open' | 'close'; readonly index: number; readonly block: AnswerBlock }
  | {
      readonly kind: 'append';
      readonly index: number;
      readonly block: AnswerBlock;
      readonly text: string;
      /** Of the tokens of this text, and of tokens before it that had none. */
      readonly logprobs: readonly TokenReport[];
    };

export class AnswerBlocks {
  readonly blocks: AnswerBlock[] = [];
  #open: AnswerBlock | undefined;
  #call = -1;
  /** Of tokens whose text has not arrived yet. */
  #logprobs: TokenReport[] = [];

  saw({ reasoning, content, toolCalls, logprobs }: Extract<ChatEvent, { kind: 'delta' }>): readonly BlockStep[] {
    const steps: BlockStep[] = [];
    this.#logprobs.push(...logprobs);
    if (reasoning !== '') this.#append(steps, { kind: 'reasoning', text: '' }, reasoning);
    if (content !== '') this.#append(steps, { kind: 'text', text: '', logprobs: [] }, content);
    for (const { index, id = '', name = '', arguments: text } of toolCalls) {
      if (index !== this.#call) {
        this.#call = index;
        this.#begin(steps, { kind: 'call', id, name, text: '' });
      }
      if (text !== '') this.#append(steps, this.#open!, text);
    }
    // Only the tokens of texts are reported.
    if (reasoning !== '' || toolCalls.length > 0) this.#logprobs = [];
    return steps;
  }

  /** Closes the open block at the end of the answer. */
  close(): readonly BlockStep[] {
    const steps: BlockStep[] = [];
    // Tokens of a stop string have no text.
    if (this.#open?.kind === 'text') this.#open.logprobs.push(...this.#logprobs);
    this.#close(steps);
    return steps;
  }

  /** Appends to the open block if it is of this kind, otherwise to the new one. */
  #append(steps: BlockStep[], wanted: AnswerBlock, text: string): void {
    if (this.#open?.kind !== wanted.kind) this.#begin(steps, wanted);
    const block = this.#open!;
    block.text += text;
    const logprobs = block.kind === 'text' ? this.#logprobs : [];
    if (block.kind === 'text' && logprobs.length > 0) {
      block.logprobs.push(...logprobs);
      this.#logprobs = [];
    }
    steps.push({ kind: 'append', index: this.blocks.length - 1, block, text, logprobs });
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
