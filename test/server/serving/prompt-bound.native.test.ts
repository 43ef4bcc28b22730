import { describe, expect, it } from 'vitest';
import type { ChatInput, ChatMessage } from '../../../models/interface/model.ts';
import { measurePromptOverhead } from '../../../runtime/chat/prompt-overhead.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { promptTokensMax } from '../../../server/serving/prompt-bound.ts';
import { asking, call, loadChat } from '../../native/chats.ts';
import { loadTiny, weatherTool } from '../../native/models.ts';
import { seededNumbers, strangeTexts } from '../../support/models/strange-texts.ts';
import { fakeFacts } from '../../support/runtime/fake-engine.ts';
import { chatBody, startTestApp } from '../../support/server/test-app.ts';

const words = ['hello', 'the', ' weather', '<|im_start|>', '<tool_call>', '\n\n', '   '];
const texts = strangeTexts(400, { seed: 17, words });

/** Conversations of every form that the route takes. */
function chats(): ChatInput[] {
  const next = seededNumbers(4);
  const text = () => texts[next() % texts.length]!;
  return Array.from({ length: 120 }, (_, index) => {
    const turns = Array.from({ length: next() % 4 }, (): ChatMessage[] => [
      { role: 'user', content: text() },
      { role: 'assistant', content: text() },
    ]);
    const messages: ChatMessage[] = [
      ...(next() % 2 === 0 ? [{ role: 'system', content: text() } as const] : []),
      ...turns.flat(),
      { role: 'user', content: text() },
    ];
    if (index % 4 !== 0) return asking('', { messages, reasoning: index % 2 === 0 });
    const calls: ChatMessage[] = [
      { role: 'assistant', content: '', tool_calls: [call(JSON.stringify({ place: text() }))] },
      { role: 'tool', content: text(), tool_call_id: 'call_1' },
    ];
    return asking('', { messages: [...messages, ...calls], tools: [weatherTool] });
  });
}

describe('the bound of a prompt', () => {
  it.each(['chatml', 'hermes', 'thinking'] as const)(
    'is valid for every chat with the template %s',
    async (template) => {
      const model = await loadChat({ template });
      try {
        const overhead = (await measurePromptOverhead(model))!;
        for (const chat of chats()) {
          const { tokens } = await model.prepareChat(chat);
          expect(promptTokensMax(chat, overhead)).toBeGreaterThanOrEqual(tokens.length);
        }
        const hi = asking('hi');
        const { tokens } = await model.prepareChat(hi);
        expect(promptTokensMax(hi, overhead)).toBeLessThanOrEqual(tokens.length + 50);
      } finally {
        await model.close();
      }
    },
  );

  it('of a short chat with the demo model is below 50 tokens', async () => {
    const modelPath = new URL('../../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url).pathname;
    const model = await loadTiny({}, { modelPath });
    try {
      const overhead = await measurePromptOverhead(model);
      expect(promptTokensMax(asking('hi'), overhead)).toBeLessThan(50);
      const question = asking('What is 7 plus 5?');
      const { tokens } = await model.prepareChat(question);
      expect(promptTokensMax(question, overhead)).toBeGreaterThanOrEqual(tokens.length);
    } finally {
      await model.close();
    }
  });

  it('counts JSON as a template may write it, indented and escaped', () => {
    const overhead = { fixed: 0, perMessage: 0, tools: 0, perTool: 0, perCall: 0, schema: 0 };
    const tool = { type: 'function', function: { name: 'f', parameters: { enum: ['é', ['"'], {}], a: [[1, 2]] } } };
    const written = JSON.stringify(tool, null, 4).replace('é', '\\u00e9');
    const most = promptTokensMax({ messages: [], tools: [tool as never], jsonSchema: undefined }, overhead);
    expect(most).toBeGreaterThanOrEqual(written.length);
    expect(most).toBeLessThan(2 * written.length);
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(promptTokensMax({ messages: [], tools: [], jsonSchema: deep }, overhead)).toBeGreaterThan(50_000 ** 2);
  });

  it('is what an admitted chat reserves while it runs, in money and in tokens', async () => {
    const overhead = { fixed: 12, perMessage: 5, tools: 0, perTool: 0, perCall: 0, schema: 0 };
    const running = await startTestApp({ state: { kind: 'ready', model: { ...fakeFacts, promptOverhead: overhead } } });
    try {
      const answer = running.post(chatBody({ messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 }));
      const chat = await running.engine.nextChat();
      const authorization = `Bearer ${running.secret}`;
      const balance = (await running.app.inject({ url: '/v1/balance', headers: { authorization } })).json();
      expect(balance.usage).toMatchObject({ running_requests: 1, tokens_held: 24 });
      expect(balance.held_micro_dollars).toBe(14 + 2 * 10);
      chat.fail(new RuntimeError('ERR_ENGINE_LOST', 'over'));
      await answer;
    } finally {
      await running.close();
    }
  });

  it('is a fixed allowance if the template was not measured', () => {
    expect(promptTokensMax(asking('hé'), undefined)).toBe(3 + 1_024);
  });
});
