/** A server on a simulated platform, started from the command line, and the tenant's tools against it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { simulatedSoftware, startManInTheMiddle } from '../support/attestation/attested-server.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const root = join(import.meta.dirname, '../..');
const pinned: EvidencePolicy = { measurements: simulatedSoftware, sources: 'any' };
const folder = mkdtempSync(join(tmpdir(), 'cloister-tenant-'));
let server: RunningServer;
let origin: string;
let rootPath: string;

beforeAll(async () => {
  server = await startServer(['--simulate-tdx']);
  origin = new URL(server.listening.baseUrl).origin;
  rootPath = join(server.stateDir, 'simulation-root.pem');
  writeFileSync(join(folder, 'pinned.json'), JSON.stringify(pinned));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const cloister = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'cli/cloister.mjs'), ...args], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );

describe('a server that simulates TDX', () => {
  it('passes `cloister verify` with the simulation root and fails without it', async () => {
    const verified = await cloister(
      'verify',
      origin,
      '--root',
      rootPath,
      '--policy',
      'pinned.json',
      '--save',
      'bundle.json',
    );
    expect(verified.stdout).toMatch(/\nVERIFIED \(SIMULATED: proves nothing about hardware\)/);
    expect(verified.code).toBe(0);
    const offline = (...flags: string[]) => cloister('verify', '--offline', 'bundle.json', ...flags);
    expect((await offline('--root', rootPath, '--policy', 'pinned.json')).code).toBe(0);
    expect((await offline('--policy', 'pinned.json')).code).toBe(10);
    expect((await offline('--root', rootPath)).code).toBe(20);
  });

  it('measures the weights that it serves: a policy that names others rejects it', async () => {
    const flags = ['--offline', 'bundle.json', '--root', rootPath];
    const { stdout } = await cloister('verify', ...flags, '--policy', 'pinned.json', '--json');
    const { startLog } = JSON.parse(stdout) as { startLog: { name: string; content: string }[] };
    const models = startLog.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);
    expect(models).toHaveLength(server.listening.models.length);
    const verdictOf = async (contents: readonly string[]) => {
      const policy = { ...pinned, started: { 'cloister.model': contents } };
      writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
      return (await cloister('verify', ...flags, '--policy', 'policy.json')).code;
    };
    expect(await verdictOf(models)).toBe(0);
    const changed = models.map((content) => content.replace(/"sha256":"./, '"sha256":"x'));
    expect(await verdictOf(changed)).toBe(10);
  });

  it('parses models only in threads without network access, as the kernel reports, and measures that setting', async () => {
    const tasks = `/proc/${server.process.pid}/task`;
    const fenced = readdirSync(tasks).filter((id) =>
      /^Seccomp:\t2$/m.test(readFileSync(join(tasks, id, 'status'), 'utf8')),
    );
    // At least one thread for each model; the main thread has network access.
    expect(fenced.length).toBeGreaterThanOrEqual(server.listening.models.length);
    expect(fenced).not.toContain(String(server.process.pid));
    const flags = ['--offline', 'bundle.json', '--root', rootPath, '--policy', 'pinned.json', '--json'];
    const { startLog } = JSON.parse((await cloister('verify', ...flags)).stdout);
    const host = JSON.parse(startLog.find(({ name }: { name: string }) => name === 'cloister.host').content);
    expect(host.egress).toMatchObject({ modelThreads: 'fenced', interfaces: expect.any(Array) });
  });

  it('signs receipts that `cloister verify-receipt` accepts, and rejects an edited one', async () => {
    const send = attestedFetch(pinned, { roots: readFileSync(rootPath, 'utf8') });
    const authorization = `Bearer ${server.listening.apiKey}`;
    const body = JSON.stringify({
      model: server.listening.models[0],
      messages: [{ role: 'user', content: 'Hello!' }],
      max_tokens: 8,
    });
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await send(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
    writeFileSync(join(folder, 'request.json'), body);
    writeFileSync(join(folder, 'response.json'), new Uint8Array(await answer.arrayBuffer()));
    const id = answer.headers.get('x-receipt-id');
    const receipt = await (await send(`${origin}/v1/aci/receipts/${id}`, { headers: { authorization } })).text();
    const verify = async (text: string) => {
      writeFileSync(join(folder, 'receipt.json'), text);
      const bodies = ['--request', 'request.json', '--response', 'response.json'];
      const trust = ['--bundle', 'bundle.json', '--root', rootPath, '--policy', 'pinned.json'];
      return cloister('verify-receipt', 'receipt.json', ...bodies, ...trust);
    };
    expect(await verify(receipt)).toMatchObject({ code: 0 });
    const edited = await verify(receipt.replace(/"served_at":\d/, '"served_at":2'));
    expect(edited.code).toBe(10);
    expect(edited.stdout).toMatch(/FAIL: The receipt is signed by a key of that keyset/);
  });

  it('is distinguished from a man in the middle', async () => {
    const middle = await startManInTheMiddle({ origin });
    const fetch = attestedFetch(pinned, { roots: readFileSync(rootPath, 'utf8') });
    const openai = new OpenAI({ baseURL: `${middle.origin}/v1`, apiKey: 'secret', fetch, maxRetries: 0 });
    const refused = openai.models.list();
    await expect(refused).rejects.toMatchObject({
      cause: { code: 'ERR_NOT_VERIFIED', message: expect.stringMatching(/not among the 1 attested TLS keys/) },
    });
    expect(middle.requests).toEqual([]);
    expect((await cloister('verify', middle.origin, '--root', rootPath, '--policy', 'pinned.json')).code).toBe(10);
    await middle.close();
  });

  it('runs the example', async () => {
    const env = {
      ...process.env,
      BASE_URL: server.listening.baseUrl,
      API_KEY: server.listening.apiKey,
      ROOT: rootPath,
    };
    const run = promisify(execFile)(process.execPath, ['examples/03-verify-before-sending.ts'], { cwd: root, env });
    const { stdout } = await run;
    expect(stdout).toContain(`${origin}: verified (simulated)`);
    expect(stdout.match(/^pass {8}/gm)).toHaveLength(7);
    expect(stdout).toMatch(/without the root: .* is not verified: The platform is real/);
  });
});
