/** A GPU that is lost while a model runs on it. Vulkan only: a library between ggml and the driver reports the loss. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedGpu } from '../support/tested-gpu.ts';

if (testedGpu !== 'vulkan') console.log('skipped: a lost GPU, because only the Vulkan backend can be made to lose one');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-gpu-'));
  const source = join(import.meta.dirname, 'vulkan-loss.cc');
  execFileSync('g++', ['-std=c++20', '-Wall', '-shared', '-fPIC', '-o', join(folder, 'loss.so'), source]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs `body` in a separate process, with a model on the GPU. @returns what it stored in `seen` */
function observe(body: string) {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { ask, generate, loadTiny } from ${here('../native/models.ts')};
    const model = await loadTiny();
    const prepared = await model.prepareChat(ask);
    const loseDevice = () => writeFileSync(process.env.DEVICE_LOST, '');
    const step = () => model.step({
      operations: [{ kind: 'trim', sequence: 0, from: 0 }],
      rows: [{ sequence: 0, position: 0, tokens: prepared.tokens, sample: true }],
    }).then(({ tokens }) => tokens.length, ({ code, message }) => code ?? message);
    const seen = [];
    ${body}
    console.log(JSON.stringify(seen));`;
  const env = {
    ...process.env,
    LD_PRELOAD: join(folder, 'loss.so'),
    DEVICE_LOST: join(folder, `lost-${Math.random()}`),
  };
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, signal, stderr, seen: stdout === '' ? undefined : (JSON.parse(stdout) as unknown[]) };
}

describe.skipIf(testedGpu !== 'vulkan')('a GPU that is lost', () => {
  it('fails each step from then on, and the process survives and frees the model', () => {
    const { status, signal, seen, stderr } = observe(`
      seen.push(await step());
      loseDevice();
      seen.push(await step(), await step());
      await model.close();
      seen.push(await loadTiny().then(() => 'loaded', ({ code }) => code));`);
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
    // The context of a second load computes nothing either, which is reported and does not end the process.
    const refused = expect.stringMatching(/^ERR_(MODEL_LOAD|MEMORY_BUDGET)$/);
    expect(seen).toEqual([1, 'ERR_DECODE', 'ERR_DECODE', refused]);
  });
});
