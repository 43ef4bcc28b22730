/** Content blocks of Anthropic's messages as the model reads them. */
import { describe, expect, it } from 'vitest';
import { imagePlace } from '../../../../models/interface/image-place.ts';
import { readCountCall, readMessagesCall } from '../../../../server/features/messages/call.ts';

const read = (messages: unknown, fields: object = {}) =>
  readMessagesCall({ model: 'm', max_tokens: 9, messages, ...fields }, 1);
const user = (...content: object[]) => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });
const data = 'data:image/png;base64,AAAA';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const result = (...content: object[]) => user({ type: 'tool_result', tool_use_id: 'c', content });
const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] };
const contents = (messages: unknown) => read(messages).work.input.messages.map(({ content }) => content);

describe('a tool result', () => {
  it('may have images, whose places are in the text of the result', () => {
    const { work, images } = read([user(text('Look')), called, result(text('a picture:'), image)]);
    expect(work.input.messages.at(-1)).toMatchObject({ role: 'tool', content: `a picture:${imagePlace}` });
    expect(images).toEqual([{ path: 'messages[2].content[0].content[1]', url: data }]);
  });

  it('keeps its images in order with those of messages', () => {
    const second = { type: 'image', source: { type: 'url', url: 'https://x' } };
    const { images } = read([user(image), called, { role: 'user', content: [...result(second).content, image] }]);
    expect(images?.map(({ url }) => url)).toEqual([data, 'https://x', data]);
  });

  it.each([
    ['a document', { type: 'document', title: 'T', source: { type: 'text', data: 'D' } }, 'T\nD'],
    [
      'a search result',
      { type: 'search_result', source: 'https://x', title: 'T', content: [text('C')] },
      'T\nhttps://x\nC',
    ],
    ['a tool reference', { type: 'tool_reference', tool_name: 'look' }, 'look'],
  ])('may have %s', (_, block, expected) => {
    expect(contents([user(text('Look')), called, result(block)]).at(-1)).toBe(expected);
  });
});

describe('a message of a user', () => {
  it.each([
    ['a document of text', { type: 'document', source: { type: 'content', content: 'D' } }, 'D'],
    [
      'a document of blocks',
      {
        type: 'document',
        title: 'T',
        context: 'C',
        source: { type: 'content', content: [text('D'), image, text('E')] },
      },
      `T\nC\nD${imagePlace}E`,
    ],
    [
      'a search result',
      { type: 'search_result', source: 'S', title: 'T', content: [text('C'), text('D')] },
      'T\nS\nC\nD',
    ],
  ])('may have %s', (_, block, expected) => {
    expect(contents([user(block)])).toEqual([expected]);
  });

  it('names the path of an image in a document', () => {
    const { images } = read([user({ type: 'document', source: { type: 'content', content: [text('D'), image] } })]);
    expect(images).toEqual([{ path: 'messages[0].content[0].source.content[1]', url: data }]);
  });

  it('is refused with 17 images, wherever they are', () => {
    const seventeen = [user(...Array(16).fill(image)), called, result(image)];
    expect(() => read(seventeen)).toThrow('`messages[2].content[0].content[0]` is one image too many');
  });

  it('cannot move images with a text that has their place', () => {
    const answer = { role: 'assistant', content: `x${imagePlace}` };
    expect(contents([user(text(`a${imagePlace}`), image), answer, user(text('b'))])).toEqual([
      `a${imagePlace}`,
      'x',
      'b',
    ]);
  });
});

describe('an answer in the history', () => {
  it('may have searches of Anthropic’s servers, whose results become text', () => {
    const found = { type: 'web_search_result', title: 'T', url: 'https://x', encrypted_content: 'e' };
    const content = [
      { type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'a', content: [found] },
      text('Found.'),
    ];
    expect(contents([user(text('q')), { role: 'assistant', content }, user(text('b'))])[1]).toBe(
      'Search result: T https://x\nFound.',
    );
    const failed = { type: 'web_search_tool_result', tool_use_id: 'a', content: { error_code: 'unavailable' } };
    expect(contents([user(text('q')), { role: 'assistant', content: [failed] }, user(text('b'))])[1]).toBe('');
  });
});

describe('a field of another API', () => {
  it.each([
    ['min_p', 0.1, { minP: 0.1 }],
    ['seed', 7, { seed: 7 }],
    ['presence_penalty', 1, { presencePenalty: 1 }],
    ['frequency_penalty', 1, { frequencyPenalty: 1 }],
    ['logit_bias', { 5: -100 }, { logitBias: [{ token: 5, bias: -100 }] }],
  ])('is honoured if the engine has it: %s', (name, value, sampling) => {
    expect(read([user(text('a'))], { [name]: value }).work.sampling).toMatchObject(sampling);
  });

  it.each([
    ['repetition_penalty', 1.5, 'send `frequency_penalty` or `presence_penalty` instead'],
    ['guided_json', { type: 'object' }, 'send `output_config.format` with a JSON schema instead'],
    ['structured_outputs', { json: {} }, 'send `output_config.format` with a JSON schema instead'],
    ['response_format', { type: 'json_object' }, 'send `output_config.format` instead'],
    ['ignore_eos', true, 'is not supported'],
    ['chat_template_kwargs', { enable_thinking: false }, 'send `output_config.effort` instead'],
    ['n', 3, 'send as many requests instead'],
    ['stop', ['x'], 'send `stop_sequences` instead'],
    ['max_completion_tokens', 5, 'send `max_tokens` instead'],
    ['parallel_tool_calls', false, 'send `tool_choice.disable_parallel_tool_use` instead'],
    ['logprobs', true, 'send a chat to /v1/chat/completions instead'],
  ])('is refused by name if it would change the answer: %s', (name, value, message) => {
    const body = { model: 'm', messages: [user(text('a'))], [name]: value };
    expect(() => readMessagesCall({ ...body, max_tokens: 5 }, 1)).toThrow(message);
    expect(() => readCountCall(body)).toThrow(`\`${name}\` is not supported`);
  });

  it.each([
    ['repetition_penalty', 1],
    ['n', 1],
    ['ignore_eos', false],
    ['guided_json', null],
  ])('is accepted with the value that changes nothing: %s', (name, value) => {
    expect(() => read([user(text('a'))], { [name]: value })).not.toThrow();
  });
});
