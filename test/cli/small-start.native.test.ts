/** Limits the memory of a start: libraries that must not load, the young generation's size, and huge pages. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

it.each([
  ['the image library', 'sharp'],
  ["PostgreSQL's client", 'pg'],
  ['the ONNX runtime', 'onnxruntime-node'],
])('the server’s modules do not load %s', async (_, name) => {
  const program = `
    import { createRequire } from 'node:module';
    await import('./server/start/main.ts');
    process.report.excludeNetwork = true;
    const { sharedObjects } = process.report.getReport();
    console.log([...Object.keys(createRequire(import.meta.url).cache), ...sharedObjects].join('\\n'));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  expect(stdout).toContain('/node_modules/fastify/');
  expect(stdout).not.toMatch(new RegExp(`/node_modules/(@img/)?${name}[/-]`));
});

describe('the young generation of the serving thread', () => {
  it('is limited by default', async () => {
    const { argv, line } = await startedAs([]);
    expect(argv).toContain('--max-semi-space-size=8');
    expect(line).toMatch(/"event":"listening"/);
  });

  it('has the size given on the command line', async () => {
    const { argv } = await startedAs(['--max-semi-space-size=32']);
    expect(argv.filter((one) => one.includes('semi'))).toEqual(['--max-semi-space-size=32']);
  });

  it('has the size given in NODE_OPTIONS', async () => {
    const { argv } = await startedAs([], { NODE_OPTIONS: '--max-semi-space-size=32' });
    expect(argv.filter((one) => one.includes('semi'))).toEqual([]);
  });

  it('changes neither the process id nor the other options of Node', async () => {
    const { argv } = await startedAs(['--stack-trace-limit=5']);
    expect(argv).toContain('--max-semi-space-size=8');
    expect(argv).toContain('--stack-trace-limit=5');
  });
});

describe('huge pages for the C library', () => {
  it('are requested by default', async () => {
    const { tunables } = await startedAs([], { GLIBC_TUNABLES: '' });
    expect(tunables).toBe('glibc.malloc.hugetlb=1');
  });

  it("are requested next to the operator's other settings", async () => {
    const { tunables } = await startedAs([], { GLIBC_TUNABLES: 'glibc.malloc.perturb=0' });
    // glibc before 2.39 cuts the text that /proc shows after the first setting.
    expect(tunables).toMatch(/^glibc\.malloc\.hugetlb=1(:glibc\.malloc\.perturb=0)?$/);
  });

  it('can be turned off by the operator', async () => {
    const { tunables } = await startedAs([], { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0' });
    expect(tunables).toBe('glibc.malloc.hugetlb=0');
  });
});

/** @returns the first line of a server, and the state of the process with the original id at that time */
async function startedAs(options: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), 'cloister-small-'));
  const model = join(root, 'models/demo/chat/cloister-demo-chat.gguf');
  const flags = ['--model', model, '--port', '0', '--metrics-port', 'off', '--threads', '1', '--state-dir', stateDir];
  const command = [...options, 'cli/cloister.mjs', 'serve', '--json', ...flags];
  child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout!, 'data');
  const argv = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0');
  const tunables = environment.find((one) => one.startsWith('GLIBC_TUNABLES='))?.replace(/^\w+=/, '');
  return { argv, tunables, line: String(line) };
}
