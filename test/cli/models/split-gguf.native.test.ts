/** Split GGUF models: naming, pinning and serving. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/models/models.ts';
import { readCatalogue } from '../../../models/catalogue/catalogue.ts';
import { writeSplitGguf } from '../../support/models/gguf-split.ts';
import { tinyModel } from '../../support/models/tiny-models.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { RunningServer } from '../../support/server/server.ts';

const shape = ['--sequences', '2', '--context', '256', '--threads', '1'];

async function setUp() {
  const folder = await scratchFolder();
  const parts = writeSplitGguf(join(folder.path, 'tiny'), tinyModel({ context: 1024 }), { parts: 3 });
  const catalogue = join(folder.path, 'catalogue.json');
  return {
    parts,
    catalogue,
    /** Adds the model by one of its parts. @returns its entry */
    async add(part: string) {
      const env = { CLOISTER_CATALOGUE: catalogue, CLOISTER_STATE_DIR: folder.path };
      const silent = { write: () => true };
      const io = { stdout: silent, stderr: silent, env, cwd: folder.path };
      expect(await run(['add', part], io, { signal: new AbortController().signal })).toBe(0);
      return (await readCatalogue(catalogue)).models[0]!;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** @returns the model's id and one completion */
async function serveAndAsk(flags: readonly string[]) {
  const server = new RunningServer([...flags, ...shape]);
  try {
    await server.ready();
    const [model] = server.listening.models;
    const messages = [{ role: 'user', content: 'Hello' }];
    const reply = await server.post('/chat/completions', { model, messages, max_tokens: 5, temperature: 0 });
    return { model, status: reply.status, answer: (await reply.json()) as ChatCompletion };
  } finally {
    await server.stop();
  }
}

/** @returns the output of a server that fails to start */
async function refusal(flags: readonly string[]): Promise<string> {
  const server = new RunningServer([...flags, ...shape]);
  try {
    return await server.ready().then(
      () => 'it is ready',
      ({ message }: Error) => message,
    );
  } finally {
    await server.stop();
  }
}

describe('cloister serve --model', () => {
  it('serves a model by its first part', async () => {
    await using test = await setUp();
    const { model, status, answer } = await serveAndAsk(['--model', test.parts[0]!]);
    expect({ model, status }).toEqual({ model: 'tiny-TEE', status: 200 });
    expect(answer.usage?.completion_tokens).toBe(5);
  });

  it('accepts any part of a model, and distinguishes two models by any part', async () => {
    await using test = await setUp();
    const first = await serveAndAsk(['--model', test.parts[2]!]);
    expect({ model: first.model, status: first.status }).toEqual({ model: 'tiny-TEE', status: 200 });
    writeFileSync(test.parts[1]!, readFileSync(test.parts[1]!));
    const second = await serveAndAsk(['--model', test.parts[0]!]);
    expect(second.answer.system_fingerprint).not.toBe(first.answer.system_fingerprint);
    expect(second.answer.choices).toEqual(first.answer.choices);
  });

  it('names a missing part', async () => {
    await using test = await setUp();
    rmSync(test.parts[2]!);
    expect(await refusal(['--model', test.parts[0]!])).toContain(test.parts[2]);
  });
});

describe('a catalogue entry', () => {
  it('pins every part when added by any part, and is served', async () => {
    await using test = await setUp();
    const entry = await test.add(test.parts[1]!);
    expect(entry).toMatchObject({ id: 'tiny-TEE', contextLength: 1024 });
    expect(entry.files.map(({ path }) => path)).toEqual(test.parts.map((part) => basename(part)));
    const { status } = await serveAndAsk(['--catalogue', test.catalogue]);
    expect(status).toBe(200);
  });

  it('is not served if its last part was replaced', async () => {
    await using test = await setUp();
    await test.add(test.parts[0]!);
    const bytes = readFileSync(test.parts[2]!);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(test.parts[2]!, bytes);
    expect(await refusal(['--catalogue', test.catalogue])).toMatch(/tiny-00003-of-00003\.gguf is not the pinned file/);
  });
});
