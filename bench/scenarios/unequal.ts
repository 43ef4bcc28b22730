/** 128 tokens in, 16 to 240 out: answers begin and end at all times, as real ones do, and leave gaps behind. */
import { runClosedLoop } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Scenario } from '../scenario.ts';

const PROMPT_TOKENS = 128;
const TEMPLATE_TOKENS = 16;
const ANSWER_TOKENS_MIN = 16;
const ANSWER_TOKENS_MAX = 240;
const CLIENTS = [4, 8, 16];
const WAVES = 4;

export const unequal: Scenario = {
  name: 'unequal',
  shape: () => ({ sequences: 16, context: 512 }),
  cases: ({ endTokens, quick, repeats }) =>
    CLIENTS.map((clients, place) => {
      const requests = clients * (quick ? 1 : WAVES);
      const first = 5_000 + place * 1_000;
      if (requests * repeats > 1_000) throw new RangeError('too many repeats: prompts would come twice');
      return {
        label: `${clients} clients, answers of ${ANSWER_TOKENS_MIN} to ${ANSWER_TOKENS_MAX} tokens`,
        run: (server, repeat) =>
          runClosedLoop(server, {
            concurrency: clients,
            requests,
            chat(index) {
              const content = promptText(PROMPT_TOKENS - TEMPLATE_TOKENS, first + repeat * requests + index);
              return { messages: [{ role: 'user', content }], maxTokens: answerTokens(index), endTokens };
            },
          }),
      };
    }),
};

/** The same for both servers and in every repeat; neighbours differ widely. */
function answerTokens(index: number): number {
  const range = ANSWER_TOKENS_MAX - ANSWER_TOKENS_MIN + 1;
  return ANSWER_TOKENS_MIN + ((index * 97) % range);
}
