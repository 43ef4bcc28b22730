/** Images in messages: their places in the texts, and models that take none. */
import { afterEach, describe, expect, it } from 'vitest';
import { imagePlace } from '../../../../models/interface/image-place.ts';
import { readChatCall } from '../../../../server/features/chat/call.ts';
import { readMessagesCall } from '../../../../server/features/messages/call.ts';
import { chatBody, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

const url = 'data:image/png;base64,AAAA';
const image = { type: 'image_url', image_url: { url } };
const text = (words: string) => ({ type: 'text', text: words });

function read(...contents: unknown[]) {
  const { work, images } = readChatCall(
    chatBody({ messages: contents.map((content) => ({ role: 'user', content })) }),
    () => 1,
  );
  return { contents: work.input.messages.map(({ content }) => content), images };
}

describe('a chat with images', () => {
  it('has a place for each, without line feeds around it', () => {
    const { contents, images } = read([text('Compare'), text('these:'), image, image], 'Hi', [
      image,
      text('What is it?'),
    ]);
    expect(contents).toEqual([`Compare\nthese:${imagePlace}${imagePlace}`, 'Hi', `${imagePlace}What is it?`]);
    const paths = ['messages[0].content[2]', 'messages[0].content[3]', 'messages[2].content[0]'];
    expect(images).toEqual(paths.map((path) => ({ path, url })));
  });

  it('has no places that a text of the caller brings', () => {
    const { contents } = read([text(`a${imagePlace}b`), image], `c${imagePlace}`);
    expect(contents).toEqual([`ab${imagePlace}`, 'c']);
  });

  it('has at most 16 of them', () => {
    expect(() => read(Array.from({ length: 17 }, () => image))).toThrow(
      '`messages[0].content[16]` is one image too many: a request may have 16',
    );
  });

  it("has the same places in Anthropic's messages", () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const content = [{ type: 'image', source }, text('What is it?')];
    const { work, images } = readMessagesCall({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content }] }, 1);
    expect(work.input.messages).toEqual([{ role: 'user', content: `${imagePlace}What is it?` }]);
    expect(images).toEqual([{ path: 'messages[0].content[0]', url }]);
  });
});

describe('a model without a projector', () => {
  let running: TestApp | undefined;
  afterEach(() => running?.close());

  it.each(['/v1/chat/completions', '/v1/quote'])('refuses images on %s and says that it takes none', async (route) => {
    running = await startTestApp({ script: (chat) => void chat.answer('a') });
    const response = await running.app.inject({
      method: 'POST',
      url: route,
      headers: { authorization: `Bearer ${running.secret}` },
      payload: chatBody({ messages: [{ role: 'user', content: [text('What is this?'), image] }] }),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: '`messages[0].content[1]` must not be an image: this model takes text only',
    });
    expect(running.engine.chats).toEqual([]);
  });
});
