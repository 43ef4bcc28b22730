/** 128 tokens in, 16 to 240 out: answers begin and end at different times, as in real use, and leave gaps between sequences. */
import { runClosedLoop } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Scenario } from '../scenario.ts';

const promptTokens = 128;
const templateTokens = 16;
const answerTokensMin = 16;
const answerTokensMax = 240;
const clients = [4, 8, 16];
const waves = 4;

export const unequal: Scenario = {
  name: 'unequal',
  shape: () => ({ sequences: 16, context: 512 }),
  cases: ({ endTokens, quick, repeats }) =>
    clients.map((clients, place) => {
      const requests = clients * (quick ? 1 : waves);
      const first = 5_000 + place * 1_000;
      if (requests * repeats > 1_000) throw new RangeError('too many repeats: prompts would come twice');
      return {
        label: `${clients} clients, answers of ${answerTokensMin} to ${answerTokensMax} tokens`,
        run: (server, repeat) =>
          runClosedLoop(server, {
            concurrency: clients,
            requests,
            chat(index) {
              const content = promptText(promptTokens - templateTokens, first + repeat * requests + index);
              return { messages: [{ role: 'user', content }], maxTokens: answerTokens(index), endTokens };
            },
          }),
      };
    }),
};

/** The same for both servers and in every repeat; consecutive lengths differ widely. */
function answerTokens(index: number): number {
  const range = answerTokensMax - answerTokensMin + 1;
  return answerTokensMin + ((index * 97) % range);
}
