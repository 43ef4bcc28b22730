/** Which tool calls run, and in which requests a model may make calls. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { inlineTools, testAgent, testPrompt } from '../../../support/agents/test-agent.ts';
import {
  type CallingApp,
  type CallingAppOptions,
  calls,
  says,
  startCallingApp,
} from '../../../support/server/calling-app.ts';
import { messages } from '../../../support/server/confidential-app.ts';

let running: CallingApp | undefined;

async function start(rounds: CallingAppOptions['rounds'], options: Omit<CallingAppOptions, 'rounds'> = {}) {
  running = await startCallingApp({ rounds, ...options });
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const text = { text: 'Also parcel 99.' };

describe('tool calls that cannot run', () => {
  const result = (error: string) => ({
    name: 'parcel_count',
    version: '2',
    called_by: 'model',
    arguments_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    result: { error },
  });
  const toolsOf = (json: () => unknown) => (json() as { agent: { tools: unknown[] } }).agent.tools;

  it.each([
    ['no JSON', '{"text": "par', 'the arguments must be one JSON object'],
    ['another argument', '{"file": "/etc/passwd"}', 'accepted arguments: text'],
    ['no text', '{}', 'there is nothing to read: `text` is missing'],
    ['a number', '{"text": 5}', '`text` must be a string'],
  ])('are reported to the model and to the caller: %s', async (_what, written, error) => {
    const { ask, asked } = await start([calls(written), says('Well.')]);
    const { json } = await ask({ messages });
    expect(toolsOf(json)).toEqual([expect.objectContaining({ name: 'parcel_count' }), result(error)]);
    const last = asked()[1]!.messages.at(-1)!;
    expect(last.content).toBe(`Error: ${error}. Nothing was computed.`);
    // A template parses the calls that the history attributes to the model.
    const [call] = asked()[1]!.messages.at(-2)!.tool_calls!;
    expect(() => JSON.parse(call!.function.arguments)).not.toThrow();
  });

  it('do not repeat the name of an unknown tool', async () => {
    const { ask } = await start([calls(text, { name: 'open_every_parcel' }), says('Well.')]);
    const answer = await ask({ messages });
    expect(toolsOf(answer.json)[1]).toMatchObject({
      name: 'unknown',
      result: { error: 'this function does not exist' },
    });
    expect(answer.text).not.toContain('open_every_parcel');
  });

  it('do not expose the prompt if their arguments contain it', async () => {
    const { ask, engine } = await start([calls({ text: testPrompt }), says('Well.')]);
    const answer = await ask({ messages });
    expect(toolsOf(answer.json)[1]).toMatchObject({ result: { error: 'tools cannot read instructions' } });
    for (const line of testPrompt.split('\n')) if (line.length > 60) expect(answer.text).not.toContain(line);
    expect(engine.chats.length).toBeGreaterThan(1);
  });

  it('do not fail the answer if all tool threads are busy', async () => {
    let isBusy = false;
    const before = async () => {
      if (isBusy) throw new RuntimeError('ERR_QUEUE_FULL', '256 tasks are queued: try again later');
      isBusy = true;
    };
    const { ask } = await start([calls(text), says('Well.')], { tools: inlineTools([testAgent], { before }) });
    const { status, json } = await ask({ messages });
    expect([status, toolsOf(json)[1]]).toEqual([200, result('the tools are busy')]);
  });
});

it('the list of models marks the agents whose tools a model may call', async () => {
  const capabilities = async (facts: CallingAppOptions['facts'] & object) => {
    const { get, secret, close } = await start([says('')], { facts });
    const { text: list } = await get('/v1/confidential/models', secret);
    await close();
    running = undefined;
    return JSON.parse(list).data.map((entry: { capabilities: object }) => entry.capabilities);
  };
  expect(await capabilities({})).toMatchObject([{ calls_own_tools: true, lists_facts: true }, { tools: true }]);
  expect(await capabilities({ supportsTools: false })).toMatchObject([{ calls_own_tools: false }, { tools: false }]);
  expect(await capabilities({ contextPerSequence: 4096 })).toMatchObject([
    { calls_own_tools: false, lists_facts: false },
    { tools: true },
  ]);
});

describe('tools are not offered', () => {
  const own = [{ type: 'function', function: { name: 'weigh', parameters: { type: 'object' } } }];

  it.each([
    ['together with functions of the caller', { tools: own }],
    ['where several answers are asked for', { n: 2 }],
    ['where the answer has a schema', { response_format: { type: 'agent_report' } }],
    ['where a text of the caller’s ends the answer', { stop: ['}'] }],
    ['where the caller wants none called', { tool_choice: 'none' }],
  ])('%s', async (_what, fields) => {
    const { ask, asked } = await start([(chat) => void chat.answer('{}')]);
    await ask({ messages, ...fields });
    const names = asked()[0]!.request.input.tools.map((tool) => tool.function.name);
    expect(names).toEqual('tools' in fields ? ['weigh'] : []);
  });

  it('to a model whose template does not support them', async () => {
    const { ask, asked } = await start([says('Two.')], { facts: { supportsTools: false } });
    await ask({ messages });
    expect(asked()[0]!.request.input.tools).toEqual([]);
  });

  it('to a model with a small context window', async () => {
    const { ask, asked } = await start([says('Two.')], { facts: { contextPerSequence: 4096 } });
    await ask({ messages });
    expect(asked()[0]!.request.input.tools).toEqual([]);
  });
});
