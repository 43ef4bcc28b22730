/** 128 tokens in, 128 out, at each concurrency. */
import { runClosedLoop } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Scenario } from '../scenario.ts';

const PROMPT_TOKENS = 128;
const ANSWER_TOKENS = 128;
/** `<|im_start|>user\n` … `<|im_end|>\n<|im_start|>assistant\n`, in a vocabulary of made-up words. */
const TEMPLATE_TOKENS = 16;

export const throughput: Scenario = {
  name: 'throughput',
  shape: ({ concurrency }) => ({ sequences: Math.max(...concurrency), context: 512 }),
  cases({ concurrency, endTokens, quick, repeats }) {
    let used = 0;
    return concurrency.map((clients) => {
      const requests = clients * wavesFor(clients, quick);
      const first = used;
      used += requests * repeats;
      return {
        label: clients === 1 ? '1 client' : `${clients} clients`,
        run: (server, repeat) =>
          runClosedLoop(server, {
            concurrency: clients,
            requests,
            chat: (index) => ({
              messages: [
                {
                  role: 'user',
                  content: promptText(PROMPT_TOKENS - TEMPLATE_TOKENS, first + repeat * requests + index),
                },
              ],
              maxTokens: ANSWER_TOKENS,
              endTokens,
            }),
          }),
      };
    });
  },
};

/** More of the short ones, so that every measurement takes some seconds. */
function wavesFor(clients: number, quick: boolean): number {
  if (quick) return 1;
  return clients === 1 ? 8 : clients <= 4 ? 4 : clients <= 8 ? 3 : 2;
}
