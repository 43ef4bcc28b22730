/** The shell blocks of the documentation that are marked `run` work, and print the output that the pages show. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, markdownPages, root } from '../docs/markdown.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const pages = markdownPages({ except: ['docs/decisions/', 'docs/contract/', 'CHANGELOG.md'] })
  .map(({ path, text }) => {
    const blocks = codeBlocks(text);
    const script = blocks.filter(({ flags }) => flags.includes('run')).map(({ code }) => code);
    const output = blocks.filter(({ flags }) => flags.includes('output')).flatMap(({ code }) => code.split('\n'));
    return { path, script: script.join('\n'), output };
  })
  .filter(({ script }) => script !== '');

let server: RunningServer;
let folder: string;

beforeAll(async () => {
  server = await startServer(['--simulate-tdx']);
  folder = mkdtempSync(join(tmpdir(), 'cloister-documentation-'));
});
afterAll(async () => {
  await server?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Programs that the pages use and that may be missing on a machine. */
const missing = ['jq', 'curl'].filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

describe.each(pages)('the commands of $path', ({ path, script, output }) => {
  const lacking = missing.filter((program) => new RegExp(`\\b${program} `).test(script));
  if (lacking.length > 0) console.warn(`${path} is skipped: this machine has no ${lacking.join(' and no ')}`);

  it.skipIf(lacking.length > 0)('run, and print the output that the page shows', async () => {
    const { code, printed } = await run(script);
    expect(code, printed).toBe(0);
    expect(linesMissingFrom(printed, output)).toEqual([]);
    if (path.startsWith('docs/tutorial/')) expect(linesMissingFrom(printed, picturedLines())).toEqual([]);
  });
});

/** Replaces the page's addresses and folders by those of this server. */
function here(text: string): string {
  return text
    .replaceAll('https://localhost:8443', `https://localhost:${server.port}`)
    .replaceAll('/tmp/cloister-', `${folder}/cloister-`)
    .replaceAll('books-today', `${folder}/books-today`)
    .replaceAll(/\.cloister\b/g, server.stateDir);
}

function run(script: string): Promise<{ code: number; printed: string }> {
  const env = { ...process.env, CLOISTER_STATE_DIR: server.stateDir };
  return new Promise((resolve) => {
    execFile('bash', ['-euc', here(script)], { cwd: root, env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), printed: `${stdout}\n${stderr}` });
    });
  });
}

/** Lines with `…` match any lines. Column widths may differ. */
function linesMissingFrom(printed: string, expected: readonly string[]): string[] {
  const plain = (line: string) => line.replaceAll(/\s+/g, ' ').trim();
  const all = plain(printed);
  return expected.filter((line) => !line.includes('…') && !all.includes(plain(here(line))));
}

/** The output in the terminal picture of README.md, without its commands. */
function picturedLines(): string[] {
  const picture = readFileSync(join(root, 'docs/images/verified-answer.svg'), 'utf8');
  return [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/g)]
    .map(([, text]) =>
      text!
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&amp;', '&')
        .replaceAll('&gt;', '>'),
    )
    .filter((line) => !line.startsWith('$'));
}
