/**
 * Every code block of the documentation says what it is, and those that are code are valid. Blocks marked `run` are run by
 * `test/system/documentation.test.ts`. The meaning of each mark is in CONTRIBUTING.md.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { codeBlocks, markdownPages, root } from './markdown.ts';

const execute = promisify(execFile);
const languages = new Set(['sh', 'ts', 'json', 'text', 'ini', 'mermaid']);
const diagrams = /^(flowchart|sequenceDiagram|stateDiagram-v2)\b/;

// Decisions are kept as they were written; cards of models and prompts are data.
const pages = markdownPages({
  except: ['docs/decisions/', 'docs/contract/', 'models/demo/', 'agents/', 'CHANGELOG.md'],
});
const blocks = pages.flatMap(({ path, text }) =>
  codeBlocks(text).map((block) => ({ ...block, path, place: `${path}:${block.line}` })),
);
const of = (language: string) => blocks.filter((block) => block.language === language);

it('marks every code block with a known language', () => {
  expect(blocks.filter(({ language }) => !languages.has(language)).map(({ place }) => place)).toEqual([]);
});

it('marks no block with an unknown flag', () => {
  const known = ({ language, flags }: (typeof blocks)[number]) =>
    flags.every((flag) => (flag === 'run' && language === 'sh') || (flag === 'output' && language === 'text'));
  expect(blocks.filter((block) => !known(block)).map(({ place }) => place)).toEqual([]);
});

describe('shell blocks', () => {
  it.each(of('sh'))('$place can be parsed', async ({ code }) => {
    // `<name>` is a placeholder; bash would read it as a redirection.
    const child = execute('bash', ['-n']);
    child.child.stdin!.end(code.replaceAll(/<[A-Za-z0-9 :/._-]+>/g, 'placeholder'));
    await expect(child).resolves.toMatchObject({ stderr: '' });
  });
});

describe('JSON blocks', () => {
  it.each(of('json'))('$place can be parsed', ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });
});

describe('diagrams', () => {
  it.each(of('mermaid'))('$place starts with a diagram type and closes every block', ({ code }) => {
    expect(code).toMatch(diagrams);
    const opened = code.match(/^\s*(subgraph|loop|alt|opt)\b/gm)?.length ?? 0;
    expect(code.match(/^\s*end$/gm)?.length ?? 0).toBe(opened);
  });
});

describe('TypeScript blocks', () => {
  // Inside the repository, so that packages resolve as in the examples.
  const folder = join(root, 'node_modules/.cache/documentation');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compile', async () => {
    mkdirSync(folder, { recursive: true });
    const files = of('ts').map(({ code, path, line }) => {
      const file = join(folder, `${path.replaceAll(/[/.]/g, '-')}-${line}.ts`);
      writeFileSync(file, code);
      return file;
    });
    const settings = {
      extends: join(root, 'tsconfig.json'),
      include: [],
      compilerOptions: { noEmit: true, noUnusedLocals: false },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, files }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await execute(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  }, 120_000);
});
