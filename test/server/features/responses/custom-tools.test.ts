/** Custom tools of the Responses API, whose input is a text: from the request to the events of a stream. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readResponseCall } from '../../../../server/features/responses/call.ts';
import { CustomInput, inputOf } from '../../../../server/features/responses/custom-tools.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
const patch = { type: 'custom', name: 'apply_patch', description: 'Patches.', format: grammar };
const plain = { type: 'custom', name: 'run' };
const read = (fields: object) => readResponseCall({ model: 'm', input: 'a', ...fields }, 1).work.input;

describe('a custom tool', () => {
  it('is a function with one text for the model, which reads its grammar', () => {
    const parameters = {
      ...{ type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      additionalProperties: false,
    };
    expect(read({ tools: [patch, plain] }).tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'apply_patch',
          description: 'Patches.\n\nThe input must match this lark grammar:\nstart: "a"',
          parameters,
        },
      },
      { type: 'function', function: { name: 'run', parameters } },
    ]);
  });

  it('can be required', () => {
    const fields = { tools: [patch, plain], tool_choice: { type: 'custom', name: 'run' } };
    expect(read(fields)).toMatchObject({ tools: [{ function: { name: 'run' } }], toolChoice: 'required' });
  });

  it('has earlier calls and outputs in the history', () => {
    const input = [
      { role: 'user', content: 'a' },
      { type: 'custom_tool_call', id: 'x', call_id: 'c', name: 'run', input: 'say "b"\n' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'b' },
    ];
    expect(read({ input, tools: [plain] }).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'run', arguments: '{"input":"say \\"b\\"\\n"}' } }],
      },
      { role: 'tool', content: 'b', tool_call_id: 'c' },
    ]);
  });
});

describe('the input of a call', () => {
  it('is the same however its arguments arrive', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anyText, fc.array(fc.integer({ min: 1, max: 7 })), fc.boolean(), (text, sizes, escapes) => {
        const json = JSON.stringify({ input: text });
        const sent = escapes
          ? json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        const input = new CustomInput();
        let [at, joined] = [0, ''];
        for (const size of [...sizes, sent.length]) {
          const piece = input.push(sent.slice(at, at + size));
          expect(piece.isWellFormed()).toBe(true);
          joined += piece;
          at += size;
        }
        expect(joined).toBe(text);
      }),
    );
  });

  it.each([
    ['{"input": "a\\', 'a'],
    ['{ "input" : "a\\u00', 'a'],
    ['{"inp', ''],
    ['{"input": "a"}', 'a'],
    ['{"input": "a\nb"}', 'a\nb'],
  ])('of the arguments %j is %j', (text, input) => {
    expect(inputOf(text)).toBe(input);
  });
});

async function ask(fields: object, script: (chat: FakeChat) => unknown) {
  running = await startTestApp({ script: (chat) => void script(chat) });
  const response = await running.app.inject({
    method: 'POST',
    url: '/openai/v1/responses',
    headers: { authorization: `Bearer ${running.secret}` },
    payload: { model: modelId, input: 'Hello', tools: [patch], ...fields },
  });
  expect(response.statusCode).toBe(200);
  return response;
}

const calling = (chat: FakeChat) =>
  chat
    .start()
    .delta({ toolCalls: [{ index: 0, id: 'c', name: 'apply_patch', arguments: '{"inpu' }] })
    .delta({ toolCalls: [{ index: 0, arguments: 't":"a\\' }] })
    .delta({ toolCalls: [{ index: 0, arguments: 'nb"}' }] });

describe('an answer', () => {
  const item = { type: 'custom_tool_call', status: 'completed', call_id: 'c', name: 'apply_patch', input: 'a\nb' };

  it('has a call of a custom tool as an item of its own kind, and repeats the tool', async () => {
    const { output, tools } = (await ask({}, (chat) => calling(chat).finish('tool_calls'))).json();
    expect(output).toEqual([{ ...item, id: expect.stringMatching(/^ctc_/) }]);
    expect(tools).toEqual([patch]);
  });

  it('streams the input', async () => {
    const { body } = await ask({ stream: true }, (chat) => calling(chat).finish('tool_calls'));
    const events = parseEvents(body).map(({ data }) => JSON.parse(data));
    const place = { item_id: expect.stringMatching(/^ctc_/), output_index: 0 };
    expect(events.slice(2, -1)).toMatchObject([
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress', input: '' } },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: 'a' },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: '\nb' },
      { type: 'response.custom_tool_call_input.done', ...place, input: 'a\nb' },
      { type: 'response.output_item.done', output_index: 0, item },
    ]);
    expect(events.at(-1).response.output).toMatchObject([item]);
  });
});
