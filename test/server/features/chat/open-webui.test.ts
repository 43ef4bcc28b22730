/**
 * Requests in the form in which Open WebUI sends them to a server with OpenAI's API, rebuilt from its source: the list of models, chats,
 * and the background tasks of a chat (title, tags, follow-up questions).
 * @see https://github.com/open-webui/open-webui backend/open_webui/routers/openai.py and tasks.py
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp;
beforeEach(async () => {
  running = await startTestApp({ script: (chat) => void chat.answer('{"title":', '"Hello"}') });
});
afterEach(() => running.close());

/** Sent if the operator of Open WebUI forwards its users; values are percent-encoded. */
const userHeaders = {
  'X-OpenWebUI-User-Name': 'Ada%20L',
  'X-OpenWebUI-User-Id': 'e1f0a2b4-0000-4000-8000-000000000001',
  'X-OpenWebUI-User-Email': 'ada@example.org',
  'X-OpenWebUI-User-Role': 'user',
  'X-OpenWebUI-Chat-Id': 'e1f0a2b4-0000-4000-8000-000000000002',
};

async function send(url: string, payload?: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json', ...userHeaders };
  const { statusCode: status, body: text } = await running.app.inject({
    ...{ method: payload === undefined ? 'GET' : 'POST', url, headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status, text, json: () => JSON.parse(text) };
}

describe.each(['/v1', '/openai/v1'])('Open WebUI with the address %s', (base) => {
  it('gets the list of models with their ids', async () => {
    const { status, json } = await send(`${base}/models`);
    expect(status).toBe(200);
    expect(json()).toMatchObject({ object: 'list', data: [{ id: modelId, object: 'model' }] });
  });

  it('gets a streamed chat with its usage', async () => {
    const { status, text } = await send(`${base}/chat/completions`, {
      model: modelId,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }] },
      ],
      ...{ temperature: 0.7, top_p: 0.9, max_tokens: 64, frequency_penalty: 0.1, seed: 7, stop: ['END'] },
      ...{ logit_bias: { '5': -1 }, reasoning: { effort: 'low' }, chat_id: 'c', session_id: 's', id: 'm' },
      ...{ features: { web_search: false }, variables: { '{{USER_NAME}}': 'Ada' }, background_tasks: { title: true } },
    });
    expect(status).toBe(200);
    const events = parseEvents(text);
    expect(events.at(-1)!.data).toBe('[DONE]');
    const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('{"title":"Hello"}');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } });
    expect(running.engine.chats[0]!.request).toMatchObject({
      maxTokens: 64,
      stop: ['END'],
      sampling: { temperature: 0.7, topP: 0.9, frequencyPenalty: 0.1, seed: 7, logitBias: [{ token: 5, bias: -1 }] },
    });
  });

  it.each(['title_generation', 'tags_generation', 'follow_up_generation', 'query_generation'])(
    'gets the answer of the task %s',
    async (task) => {
      const content = 'Answer with JSON about the chat: USER: Hello';
      const { status, json } = await send(`${base}/chat/completions`, {
        model: modelId,
        messages: [{ role: 'user', content }],
        stream: false,
        ...(task === 'title_generation' ? { max_completion_tokens: 1000 } : {}),
        metadata: {
          task,
          task_body: { model: modelId, messages: [{ role: 'user', content: 'Hello' }] },
          chat_id: null,
        },
      });
      expect(status).toBe(200);
      expect(json().choices[0].message).toMatchObject({ role: 'assistant', content: '{"title":"Hello"}' });
      expect(running.engine.chats[0]!.messages).toEqual([{ role: 'user', content }]);
    },
  );

  it('gets an error with a text for a model that is not served', async () => {
    const { status, json } = await send(`${base}/chat/completions`, {
      ...{ model: 'gone', messages: [{ role: 'user', content: 'Hello' }], stream: true },
    });
    expect(status).toBe(base === '/v1' ? 400 : 404);
    const { error } = json();
    expect(typeof error === 'string' ? error : error.message).toContain(modelId);
  });
});
