/**
 * Tool calls that a request requires, under every chat template that llama.cpp ships: a model with random weights, which would
 * rather write anything else, answers with a call and nothing else.
 */
import { describe, expect, it } from 'vitest';
import { llamaTemplates } from '../fuzz/llama-templates.ts';
import { asking, pieces, readAll } from './chats.ts';
import { withTemplate, write } from './template-answers.ts';

const places = ['Kyoto', 'Oslo'];
const weatherIn = (places: readonly string[]) =>
  ({
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { place: { type: 'string', enum: places } },
        required: ['place'],
        additionalProperties: false,
      },
    },
  }) as const;

/** Templates that have no tool calls in llama.cpp. */
const withoutCalls = [
  ...['HuggingFaceTB-SmolLM3-3B', 'deepseek-ai-DeepSeek-R1-Distill-Llama-8B', 'google-gemma-2-2b-it'],
  ...['ibm-granite-granite-3.3-2B-Instruct', 'llama-cpp-rwkv-world', 'microsoft-Phi-3.5-mini-instruct'],
];
/** Of the templates and both settings of thinking; random weights rarely end a thought or an argument between tags. */
const endedMin = 50;

describe('a required tool call', () => {
  it('is the whole answer under every template of llama.cpp, in pieces too', async () => {
    const refused = new Set<string>();
    let ended = 0;
    for (const { name, text } of llamaTemplates()) {
      await withTemplate(text, async (model) => {
        for (const reasoning of [false, true]) {
          const chat = asking('Answer.', { tools: [weatherIn(places)], toolChoice: 'required', reasoning });
          const prepared = await model.prepareChat(chat).catch((error: Error) => error);
          if (prepared instanceof Error) {
            expect(prepared.message).toMatch(/cannot require a tool call/);
            refused.add(name);
            continue;
          }
          const answer = await write(model, prepared);
          const { content, calls } = readAll(prepared.createParser(), pieces(answer.text));
          expect(content, `${name}: ${answer.text}`).toBe('');
          if (!answer.hasEnded) continue;
          ended += 1;
          expect(calls.length, `${name}: ${answer.text}`).toBeGreaterThan(0);
          for (const call of calls) {
            expect(call.name).toBe('get_weather');
            // Two of the formats leave out required arguments.
            const { place } = JSON.parse(call.arguments) as { place?: string };
            expect([...places, undefined], `${name}: ${answer.text}`).toContain(place);
          }
        }
      });
    }
    expect([...refused].map((name) => name.replace('.jinja', ''))).toEqual(withoutCalls);
    expect(ended).toBeGreaterThan(endedMin);
  }, 480_000);
});
