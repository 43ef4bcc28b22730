/** 128 tokens in, 128 out, at each concurrency. */
import { runClosedLoop } from '../closed-loop.ts';
import { measureMemoryBandwidth } from '../memory-bandwidth.ts';
import { promptText } from '../prompts.ts';
import type { Sample } from '../results.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { weightBytesPerToken } from '../weight-bytes.ts';

const promptTokens = 128;
const answerTokens = 128;
/** `<|im_start|>user\n` … `<|im_end|>\n<|im_start|>assistant\n`, in a vocabulary of made-up words. */
const templateTokens = 16;

export const throughput: Scenario = {
  name: 'throughput',
  shape: ({ concurrency }) => ({ sequences: Math.max(...concurrency), context: 512 }),
  cases(options) {
    const { concurrency, endTokens, quick, repeats } = options;
    let used = 0;
    return concurrency.map((clients) => {
      const requests = clients * wavesFor(clients, quick);
      const first = used;
      used += requests * repeats;
      return {
        label: clients === 1 ? '1 client' : `${clients} clients`,
        async run(server, repeat) {
          const bandwidth = clients === 1 ? measureMemoryBandwidth(options) : undefined;
          const sample = await runClosedLoop(server, {
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
          });
          return bandwidth === undefined
            ? sample
            : { ...sample, ...(await compareWithMemory(sample, options, bandwidth)) };
        },
      };
    });
  },
};

/** More requests for short answers, so that every measurement takes some seconds. */
function wavesFor(clients: number, quick: boolean): number {
  if (quick) return 1;
  return clients === 1 ? 8 : clients <= 4 ? 4 : clients <= 8 ? 3 : 2;
}

/**
 * One client's tokens cannot be faster than memory gives the weights.
 * @param bandwidth of memory, in bytes per second
 */
async function compareWithMemory(
  { betweenTokensP50Ms }: Sample,
  { model }: ScenarioOptions,
  bandwidth: number,
): Promise<Sample> {
  const secondsPerToken = betweenTokensP50Ms! / 1000;
  return {
    memoryGigabytesPerSecond: bandwidth / 1e9,
    memoryLimitShare: (await weightBytesPerToken(model)) / secondsPerToken / bandwidth,
  };
}
