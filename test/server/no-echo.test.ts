/** No error and no log line repeats what a caller wrote: a random word in the place of any part of any body, and in any key. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServedModel } from '../../server/start/served-model.ts';
import { FakeEmbeddingEngine } from '../support/fake-embedding-engine.ts';
import { FakeEngine } from '../support/fake-engine.ts';
import { FakeImageEngine } from '../support/fake-image-engine.ts';
import { modelId, startTestApp, type TestApp, terms } from '../support/test-app.ts';

const tool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } };
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

/** Each with every field that its reader knows. */
const bodies: readonly { readonly url: string; readonly body: object }[] = [
  {
    url: '/v1/chat/completions',
    body: {
      model: modelId,
      messages: [
        { role: 'system', content: 'Be brief.', name: 'operator' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { role: 'assistant', content: 'Hm.', reasoning_content: 'Well.', tool_calls: [call] },
        { role: 'tool', content: 'There.', tool_call_id: 'call_1' },
      ],
      ...{ max_tokens: 8, max_completion_tokens: 8, temperature: 1, top_p: 1, top_k: 40, min_p: 0, n: 1, seed: 1 },
      ...{ presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 }, logprobs: true, top_logprobs: 2 },
      ...{ stop: ['end'], stream: true, stream_options: { include_usage: true }, user: 'someone' },
      ...{ tools: [tool], tool_choice: { type: 'function', function: { name: 'look' } }, parallel_tool_calls: true },
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
      reasoning_effort: 'low',
      provider: { aci_verified: false, aci_session_ids: [] },
    },
  },
  {
    url: '/v1/embeddings',
    body: {
      model: 'fake-embedding-TEE',
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 2,
      truncate: true,
      user: 'x',
    },
  },
  {
    url: '/v1/images/generations',
    body: {
      ...{ prompt: 'a circle', n: 1, size: '256x256', response_format: 'b64_json', output_format: 'png', seed: 1 },
      ...{ guidance_scale: 3, num_inference_steps: 20, negative_prompt: 'blue', stream: false, partial_images: 0 },
    },
  },
];

let running: TestApp;
beforeAll(async () => {
  const shared = { created: 1, fingerprint: 'fp', terms };
  const engine = new FakeEngine({ script: (chat) => void chat.answer('fine') });
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: modelId, engine, ...shared },
    {
      kind: 'embedding',
      id: 'fake-embedding-TEE',
      engine: new FakeEmbeddingEngine(),
      embedding: { dimensions: [2] },
      ...shared,
    },
    { kind: 'image', id: 'fake-image-TEE', engine: new FakeImageEngine(), ...shared },
  ];
  running = await startTestApp({ overrides: { models: new Map(models.map((model) => [model.id, model])) } });
});
afterAll(() => running.close());

type Path = readonly (string | number)[];

/** Of the value itself and of everything in it. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

function withPart(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withPart(copy[key], rest, part);
  return copy;
}

const word = fc.stringMatching(/^canary[a-z0-9]{10}$/);
/** The word as a text, a key, a part of a list, and where JSON or a schema is expected. */
const disguises = (text: string) => [
  text,
  { [text]: text },
  [text],
  `{"${text}`,
  { type: text },
  { $ref: `#/${text}` },
];

const post = (url: string, payload: string) => {
  const headers = { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json' };
  return running.app.inject({ method: 'POST', url, headers, payload });
};

it.each(bodies)('the body of $url with all its fields is answered', async ({ url, body }) => {
  const { statusCode, body: text } = await post(url, JSON.stringify(body));
  expect(text).not.toMatch(/^{"error"/);
  expect(statusCode).toBe(200);
});

it.each(bodies)('a refusal of $url repeats no word of the body', async ({ url, body }) => {
  const cases = fc.record({ text: word, path: fc.constantFrom(...pathsOf(body)), disguise: fc.nat({ max: 5 }) });
  await fc.assert(
    fc.asyncProperty(cases, async ({ text, path, disguise }) => {
      const payload = JSON.stringify(withPart(body, path, disguises(text)[disguise]));
      const answer = await post(url, payload);
      if (answer.statusCode >= 400) expect(answer.body).not.toContain(text);
      expect(running.log()).not.toContain(text);
    }),
    { numRuns: 300 },
  );
});
