/** The image of deploy/container, built by buildah and run by podman. Where this machine cannot, the tests are skipped with the reason. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packAll } from '../../../.ci/pack.ts';
import { localBase } from '../../../image/build-steps.ts';
import { chooseBase } from '../../image/machine/support/build.ts';
import { onPath } from '../../support/compute/podman.ts';
import { freePort } from '../../support/free-port.ts';

const root = join(import.meta.dirname, '../../..');
const work = mkdtempSync(join(tmpdir(), 'cloister-container-image-'));
const image = 'localhost/cloister-container-test';
const name = `cloister-container-test-${process.pid}`;
const missing = ['buildah', 'podman', 'runc', 'npm'].filter((program) => !onPath(program));
const whyNever =
  process.getuid?.() !== 0 ? 'not root' : missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
if (whyNever !== undefined) console.log(`The container's tests are skipped: ${whyNever}.`);

const engineConf = join(work, 'containers.conf');
const limits = 'default_ulimits = ["nofile=4096:4096", "nproc=8192:8192"]';
const env = { ...process.env, CONTAINERS_CONF: engineConf };
const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, {
    cwd: work,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });

/** An image with Node and npm from Debian's base, for machines that cannot pull `node`. It trusts the CAs of this machine. */
function buildNodeBase(base: string, caFile: string | undefined): string {
  const folder = join(work, 'node');
  mkdirSync(folder);
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, 'npm@11']);
  copyFileSync(process.execPath, join(folder, 'node'));
  if (caFile !== undefined) copyFileSync(caFile, join(folder, 'ca.crt'));
  const lines = [
    `FROM ${base}`,
    'COPY node /usr/local/bin/',
    'COPY node_modules/npm /usr/local/lib/node_modules/npm',
    'RUN ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    ...(caFile === undefined ? [] : ['COPY ca.crt /ca.crt', 'ENV NODE_EXTRA_CA_CERTS=/ca.crt']),
  ];
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  run('buildah', ['bud', '--isolation', 'chroot', '--pull-never', '--tag', `${image}-node`, folder]);
  return `${image}-node`;
}

/** @returns the reason why the image cannot be built here, or undefined */
async function build(): Promise<string | undefined> {
  const chosen = chooseBase(join(root, '.cloister'));
  if (typeof chosen === 'string') return chosen;
  const { base, isBaseLocal, caFile } = chosen;
  const debian = base ?? (isBaseLocal === true ? localBase : 'docker.io/library/debian:trixie-slim');
  let node: string;
  try {
    node = buildNodeBase(debian, caFile);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr)) return 'npm cannot reach its registry';
    throw error;
  }
  await packAll(join(work, 'packages'), { root, repository: undefined });
  cpSync(join(root, 'deploy/container'), join(work, 'deploy/container'), { recursive: true });
  const bases = [`NODE=${node}`, `BASE=${debian}`].flatMap((one) => ['--build-arg', one]);
  const file = ['-f', 'deploy/container/Dockerfile', '--ignorefile', 'deploy/container/Dockerfile.dockerignore'];
  // Only Docker's format has health checks.
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', image];
  run('buildah', ['bud', ...options, ...bases, ...file, '.']);
  return undefined;
}

describe.skipIf(whyNever !== undefined)('the container for development', () => {
  let whyNot: string | undefined;
  let container: ChildProcess | undefined;
  let output = '';
  beforeAll(async () => {
    writeFileSync(
      engineConf,
      `[containers]\n${limits}\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\n`,
    );
    whyNot = await build();
    if (whyNot !== undefined) {
      console.log(`The container's tests are skipped: ${whyNot}.`);
      return;
    }
    const [port, metrics] = [await freePort(), await freePort()];
    // On the host's network, because a published port needs a firewall that nested machines may not have.
    const settings = [`CLOISTER_PORT=${port}`, `CLOISTER_METRICS_PORT=${metrics}`, 'CLOISTER_HOST=127.0.0.1'];
    const hardening = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const options = ['--rm', '--name', name, '--network', 'host', ...settings.flatMap((one) => ['--env', one])];
    container = spawn('podman', ['run', ...options, ...hardening, image], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [container.stdout!, container.stderr!]) stream.on('data', (data) => (output += data));
  }, 1_800_000);
  afterAll(() => {
    if (container?.exitCode === null) run('podman', ['rm', '--force', '--time', '20', name]);
    if (existsSync(engineConf)) {
      for (const one of [image, `${image}-node`]) spawn('buildah', ['rmi', '--force', one], { env, stdio: 'ignore' });
    }
    rmSync(work, { recursive: true, force: true });
  });

  it('prints the URL, an API key and a command to try it', async (test) => {
    test.skip(whyNot !== undefined, whyNot);
    await vi.waitUntil(() => /curl --cacert/.test(output) || container!.exitCode !== null, 240_000);
    expect(output).toMatch(/base URL +https:\/\/localhost:\d+\/v1/);
    expect(output).toMatch(/API key +clst_[\w-]{43}/);
    expect(output).toContain('SIMULATED');
  });

  it('runs as a user without root that cannot change the program', (test) => {
    test.skip(whyNot !== undefined, whyNot);
    const inside = (script: string) => run('podman', ['exec', name, 'sh', '-c', script]).trim();
    expect(inside('id -u; id -g')).toBe('10001\n10001');
    expect(inside('stat -c "%u %a" /var/lib/cloister')).toBe('10001 700');
    expect(inside('find /opt /usr -writable -not -type l | head -3')).toBe('');
  });

  it('has a health check that passes once the server is ready', (test) => {
    test.skip(whyNot !== undefined, whyNot);
    expect(run('podman', ['inspect', '--format', '{{.Config.Healthcheck.Test}}', name])).toContain('healthcheck.mjs');
    run('podman', ['healthcheck', 'run', name]);
  });

  it('stops on SIGTERM and drains', async (test) => {
    test.skip(whyNot !== undefined, whyNot);
    const closed = once(container!, 'close');
    run('podman', ['stop', '--time', '60', name]);
    await closed;
    expect(output).toContain('stopped');
  });

  it('is smaller than 500 MB', (test) => {
    test.skip(whyNot !== undefined, whyNot);
    const [{ size }] = JSON.parse(run('buildah', ['images', '--json', image])) as [{ size: string }];
    expect(Number.parseFloat(size)).toBeLessThan(500);
    expect(size).toMatch(/MB$/);
  });
});
