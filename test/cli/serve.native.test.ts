/** `cloister serve` as a process, with the demo model and real signals. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startLimitMs } from '../support/start-limit.ts';

const root = join(import.meta.dirname, '../..');
const model = join(root, 'models/demo/chat/cloister-demo-chat.gguf');
const run = promisify(execFile);
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts `cloister serve`; `until` waits for text on standard output. */
function serve(args: readonly string[] = []) {
  const stateDir = mkdtempSync(join(tmpdir(), 'cloister-serve-'));
  const fixed = ['--port', '0', '--metrics-port', '0', '--threads', '1', '--sequences', '4', '--context', '512'];
  const command = ['cli/cloister.mjs', 'serve', '--model', model, '--state-dir', stateDir, ...fixed, ...args];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
    child.emit('said');
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    stateDir,
    exit,
    stdout: () => stdout,
    stderr: () => stderr,
    async until(text: string): Promise<string> {
      const ended = exit.then((code) => {
        throw new Error(`ended with ${code} before ${JSON.stringify(text)}: ${stderr}`);
      });
      ended.catch(() => undefined);
      while (!stdout.includes(text)) await Promise.race([once(child, 'said'), ended]);
      return stdout;
    },
  };
}

/** Any response shows that the server has read what was sent before. */
function request(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, agent: false }, (response) => resolve(response.resume())).on('error', reject);
  });
}

describe('cloister serve', () => {
  // The first start reads the libraries and the model from the disk, which on a busy machine takes longer than the rest.
  it('prints a URL, a key and a working curl command, and is ready in under 3 s', { retry: 2 }, async () => {
    const { until, child, exit, stateDir } = serve();
    const text = await until('curl --cacert');
    expect(Number(/ready in (\d+) ms/.exec(text)?.[1])).toBeLessThan(startLimitMs({ models: 1 }));
    expect(text).toMatch(/base URL +https:\/\/localhost:\d+\/v1/);
    expect(text).toMatch(/API key +clst_[\w-]{43}/);
    const curl = /^curl .*$/m.exec(text)?.[0] ?? '';
    const { stdout } = await run('bash', ['-c', curl.replace('curl', 'curl --silent --fail')]);
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      model: 'cloister-demo-chat-TEE',
      choices: [{ message: { role: 'assistant', content: expect.any(String) } }],
    });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(readdirSync(stateDir).sort()).toEqual(expect.arrayContaining(['accounts.sqlite', 'certificate.pem']));
  });

  it('prints the same as JSON lines, and serves the examples', async () => {
    const { until, stdout, stateDir, child, exit } = serve(['--json']);
    await until('"event":"ready"');
    const [listening] = stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(listening).toMatchObject({ event: 'listening', models: ['cloister-demo-chat-TEE'] });
    const { baseUrl, apiKey, certificatePath } = listening;
    expect(certificatePath).toBe(join(stateDir, 'certificate.pem'));
    const env = { BASE_URL: baseUrl, API_KEY: apiKey, CERTIFICATE: certificatePath };
    const example = await run(process.execPath, ['examples/01-chat.ts'], { cwd: root, env });
    expect(example.stdout).toMatch(/\(\d+ tokens in, \d+ out\)/);
    child.kill('SIGINT');
    expect(await exit).toBe(0);
    expect(stdout()).toContain('"event":"stopped"');
  });

  it('stops immediately at a second signal', async () => {
    const { until, child, exit } = serve(['--json']);
    const { apiKey, baseUrl } = JSON.parse((await until('"event":"ready"')).split('\n')[0] ?? '');
    // An upload that never ends delays the graceful stop.
    const slow = connect({ host: 'localhost', port: Number(new URL(baseUrl).port), rejectUnauthorized: false });
    slow.on('error', () => undefined);
    await once(slow, 'secureConnect');
    slow.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );
    await request(`${baseUrl}/models`);
    child.kill('SIGTERM');
    await until('"event":"draining"');
    child.kill('SIGTERM');
    expect(await exit).toBe('SIGTERM');
    slow.destroy();
  });

  it('stops while it loads models', async () => {
    const { until, child, exit } = serve(['--json']);
    await until('"event":"listening"');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('names a port in use and the setting to change', async () => {
    const { until } = serve(['--json']);
    const { baseUrl } = JSON.parse((await until('"event":"listening"')).split('\n')[0] ?? '');
    const { port } = new URL(baseUrl);
    const second = serve(['--port', port]);
    expect(await second.exit).toBe(1);
    expect(second.stderr()).toContain(`port ${port} is in use: choose another with --port, 0 for any`);
  });

  it('names the error of a file that is not a model', async () => {
    const { exit, stderr } = serve(['--model', join(root, 'package.json')]);
    expect(await exit).toBe(1);
    expect(stderr()).toContain('package.json');
  });

  it('names a missing model file and the setting to correct', async () => {
    const path = join(root, 'nowhere.gguf');
    const { exit, stderr } = serve(['--model', path]);
    expect(await exit).toBe(1);
    expect(stderr()).toContain(`the file ${path} does not exist: correct --model`);
  });
});

describe('SIGHUP', () => {
  it('reloads the configuration and says in one line what changed', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'cloister-reload-')), 'cloister.json');
    writeFileSync(file, '{}');
    const { until, child, exit, stderr } = serve(['--config', file]);
    await until('curl --cacert');
    writeFileSync(file, JSON.stringify({ logLevel: 'debug', queue: 7 }));
    child.kill('SIGHUP');
    while (!stderr().includes('configuration reloaded')) await once(child.stderr!, 'data');
    const lines = stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { reloaded, needsRestart, failed } = lines.find(({ msg }) => msg === 'configuration reloaded');
    expect({ reloaded, needsRestart, failed }).toEqual({
      reloaded: ['--log-level'],
      needsRestart: ['--queue'],
      failed: [],
    });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});

describe('on a terminal', () => {
  it('log lines are words on lines of their own', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'cloister-terminal-'));
    const command = `${process.execPath} cli/cloister.mjs serve --model ${model} --state-dir ${stateDir} --port 0 --metrics-port 0 --threads 1`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    let text = '';
    child.stdout.on('data', (data) => (text += data));
    // The log is written in the background, and may come after the announcement.
    while (!text.includes('curl --cacert') || !/model ready [^\n]*\n/.test(text)) await once(child.stdout, 'data');
    const lines = text.split(/\r?\n/);
    const ready = lines.find((line) => line.includes('model ready')) ?? '';
    expect(ready.split('\r\u001b[K').at(-1)).toMatch(/^\d\d:\d\d:\d\d info model ready \(model /);
    // What the terminal shows: the text after the last return to the first column.
    const shown = lines.map((line) => line.split('\r\u001b[K').at(-1)!);
    expect(shown.filter((line) => /^\{|loading \d+ %./.test(line))).toEqual([]);
    const pid = Number(readFileSync(join(stateDir, 'serve.lock.pid'), 'utf8'));
    // Unlike 'exit', it comes after the last of the output.
    const closed = once(child, 'close');
    process.kill(pid, 'SIGTERM');
    await closed;
    expect(text).toContain('stopped');
  });
});
