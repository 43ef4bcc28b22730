/**
 * The documentation and the help texts are spelled correctly. `cspell.json` lists what is checked; words of the field that are
 * missing in general dictionaries are in `dictionary.txt`, next to this file.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commands, help } from './commands.ts';
import { root } from './markdown.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloister-spelling-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns each unknown word with its place */
function check(files: readonly string[]): Promise<string[]> {
  const program = join(root, 'node_modules/cspell/bin.mjs');
  const options = ['lint', '--config', join(root, 'cspell.json'), '--no-progress', '--no-summary', '--no-gitignore'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...options, ...files], { cwd: root }, (error, stdout, stderr) => {
      // 1: words were found; anything else means that cspell itself failed.
      if (error !== null && error.code !== 1) reject(new Error(stderr, { cause: error }));
      else resolve(stdout.split('\n').filter((line) => line !== ''));
    });
  });
}

it('the documentation is spelled correctly', async () => {
  expect(await check(['**/*.md'])).toEqual([]);
}, 120_000);

it('the help texts are spelled correctly', async () => {
  const file = join(folder, 'help.txt');
  const texts = await Promise.all(['', ...commands].map(async (command) => (await help(command)).stdout));
  writeFileSync(file, texts.join('\n'));
  expect(await check([`file://${file}`])).toEqual([]);
}, 120_000);

it('the dictionary is sorted and has no word twice', () => {
  const words = readFileSync(join(root, 'test/docs/dictionary.txt'), 'utf8').trim().split('\n').slice(1);
  const sorted = [...new Set(words)].sort((a, b) => a.localeCompare(b, 'en'));
  expect(words).toEqual(sorted);
});
