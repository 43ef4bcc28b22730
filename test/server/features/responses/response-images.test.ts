/** `input_image` parts of responses: their places, refusals, and conversations that continue. `test/system/vision.test.ts` has a real model. */
import { afterEach, describe, expect, it } from 'vitest';
import { imagePlace } from '../../../../models/interface/image-place.ts';
import { readInputTokensCall, readResponseCall } from '../../../../server/features/responses/call.ts';
import { continueFrom } from '../../../../server/features/responses/conversation.ts';
import { modelId, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

const url = 'data:image/png;base64,AAAA';
const image = { type: 'input_image', image_url: url, detail: 'auto', file_id: null };
const text = (words: string) => ({ type: 'input_text', text: words });
const user = (...content: object[]) => ({ role: 'user', content });
const read = (input: unknown, fields: object = {}) => readResponseCall({ model: 'm', input, ...fields }, 1);

describe('an image in `input`', () => {
  it('has a place in the text of its message, without line feeds around it', () => {
    const { work, conversation } = read([user(text('Compare'), text('these:'), image, image), user(image)]);
    expect(work.input.messages.map(({ content }) => content)).toEqual([
      `Compare\nthese:${imagePlace}${imagePlace}`,
      imagePlace,
    ]);
    const paths = ['input[0].content[2]', 'input[0].content[3]', 'input[1].content[0]'];
    expect(conversation.images).toEqual(paths.map((path) => ({ path, url })));
  });

  it('is not moved by a place that a text of the caller brings', () => {
    const bad = `a${imagePlace}b`;
    const output = { type: 'function_call_output', call_id: 'c', output: bad };
    const { work } = read([user(text(bad), image), output, { role: 'user', content: bad }], { instructions: bad });
    expect(work.input.messages.map(({ content }) => content)).toEqual(['ab', `ab${imagePlace}`, 'ab', 'ab']);
  });

  it('is counted by `input_tokens` too', () => {
    const { conversation } = readInputTokensCall({ model: 'm', input: [user(image)] });
    expect(conversation.images).toEqual([{ path: 'input[0].content[0]', url }]);
  });

  it('of an earlier request stays before those of the next, at most 16 altogether', () => {
    const { work, conversation } = read([user(image)]);
    const messages = [{ role: 'user' as const, content: imagePlace }];
    const earlier = (count: number) => ({ messages, images: Array<string>(count).fill('data:image/png;base64,BBBB') });
    const { images } = continueFrom(earlier(1), work.input, conversation);
    expect(images.map((part) => part.url)).toEqual(['data:image/png;base64,BBBB', url]);
    expect(() => continueFrom(earlier(16), work.input, conversation)).toThrow(
      '`previous_response_id` leads to more than 16 images',
    );
  });

  it.each([
    [user({ ...image, file_id: 'file-1' }), '`input[0].content[0].file_id` names a stored file'],
    [user({ type: 'input_image', file_id: 'file-1' }), '`input[0].content[0].file_id` names a stored file'],
    [user({ type: 'input_image' }), '`input'],
    [user(...Array(17).fill(image)), '`input[0].content[16]` is one image too many'],
    [{ role: 'assistant', content: [image] }, '`input[0].content[0]` must not be an image'],
    [
      { type: 'function_call_output', call_id: 'c', output: Array(17).fill(image) },
      '`input[0].output[16]` is one image too many',
    ],
  ])('is refused where it cannot be (case %#)', (item, message) => {
    expect(() => read([item])).toThrow(message);
  });
});

describe('a model', () => {
  let running: TestApp | undefined;
  afterEach(() => running?.close());

  async function send(imageTokensMax: number, part: object, route = '/v1/responses') {
    running = await startTestApp({ script: (chat) => void chat.answer('a') });
    const { state } = running.engine;
    if (state.kind === 'ready') running.engine.state = { ...state, model: { ...state.model, imageTokensMax } };
    return await running.app.inject({
      ...{ method: 'POST', url: route, headers: { authorization: `Bearer ${running.secret}` } },
      payload: { model: modelId, input: [user(part)] },
    });
  }

  it.each(['/v1/responses', '/v1/responses/input_tokens'])('without a projector refuses it on %s', async (route) => {
    const response = await send(0, image, route);
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain('`input[0].content[0]` must not be an image: this model takes text only');
    expect(running!.engine.chats).toEqual([]);
  });

  it('with a projector gets its pixels', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    const response = await send(8, { ...image, image_url: `data:image/png;base64,${pixel}` });
    expect(response.statusCode).toBe(200);
    expect(running!.engine.chats[0]!.request.input).toMatchObject({ images: [{ width: 1, height: 1 }] });
  });

  it.each([
    ['https://example.org/a.png', 'must be a data URL: this server does not fetch links'],
    [url, 'must be an intact JPEG, PNG, WebP or GIF image'],
  ])('with a projector refuses %s', async (address, message) => {
    const response = await send(8, { ...image, image_url: address });
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain(`\`input[0].content[0]\` ${message}`);
  });
});
