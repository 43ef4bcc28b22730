/** The command of `docs/how-to/first-hour-on-a-gpu.md`, with the least work: the comparison with the CPU, and one bench of a tiny model. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tinyModelFile } from '../support/models/tiny-models.ts';
import { testedGpu } from '../support/tested-gpu.ts';

const program = join(import.meta.dirname, '../../bench/first-hour.ts');

it('the first hour compares chats, embeddings and images with the CPU, and measures a model', () => {
  const args = ['--gpu', testedGpu, '--quick', '--skip-suite', '--threads', '1'];
  const bench = ['--model', tinyModelFile(), '--concurrency', '1,2'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, ...bench], { encoding: 'utf8' });
  expect(stderr).not.toContain('FAULT');
  expect(status).toBe(0);
  for (const label of ['chat', 'embeddings', 'images', '1 client', '2 clients']) expect(stdout).toContain(label);
  expect(stdout).toMatch(/chat on.*(Vulkan|CUDA)0/);
});
