/** What the pages for people say of the command line is true of the program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings, variableName } from '../../server/program/settings.ts';
import { runCloister } from '../support/cloister.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'bench/README.md']
  .concat(readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Every command that has a help text of its own, subcommands before what they belong to. */
const commands = [
  ...['build', 'run', 'config-disk', 'model-disk', 'provision'].map((name) => `image ${name}`),
  ...['add', 'list', 'pull', 'verify'].map((name) => `models ${name}`),
  ...['serve', 'accounts', 'keys', 'plans', 'compute', 'models', 'verify', 'verify-receipt', 'image', 'measure'],
];

const help = (command: string) => runCloister(`${command} --help`, { cwd: tmpdir() });

describe.each(commands)('cloister %s', (command) => {
  it('explains itself', async () => {
    const { code, stdout, stderr } = await help(command);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: cloister ${command}\\b`));
  });
});

describe.each(pages)('$path', ({ text }) => {
  it('names no command and no option that there is not', async () => {
    const wrong = [];
    for (const line of commandLines(text)) {
      const command = commands.find((one) => `${line} `.startsWith(`${one} `));
      const { stdout } = command === undefined ? await help('') : await help(command);
      const flags = [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([flag]) => flag);
      const unknown = flags.filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(stdout));
      if (command === undefined || unknown.length > 0) wrong.push({ line, unknown });
    }
    expect(wrong).toEqual([]);
  });

  it('names no variable that is not read', () => {
    const known = new Set(['CLOISTER_CONFIG', ...Object.keys(settings).map(variableName)]);
    const named = [...text.matchAll(/\bCLOISTER_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('leads to no file that is not there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path]) => path!);
    const named = [
      ...text.matchAll(
        /(?<![.\w])(?:node|sh) ((?:bench|cli|compute|examples|image|models|native|server|test)\/[\w./-]+)/g,
      ),
    ];
    const from = (path: string) => [join(root, 'docs', path), join(root, path), join(root, 'bench', path)];
    expect([...links, ...named.map(([, path]) => path!)].filter((path) => !from(path).some(existsSync))).toEqual([]);
  });
});

/** Of code blocks, from the word behind `cloister` to the comment or the next program. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```[a-z]*\n(.*?)^```$/gms)].map(([, block]) => block!.replaceAll('\\\n', ' '));
  return blocks
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => /(?:^|\s)(?:npx )?cloister ([a-z][^#|>]*)/.exec(line)?.[1] ?? [])
    .map((line) => line.trim());
}
