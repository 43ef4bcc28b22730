/** `@cloister/attestation` and `@cloister/proxy` as tenants get them: packed by npm, installed into an empty project, used on Node 22 and 24. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProxyPackage } from '../../.ci/pack/proxy-package.ts';
import { buildPackage } from '../../attestation/build.ts';
import { type AttestedServer, simulatedSoftware, startAttestedServer } from '../support/attestation/attested-server.ts';
import { installInto, nodeOfRelease, packFolder, runProgram } from '../support/packages/installed.ts';

const root = join(import.meta.dirname, '../..');
const repository = 'git+https://example.org/cloister.git';
const work = mkdtempSync(join(tmpdir(), 'cloister-pack-'));
let project: string;
let server: AttestedServer;

beforeAll(async () => {
  const { folder } = await buildPackage(join(work, 'built'), { repository });
  project = await installInto([packFolder(folder, work)], ['--offline']);
  server = await startAttestedServer();
  writeFileSync(join(project, 'root.pem'), server.rootPem);
  writeFileSync(join(project, 'pinned.json'), JSON.stringify({ measurements: simulatedSoftware }));
  writeFileSync(join(project, 'report.json'), await server.report(nonce));
}, 90_000);
afterAll(async () => {
  await server?.close();
  rmSync(work, { recursive: true });
  rmSync(project, { recursive: true });
});

const nonce = 'ab'.repeat(32);
const installed = () => join(project, 'node_modules/@cloister/attestation');

/** The same program as a module and as a script: verifies the saved report and sends a request to the server. */
const program = (imports: string) => `${imports}
(async () => {
  const roots = parsePemChain(readFileSync('root.pem', 'utf8'), 'root');
  const policy = JSON.parse(readFileSync('pinned.json', 'utf8'));
  const input = { report: readFileSync('report.json', 'utf8'), nonce: '${nonce}', observed: 'none' };
  const pinned = await verifyEvidence(input, { roots, policy, nowMs: Date.now() });
  const intel = await verifyEvidence(input, { policy, nowMs: Date.now() });
  const send = attestedFetch(policy, { roots: readFileSync('root.pem', 'utf8') });
  const answer = await send('${server.origin}/v1/x', { method: 'POST', body: 'hello' });
  console.log(pinned.verdict, intel.verdict, await answer.text());
})();`;
const names = '{ attestedFetch, parsePemChain, verifyEvidence }';

describe('the installed package @cloister/attestation', () => {
  it('has a licence, a change log, its repository and no dependency', () => {
    expect(readFileSync(join(installed(), 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(readFileSync(join(installed(), 'CHANGELOG.md'), 'utf8')).toContain('# Changelog');
    const manifest = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
    expect(manifest.repository).toEqual({ type: 'git', url: repository, directory: 'attestation' });
    expect(manifest.license).toBe('Apache-2.0');
    expect(readdirSync(join(project, 'node_modules')).sort()).toEqual(['.bin', '.package-lock.json', '@cloister']);
    expect(readdirSync(join(project, 'node_modules/@cloister'))).toEqual(['attestation']);
  });

  describe.each([22, 24])('on Node %i', (major) => {
    let node: string;
    beforeAll(() => {
      node = nodeOfRelease(major) ?? '';
      if (node === '') console.warn(`skipped: npm cannot fetch Node ${major}`);
    }, 90_000);
    const run = (...args: string[]) => runProgram(node, args, { cwd: project });

    it('verifies with `import` and with `require`', async (test) => {
      test.skip(node === '');
      const read = (how: string) => `import { readFileSync } from 'node:fs';\n${how}`;
      writeFileSync(join(project, 'use.mjs'), program(read(`import ${names} from '@cloister/attestation';`)));
      const required = `const { readFileSync } = require('node:fs');\nconst ${names} = require('@cloister/attestation');`;
      writeFileSync(join(project, 'use.cjs'), program(required));
      for (const file of ['use.mjs', 'use.cjs']) {
        expect(await run(file)).toEqual({ code: 0, stdout: 'verified not-verified {"got":"hello"}\n', stderr: '' });
      }
    });

    it('has the command cloister-verify', async (test) => {
      test.skip(node === '');
      const command = join(project, 'node_modules/.bin/cloister-verify');
      expect((await run(command, '--help')).stdout).toMatch(/^Usage: cloister-verify /);
      const pinned = [server.origin, '--policy', 'pinned.json'];
      const verified = await run(command, ...pinned, '--root', 'root.pem');
      expect(verified.stdout).toMatch(/^VERIFIED \(SIMULATED/m);
      expect(verified.code).toBe(0);
      expect((await run(command, ...pinned)).code).toBe(10);
    });
  });

  it('runs as `npx cloister-verify`', async () => {
    const { code, stdout } = await runProgram('npx', ['--no-install', 'cloister-verify', '--help'], { cwd: project });
    expect({ code, usage: stdout.split('\n')[0] }).toEqual({
      code: 0,
      usage: 'Usage: cloister-verify <https://host[:port] | file> [options]',
    });
  });

  it('has its proxy as a package of its own, which runs as `npx @cloister/proxy`', async () => {
    const proxy = join(work, 'proxy');
    buildProxyPackage(proxy, { root, repository }, { attestation: join(work, 'built') });
    const empty = await installInto([packFolder(proxy, work)], ['--offline']);
    expect(readdirSync(join(empty, 'node_modules/@cloister'))).toEqual(['proxy']);
    for (const file of ['root.pem', 'pinned.json']) cpSync(join(project, file), join(empty, file));
    const options = ['--policy', 'pinned.json', '--root', 'root.pem', '--no-seal', '--port', '0', '--json'];
    const npx = spawn('npx', ['--no-install', '@cloister/proxy', server.origin, ...options], { cwd: empty });
    try {
      const { address } = JSON.parse(String((await once(npx.stdout, 'data'))[0]).split('\n')[0]!);
      const answer = await fetch(`${address}/v1/x`, { method: 'POST', body: 'hello' });
      expect(await answer.json()).toEqual({ got: 'hello' });
    } finally {
      npx.kill('SIGTERM');
      rmSync(empty, { recursive: true });
    }
  });

  it.each([
    ['a module', 'use.mts'],
    ['a CommonJS file', 'use.cts'],
  ])('has types for %s', (_kind, file) => {
    writeFileSync(
      join(project, file),
      `import { type EvidencePolicy, type Verdict, verifyEvidence } from '@cloister/attestation';
       const policy: EvidencePolicy = { measurements: 'any' };
       const found = verifyEvidence({ report: '', nonce: undefined, observed: 'none' }, { policy, nowMs: 0 });
       export const verdict: Promise<Verdict> = found.then((one) => one.verdict);
       // @ts-expect-error a policy must name measurements
       export const empty: EvidencePolicy = {};`,
    );
    const typeRoots = join(root, 'node_modules/@types');
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, ...flags, '--typeRoots', typeRoots, '--types', 'node', file];
    expect(() => execFileSync(process.execPath, args, { cwd: project, stdio: 'pipe' })).not.toThrow();
  });
});
