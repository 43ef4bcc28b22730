/** The commands, options and variables that the documentation names exist in the program. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings, variableName } from '../../server/program/settings.ts';
import { commands, help } from './commands.ts';
import { codeBlocks, markdownPages, root } from './markdown.ts';

// Decisions quote commands and variables as they were at the time.
const pages = markdownPages({ except: ['docs/decisions/'] });

describe.each(commands)('cloister %s', (command) => {
  it('prints its usage for --help', async () => {
    const { code, stdout, stderr } = await help(command);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: cloister ${command}\\b`));
  });
});

describe.each(pages)('$path', ({ path, text }) => {
  it('names only commands and options that exist', async () => {
    const wrong = [];
    for (const line of commandLines(text)) {
      // Options after `--` are those of serve.
      const [own = '', passedOn] = line.split(' -- ');
      const command = commands.find((one) => `${own} `.startsWith(`${one} `));
      const texts = await Promise.all([help(command ?? ''), passedOn === undefined ? undefined : help('serve')]);
      const stdout = texts.map((text) => text?.stdout).join('');
      const flags = [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([flag]) => flag);
      const unknown = flags.filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(stdout));
      if (command === undefined || unknown.length > 0) wrong.push({ line, unknown });
    }
    expect(wrong).toEqual([]);
  });

  it('names only variables that the program reads', () => {
    const known = new Set(['CLOISTER_CONFIG', ...Object.keys(settings).map(variableName)]);
    const named = [...text.matchAll(/\bCLOISTER_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('runs only scripts that exist', () => {
    const folders = 'bench|cli|compute|examples|image|models|native|server|test';
    const scripts = [...text.matchAll(new RegExp(`(?<![.\\w])(?:node|sh) ((?:${folders})/[\\w./-]+)`, 'g'))];
    const exists = (script: string) => existsSync(join(root, script)) || existsSync(join(root, dirname(path), script));
    expect(scripts.map(([, script]) => script!).filter((script) => !exists(script))).toEqual([]);
  });
});

/** From the word after `cloister` to the comment or the next program, of each line of the shell blocks. */
function commandLines(text: string): string[] {
  return codeBlocks(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => /(?:^|\s)(?:npx )?cloister ([a-z][^#|>]*)/.exec(line)?.[1] ?? [])
    .map((line) => line.trim());
}
