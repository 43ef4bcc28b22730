/** Tool calls that a real model writes in the format of its template, through the real engine. The model recites a script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promptOf } from '../../../../agents/agent/brief.ts';
import { offeredFunctions } from '../../../../agents/agent/tool-offer.ts';
import { factsQuestion } from '../../../../agents/facts/question.ts';
import { agents } from '../../../../agents/registry.ts';
import type { ChatMessage } from '../../../../models/interface/model.ts';
import type { ChatEngine } from '../../../../runtime/chat/request.ts';
import { functionsOf } from '../../../../server/features/agents/functions.ts';
import { PromptShape } from '../../../../server/features/agents/guard.ts';
import { AgentTurn } from '../../../../server/features/agents/turn.ts';
import type { AnswerEvent } from '../../../../server/serving/answer-event.ts';
import { loadTiny } from '../../../native/models.ts';
import { inlineTools, testAgent, testPrompt } from '../../../support/agents/test-agent.ts';
import { chatRequest } from '../../../support/runtime/chat-request.ts';
import { startInlineEngine } from '../../../support/runtime/inline-engine.ts';
import { modelId, terms } from '../../../support/server/test-app.ts';

const contextLength = 8_192;
const script = '<tool_call>\n{"name": "parcel_count", "arguments": {"text": "Also parcel 99 is gone."}}\n</tool_call>';
const scriptAfterTool = 'Now they make three.';
const functions = offeredFunctions(testAgent);
const user: ChatMessage = { role: 'user', content: 'Dear house, parcel 12 is here and parcel 7 is not.' };

let stubborn: ChatEngine;
let willing: ChatEngine;

beforeAll(async () => {
  const load = async (options: { script: string; scriptAfterTool?: string }) =>
    startInlineEngine(
      await loadTiny({ template: 'hermes', context: contextLength, ...options }, { contextPerSequence: contextLength }),
    );
  [stubborn, willing] = await Promise.all([load({ script }), load({ script, scriptAfterTool })]);
});
afterAll(() => Promise.all([stubborn, willing].map((engine) => engine.drain({ signal: AbortSignal.abort() }))));

async function turn(engine: ChatEngine, { messages = [user], account = 'a', listsFacts = false } = {}) {
  const model = { kind: 'chat' as const, id: modelId, engine, created: 0, fingerprint: 'fp', terms };
  const agentTurn = new AgentTurn({
    agent: testAgent,
    shape: new PromptShape(testPrompt),
    model,
    tools: inlineTools(),
    contextLength,
    functions: listsFacts ? [] : functionsOf(testAgent, model, 'full'),
    files: [],
    listedLines: listsFacts ? 1 : undefined,
    now: () => 0,
  });
  const request = chatRequest('', { account, maxTokens: 2_000 });
  const events: AnswerEvent[] = [];
  const schema = listsFacts ? { jsonSchema: factsQuestion(testAgent.facts).schema } : {};
  const work = { ...request, input: { ...request.input, messages, ...schema } };
  for await (const event of agentTurn.run(work, { signal: new AbortController().signal })) events.push(event);
  const text = events.map((event) => (event.kind === 'delta' ? event.content : '')).join('');
  const prompts = events.filter((event) => event.kind === 'started' || event.kind === 'further');
  const end = events.at(-1);
  const { tools, facts } = agentTurn.extension.agent;
  return { text, prompts, end, tools, facts };
}

describe('a model that writes tool calls in the format of its template', () => {
  it('receives the result of its agent’s tool and then answers', async () => {
    const { text, prompts, end, tools } = await turn(willing);
    expect(text).toBe(scriptAfterTool);
    expect(tools).toMatchObject([
      { result: { parcels: [{ name: 'parcel 12' }, { name: 'parcel 7' }] } },
      { called_by: 'model', result: { parcels: [{ name: 'parcel 99', message: 1 }] } },
    ]);
    expect(prompts).toHaveLength(2);
    expect(end).toMatchObject({ kind: 'finished', reason: 'stop' });
  });

  it('must answer after four rounds, and computes each prompt prefix once', async () => {
    const { prompts, end, tools } = await turn(stubborn);
    expect(tools).toHaveLength(1 + 4);
    expect(prompts).toHaveLength(5);
    expect(end).toMatchObject({ kind: 'finished', reason: 'stop' });
    for (const [index, { promptTokens, cachedTokens }] of prompts.slice(1).entries()) {
      // The prompt of the previous round is cached, except for the assistant's turn, which is rendered again.
      expect(cachedTokens).toBeGreaterThan(prompts[index]!.promptTokens - 32);
      expect(promptTokens).toBeGreaterThan(cachedTokens);
    }
  });
});

describe('the prompt section that describes the functions', () => {
  const prompt: ChatMessage = { role: 'system', content: promptOf(testAgent, 'full') };

  it('is computed once at the start, for every account', async () => {
    const { tokens } = await willing.pinPrefix([prompt], { tools: functions });
    const alone = await willing.pinPrefix([prompt], { extendsLastMessage: true });
    expect(tokens).toBeGreaterThan(alone.tokens + 100);
    for (const account of ['b', 'c']) {
      const { prompts } = await turn(willing, { account });
      expect(prompts[0]!.cachedTokens).toBe(tokens);
    }
  });

  it.each(agents.map((agent) => [agent.slug, agent] as const))(
    'allows the calls of %s in the grammar',
    async (_slug, agent) => {
      const work = chatRequest('', { maxTokens: 1 });
      const input = {
        ...work.input,
        messages: [prompt, user],
        tools: offeredFunctions(agent),
        toolChoice: 'auto' as const,
      };
      const events = willing.chat({ ...work, input }, { signal: new AbortController().signal });
      for await (const event of events) if (event.kind === 'started') expect(event.promptTokens).toBeGreaterThan(500);
    },
  );

  it('follows the caller’s additions to the prompt, and the prompt is still shared', async () => {
    const { tokens } = await willing.pinPrefix([prompt], { extendsLastMessage: true });
    const messages: ChatMessage[] = [{ role: 'system', content: 'Answer in Latin.' }, user];
    const { prompts } = await turn(willing, { account: 'd', messages });
    expect(prompts[0]!.cachedTokens).toBe(tokens);
  });
});

describe('a model that lists facts', () => {
  it.each(agents.map((agent) => [agent.slug, agent] as const))(
    'is held to the vocabulary of %s by the grammar',
    async (_slug, { facts }) => {
      const work = chatRequest('', { maxTokens: 2 });
      const input = { ...work.input, messages: [user], jsonSchema: factsQuestion(facts).schema };
      let text = '';
      for await (const event of willing.chat({ ...work, input }, { signal: new AbortController().signal })) {
        if (event.kind === 'delta') text += event.content;
      }
      expect(text.trim()).toBe('{');
    },
  );

  it('has those confirmed that the document states', async () => {
    const list = '{"facts": [{"kind": "parcel", "line": 1, "value": {"number": 12}}]}';
    const model = await loadTiny(
      { template: 'hermes', context: contextLength, script: list },
      { contextPerSequence: contextLength },
    );
    const engine = startInlineEngine(model);
    const { text, facts } = await turn(engine, { listsFacts: true });
    await engine.drain({ signal: AbortSignal.abort() });
    expect(text).toBe(list);
    expect(facts).toMatchObject({
      facts: [
        { kind: 'parcel', value: { number: 12 }, at: { message: 0, start: 19, end: 21 }, by: 'both' },
        { kind: 'count', value: { parcels: 2 }, by: 'tools' },
      ],
      complete: true,
    });
  });
});
