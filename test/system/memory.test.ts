/**
 * Request data that remains in the memory of a server: a canary goes through every route and every way in which a request can end, and
 * the memory of the process is searched for it afterwards. SECURITY.md names what may stay.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { parseTokenizer } from '../../models/tokenizer/text-tokenizer.ts';
import { Engine } from '../../native/index.ts';
import { findInMemory, type Hit, type Pattern, whyUnreadable } from '../support/process-memory.ts';
import { memoryScenes } from '../support/server/memory-scenes.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const models = join(import.meta.dirname, '../../models/demo');
/** Threads run garbage collection one second after the last request, and once more; a busy machine takes longer. */
const settlingMs = 60_000;

/** The prefix of every canary of this run, so that one search finds them all. */
const marker = `q${randomBytes(5).toString('hex')}z`;

let server: RunningServer;
let unreadable: string | undefined;
let hits: readonly Hit[] = [];

beforeAll(async () => {
  server = await startServer(['--simulate-tdx']);
  const pid = server.process.pid!;
  unreadable = whyUnreadable(pid);
  if (unreadable !== undefined) {
    console.warn(`skipped: ${unreadable}`);
    return;
  }
  const patterns: Pattern[] = [
    { name: 'UTF-8', bytes: Buffer.from(marker, 'latin1') },
    { name: 'UTF-16', bytes: Buffer.from(marker, 'utf16le') },
    ...tokenPatterns('chat tokens', await chatTokens(marker)),
    ...tokenPatterns('embedding tokens', embeddingTokens(marker)),
  ];
  for (const { id, title, status, send } of memoryScenes) {
    const response = await send(server, `${marker}${id}`);
    expect([title, response.status]).toEqual([title, status]);
    if (id === 'imag') patterns.push(...(await picturePatterns(await response.text())));
    else if (!response.body!.locked) await response.text();
  }
  const end = performance.now() + settlingMs;
  do {
    await wait(2000);
    hits = findInMemory(pid, patterns);
  } while (hits.some(isUnexpected) && performance.now() < end);
});
afterAll(() => server?.stop());

/** The prefix cache holds the tokens of conversations; pages of the JavaScript heap keep pieces until they are used again. */
function isUnexpected({ area, pattern }: Hit): boolean {
  return area !== 'JavaScript heap' && !pattern.startsWith('chat tokens');
}

/** Encodes tokens in 32 bits, in 64 bits, and as V8 stores small integers in an array. */
function tokenPatterns(name: string, tokens: readonly number[]): Pattern[] {
  expect(tokens.length).toBeGreaterThanOrEqual(4);
  const wide = (shift: bigint) => Buffer.from(BigInt64Array.from(tokens, (token) => BigInt(token) << shift).buffer);
  return [
    { name: `${name}, 32 bits`, bytes: Buffer.from(Int32Array.from(tokens).buffer) },
    { name: `${name}, 64 bits`, bytes: wide(0n) },
    { name: `${name}, small integers`, bytes: wide(32n) },
  ];
}

/** Except for the first and the last, which depend on the adjacent text. */
async function chatTokens(word: string): Promise<readonly number[]> {
  const modelPath = join(models, 'chat/cloister-demo-chat.gguf');
  const engine = await Engine.load({ modelPath, sequences: 1, contextPerSequence: 64, threads: 1, gpu: 'off' });
  const tokens = engine.tokenize(` ${word}`);
  await engine.close();
  return [...tokens.slice(1, -1)];
}

function embeddingTokens(word: string): readonly number[] {
  const tokenizer = parseTokenizer(readFileSync(join(models, 'embedding/tokenizer.json'), 'utf8'));
  // Removes the special tokens at both ends, and the last token of the word, which depends on the following text.
  return [...tokenizer.tokenize([word])[0]!].slice(1, -2);
}

/** Bytes from the middle of the file and of the pixels. @param answer contains one image as base64 */
async function picturePatterns(answer: string): Promise<Pattern[]> {
  const { data } = JSON.parse(answer) as { data: { b64_json: string }[] };
  const file = Buffer.from(data[0]!.b64_json, 'base64');
  const pixels = await sharp(file).raw().toBuffer();
  return [
    { name: 'image, file', bytes: variedBytes(file) },
    { name: 'image, pixels', bytes: variedBytes(pixels) },
  ];
}

/** 48 bytes after the middle, past any plain background. */
function variedBytes(bytes: Buffer): Buffer {
  for (let at = bytes.length >> 1; at + 48 <= bytes.length; at += 48) {
    const piece = bytes.subarray(at, at + 48);
    if (new Set(piece).size >= 16) return piece;
  }
  throw new Error('the image is too plain to be recognised in memory');
}

function expectNone(found: readonly Hit[], { skip }: TestContext): void {
  if (unreadable !== undefined) skip(unreadable);
  const shown = found.map(
    ({ pattern, area, bytes }) => `${pattern} in ${area}: ${bytes.toString('latin1').replaceAll(/[^ -~]/g, '.')}`,
  );
  expect(shown).toEqual([]);
}

const isText = ({ pattern }: Hit) => pattern.startsWith('UTF');

describe('native memory of an idle server contains no text of', () => {
  it.for(memoryScenes)('$title', ({ id }, context) => {
    expectNone(
      hits.filter((hit) => isUnexpected(hit) && isOf(hit, id)),
      context,
    );
  });
});

describe('an idle server', () => {
  it('retains no request data in native memory except tokens in the prefix cache', (context) => {
    expectNone(hits.filter(isUnexpected), context);
  });

  it('has cleared most texts from the JavaScript heap', (context) => {
    if (unreadable !== undefined) context.skip(unreadable);
    const left = memoryScenes.filter(({ id }) => hits.some((hit) => isText(hit) && isOf(hit, id)));
    expect(left.length).toBeLessThanOrEqual(memoryScenes.length / 2);
  });
});

function isOf({ bytes }: Hit, id: string): boolean {
  const words = (['latin1', 'utf16le'] as const).map((encoding) => Buffer.from(`${marker}${id}`, encoding));
  return words.some((word) => bytes.subarray(0, word.length).equals(word));
}
