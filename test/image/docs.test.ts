/** The commands of the pages about the image are commands that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCloister } from '../support/cloister.ts';

const docs = join(import.meta.dirname, '../../docs');

/** Every `npx cloister …` of a page's blocks of code, as words. */
function commandsOf(page: string): string[][] {
  const text = readFileSync(join(docs, page), 'utf8');
  const blocks = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, block]) => block!).join('\n');
  const lines = blocks.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines
    .flatMap((line) => line.replace(/\s#.*|\s→.*/, '').split('&&'))
    .map((command) => command.replaceAll(/"\$\(.*?\)"|'.*?'/g, 'x').trim())
    .filter((command) => command.startsWith('npx cloister '))
    .map((command) => command.split(/\s+/).slice(2));
}

const pages = ['guest-image.md', 'deploy.md'];

describe.each(pages)('%s', (page) => {
  const commands = commandsOf(page).filter((words) => !words.includes('…'));

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  it.each(commands.map((words) => [words.join(' '), words] as const))('cloister %s', async (line, words) => {
    const { code, stdout, stderr } = await runCloister(`${line} --help`, { cwd: docs });
    expect([code, stderr]).toEqual([0, '']);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(option);
  });
});
