/** Each promise in SECURITY.md names a test file that exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './markdown.ts';

const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  .map((line) => line.slice(2, -2).split(' | '));

describe('the promises of SECURITY.md', () => {
  it('have a table in each section that makes promises', () => {
    expect(page.match(/^\| promise \| held by \|$/gm)).toHaveLength(4);
  });

  it.each(rows)('%s', (_promise, proof) => {
    const [, file] = /^`([\w./-]+\.test\.ts)`$/.exec(proof ?? '') ?? [];
    expect(file, `expected the path of a test below test/, got ${proof}`).toBeDefined();
    expect(existsSync(join(root, 'test', file!)), file).toBe(true);
  });
});
