/** The container's build inputs and its health check. `docs/how-to/install.md` says how the image is built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import { runProgram } from '../support/packages/installed.ts';

const folder = join(import.meta.dirname, '../../deploy/container');
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'cloister-container-'));
afterAll(() => rmSync(work, { recursive: true }));

describe('deploy/container/Dockerfile', () => {
  it('ends as a numbered user without root, with a health check and no download in the last stage', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).toMatch(/^HEALTHCHECK .*healthcheck\.mjs/m);
    expect(last).not.toMatch(/^(RUN|ADD)\b/m);
  });

  it('copies files that are there and that its ignore file lets through', () => {
    const copied = [...dockerfile.matchAll(/deploy\/container\/(\S+\.(?:mjs|sh))/g)].map(([, name]) => name!);
    expect(new Set(copied)).toEqual(new Set(['project.mjs', 'prune.sh', 'healthcheck.mjs']));
    for (const name of copied) expect(existsSync(join(folder, name))).toBe(true);
    const ignore = readFileSync(join(folder, 'Dockerfile.dockerignore'), 'utf8').trim().split('\n');
    expect(ignore).toEqual(['*', '!packages/*.tgz', '!deploy/container']);
  });

  it('installs each dependency in the version of the lock file, if that has one version', async () => {
    const lock = {
      packages: {
        '': {},
        'node_modules/one': { version: '1.2.3' },
        'node_modules/two': { version: '1.0.0' },
        'node_modules/one/node_modules/two': { version: '2.0.0' },
        'node_modules/tool': { version: '3.0.0', dev: true },
        'node_modules/@cloister/server': { link: true },
      },
    };
    mkdirSync(join(work, 'package'));
    writeFileSync(join(work, 'package/lock.json'), JSON.stringify(lock));
    const tar = ['-czf', 'cloister-1.0.0.tgz', 'package'];
    expect(await runProgram('tar', tar, { cwd: work })).toMatchObject({ code: 0 });
    const missing = await runProgram(process.execPath, [join(folder, 'project.mjs'), work], { cwd: work });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('must have one archive like') });
    writeFileSync(join(work, 'cloister-native-linux-x64-1.0.0.tgz'), '');
    expect(await runProgram(process.execPath, [join(folder, 'project.mjs'), work], { cwd: work })).toMatchObject({
      code: 0,
    });
    const { overrides } = JSON.parse(readFileSync(join(work, 'package.json'), 'utf8'));
    expect(overrides).toEqual({ one: '1.2.3' });
  });
});

describe('deploy/container/healthcheck.mjs', () => {
  const check = async (port: number): Promise<number> => {
    const env = { ...process.env, CLOISTER_HEALTH_PORT: String(port) };
    const [code] = await once(spawn(process.execPath, [join(folder, 'healthcheck.mjs')], { env }), 'close');
    return code;
  };

  it.each([
    [200, 0],
    [503, 1],
  ])('exits according to the answer %i of /health/ready', async (status, code) => {
    const paths: (string | undefined)[] = [];
    const server = https.createServer(
      tlsOptions(makeIdentity({ host: 'localhost', now: Date.now() })),
      (request, response) => {
        paths.push(request.url);
        response.writeHead(status).end();
      },
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await check(port)).toBe(code);
    expect(paths).toEqual(['/health/ready']);
    server.close();
    await once(server, 'close');
    expect(await check(port)).toBe(1);
  });
});

describe('deploy/container/compose.yaml', () => {
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');

  it('publishes ports on loopback only and has no password of its own', () => {
    const ports = [...text.matchAll(/^ +- (\S+:)?\d+:\d+$/gm)].map(([, address]) => address);
    expect(ports).toEqual(['127.0.0.1:', '127.0.0.1:', '127.0.0.1:']);
    expect(text).toContain('${POSTGRES_PASSWORD:?');
    expect(text).not.toMatch(/PASSWORD: [^$]/);
  });

  it('mounts the configuration of Prometheus and Grafana', () => {
    const mounted = [...text.matchAll(/- (\.\.\/[a-z/]+):/g)].map(([, path]) => path!);
    expect(mounted).toEqual(['../prometheus', '../grafana/provisioning', '../grafana/dashboards']);
  });
});
