/** The models that an account's plan allows, and the responses for other models (I-010, I-013). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServedModel, ServedModels } from '../../../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../../../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../../../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../../../support/runtime/fake-image-engine.ts';
import { startTestApp, type TestApp, terms } from '../../../support/server/test-app.ts';

const first = new FakeImageEngine();
const second = new FakeImageEngine();
const engine = new FakeEngine({ script: (chat) => void chat.answer('yes') });

let server: TestApp;

beforeEach(async () => {
  const served = { created: 1, fingerprint: 'fp', terms };
  const ofPro = { ...served, terms: { ...terms, plans: ['pro'] } };
  const pricing = { promptPerMillion: 0, completionPerMillion: 0, perImage: 10_000, perStep: 400 };
  const image = (plans: readonly string[]) => ({ ...served, terms: { ...terms, pricing, plans } });
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: 'small-TEE', engine, aliases: ['small', 'big-TEE'], ...served },
    { kind: 'chat', id: 'big-TEE', engine, ...ofPro },
    { kind: 'embedding', id: 'embedding-TEE', engine: new FakeEmbeddingEngine(), embedding: {}, ...ofPro },
    { kind: 'image', id: 'first-image-TEE', engine: first, ...image(['pro']) },
    { kind: 'image', id: 'second-image-TEE', engine: second, ...image(['*']) },
  ];
  server = await startTestApp({ overrides: { models: new ServedModels(models) } });
});

afterEach(() => server.close());

async function post(url: string, payload: object): Promise<{ status: number; json: Refusal }> {
  const headers = { 'x-service-key': server.secret };
  const response = await server.app.inject({ method: 'POST', url: `/v1${url}`, headers, payload });
  return { status: response.statusCode, json: response.json() };
}

interface Listed {
  readonly id: string;
  readonly pricing: unknown;
}

interface Refusal {
  readonly error: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const chat = (model: string) => post('/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] });
const embed = (model: string) => post('/embeddings', { model, input: 'a' });

async function moveTo(plan: string, models?: Readonly<Record<string, readonly string[]>>): Promise<void> {
  if (models !== undefined) await server.accounts.changePlan({ id: plan, change: { models }, now: Date.now() });
  await server.accounts.moveToPlan({ account: 'tests', plan });
}

describe('an unknown model', () => {
  it('is answered with 400 and the ids available to this account (I-013)', async () => {
    await moveTo('team');
    expect(await chat('gpt-4')).toEqual({
      status: 400,
      json: {
        error: '`model` is not served here; these are: small-TEE',
        details: { status: 400, code: 'ERR_MODEL_UNKNOWN', endpoint: '/v1/chat/completions' },
      },
    });
    await moveTo('pro');
    expect((await chat('gpt-4')).json.error).toBe('`model` is not served here; these are: small-TEE, big-TEE');
    expect((await embed('gpt-4')).json.error).toBe('`model` is not served here; these are: embedding-TEE');
  });

  it('is answered with the models that the plan names, in its order', async () => {
    await moveTo('pro', { chat: ['big-TEE', 'elsewhere-TEE', 'small-TEE', 'embedding-TEE'] });
    expect((await chat('gpt-4')).json.error).toBe('`model` is not served here; these are: big-TEE, small-TEE');
  });

  it('is rejected with an error that names the plan if the plan has no model', async () => {
    await moveTo('team');
    const { status, json } = await embed('gpt-4');
    expect([status, json.error]).toEqual([
      400,
      '`model` is not served here; the plan Team has no model of this kind here',
    ]);
  });
});

describe('the lists of models', () => {
  const listed = async (path: string): Promise<Listed[]> => {
    const headers = { 'x-service-key': server.secret };
    return (await server.app.inject({ url: path, headers })).json().data;
  };

  it('contain the models of the plan, with the unit prices of every kind (I-010)', async () => {
    await moveTo('pro');
    const prices = Object.fromEntries((await listed('/v1/models')).map(({ id, pricing }) => [id, pricing]));
    expect(prices).toEqual({
      'small-TEE': { prompt: 1, completion: 2 },
      'big-TEE': { prompt: 1, completion: 2 },
      'embedding-TEE': { prompt: 1 },
      'first-image-TEE': { image: 0.01, step: 0.0004 },
      'second-image-TEE': { image: 0.01, step: 0.0004 },
    });
  });

  it('have the members that clients of OpenRouter and LiteLLM read', async () => {
    await moveTo('pro');
    const byId = new Map((await listed('/v1/models')).map((model) => [model.id, model]));
    expect(byId.get('small-TEE')).toMatchObject({
      name: 'small-TEE',
      mode: 'chat',
      input_cost_per_token: 0.000001,
      output_cost_per_token: 0.000002,
      input_modalities: ['text'],
      output_modalities: ['text'],
      max_input_tokens: terms.contextLength,
      max_output_tokens: terms.maxOutputTokens,
      top_provider: {
        context_length: terms.contextLength,
        max_completion_tokens: terms.maxOutputTokens,
        is_moderated: false,
      },
      supported_parameters: expect.arrayContaining(['temperature', 'tools', 'reasoning', 'structured_outputs']),
    });
    const embedding = { mode: 'embedding', input_cost_per_token: 0.000001, output_modalities: ['embeddings'] };
    expect(byId.get('embedding-TEE')).toMatchObject(embedding);
    const image = { mode: 'image_generation', output_cost_per_image: 0.01, output_modalities: ['image'] };
    expect(byId.get('first-image-TEE')).toMatchObject(image);
    expect(byId.get('first-image-TEE')).not.toHaveProperty('supported_parameters');
  });

  it('answer an unknown id with the code of OpenAI below /openai/v1', async () => {
    const headers = { 'x-service-key': server.secret };
    const unknown = async (prefix: string) => await server.app.inject({ url: `${prefix}/v1/models/zzz`, headers });
    expect((await unknown('')).json().details).toMatchObject({ status: 404, code: 'ERR_MODEL_ABSENT' });
    const answer = await unknown('/openai');
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'model_not_found']);
  });

  it('omit models that the plan does not allow', async () => {
    await moveTo('team');
    expect((await listed('/v1/models')).map(({ id }) => id)).toEqual(['small-TEE', 'second-image-TEE']);
    const headers = { 'x-service-key': server.secret };
    const one = await server.app.inject({ url: '/v1/models/big-TEE', headers });
    expect([one.statusCode, one.json().error]).toEqual([
      404,
      'the plan Team has no model with this id; its models are: small-TEE, second-image-TEE',
    ]);
    await moveTo('team', { chat: [], confidential: ['big-TEE'], images: [] });
    expect((await listed('/v1/models')).map(({ id }) => id)).toEqual(['big-TEE']);
  });

  it('state the plan’s own price if it charges a share of the price', async () => {
    await moveTo('free');
    expect((await listed('/v1/models'))[0]).toMatchObject({ id: 'small-TEE', pricing: { prompt: 0, completion: 0 } });
  });
});

describe('an alias', () => {
  it('reaches its model, which answers and is listed under its own id', async () => {
    const answers = [
      await chat('small'),
      await post('/responses', { model: 'small', input: 'Hi', store: false }),
      await post('/completions', { model: 'small', prompt: 'Hi' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { json } of answers) expect(json).toMatchObject({ model: 'small-TEE' });
    const headers = { 'x-service-key': server.secret };
    const one = await server.app.inject({ url: '/v1/models/small', headers });
    expect(one.json()).toMatchObject({ id: 'small-TEE', aliases: ['small', 'big-TEE'] });
  });

  it('works in a body that is read on another thread', async () => {
    const content = 'word '.repeat(20_000);
    const { status, json } = await post('/chat/completions', { model: 'small', messages: [{ role: 'user', content }] });
    expect([status, json]).toMatchObject([200, { model: 'small-TEE' }]);
  });

  it('never replaces the id of another model, and gives no model that the plan lacks', async () => {
    await moveTo('pro');
    expect((await chat('big-TEE')).json).toMatchObject({ model: 'big-TEE' });
    await moveTo('team', { chat: ['big-TEE'] });
    expect(await chat('small')).toMatchObject({ status: 400, json: { details: { code: 'ERR_MODEL_NOT_IN_PLAN' } } });
  });
});

describe('a model of another kind', () => {
  it('is answered like an unknown model', async () => {
    expect((await chat('embedding-TEE')).json.details.code).toBe('ERR_MODEL_UNKNOWN');
    expect((await embed('small-TEE')).json.details.code).toBe('ERR_MODEL_UNKNOWN');
  });
});

describe('an image', () => {
  it('is generated by the first image model of the plan, since no field names one (I-010, I-033)', async () => {
    const drawn = async () => {
      const before = [first.requests.length, second.requests.length] as const;
      const { status } = await post('/images/generations', { prompt: 'a circle', size: '256x256' });
      expect(status).toBe(200);
      return [first.requests.length - before[0], second.requests.length - before[1]];
    };
    await moveTo('team');
    expect(await drawn()).toEqual([0, 1]);
    await moveTo('pro');
    expect(await drawn()).toEqual([1, 0]);
    await moveTo('pro', { images: ['second-image-TEE', 'first-image-TEE'] });
    expect(await drawn()).toEqual([0, 1]);
  });

  it('is rejected if the plan has no image model', async () => {
    await moveTo('team', { images: [] });
    expect(await post('/images/generations', { prompt: 'a circle' })).toMatchObject({
      status: 400,
      json: { details: { code: 'ERR_MODEL_NOT_IN_PLAN', plan: 'team' } },
    });
  });
});
