/** Items of `input`: what the model reads, and the errors that name them. */
import { describe, expect, it } from 'vitest';
import { imagePlace } from '../../../../models/interface/image-place.ts';
import { readInputTokensCall, readResponseCall } from '../../../../server/features/responses/call.ts';

const read = (input: unknown, fields: object = {}) => readResponseCall({ model: 'm', input, ...fields }, 1);
const user = (content: unknown) => ({ role: 'user', content });
const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
const output = (...parts: object[]) => ({ type: 'function_call_output', call_id: 'c', output: parts });
const url = 'data:image/png;base64,AAAA';
const image = { type: 'input_image', image_url: url, detail: 'auto' };
const file = (type: string, text: string) => ({
  ...{ type: 'input_file', filename: 'a.txt' },
  file_data: `data:${type};base64,${Buffer.from(text).toString('base64')}`,
});
const last = (input: unknown) => read(input).work.input.messages.at(-1)?.content;

describe('an output of a call', () => {
  it('may have texts, images and files', () => {
    const { work, conversation } = read([user('Look'), call, output({ type: 'input_text', text: 'a:' }, image)]);
    expect(work.input.messages.at(-1)).toEqual({ role: 'tool', content: `a:${imagePlace}`, tool_call_id: 'c' });
    expect(conversation.images).toEqual([{ path: 'input[2].output[1]', url }]);
    expect(last([user('Look'), call, output(file('text/plain', 'notes'))])).toBe('a.txt\nnotes');
  });
});

describe('a file', () => {
  it.each(['text/plain', 'text/markdown;charset=utf-8', 'application/json', 'application/ld+json'])(
    'of the type %s is read as text',
    (type) => expect(last([user([file(type, 'é')])])).toBe('a.txt\né'),
  );

  it.each([
    ['a PDF', file('application/pdf', '%PDF'), '.file_data` must be a data URL of a text file'],
    ['base64 without a type', { type: 'input_file', file_data: 'YQ==' }, '.file_data` must be a data URL'],
    ['other bytes than UTF-8', { type: 'input_file', file_data: 'data:text/plain;base64,/w==' }, 'in UTF-8'],
    ['a stored file', { type: 'input_file', file_id: 'file_1' }, '.file_id` names a stored file'],
    ['a link', { type: 'input_file', file_url: 'https://x' }, '.file_url` is a link'],
  ])('is refused if it is %s', (_, part, message) => {
    expect(() => read([user([part])])).toThrow(message);
  });
});

describe('an error in `input`', () => {
  it.each([
    ['a role', [user('a'), { role: 'robot', content: 'b' }], '`input[1].role` must be one of "user"'],
    ['a part', [user([{ type: 'input_text' }])], '`input[0].content[0].text` must be a string, got nothing'],
    ['an output', [{ ...output(), output: { a: 1 } }], '`input[0].output` must be a string or an array of'],
    ['arguments', [{ ...call, arguments: '{"a' }], '`input[0].arguments` is not complete JSON'],
    ['a stored item', [user('a'), { type: 'item_reference', id: 'x' }], '`input[1]` names a stored item'],
    ['a stored item without a type', [{ id: 'msg_1' }], '`input[0]` names a stored item'],
    ['an item of another tool', [{ type: 'web_search_call', id: 'x' }], '`input[0]` is of the type "web_search_call"'],
    ['an unknown item', [{ type: 'secret' }], '`input[0].type` must be one of "message"'],
    ['no items', [], '`input` must be an array of at least one item'],
    ['neither a text nor items', 5, '`input` must be a string or an array of at least one item, got 5'],
  ])('names its place and reason: %s', (_, input, message) => {
    expect(() => read(input)).toThrow(message);
    expect(() => read(input)).not.toThrow('secret');
  });
});

describe('a field of another API', () => {
  it.each([
    ['top_k', 1, { topK: 1 }],
    ['min_p', 0.1, { minP: 0.1 }],
    ['seed', 7, { seed: 7 }],
    ['presence_penalty', 1, { presencePenalty: 1 }],
    ['frequency_penalty', 1, { frequencyPenalty: 1 }],
    ['logit_bias', { 5: -100 }, { logitBias: [{ token: 5, bias: -100 }] }],
  ])('is honoured if the engine has it: %s', (name, value, sampling) => {
    expect(read('a', { [name]: value }).work.sampling).toMatchObject(sampling);
  });

  it('is honoured if the engine has it: stop', () => {
    expect(read('a', { stop: 'x' }).work.stop).toEqual(['x']);
  });

  it.each([
    ['repetition_penalty', 1.5, 'send `frequency_penalty` or `presence_penalty` instead'],
    ['guided_json', {}, 'send `text.format` with a JSON schema instead'],
    ['structured_outputs', { json: {} }, 'send `text.format` with a JSON schema instead'],
    ['response_format', { type: 'json_object' }, 'send `text.format` instead'],
    ['ignore_eos', true, 'is not supported'],
    ['chat_template_kwargs', { enable_thinking: false }, 'send `reasoning.effort` instead'],
    ['reasoning_effort', 'low', 'send `reasoning.effort` instead'],
    ['n', 3, 'send as many requests instead'],
    ['max_tokens', 5, 'send `max_output_tokens` instead'],
    ['max_completion_tokens', 5, 'send `max_output_tokens` instead'],
    ['logprobs', true, 'in `include` instead'],
  ])('is refused by name if it would change the answer: %s', (name, value, message) => {
    expect(() => read('a', { [name]: value })).toThrow(message);
    expect(() => readInputTokensCall({ model: 'm', input: 'a', [name]: value })).toThrow(`\`${name}\` is not`);
  });
});

describe('reasoning', () => {
  it('takes the highest level under both names', () => {
    for (const effort of ['xhigh', 'max']) expect(read('a', { reasoning: { effort } }).work.input.effort).toBe('xhigh');
  });

  it('keeps its text in favour of its sealed form', () => {
    const item = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'T' }], encrypted_content: 'e' };
    const { conversation } = read([user('a'), item, { role: 'assistant', content: 'b' }, user('c')]);
    expect(conversation.sealedThoughts).toEqual([]);
    expect(conversation.messages[1]).toMatchObject({ reasoning_content: 'T' });
  });
});
