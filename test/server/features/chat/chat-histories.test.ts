/** Earlier messages as clients of other servers send them back. */
import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';

const user = { role: 'user', content: 'Hi' };
const read = (...messages: object[]) => readChatCall({ model: 'm', messages }, () => 42);
const answerOf = (message: object) => read(user, { role: 'assistant', ...message }).work.input.messages[1];
const called = (text: unknown) => [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }];

describe('an earlier answer', () => {
  const place = '`messages[1].tool_calls[0].function.arguments`';

  it.each([
    ['{"a":"SECRET', `${place} is not complete JSON`],
    ['SECRET', `${place} is not complete JSON`],
    ['5', `${place} must be the text of a JSON object`],
    ['"SECRET"', `${place} must be the text of a JSON object`],
    ['[]', `${place} must be the text of a JSON object`],
  ])('with the arguments %s is refused, naming the call but not its text', (text, message) => {
    const refusal = (): unknown => answerOf({ tool_calls: called(text) });
    expect(refusal).toThrow(message);
    expect(refusal).not.toThrow('SECRET');
  });

  it.each([
    [{ content: [{ type: 'output_text', text: 'a' }] }, { content: 'a' }],
    [
      {
        content: [
          { type: 'reasoning', text: 'b' },
          { type: 'text', text: 'a' },
        ],
      },
      { content: 'a', reasoning_content: 'b' },
    ],
    [{ content: [{ type: 'reasoning', reasoning: 'b' }] }, { content: '', reasoning_content: 'b' }],
    [{ content: [{ type: 'thinking', thinking: 'b' }] }, { content: '', reasoning_content: 'b' }],
    [
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'b' }] },
          { type: 'text', text: 'a' },
        ],
      },
      { content: 'a', reasoning_content: 'b' },
    ],
    [
      { content: 'a', reasoning: 'b' },
      { content: 'a', reasoning_content: 'b' },
    ],
  ])('%j keeps its text and its thoughts', (message, expected) => {
    expect(answerOf(message)).toEqual({ role: 'assistant', ...expected });
  });

  it('is followed by a tool message without content', () => {
    const messages = [user, { role: 'assistant', tool_calls: called('{}') }];
    const tool = { role: 'tool', tool_call_id: 'c' };
    const { input } = read(...messages, { ...tool, content: null }).work;
    expect(input.messages[2]).toEqual({ ...tool, content: '' });
  });
});

describe('a message of a user', () => {
  const url = 'data:image/png;base64,AAAA';

  it.each([[{ url }], [url]])('has an image in image_url: %j', (image) => {
    const { images } = read({ role: 'user', content: [{ type: 'image_url', image_url: image }] });
    expect(images).toEqual([{ path: 'messages[0].content[0]', url }]);
  });

  it.each([
    [{ type: 'image', image: url }, '`messages[0].content[0].type` must be "image_url" for an image'],
    [{ type: 'input_image', image_url: url }, '`messages[0].content[0].type` must be "image_url" for an image'],
    [{ type: 'audio_url' }, '`messages[0].content[0]` must not be sound: models here take text and images'],
    [{ type: 'video_url' }, '`messages[0].content[0]` must not be a video: models here take text and images'],
  ])('must not have %j', (part, message) => {
    expect(() => read({ role: 'user', content: [part] })).toThrow(message);
  });
});

describe('tools', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];

  it('are left out of the prompt with tool_choice "none"', () => {
    const call = readChatCall({ model: 'm', messages: [user], tools, tool_choice: 'none' }, () => 42);
    expect(call.refusesCalls).toBe(true);
    expect(call.work.input).toMatchObject({ tools: [], toolChoice: 'none' });
  });

  it('keep `strict`', () => {
    const strict = [{ ...tools[0], function: { ...tools[0]!.function, strict: true } }];
    const { input } = readChatCall({ model: 'm', messages: [user], tools: strict }, () => 42).work;
    expect(input.tools).toEqual(strict);
  });
});
