/** Writes answers as OpenAI's chat completions. */
import type { AnswerForm } from './answer-form.ts';
import { AnswerBuilder } from './chat-answer.ts';
import { chunkWriter } from './chat-chunks.ts';

export const completionForm: AnswerForm = {
  idPrefix: 'chatcmpl-',

  whole(head, { work }) {
    const withLogprobs = work.sampling.logprobs !== undefined;
    const builder = new AnswerBuilder({ choices: work.choices, withLogprobs });
    return {
      saw: (event) => builder.saw(event),
      build: (usage) => builder.build(head, usage),
    };
  },

  stream(head, { work, includeUsage }, extension) {
    const withLogprobs = work.sampling.logprobs !== undefined;
    const chunks = chunkWriter(head, { includeUsage, withLogprobs });
    let unfinished = work.choices;
    return {
      saw(event) {
        switch (event.kind) {
          case 'started':
            return Array.from({ length: work.choices }, (_, index) => chunks.role(index)).join('');
          case 'delta':
            return chunks.delta(event);
          case 'finished':
            unfinished -= 1;
            // The last chunk has the extension: this one, or the usage chunk.
            return chunks.finish(event.choice, event.reason, unfinished === 0 && !includeUsage ? extension?.() : {});
          case 'further':
            return '';
        }
      },
      end: (usage) => (includeUsage ? chunks.usage(usage, extension?.()) : '') + chunks.done,
    };
  },
};
