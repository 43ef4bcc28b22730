import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { fileBytesMax } from '../../../../server/features/images/encoding.ts';
import { PendingImages } from '../../../../server/features/images/pending-images.ts';
import type { ServedImageModel } from '../../../../server/serving/served-model.ts';
import { FakeImageEngine } from '../../../support/runtime/fake-image-engine.ts';
import { parseEvents, startTestApp, type TestApp, terms } from '../../../support/server/test-app.ts';

const canary = 'canary-7f3a9 a red circle';

let engine: FakeImageEngine;
let model: ServedImageModel;
let server: TestApp;

beforeEach(async () => {
  engine = new FakeImageEngine();
  model = { kind: 'image', id: 'fake-image-TEE', engine, created: 1, fingerprint: 'fp', terms };
  server = await startTestApp({ overrides: { models: new Map([[model.id, model]]) } });
});

afterEach(() => server.close());

async function draw(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return await server.app.inject({
    method: 'POST',
    url: '/v1/images/generations',
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
}

describe('POST /v1/images/generations', () => {
  it('has the defaults of the contract (I-034…I-038)', async () => {
    const response = await draw({ prompt: canary });
    expect(response.statusCode).toBe(200);
    expect(engine.requests[0]).toMatchObject({
      ...{ prompt: canary, count: 1, size: { width: 1024, height: 1024 }, steps: 50, guidanceScale: 7.5, seed: 42 },
    });
    expect(Object.keys(response.json().data[0])).toEqual(['url']);
  });

  it.each([
    ['256x256', 256, 256],
    ['512x512', 512, 512],
    ['1024x1024', 1024, 1024],
    ['1792x1024', 1792, 1024],
    ['1024x1792', 1024, 1792],
    ['1536x1024', 1536, 1024],
    ['1024x1536', 1024, 1536],
    ['auto', 1024, 1024],
  ])('draws %s (I-035)', async (size, width, height) => {
    const response = await draw({ prompt: canary, size, response_format: 'b64_json', output_format: 'jpeg' });
    const file = Buffer.from(response.json().data[0].b64_json, 'base64');
    expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width, height });
    expect(engine.requests[0]!.size).toEqual({ width, height });
  });

  it('accepts every quality and an opaque background, and refuses a transparent one', async () => {
    for (const quality of ['auto', 'standard', 'hd', 'low', 'medium', 'high']) {
      expect((await draw({ prompt: canary, quality, background: 'opaque' })).statusCode).toBe(200);
    }
    const response = await draw({ prompt: canary, background: 'transparent' });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatch(/^`background` must be one of "auto", "opaque"/);
    expect((await draw({ prompt: canary, quality: 'best' })).json().error).toMatch(/^`quality` must be/);
  });

  it('accepts both ends of every range (I-034, I-037, I-038)', async () => {
    const ends = [
      { n: 1, guidance_scale: 1, num_inference_steps: 10 },
      { n: 10, guidance_scale: 20, num_inference_steps: 150 },
    ];
    for (const end of ends) {
      const response = await draw({ prompt: canary, size: '256x256', response_format: 'b64_json', ...end });
      expect(response.statusCode).toBe(200);
      expect(response.json().data).toHaveLength(end.n);
    }
    expect(engine.requests.map(({ guidanceScale, steps }) => [guidanceScale, steps])).toEqual([
      [1, 10],
      [20, 150],
    ]);
  });

  it.each([1, 4])('uses the defaults of the model’s catalogue entry: %i steps without guidance', async (steps) => {
    const image = { guidanceScale: 0, steps };
    await server.close();
    server = await startTestApp({ overrides: { models: new Map([['fake-image-TEE', { ...model, image }]]) } });
    await draw({ prompt: canary, size: '256x256' });
    await draw({ prompt: canary, size: '256x256', guidance_scale: 1.5, num_inference_steps: 10 });
    expect((await draw({ prompt: canary, num_inference_steps: 4 })).statusCode).toBe(400);
    expect(engine.requests.map((job) => [job.steps, job.guidanceScale])).toEqual([
      [steps, 0],
      [10, 1.5],
    ]);
  });

  it('returns images as base64 in the requested size, without metadata', async () => {
    const response = await draw({ prompt: canary, n: 3, size: '256x256', response_format: 'b64_json', seed: 7 });
    const { created, data } = response.json();
    expect(created).toBe(1_800_000_000);
    expect(data).toHaveLength(3);
    for (const [index, { b64_json }] of data.entries()) {
      const file = Buffer.from(b64_json, 'base64');
      const { format, width, height, exif, icc, xmp, comments } = await sharp(file).metadata();
      expect({ format, width, height, exif, icc, xmp, comments }).toEqual({ format: 'png', width: 256, height: 256 });
      const { data: pixels } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
      expect(pixels[0]).toBe(7 + index);
      expect(file.includes('canary')).toBe(false);
    }
  });

  it('returns a link that works once, without a key (I-041)', async () => {
    const { data } = (await draw({ prompt: canary, size: '256x256' })).json();
    const link = new URL(data[0].url);
    expect(link.pathname).toMatch(/^\/v1\/images\/pending\/[\w-]{43}$/);
    const first = await server.app.inject({ url: link.pathname });
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
    expect((await sharp(first.rawPayload).metadata()).width).toBe(256);
    expect((await server.app.inject({ url: link.pathname })).statusCode).toBe(404);
  });

  it('links to the configured address and ignores the Host header', async () => {
    const { data } = (await draw({ prompt: canary, size: '256x256' }, { host: 'attacker.example' })).json();
    expect(data[0].url).toMatch(/^https:\/\/api\.example\.com\/v1\/images\/pending\/[\w-]{43}$/);
  });

  it('does not use up a link on a HEAD request', async () => {
    const { data } = (await draw({ prompt: canary, size: '256x256' })).json();
    const url = new URL(data[0].url).pathname;
    expect((await server.app.inject({ method: 'HEAD', url })).statusCode).toBeGreaterThanOrEqual(400);
    expect((await server.app.inject({ url })).statusCode).toBe(200);
  });

  it('rejects a request without a charge if its images would exceed the pending memory (I-082)', async () => {
    await server.close();
    const fileMax = fileBytesMax({ width: 256, height: 256 });
    const pendingImages = new PendingImages({ bytesMax: 4 * fileMax, lifetimeMs: 5_000 });
    const models = new Map([[model.id, { ...model, terms: { ...terms, pricing: { ...terms.pricing, perImage: 1 } } }]]);
    server = await startTestApp({ overrides: { models, pendingImages } });
    const spent = async () => (await server.accounts.findAccount('tests')).balance.spent;
    const body = { prompt: canary, size: '256x256', num_inference_steps: 10 };
    pendingImages.reserve(fileMax).keep({ type: 'image/png', bytes: Buffer.alloc(fileMax) });
    const full = await draw({ ...body, n: 4 });
    expect([full.statusCode, full.headers['retry-after']]).toEqual([429, '5']);
    expect(full.json().details).toMatchObject({ code: 'ERR_IMAGES_FULL', retry_after: 5 });
    expect([engine.requests.length, await spent()]).toEqual([0, 0]);
    // The unused part of the reservation is free again.
    for (let times = 0; times < 4; times++) expect((await draw({ ...body, n: 2 })).statusCode).toBe(200);
    expect(await spent()).toBe(8);
    expect((await draw({ ...body, n: 4, response_format: 'b64_json' })).statusCode).toBe(200);
  });

  it('returns one raw image if Accept names an image type (I-040)', async () => {
    const jpeg = await draw({ prompt: canary, size: '512x512' }, { accept: 'image/jpeg' });
    expect(jpeg.headers['content-type']).toBe('image/jpeg');
    expect((await sharp(jpeg.rawPayload).metadata()).format).toBe('jpeg');
    const two = await draw({ prompt: canary, n: 2, size: '256x256' }, { accept: 'image/png' });
    expect(two.headers['content-type']).toContain('application/json');
  });

  it('streams the progress, then the images', async () => {
    const body = {
      prompt: canary,
      num_inference_steps: 10,
      stream: true,
      response_format: 'b64_json',
      size: '256x256',
    };
    const events = parseEvents((await draw(body)).body);
    expect(events).toHaveLength(11);
    expect(JSON.parse(events[2]!.data)).toEqual({ type: 'image.progress', step: 3, steps: 10 });
    expect(events.at(-1)!.event).toBe('image_generation.completed');
    expect(JSON.parse(events.at(-1)!.data)).toEqual({
      type: 'image_generation.completed',
      ...{ created_at: 1_800_000_000, output_format: 'png', size: '256x256', index: 0 },
      ...{ quality: 'auto', background: 'opaque', usage: expect.objectContaining({ total_tokens: 0 }) },
      b64_json: expect.stringMatching(/^iVBOR/),
    });
  });

  it('streams previews on request, in OpenAI’s format, at most 512 pixels wide or high', async () => {
    const body = { prompt: canary, n: 2, num_inference_steps: 10, stream: true, partial_images: 3, size: '1792x1024' };
    const events = parseEvents((await draw(body)).body).map(({ data }) => JSON.parse(data));
    const previews = events.filter(({ type }) => type === 'image_generation.partial_image');
    expect(previews.map((one) => [one.partial_image_index, one.index])).toEqual([
      ...[0, 1, 2].flatMap((number) => [0, 1].map((index) => [number, index])),
    ]);
    expect(previews[0]).toMatchObject({ size: '512x293', output_format: 'png', created_at: 1_800_000_000 });
    const file = sharp(Buffer.from(previews[3].b64_json, 'base64'));
    expect(await file.metadata()).toMatchObject({ width: 512, height: 293, format: 'png' });
    expect((await file.raw().toBuffer())[0]).toBe(42 + 1 + 100);
    const finished = events.filter(({ type }) => type === 'image_generation.completed');
    expect(finished.map(({ index, url }) => [index, typeof url])).toEqual([
      [0, 'string'],
      [1, 'string'],
    ]);
  });

  it('computes no previews for a response that is not streamed', async () => {
    await draw({ prompt: canary, partial_images: 2, size: '256x256' });
    expect(engine.requests[0]!.previews).toBe(0);
  });

  it('exports queue, steps, images and failures to Prometheus, without content', async () => {
    await draw({ prompt: canary, n: 2, num_inference_steps: 10, size: '256x256' });
    engine.failAfter = { step: 0, error: new RuntimeError('ERR_QUEUE_FULL', 'full') };
    await draw({ prompt: canary, size: '256x256' });
    await draw({ prompt: canary, size: '256x256', stream: true });
    const text = await server.metrics.registry.metrics();
    const value = (name: string) => new RegExp(`^cloister_image_${name} (.*)$`, 'm').exec(text)?.[1];
    expect(value('queue_time_seconds_sum{model_name="fake-image-TEE"}')).toBe('0.75');
    expect(value('step_seconds_count{model_name="fake-image-TEE"}')).toBe('10');
    expect(value('seconds_per_image_count{model_name="fake-image-TEE"}')).toBe('1');
    expect(value('request_latency_seconds_count{model_name="fake-image-TEE"}')).toBe('1');
    expect(value('failure_total{model_name="fake-image-TEE",code="ERR_QUEUE_FULL"}')).toBe('2');
    expect(text).not.toContain('canary');
  });

  it('ends a stream that fails with an error event', async () => {
    engine.failAfter = { step: 4, error: new RuntimeError('ERR_DEADLINE', 'the drawing ran out of time') };
    const events = parseEvents((await draw({ prompt: canary, stream: true })).body);
    expect(events.map(({ event }) => event)).toEqual([...Array(4).fill('image.progress'), 'error']);
    expect(JSON.parse(events.at(-1)!.data).details).toMatchObject({ status: 504, code: 'ERR_DEADLINE' });
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: '   ' }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ n: 11 }, 'n'],
    [{ n: 0 }, 'n'],
    [{ size: '300x300' }, 'size'],
    [{ response_format: 'file' }, 'response_format'],
    [{ guidance_scale: 0.5 }, 'guidance_scale'],
    [{ guidance_scale: 21 }, 'guidance_scale'],
    [{ num_inference_steps: 9 }, 'num_inference_steps'],
    [{ num_inference_steps: 10.5 }, 'num_inference_steps'],
    [{ num_inference_steps: 151 }, 'num_inference_steps'],
    [{ seed: -1 }, 'seed'],
    [{ seed: 2 ** 32 }, 'seed'],
    [{ output_format: 'gif' }, 'output_format'],
    [{ output_compression: 50 }, 'output_compression'],
    [{ output_compression: 101, output_format: 'jpeg' }, 'output_compression'],
    [{ stream: 'yes' }, 'stream'],
    [{ partial_images: 4 }, 'partial_images'],
    [{ negative_prompt: 'a'.repeat(32_001) }, 'negative_prompt'],
  ])('rejects %j naming the field (I-069)', async (fields, field) => {
    const prompt = Object.keys(fields).length === 0 ? {} : { prompt: canary };
    const response = await draw({ ...prompt, ...fields });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(`\`${field}\``);
  });

  it('accepts a prompt of at most 32,000 characters', async () => {
    const drawOf = (length: number) => draw({ prompt: 'a'.repeat(length), size: '256x256' });
    expect((await drawOf(32_000)).statusCode).toBe(200);
    expect((await drawOf(32_001)).json().error).toMatch(/^`prompt` must have 1 to 32000 characters/);
  });

  it('ignores the model and unknown fields (I-033)', async () => {
    expect((await draw({ prompt: canary, model: 'dall-e-3', style: 'vivid', size: '256x256' })).statusCode).toBe(200);
  });

  it('requires a key (I-070)', async () => {
    expect((await draw({ prompt: canary }, { authorization: 'Bearer clst_wrong' })).statusCode).toBe(401);
  });

  it('writes no text of a prompt to log or metrics (I-004)', async () => {
    await draw({ prompt: canary, size: '256x256' });
    await draw({ prompt: canary, n: 99 });
    engine.failAfter = { step: 0, error: new RuntimeError('ERR_INTERNAL', `defect ${canary}`) };
    expect((await draw({ prompt: canary })).body).not.toContain('canary');
    expect(server.log()).not.toContain('canary');
    expect(await server.metrics.registry.metrics()).not.toContain('canary');
  });

  it('lists the model with its image sizes', async () => {
    const response = await server.app.inject({
      url: '/v1/models',
      headers: { authorization: `Bearer ${server.secret}` },
    });
    expect(response.json().data[0]).toMatchObject({ id: 'fake-image-TEE', native_sizes: ['8×8'] });
  });
});
