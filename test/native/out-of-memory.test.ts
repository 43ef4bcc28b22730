import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModelFile } from '../support/models/tiny-models.ts';

/** The number of biases, of eight bytes each, is so large that no other allocation has this size. */
const onComputingThread = 203;
const onJavaScriptThread = 207;

/** The addon's allocations, of which those of the two sizes fail on the two threads. */
const failingNew = `
#include <cstdlib>
#include <new>
#include <unistd.h>
void* operator new(std::size_t size) {
  const bool is_main = gettid() == getpid();
  if (size == 8 * ${onComputingThread} && !is_main) throw std::bad_alloc();
  if (size == 8 * ${onJavaScriptThread} && is_main) throw std::bad_alloc();
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-memory-'));
  writeFileSync(join(folder, 'new.cc'), failingNew);
  execFileSync('g++', ['-std=c++20', '-shared', '-fPIC', '-o', join(folder, 'new.so'), join(folder, 'new.cc')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs `body` in a separate process with a model loaded. @returns what it stored in `told` */
function tell(body: string): unknown {
  const script = `
    import { ask, greedy } from ${here('./models.ts')};
    import { loadLlamaText } from ${here('../../models/gguf/llama-text.ts')};
    const modelPath = ${JSON.stringify(tinyModelFile())};
    const model = await loadLlamaText({ modelPath, sequences: 2, contextPerSequence: 512, threads: 1, poll: 0, gpu: 'off' });
    const prepared = await model.prepareChat(ask);
    const biased = (count) => ({ ...greedy, logitBias: Array.from({ length: count }, (_, token) => ({ token, bias: -1 })) });
    const clear = { operations: [0, 1].map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] };
    const step = (sequence) => model.step({ ...clear, rows: [{ sequence, position: 0, tokens: prepared.tokens, sample: true }] });
    const told = [];
    ${body}
    await model.close();
    console.log(JSON.stringify(told));`;
  const env = { ...process.env, LD_PRELOAD: join(folder, 'new.so') };
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
}

describe('when allocating the sampler of a sequence fails', () => {
  it('the next step fails, the process survives, and later steps succeed', () => {
    const body = `
      model.beginSampling(0, greedy, prepared);
      const { tokens: [token] } = await step(0);
      model.beginSampling(1, biased(${onComputingThread}), prepared);
      told.push(await step(1).catch((error) => error.message));
      model.beginSampling(1, greedy, prepared);
      told.push((await step(1)).tokens[0] === token);`;
    expect(tell(body)).toEqual([expect.stringMatching(/bad_alloc/), true]);
  });

  it('the caller gets the error at once if the allocation fails before the engine is called', () => {
    const body = `
      try { model.beginSampling(0, biased(${onJavaScriptThread}), prepared); } catch (error) { told.push(error.message); }
      model.beginSampling(0, biased(3), prepared);
      told.push((await step(0)).tokens.length);`;
    expect(tell(body)).toEqual([expect.stringMatching(/bad_alloc/), 1]);
  });
});
