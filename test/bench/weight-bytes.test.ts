import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { weightBytesPerToken } from '../../bench/weight-bytes.ts';
import { type GgufFile, writeGguf } from '../support/models/gguf.ts';

const folder = mkdtempSync(join(tmpdir(), 'weight-bytes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const f32Bytes = 4;

function file(name: string, tensors: Readonly<Record<string, readonly number[]>>): string {
  const content: GgufFile = {
    metadata: {
      'general.architecture': 'qwen3moe',
      'qwen3moe.expert_count': { u32: 8 },
      'qwen3moe.expert_used_count': { u32: 2 },
    },
    tensors: Object.entries(tensors).map(([name, shape]) => ({ name, shape, type: 'F32', fill: () => {} })),
  };
  const path = join(folder, `${name}.gguf`);
  writeGguf(path, content);
  return path;
}

describe('the weights that a token reads', () => {
  it('contain the embedding only if it is also the output', async () => {
    const layer = { 'blk.0.ffn_down.weight': [64, 32] };
    const tied = file('tied', { 'token_embd.weight': [32, 100], ...layer });
    const untied = file('untied', { 'token_embd.weight': [32, 100], 'output.weight': [32, 100], ...layer });
    const bytes = (64 * 32 + 32 * 100) * f32Bytes;
    expect(await weightBytesPerToken(tied)).toBe(bytes);
    expect(await weightBytesPerToken(untied)).toBe(bytes);
  });

  it('contain the share of the experts that is used', async () => {
    const model = file('experts', { 'token_embd.weight': [32, 100], 'blk.0.ffn_up_exps.weight': [32, 64, 8] });
    expect(await weightBytesPerToken(model)).toBe((32 * 100 + (32 * 64 * 8 * 2) / 8) * f32Bytes);
  });
});
