/** The shipped image model on the real server, through the official client. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';

const canary = 'a red circle above a blue square canary-51c3';

let server: RunningServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startServer(['--image-threads', '2']);
  client = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: server.listening.apiKey, maxRetries: 0 });
});

afterAll(() => server?.stop());

const drawing = { num_inference_steps: 12, guidance_scale: 3, seed: 5 };

async function drawBase64(fields: Record<string, unknown>): Promise<Buffer[]> {
  const prompt = 'a red circle above a blue square';
  const { data } = await client.images.generate({
    ...drawing,
    prompt,
    response_format: 'b64_json',
    size: '256x256',
    ...fields,
  } as OpenAI.ImageGenerateParamsNonStreaming);
  return data!.map(({ b64_json }) => Buffer.from(b64_json!, 'base64'));
}

describe('images', () => {
  it('have the colours of the prompt in the positions that the prompt names', async () => {
    const [file] = await drawBase64({});
    const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const counts = { redAbove: 0, redBelow: 0, blueAbove: 0, blueBelow: 0 };
    for (let i = 0; i < info.width * info.height; i++) {
      const [red, green, blue] = [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!];
      const isAbove = i < (info.width * info.height) / 2;
      if (red > 150 && green < 90 && blue < 90) counts[isAbove ? 'redAbove' : 'redBelow'] += 1;
      if (blue > 150 && red < 90) counts[isAbove ? 'blueAbove' : 'blueBelow'] += 1;
    }
    expect(counts.redAbove).toBeGreaterThan(500);
    expect(counts.blueBelow).toBeGreaterThan(500);
    expect(counts.redAbove).toBeGreaterThan(10 * counts.redBelow);
    expect(counts.blueBelow).toBeGreaterThan(10 * counts.blueAbove);
  });

  it('are the same for the same seed, and image k of n equals that of seed + k', async () => {
    const digest = (file: Buffer) => createHash('sha256').update(file).digest('hex');
    const [first] = await drawBase64({});
    const again = await drawBase64({ n: 3 });
    const [second] = await drawBase64({ seed: 6 });
    const near = async (one: Buffer, other: Buffer) => {
      const [a, b] = await Promise.all([one, other].map((file) => sharp(file).raw().toBuffer()));
      return a!.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b![i]!)), 0);
    };
    expect(digest((await drawBase64({}))[0]!)).toBe(digest(first!));
    // Another batch size may round differently, by one or two levels.
    expect(await near(again[0]!, first!)).toBeLessThanOrEqual(8);
    expect(await near(again[1]!, second!)).toBeLessThanOrEqual(8);
    expect(digest(second!)).not.toBe(digest(first!));
  });

  it('are returned by default as links that work once', async () => {
    const { data } = await client.images.generate({
      ...drawing,
      prompt: canary,
    } as OpenAI.ImageGenerateParamsNonStreaming);
    const picture = await fetch(data![0]!.url!);
    const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
    expect({ width, height }).toEqual({ width: 1024, height: 1024 });
    expect((await fetch(data![0]!.url!)).status).toBe(404);
  });

  it('have the requested landscape size', async () => {
    const [file] = await drawBase64({ prompt: 'a green hill under a yellow sun', size: '1792x1024' });
    const { width, height } = await sharp(file).metadata();
    expect({ width, height }).toEqual({ width: 1792, height: 1024 });
  });

  it('are previewed in the stream of the official client before they are finished', async () => {
    const stream = await client.images.generate({
      ...drawing,
      ...{ prompt: 'a red circle above a blue square', size: '256x256', response_format: 'b64_json' },
      ...{ stream: true, partial_images: 2 },
    } as OpenAI.ImageGenerateParamsStreaming);
    const seen: string[] = [];
    const pictures: Buffer[] = [];
    for await (const event of stream) {
      if (event.type === 'image_generation.partial_image') seen.push(`preview ${event.partial_image_index}`);
      if (event.type === 'image_generation.completed') seen.push('completed');
      if ('b64_json' in event) pictures.push(await sharp(Buffer.from(event.b64_json, 'base64')).raw().toBuffer());
    }
    expect(seen).toEqual(['preview 0', 'preview 1', 'completed']);
    const [first, second, last] = pictures as [Buffer, Buffer, Buffer];
    const distance = (one: Buffer, other: Buffer) =>
      one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0);
    // The second preview is closer to the final image than the first.
    expect(distance(second, last)).toBeLessThan(distance(first, last));
  });

  it('are cancelled when the caller disconnects', async () => {
    const leave = new AbortController();
    const body = JSON.stringify({ prompt: canary, n: 10, num_inference_steps: 150, stream: true });
    const response = await server.post('/images/generations', body, { signal: leave.signal });
    await response.body!.getReader().read();
    leave.abort();
    // Ten pictures of 150 steps would take far longer than this one, which waits for them.
    const started = performance.now();
    await drawBase64({});
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('are generated by the example, which reports every step', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-example-'));
    const { baseUrl: BASE_URL, apiKey: API_KEY, certificatePath: CERTIFICATE } = server.listening;
    const outputPath = join(folder, 'picture.png');
    const root = join(import.meta.dirname, '../..');
    const env = { BASE_URL, API_KEY, CERTIFICATE, OUTPUT: outputPath };
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/02-images.ts'], { cwd: root, env });
    expect(stdout).toContain('step 20 of 20');
    expect((await sharp(readFileSync(outputPath)).metadata()).width).toBe(512);
    rmSync(folder, { recursive: true });
  });

  it('leave no prompt text behind (I-004)', () => {
    expect(server.log).not.toContain('canary-51c3');
    expect(server.stateFiles()).not.toContain('canary-51c3');
  });
});
