/** Embeddings from an ONNX folder and from a GGUF file on the real server, through the official client. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTokenizer } from '../../models/tokenizer/text-tokenizer.ts';
import { tinyBert, writeEmbeddingFolder } from '../support/models/embedding-folder.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { plainBert } from '../support/models/plain-bert.ts';
import { randomBertGguf } from '../support/models/random-bert-gguf.ts';
import { tinyWords } from '../support/models/tiny-words.ts';
import { wordPieceFile } from '../support/models/tokenizer-files.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const canary = 'canary90f';
const seed = 1;
const onnx = 'tiny-onnx-TEE';
const int8 = 'tiny-int8-TEE';
const gguf = 'tiny-gguf-TEE';
const int8Least = 0.99;

let scratch: Awaited<ReturnType<typeof scratchFolder>>;
let server: RunningServer;
let client: OpenAI;

beforeAll(async () => {
  scratch = await scratchFolder();
  const at = (name: string) => join(scratch.path, name);
  writeEmbeddingFolder(at('tiny-onnx'), { seed: seed });
  const int8 = writeEmbeddingFolder(at('tiny-int8'), { seed: seed, type: 'int8' });
  writeGguf(at('tiny-gguf.gguf'), randomBertGguf(tinyBert, { seed: seed, tokenizer: wordPieceFile() }));
  const catalogue = at('catalogue.json');
  writeFileSync(catalogue, JSON.stringify({ version: 1, models: [catalogueEntry('tiny-onnx')] }));
  const models = [onnx, int8, at('tiny-gguf.gguf')].join(',');
  server = await startServer(['--catalogue', catalogue, '--model', models, '--embedding-threads', '2']);
  client = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: server.listening.apiKey, maxRetries: 0 });
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await scratch?.[Symbol.asyncDispose]();
});

/** A catalogue entry with every file of a folder next to the catalogue, the graph first. */
function catalogueEntry(folder: string): object {
  const paths = readdirSync(join(scratch.path, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => Number(b.endsWith('.onnx')) - Number(a.endsWith('.onnx')));
  const files = paths.map((path) => {
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path: path.slice(scratch.path.length + 1), sha256, bytes: bytes.length };
  });
  return {
    ...{ id: onnx, kind: 'onnx-embedding', name: 'Tiny', source: { kind: 'path' }, files, contextLength: 48 },
    ...{ capabilities: ['embeddings'], pricing: { promptPerMillion: 0, completionPerMillion: 0 }, plans: ['*'] },
    embedding: { dimensions: [8, 16], queryPrefix: 'query ' },
  };
}

/** Distinct texts with the given numbers of words. */
function texts(...lengths: number[]): string[] {
  return lengths.map((length, text) =>
    Array.from({ length }, (_, word) => tinyWords[(7 * text + 3 * word) % tinyWords.length]).join(' '),
  );
}

const tokenizer = parseTokenizer(JSON.stringify(wordPieceFile()));
const tokensOf = (text: string) => [...tokenizer.tokenize([text])[0]!];
const expected = (text: string) => plainBert(tinyBert, seed, tokensOf(text));
const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0) / (Math.hypot(...a) * Math.hypot(...b));

async function embed(fields: Partial<OpenAI.EmbeddingCreateParams> & Record<string, unknown>): Promise<number[][]> {
  const { data } = await client.embeddings.create({ model: onnx, input: 'one', ...fields });
  return data.map(({ embedding }) => embedding);
}

describe('embeddings', () => {
  it.each([
    [onnx, 0.999999],
    [gguf, 0.9999],
    [int8, int8Least],
  ])('of %s equal those of the reference computation, in the order of the input', async (model, least) => {
    const input = texts(3, 11, 1, 6, 20, 2, 9);
    const { data, usage } = await client.embeddings.create({ model, input });
    expect(data.map(({ index }) => index)).toEqual([...input.keys()]);
    for (const [index, text] of input.entries()) {
      expect(cosine(data[index]!.embedding, expected(text))).toBeGreaterThan(least);
      expect(Math.hypot(...data[index]!.embedding)).toBeCloseTo(1, 5);
    }
    expect(usage.prompt_tokens).toBe(input.reduce((sum, text) => sum + tokensOf(text).length, 0));
  });

  it.each([onnx, gguf])('of %s are the same for a text, for its token ids, and as floats', async (model) => {
    const [text] = texts(8);
    const ids = tokensOf(text!).slice(1, -1);
    const [fromText] = await embed({ model, input: text! });
    const [fromIds] = await embed({ model, input: ids });
    const [fromLists] = await embed({ model, input: [ids] });
    const [floats] = await embed({ model, input: text!, encoding_format: 'float' });
    expect(fromIds).toEqual(fromText);
    expect(fromLists).toEqual(fromText);
    expect(floats).toEqual(fromText);
  });

  it('of 2,048 texts are returned in order', async () => {
    const input = texts(...Array.from({ length: 2048 }, (_, index) => 1 + (index % 12)));
    const vectors = await embed({ input });
    expect(vectors).toHaveLength(2048);
    for (const index of [0, 1, 700, 1500, 2047]) {
      expect(cosine(vectors[index]!, expected(input[index]!))).toBeGreaterThan(0.999999);
    }
  });

  it('of concurrent callers are not mixed up', async () => {
    const asked = texts(...Array.from({ length: 60 }, (_, index) => 1 + (index % 20)));
    const models = [onnx, gguf, int8];
    const answers = await Promise.all(asked.map((input, index) => embed({ model: models[index % 3]!, input })));
    for (const [index, [vector]] of answers.entries()) {
      expect(cosine(vector!, expected(asked[index]!))).toBeGreaterThan(int8Least);
    }
  });

  it('of an int8 model are bit-identical for every batch', async () => {
    const [text, ...others] = texts(5, 3, 12, 20);
    const [alone] = await embed({ model: int8, input: text! });
    const together = await embed({ model: int8, input: [...others, text!] });
    expect(together.at(-1)).toEqual(alone);
  });

  it('can be truncated to declared dimensions, and use the catalogue’s prefix for queries', async () => {
    const [whole] = await embed({ input: 'kindly' });
    const [cut] = await embed({ input: 'kindly', dimensions: 8 });
    expect(cut).toHaveLength(8);
    expect(cosine(cut!, whole!.slice(0, 8))).toBeGreaterThan(0.999999);
    await expect(embed({ input: 'kindly', dimensions: 9 })).rejects.toMatchObject({ status: 400 });
    const [query] = await embed({ input: 'kindly', input_type: 'query' });
    expect(cosine(query!, expected('query kindly'))).toBeGreaterThan(0.999999);
  });

  it('of texts that are too long are rejected with token counts, or truncated on request', async () => {
    const [long] = texts(100);
    const counted = tokensOf(long!).length;
    for (const [model, limit] of [
      [onnx, 48],
      [gguf, tinyBert.context],
    ] as const) {
      await expect(embed({ model, input: ['a', long!] })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(`\`input[1]\` has ${counted} tokens, the model takes ${limit}`),
      });
      const { data, usage } = await client.embeddings.create({
        model,
        input: long!,
        truncate: true,
      } as OpenAI.EmbeddingCreateParams);
      expect(usage.prompt_tokens).toBe(limit);
      const kept = [...tokensOf(long!).slice(0, limit - 1), tokensOf(long!).at(-1)!];
      expect(cosine(data[0]!.embedding, plainBert(tinyBert, seed, kept))).toBeGreaterThan(0.9999);
    }
  });

  it('reject token ids outside the vocabulary, and keep working', async () => {
    for (const model of [onnx, gguf]) {
      await expect(embed({ model, input: [[5, 99_999]] })).rejects.toMatchObject({ status: 400 });
      await expect(embed({ model, input: Array.from({ length: 300_000 }, () => 5) })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('at least 300000 tokens'),
      });
      expect(await embed({ model, input: 'one' })).toHaveLength(1);
    }
  });

  it('can be computed for unusual texts', async () => {
    const input = ['\0', '\ud800', '￾', '🏳️‍🌈', 'a'.repeat(200_000), ' '.repeat(1000), '[CLS] [SEP] [PAD]', '‮abc'];
    for (const model of [onnx, gguf, int8]) {
      const vectors = await embed({ model, input, truncate: true });
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
  });

  it('are counted in the Prometheus metrics', async () => {
    const metrics = await (await fetch(server.listening.metricsUrl)).text();
    const value = (name: string, model: string) =>
      Number(new RegExp(`^cloister_embedding_${name}\\{model_name="${model}"\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
    expect(value('texts_total', onnx)).toBeGreaterThan(2048);
    expect(value('padding_tokens_total', onnx)).toBeLessThan(0.3 * value('tokens_total', onnx));
    expect(value('padding_tokens_total', gguf)).toBe(0);
    expect(value('batches_total', onnx)).toBeLessThan(value('texts_total', onnx) / 10);
  });

  it('are computed by the example program', async () => {
    const { baseUrl: BASE_URL, apiKey: API_KEY, certificatePath: CERTIFICATE } = server.listening;
    const root = join(import.meta.dirname, '../..');
    const env = { BASE_URL, API_KEY, CERTIFICATE };
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/04-embeddings.ts'], { cwd: root, env });
    expect(stdout).toMatch(/^0\.\d+ .+\n(-?\d\.\d+ .+\n)+$/);
  });

  it('leave no input text behind (I-004)', async () => {
    await embed({ input: [canary, `${canary} ${canary}`], user: canary });
    await expect(embed({ input: `${canary} `.repeat(100) })).rejects.toMatchObject({ status: 400 });
    await expect(embed({ input: canary, model: `${canary}-TEE` })).rejects.toMatchObject({ status: 400 });
    expect(server.log).not.toContain(canary);
    expect(server.stateFiles()).not.toContain(canary);
    expect(await (await fetch(server.listening.metricsUrl)).text()).not.toContain(canary);
  });
});
