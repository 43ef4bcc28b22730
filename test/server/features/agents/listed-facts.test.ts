/** Answers with `response_format: {"type": "agent_facts"}`: the model lists facts, and the documents confirm them. */
import { afterEach, describe, expect, it } from 'vitest';
import { factsQuestion } from '../../../../agents/facts/question.ts';
import { testAgent, testPrompt } from '../../../support/agents/test-agent.ts';
import { type CallingApp, type CallingAppOptions, says, startCallingApp } from '../../../support/server/calling-app.ts';
import { messages } from '../../../support/server/confidential-app.ts';
import { parseEvents } from '../../../support/server/test-app.ts';

let running: CallingApp | undefined;

async function start(rounds: CallingAppOptions['rounds'], options: Omit<CallingAppOptions, 'rounds'> = {}) {
  running = await startCallingApp({ rounds, ...options });
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const response_format = { type: 'agent_facts' };
const parcel = (number: number, line = 1) => ({ kind: 'parcel', line, value: { number } });
const list = (...facts: readonly object[]) => says(JSON.stringify({ facts }));
const factsOf = (json: () => unknown) => (json() as { agent: { facts: unknown } }).agent.facts;

describe('the facts of an agent', () => {
  it('are those of the model that the documents confirm, and what the tools compute', async () => {
    const { ask } = await start([list(parcel(12), parcel(13))]);
    const { status, json } = await ask({ messages, response_format });
    expect(status).toBe(200);
    expect(factsOf(json)).toEqual({
      facts: [
        { kind: 'parcel', value: { number: 12 }, judged: [], at: { message: 1, start: 19, end: 21 }, by: 'both' },
        { kind: 'count', value: { parcels: 2 }, by: 'tools' },
      ],
      left_out: [
        { because: 'the document does not state the number', facts: 1 },
        { because: 'only the tools found it, and the model did not list it', facts: 1 },
      ],
      complete: true,
    });
  });

  it('are asked for with the numbers of the lines, without the findings of the tools', async () => {
    const { ask, asked } = await start([list()]);
    await ask({ messages: [...messages, { role: 'user', content: 'one\n\nthree' }], response_format });
    const { input, sampling } = asked()[0]!.request;
    const [system, letter, last] = input.messages.map(({ content }) => content);
    const { instruction, schema } = factsQuestion(testAgent.facts);
    expect(system).toBe(`${testPrompt.trimEnd()}\n\n${instruction}\n\nAnswer in Latin.`);
    expect([letter, last]).toEqual([expect.stringMatching(/^1\|Dear house, /), '2|one\n\n4|three']);
    expect([input.jsonSchema, input.tools, sampling.temperature]).toEqual([schema, [], 0]);
  });

  it('are in the last chunk of a stream', async () => {
    const { ask } = await start([list(parcel(7))]);
    const { text } = await ask({ messages, response_format, stream: true });
    const chunks = parseEvents(text).flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]));
    expect(chunks.at(-1)).toMatchObject({ agent: { facts: { facts: [{ value: { number: 7 } }, { kind: 'count' }] } } });
    expect(chunks.slice(0, -1).filter(({ agent }) => agent !== undefined)).toEqual([]);
  });

  it('keep what the tools found if the model did not finish its list or did not see all of the text', async () => {
    const unfinished = '{"facts": [{"kind": "parcel", "line": 1, "value": {"number": 12}}, {"ki';
    const { ask } = await start([says(unfinished)]);
    expect(factsOf((await ask({ messages, response_format })).json)).toMatchObject({
      facts: [
        { value: { number: 12 }, by: 'both' },
        { kind: 'count', by: 'tools' },
        { value: { number: 7 }, by: 'tools' },
      ],
      complete: false,
    });
    await running?.close();
    const long = Array.from({ length: 2_000 }, (_value, index) => `Page ${index} has nothing.`).join('\n\n');
    const { ask: askLong, asked } = await start([list(parcel(12, 4_001))], {
      count: ({ request }) => JSON.stringify(request.input.messages).length,
    });
    const answer = await askLong({
      messages: [{ role: 'user', content: `${long}\n\nparcel 12 and parcel 7` }],
      response_format,
    });
    expect(answer.json()).toMatchObject({ agent: { context: { complete: false } } });
    expect(factsOf(answer.json)).toMatchObject({
      facts: [{ value: { number: 12 }, by: 'both' }, { kind: 'count' }, { value: { number: 7 }, by: 'tools' }],
    });
    expect(asked()[0]!.request.input.messages[1]!.content).toContain('4001|parcel 12 and parcel 7');
  });

  it('are not asked for in several choices, of a model, or of one with a small context', async () => {
    const { ask, engine } = await start([list()], { facts: { contextPerSequence: 4_096 } });
    for (const [fields, named] of [
      [{ n: 2 }, '`n` must be 1'],
      [{}, 'at least 12288 tokens'],
      [{ model: 'fake-TEE' }, 'response_format'],
    ] as const) {
      const { status, json } = await ask({ messages, response_format, ...fields });
      expect([status, json().error]).toEqual([400, expect.stringContaining(named)]);
    }
    expect(engine.chats).toEqual([]);
  });
});
