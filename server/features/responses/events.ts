/** The events of a streamed response. Pure, except for the numbers that it counts. */
import type { ErrorReply } from '../../http/error-reply.ts';
import type { AnswerBlock, BlockStep } from '../chat/answer-blocks.ts';
import { logprobEntries } from '../chat/chat-answer.ts';
import { type AnswerItems, type AnswerStatus, emptied, partOf } from './answer-items.ts';
import { CustomInput, inputOf } from './custom-tools.ts';

const noField = { code: undefined, param: null };

/** Numbers the events of a stream. */
export class EventWriter {
  readonly #items: AnswerItems;
  #sequence = 0;
  /** Of the call of a custom tool that is open. */
  #input = new CustomInput();

  constructor(items: AnswerItems) {
    this.#items = items;
  }

  write(type: string, members: object): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...members });
    return `event: ${type}\ndata: ${data}\n\n`;
  }

  /** The members of an `error` event: an error of `/v1` is a text, one of `/openai/v1` an object. */
  failure({ error, details }: ErrorReply['body']) {
    const { message, code, param } =
      typeof error === 'string' ? { message: error, ...noField } : { ...noField, ...error };
    const type = 'error';
    return { type, sequence_number: this.#sequence++, code: code ?? String(details.code), message, param };
  }

  /** @param status of an item that this step closes */
  step(step: BlockStep, status: AnswerStatus): string {
    const { index, block } = step;
    const place = { item_id: this.#items.idOf(block, index), output_index: index };
    const content = { ...place, content_index: 0 };
    switch (step.kind) {
      case 'open': {
        const item = this.#items.emptyItem(block, index);
        this.#input = new CustomInput();
        const added = this.write('response.output_item.added', { output_index: index, item });
        if (block.kind === 'call') return added;
        return added + this.write('response.content_part.added', { ...content, part: partOf(emptied(block)) });
      }
      case 'append':
        return this.#append(step, { place, content });
      case 'close':
        return (
          this.#done(block, { place, content }) +
          this.write('response.output_item.done', {
            output_index: index,
            item: this.#items.itemOf(block, index, status),
          })
        );
    }
  }

  #append({ block, text: delta, logprobs }: Appended, { place, content }: Places): string {
    switch (block.kind) {
      case 'text':
        return this.write('response.output_text.delta', { ...content, delta, logprobs: logprobEntries(logprobs) });
      case 'reasoning':
        return this.write('response.reasoning_text.delta', { ...content, delta });
      case 'call': {
        if (!this.#items.isCustom(block)) {
          return this.write('response.function_call_arguments.delta', { ...place, delta });
        }
        const input = this.#input.push(delta);
        return input === '' ? '' : this.write('response.custom_tool_call_input.delta', { ...place, delta: input });
      }
    }
  }

  #done(block: AnswerBlock, { place, content }: Places): string {
    if (block.kind === 'call') {
      const { name, text } = block;
      if (this.#items.isCustom(block)) {
        return this.write('response.custom_tool_call_input.done', { ...place, input: inputOf(text) });
      }
      return this.write('response.function_call_arguments.done', { ...place, name, arguments: text });
    }
    const type = block.kind === 'text' ? 'response.output_text.done' : 'response.reasoning_text.done';
    const logprobs = block.kind === 'text' ? { logprobs: logprobEntries(block.logprobs) } : {};
    return (
      this.write(type, { ...content, text: block.text, ...logprobs }) +
      this.write('response.content_part.done', { ...content, part: partOf(block) })
    );
  }
}

type Appended = Extract<BlockStep, { kind: 'append' }>;

interface Places {
  readonly place: object;
  readonly content: object;
}
