/** The package that tenants install: built, installed below a node_modules folder, and used like any other package. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltPackage, browserGzipBytesMax, buildPackage } from '../../attestation/build.ts';
import { formatPemChain } from '../../attestation/x509/pem.ts';
import {
  type AttestedServer,
  simulatedSoftware,
  startAttestedServer,
  startLogWith,
} from '../support/attestation/attested-server.ts';
import { appNowMs, startAttestedApp } from '../support/server/attested-app.ts';
import { modelId } from '../support/server/test-app.ts';

const root = join(import.meta.dirname, '../..');
const tenant = mkdtempSync(join(tmpdir(), 'cloister-tenant-'));
const installed = join(tenant, 'node_modules/@cloister/attestation');
let built: BuiltPackage;
let server: AttestedServer;

beforeAll(async () => {
  built = await buildPackage(join(tenant, 'built'));
  cpSync(built.folder, installed, { recursive: true });
  server = await startAttestedServer();
  writeFileSync(join(tenant, 'root.pem'), server.rootPem);
  writeFileSync(join(tenant, 'pinned.json'), JSON.stringify({ measurements: simulatedSoftware }));
}, 60_000);
afterAll(async () => {
  await server.close();
  rmSync(tenant, { recursive: true });
});

const run = (file: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd: tenant }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );

/** The browser globals that the library uses. */
const webApis = [
  ...['crypto', 'fetch', 'Request', 'Response', 'Headers', 'URL', 'AbortSignal', 'AbortController', 'TransformStream'],
  ...['performance', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'setTimeout', 'clearTimeout', 'structuredClone'],
];
const measuredSource = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null };

describe('the package @cloister/attestation', () => {
  it("gives browsers one file of at most 150 KB gzipped without Node's modules", () => {
    expect(built.browserGzipBytes).toBeLessThanOrEqual(browserGzipBytesMax);
    const code = readFileSync(join(built.folder, 'browser.js'), 'utf8');
    expect(code).not.toMatch(/["'`]node:|\bprocess\.|\bBuffer\b|\brequire\(|^import /m);
  });

  it('carries neither the guest’s side nor the simulation, and depends on nothing', () => {
    const files = readdirSync(built.folder, { recursive: true }).map(String);
    const foreign = /guest|simulate\/(platform|certificates|quote-writer)|\.node$/;
    expect(files.filter((file) => foreign.test(file))).toEqual([]);
    const code = ['node.js', 'node.cjs', 'cli.js', 'browser.js'].map((file) =>
      readFileSync(join(built.folder, file), 'utf8'),
    );
    expect(code.join()).not.toContain('Cloister simulation, not Intel');
    expect(JSON.parse(readFileSync(join(built.folder, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
  });

  it('has the command cloister-verify', async () => {
    const command = join(installed, 'cloister-verify.js');
    const verified = await run(command, server.origin, '--root', 'root.pem', '--policy', 'pinned.json');
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/VERIFIED \(SIMULATED/);
    expect((await run(command, server.origin, '--policy', 'pinned.json')).code).toBe(10);
    expect((await run(command)).code).toBe(64);
  });

  it('is imported by its name, in Node and as the browser’s file', async () => {
    writeFileSync(join(tenant, 'report.json'), await server.report('ab'.repeat(32)));
    writeFileSync(
      join(tenant, 'use.mjs'),
      `import { readFileSync } from 'node:fs';
       import { attestedFetch } from '@cloister/attestation';
       import * as browser from '@cloister/attestation/browser';
       const { verdict } = await browser.verifyEvidence(
         { report: readFileSync('report.json', 'utf8'), nonce: '${'ab'.repeat(32)}', observed: 'invisible' },
         { roots: browser.parsePemChain(readFileSync('root.pem', 'utf8'), 'root'), policy: JSON.parse(readFileSync('pinned.json', 'utf8')), nowMs: Date.now() },
       );
       const send = attestedFetch({ measurements: 'any' }, { roots: readFileSync('root.pem', 'utf8') });
       const answer = await send('${server.origin}/v1/x', { method: 'POST', body: 'hello' });
       console.log(await answer.text(), typeof browser.sealedFetch, verdict);`,
    );
    expect((await run('use.mjs')).stdout).toBe('{"got":"hello"} function verified\n');
  });

  it('verifies, seals and opens with Web APIs only', async () => {
    const app = await startAttestedApp({ script: (chat) => void chat.answer('Good', ' day') });
    for (const event of startLogWith('build', { source: measuredSource })) await app.platform.measure(event);
    const url = `${await app.listen()}/chat/completions`;
    writeFileSync(join(tenant, 'server.pem'), app.identity.certificate);
    const ask = { model: modelId, messages: [{ role: 'user', content: 'hello' }] };
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
    };
    const given = { url, ask, init, rootPem: formatPemChain([app.platform.simulation!.rootCa]), nowMs: appNowMs };
    writeFileSync(join(tenant, 'given.json'), JSON.stringify(given));
    writeFileSync(
      join(tenant, 'page.mjs'),
      `import { readFileSync } from 'node:fs';
       import vm from 'node:vm';
       const web = Object.fromEntries(${JSON.stringify(webApis)}.map((name) => [name, globalThis[name]]));
       const page = vm.createContext({ ...web, given: JSON.parse(readFileSync('given.json', 'utf8')) });
       const library = new vm.SourceTextModule(readFileSync(${JSON.stringify(join(built.folder, 'browser.js'))}, 'utf8'), { context: page });
       await library.link((name) => { throw new Error('it imports ' + name); });
       await library.evaluate();
       page.cloister = library.namespace;
       page.tell = (...found) => console.log(JSON.stringify(found));
       await vm.runInContext(\`(async () => {
         const { url, ask, init, rootPem, nowMs } = given;
         const roots = cloister.parsePemChain(rootPem, 'root');
         const policy = { measurements: 'any', sources: [{ repoCommit: 'c0ffee' }] };
         const send = cloister.sealedFetch(policy, { roots, now: () => nowMs });
         const whole = await (await send(url, { ...init, body: JSON.stringify(ask) })).json();
         const stream = await (await send(url, { ...init, body: JSON.stringify({ ...ask, stream: true }) })).text();
         const other = cloister.sealedFetch({ ...policy, sources: [{ repoCommit: 'other' }] }, { roots, now: () => nowMs });
         const refused = await other(url, { ...init, body: '{}' }).catch((error) => error.code);
         tell(whole.choices[0].message.content, stream.endsWith('[DONE]\\\\n\\\\n'), refused, typeof process, typeof Buffer);
       })()\`, page);`,
    );
    const flags = ['--experimental-vm-modules', '--no-warnings', 'page.mjs'];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(tenant, 'server.pem') };
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: tenant, env });
    expect(JSON.parse(stdout)).toEqual(['Good day', true, 'ERR_NOT_VERIFIED', 'undefined', 'undefined']);
    await app.close();
  });

  it('has types', () => {
    symlinkSync(join(root, 'node_modules/@types'), join(tenant, 'node_modules/@types'));
    writeFileSync(
      join(tenant, 'use.ts'),
      `import { attestedFetch, type EvidencePolicy } from '@cloister/attestation';
       import { sealedFetch } from '@cloister/attestation/browser';
       const policy: EvidencePolicy = { measurements: 'any' };
       export const answer: Promise<Response> = attestedFetch(policy)('https://localhost');
       export const sealed: Promise<Response> = sealedFetch(policy)('https://localhost', { method: 'POST', body: '' });
       export const replacement: typeof fetch = attestedFetch(policy);
       // @ts-expect-error a policy must speak of measurements
       attestedFetch({});`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
    ];
    execFileSync(process.execPath, [tsc, ...flags, 'use.ts'], { cwd: tenant });
  });
});
