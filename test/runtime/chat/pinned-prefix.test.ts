/** Prefixes that are computed once and shared by all accounts, on a fake model. */
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../models/interface/model.ts';
import type { ChatRequest } from '../../../runtime/chat/request.ts';
import { alone, start } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';

const agentMessages: readonly ChatMessage[] = [
  { role: 'system', content: 'You read contracts. Quote what you find, no more.' },
];
/** The fake template puts a line break between messages. */
const agentTokens = agentMessages[0]!.content.length + 1;

function question(text: string, overrides: Partial<ChatRequest> = {}): ChatRequest {
  const request = chatRequest('', overrides);
  return { ...request, input: { ...request.input, messages: [...agentMessages, { role: 'user', content: text }] } };
}

const fed = (steps: readonly { rows: readonly { tokens: Int32Array }[] }[]) =>
  steps.flatMap(({ rows }) => rows).reduce((sum, { tokens }) => sum + tokens.length, 0);

describe('pinPrefix', () => {
  it('computes the common prefix of all chats that begin with the messages, and reports its length', async () => {
    const { engine, model } = start({}, { prefixCacheBytes: 10_000 });
    expect(await engine.pinPrefix(agentMessages)).toEqual({ tokens: agentTokens, computedTokens: agentTokens, ms: 0 });
    expect(fed(model.steps)).toBe(agentTokens);
    expect(engine.stats).toMatchObject({ pinnedStateBytes: agentTokens, cachedStateBytes: agentTokens });
    await engine.drain();
  });

  it('serves every account from the prefix, with the same answer as without it', async () => {
    const { engine, model, recorder } = start({ sequences: 2 }, { prefixCacheBytes: 10_000 });
    await engine.pinPrefix(agentMessages);
    for (const [id, account] of ['a', 'b', 'c'].entries()) {
      const request = question(`question ${id}`, { account });
      const before = fed(model.steps);
      await engine.submit(id, request);
      await recorder.ended(id);
      expect(recorder.of(id)[0]).toMatchObject({ promptTokens: agentTokens + 10, cachedTokens: agentTokens });
      expect(fed(model.steps) - before).toBe(10 + 7);
      expect(recorder.text(id)).toBe(await alone(request, {}));
    }
    expect(engine.stats).toMatchObject({ sharedPromptTokens: 3 * agentTokens, cachedPromptTokens: 3 * agentTokens });
    await engine.drain();
  });

  it('serves a request that arrived before the prefix was computed', async () => {
    const { engine, recorder } = start({}, { prefixCacheBytes: 10_000 });
    const pinned = engine.pinPrefix(agentMessages);
    await pinned;
    await Promise.all([1, 2, 3].map((id) => engine.submit(id, question(`${id}`, { account: `${id}` }))));
    for (const id of [1, 2, 3]) {
      await recorder.ended(id);
      expect(recorder.of(id)[0]).toMatchObject({ cachedTokens: agentTokens });
    }
    await engine.drain();
  });

  it('does not stall answers that are being generated', async () => {
    const { engine, model, recorder } = start({ stepTokensMax: 16 }, { prefixCacheBytes: 10_000 });
    await engine.submit(1, chatRequest('short', { maxTokens: 200 }));
    await recorder.until(() => recorder.text(1).length > 2);
    const before = model.steps.length;
    await engine.pinPrefix(agentMessages);
    const steps = model.steps.slice(before + 1).filter(({ rows }) => rows.some(({ sample }) => !sample));
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.every(({ rows }) => rows.length === 2)).toBe(true);
    await engine.stop();
  });

  it('shares the common part of two prefixes, and computes no token twice', async () => {
    const { engine } = start({}, { prefixCacheBytes: 10_000 });
    const longer: ChatMessage[] = [...agentMessages, { role: 'system', content: 'And be kind to whoever asks.' }];
    await engine.pinPrefix(agentMessages);
    expect(await engine.pinPrefix(agentMessages)).toMatchObject({ tokens: agentTokens, computedTokens: 0 });
    expect(await engine.pinPrefix(longer)).toMatchObject({ tokens: agentTokens + 29, computedTokens: 29 });
    await engine.drain();
  });

  it('reuses a part of a longer prefix for a pin, but not for a request', async () => {
    const { engine, model, recorder } = start({}, { prefixCacheBytes: 10_000 });
    const longer: ChatMessage[] = [...agentMessages, { role: 'system', content: 'And be kind to whoever asks.' }];
    await engine.pinPrefix(longer);
    await engine.submit(1, question('and so on'));
    await recorder.ended(1);
    expect(recorder.of(1)[0]).toMatchObject({ cachedTokens: 0 });
    const before = fed(model.steps);
    // The last token is always fed.
    expect(await engine.pinPrefix(agentMessages)).toMatchObject({ tokens: agentTokens, computedTokens: 1 });
    expect(fed(model.steps) - before).toBe(1);
    await engine.submit(2, question('and so on', { account: 'b' }));
    await recorder.ended(2);
    expect(recorder.of(2)[0]).toMatchObject({ cachedTokens: agentTokens });
    expect(recorder.text(2)).toBe(await alone(question('and so on'), {}));
    await engine.drain();
  });

  it('includes the last message in the prefix if some chats extend it', async () => {
    const { engine, recorder } = start({}, { prefixCacheBytes: 10_000 });
    const { tokens } = await engine.pinPrefix(agentMessages, { extendsLastMessage: true });
    const [agent] = agentMessages;
    const request = question('and then?');
    const more = { ...agent!, content: `${agent!.content}\n\nAnswer in Latin.` };
    const messages = [more, ...request.input.messages.slice(1)];
    await engine.submit(1, { ...request, input: { ...request.input, messages } });
    await recorder.ended(1);
    expect(recorder.of(1)[0]).toMatchObject({ cachedTokens: tokens });
    await engine.drain();
  });

  it('works on a model that cannot trim', async () => {
    const { engine, recorder } = start({ canTrim: false }, { prefixCacheBytes: 10_000 });
    await engine.pinPrefix(agentMessages);
    await engine.submit(1, question('and so on'));
    await recorder.ended(1);
    expect(recorder.of(1)[0]).toMatchObject({ cachedTokens: agentTokens });
    expect(recorder.text(1)).toBe(await alone(question('and so on'), {}));
    await engine.drain();
  });

  it('refuses a prefix that exceeds the budget or the context, and names the code and the setting', async () => {
    const { engine } = start({ contextPerSequence: 64 }, { prefixCacheBytes: 40 });
    await expect(engine.pinPrefix(agentMessages)).rejects.toMatchObject({
      code: 'ERR_MEMORY_BUDGET',
      message: expect.stringContaining('CLOISTER_PREFIX_CACHE_MB'),
    });
    const long: ChatMessage[] = [{ role: 'system', content: 'x'.repeat(90) }];
    await expect(engine.pinPrefix(long)).rejects.toMatchObject({ code: 'ERR_CONTEXT_OVERFLOW' });
    const refused: ChatMessage[] = [{ role: 'system', content: '!' }];
    await expect(engine.pinPrefix(refused)).rejects.toMatchObject({ code: 'ERR_CHAT_TEMPLATE' });
    expect(await engine.pinPrefix([{ role: 'system', content: 'tiny' }])).toMatchObject({ tokens: 0 });
    await engine.drain();
    await expect(engine.pinPrefix(agentMessages)).rejects.toMatchObject({ code: 'ERR_DRAINING' });
  });

  it('computes the prefix again after a failed step, and fails the pin after three failures', async () => {
    let failures = 1;
    const beforeStep = () => {
      if (failures-- > 0) throw new Error('device gone');
    };
    const { engine, model } = start({ beforeStep }, { prefixCacheBytes: 10_000 });
    expect(await engine.pinPrefix(agentMessages)).toMatchObject({ tokens: agentTokens });
    failures = 3;
    const others: ChatMessage[] = [{ role: 'system', content: 'Something else that is long enough.' }];
    await expect(engine.pinPrefix(others)).rejects.toMatchObject({ code: 'ERR_INTERNAL' });
    await engine.drain();
    expect(model.closed).toBe(true);
  });

  it('computes the prefix again if the step that saves it failed', async () => {
    let steps = 0;
    const beforeStep = () => {
      steps += 1;
      if (steps === 2) throw new Error('device gone');
    };
    const { engine, recorder } = start({ beforeStep }, { prefixCacheBytes: 10_000 });
    await engine.pinPrefix(agentMessages);
    await recorder.idle(() => engine.stats.steps >= 3);
    await engine.submit(1, question('still there?'));
    await recorder.ended(1);
    expect(recorder.of(1)[0]).toMatchObject({ cachedTokens: agentTokens });
    await engine.drain();
  });
});
