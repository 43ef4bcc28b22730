/** 128 tokens in, 128 out, at each concurrency. */
import { runClosedLoop } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Scenario } from '../scenario.ts';

const promptTokens = 128;
const answerTokens = 128;
/** `<|im_start|>user\n` … `<|im_end|>\n<|im_start|>assistant\n`, in a vocabulary of made-up words. */
const templateTokens = 16;

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
                  content: promptText(promptTokens - templateTokens, first + repeat * requests + index),
                },
              ],
              maxTokens: answerTokens,
              endTokens,
            }),
          }),
      };
    });
  },
};

/** More requests for short answers, so that every measurement takes some seconds. */
function wavesFor(clients: number, quick: boolean): number {
  if (quick) return 1;
  return clients === 1 ? 8 : clients <= 4 ? 4 : clients <= 8 ? 3 : 2;
}
