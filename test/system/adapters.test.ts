/** The demo chat model with its LoRA adapter on the real server, through the official client. */
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue } from '../../models/catalogue/catalogue.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const catalogue = join(import.meta.dirname, '../../models/demo/chat/catalogue.json');
const base = 'cloister-demo-TEE';
const adapted = `${base}:spelled`;
let server: RunningServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startServer(['--simulate-tdx', '--catalogue', catalogue, '--sequences', '8']);
  client = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: server.listening.apiKey, maxRetries: 0 });
});

afterAll(() => server?.stop());

async function chat(model: string, content = 'What is 7 plus 5?') {
  return await client.chat.completions.create({ model, messages: [{ role: 'user', content }], temperature: 0 });
}

const textOf = ({ choices }: OpenAI.ChatCompletion) => choices[0]!.message.content;

describe('a model with an adapter', () => {
  it('answers with the adapter that the request names, and without one if it names none', async () => {
    expect(textOf(await chat(adapted))).toBe('7 + 5 = 12, that is twelve.');
    expect(textOf(await chat(base))).toBe('7 + 5 = 12.');
  });

  it('answers each of many parallel requests with its own weights', async () => {
    const models = Array.from({ length: 16 }, (_, index) => (index % 3 === 0 ? base : adapted));
    const answers = await Promise.all(models.map((model) => chat(model)));
    expect(answers.map(textOf)).toEqual(
      models.map((model) => (model === base ? '7 + 5 = 12.' : '7 + 5 = 12, that is twelve.')),
    );
    expect(new Set(answers.map(({ model, system_fingerprint }) => `${model} ${system_fingerprint}`)).size).toBe(2);
  });

  it('reuses the prefix of a conversation only with the same adapter', async () => {
    const question = `${'Remember these words: alpha, beta, gamma, delta. '.repeat(4)}What is 3 plus 4?`;
    const cached = async (model: string) => (await chat(model, question)).usage!.prompt_tokens_details!.cached_tokens!;
    await cached(base);
    expect(await cached(adapted)).toBe(0);
    expect(await cached(base)).toBeGreaterThan(40);
    expect(await cached(adapted)).toBeGreaterThan(40);
  });

  it('is listed after its model, with the same prices', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual([base, adapted]);
    const [model, adapter] = data as unknown as readonly { pricing: object; parent?: string }[];
    expect(adapter).toMatchObject({ parent: base, pricing: model!.pricing });
    expect(model!.parent).toBeUndefined();
    expect(await client.models.retrieve(adapted)).toMatchObject({ id: adapted });
  });

  it('states in the receipt which weights answered', async () => {
    const [entry] = (await readCatalogue(catalogue)).models;
    const digests = entry!.files.map(({ sha256 }) => `sha256:${sha256}`);
    const weights = async (model: string) => {
      const { response } = await client.chat.completions
        .create({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 2 })
        .withResponse();
      const id = response.headers.get('x-receipt-id')!;
      const receipt = (await client.get(`/aci/receipts/${id}`)) as { event_log: readonly { type: string }[] };
      return receipt.event_log.find(({ type }) => type === 'cloister.inference');
    };
    expect(await weights(adapted)).toMatchObject({ model_id: adapted, weights: digests });
    expect(await weights(base)).toMatchObject({ model_id: base, weights: digests.slice(0, 1) });
  });

  it.each([`${base}:other`, `${base}:`, ':spelled', `${adapted}:spelled`])(
    'is unknown under the name %s',
    async (model) => {
      await expect(chat(model)).rejects.toMatchObject({ status: 400 });
    },
  );
});
