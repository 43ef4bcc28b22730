/** `cloister fleet roll` and `scale` on a real Docker Swarm of one machine: nodes in containers on an overlay network. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { databaseReady, databaseUrl, findPostgres, startDatabase } from '../../cli/fleet/database.ts';
import { endProcess } from '../../cli/fleet/processes.ts';
import type { Printed } from '../support/cloister.ts';
import { describeOn } from '../support/compute/engine-suite.ts';
import { onPath } from '../support/compute/podman.ts';
import { type Swarm, startSwarm } from '../support/compute/swarm.ts';
import { fleetMissing, model, root } from '../support/server/fleet-command.ts';
import {
  neverServesIf,
  nextMeasurement,
  oldMeasurement,
  otherMeasurement,
  writeReleaseProgram,
} from '../support/server/release-program.ts';

const service = 'enclave';
const images = { old: 'localhost/cloister:1', next: 'localhost/cloister:2', hangs: 'localhost/cloister:3' };
const both = { measurements: [oldMeasurement, nextMeasurement], sources: 'any' };
const onlyOld = { measurements: [oldMeasurement], sources: 'any' };

describeOn('cloister fleet --swarm', await startFleetSwarm(), (fleet) => {
  const { docker } = fleet;

  beforeAll(async () => {
    writeFileSync(fleet.file('both.json'), JSON.stringify(both));
    writeFileSync(fleet.file('only-old.json'), JSON.stringify(onlyOld));
    importImage(fleet, images.old, join(root, 'cli/cloister.mjs'));
    importImage(fleet, images.next, writeReleaseProgram(fleet.file(''), 'next.mjs', otherMeasurement));
    const isSecond = '(await firstContainer()) !== process.env.HOSTNAME';
    importImage(
      fleet,
      images.hangs,
      writeReleaseProgram(fleet.file(''), 'hangs.mjs', [
        ...firstContainer(fleet.file('first')),
        ...neverServesIf(isSecond),
      ]),
    );
    docker('network', 'create', '--driver', 'overlay', '--attachable', 'fleet');
    createService(fleet);
    const areRunning = () => expect(running()).toEqual([images.old, images.old]);
    await vi.waitFor(areRunning, { timeout: 240_000, interval: 500 });
  });

  /** Images of the tasks that run. */
  function running(): readonly string[] {
    const format = '{{.Image}} {{.CurrentState}}';
    const lines = docker('service', 'ps', service, '--filter', 'desired-state=running', '--format', format).split('\n');
    return lines.filter((line) => line.includes(' Running ')).map((line) => line.split(' ')[0]!);
  }

  const taskIds = () =>
    docker('service', 'ps', service, '--quiet', '--filter', 'desired-state=running').split('\n').filter(Boolean).sort();
  const specification = () => JSON.parse(docker('service', 'inspect', service))[0].Spec;

  it('replaces the nodes one by one by ones that measure other software', async () => {
    const before = taskIds();
    const { UpdateConfig, Labels } = specification();
    const rolled = await fleet.run(
      `roll --image ${images.next} --policy both.json --evidence-timeout-s 120 -- --simulate-tdx --threads 1`,
    );
    expect(rolled.code, rolled.stderr).toBe(0);
    expect(rolled.stderr.match(/its evidence satisfies the policy/g)).toHaveLength(2);
    expect(running()).toEqual([images.next, images.next]);
    expect(taskIds().filter((id) => before.includes(id))).toEqual([]);
    expect(specification()).toMatchObject({ UpdateConfig, Labels });
    expect(specification().TaskTemplate.ContainerSpec.Args).toEqual(['serve', '--simulate-tdx', '--threads', '1']);
  });

  it('goes back within 30 s after it has waited for a second node that never serves', async () => {
    const before = taskIds();
    const specificationBefore = specification();
    const rolled = await fleet.run(`roll --image ${images.hangs} --policy both.json --evidence-timeout-s 60`);
    expect(rolled.code, rolled.stderr).toBe(1);
    expect(rolled.stderr).toContain('the new node is not healthy in time');
    expect(rolled.stderr).toContain('the fleet runs the old release again');
    expect(running()).toEqual([images.next, images.next]);
    expect(specification()).toEqual(specificationBefore);
    // The node that was not replaced never stopped.
    expect(taskIds().filter((id) => before.includes(id))).toHaveLength(1);
    const seconds = Number(/rolled back after ([\d.]+) s/.exec(rolled.stderr)?.[1]);
    console.info(`all nodes had the old release again ${seconds} s after the time for a node that never served`);
    expect(seconds).toBeLessThan(30);
  });

  it('goes back if the evidence of a new node does not satisfy the policy', async () => {
    const rolled = await fleet.run(`roll --image ${images.next} --policy only-old.json --evidence-timeout-s 120`);
    expect(rolled.code, rolled.stderr).toBe(1);
    expect(rolled.stderr).toContain('its evidence does not satisfy the policy');
    expect(rolled.stderr).not.toContain('its evidence satisfies the policy');
    expect(running()).toEqual([images.next, images.next]);
  });

  it('scales to a number of nodes, or by their metrics', async () => {
    const scaled = await fleet.run('scale 3 --policy both.json');
    expect(scaled.code, scaled.stderr).toBe(0);
    expect(scaled.stderr).toMatch(/its evidence satisfies the policy/);
    expect(scaled.stderr).toContain('3 nodes run');
    const automatic = 'scale --auto --once --min 2 --policy both.json --interval-s 2';
    const asked = await fleet.run(`${automatic} --dry-run`);
    expect(asked.stdout, asked.stderr).toMatch(
      /3 nodes: queue time p95 none, 0 requests and 0 prompt tokens waiting, KV cache 0 %: would scale to 2, because the load is low\n$/,
    );
    expect(running()).toHaveLength(3);
    const drained = await fleet.run(automatic);
    expect(drained.stdout, drained.stderr).toContain('scales to 2, because the load is low');
    expect(running()).toHaveLength(2);
  });

  it('takes back the node that does not satisfy the policy', async () => {
    const scaled = await fleet.run('scale 3 --policy only-old.json');
    expect(scaled.code, scaled.stderr).toBe(1);
    expect(scaled.stderr).toContain('its evidence does not satisfy the policy');
    await expect.poll(running, { timeout: 60_000 }).toHaveLength(2);
  });
});

interface FleetSwarm {
  /** `docker` on the machine of the Swarm. */
  docker(...args: string[]): string;
  file(name: string): string;
  /** Folders of this machine that every container has. */
  readonly folders: readonly string[];
  readonly databaseUrl: string;
  /** Runs `cloister fleet --swarm` in a container on the network of the fleet. */
  run(line: string): Promise<Printed>;
  remove(): Promise<void>;
}

async function startFleetSwarm(): Promise<FleetSwarm | { readonly missing: string }> {
  if (fleetMissing !== undefined) return { missing: fleetMissing };
  if (!onPath('curl')) return { missing: 'curl is not installed' };
  const swarm = await startSwarm({ count: 1 });
  if ('missing' in swarm) return swarm;
  try {
    return await fleetOn(swarm);
  } catch (error) {
    await swarm.remove();
    throw error;
  }
}

async function fleetOn(swarm: Swarm): Promise<FleetSwarm> {
  const [{ docker: run, socketPath }] = swarm.nodes as [Swarm['nodes'][0]];
  const docker = run.bind(swarm.nodes[0]);
  // The user of PostgreSQL cannot reach the folder of the Swarm.
  const runFolder = mkdtempSync(join(tmpdir(), 'cloister-fleet-'));
  const postgres = findPostgres(process.env.PATH ?? '');
  const log = join(swarm.folder, 'postgresql.log');
  const database = await startDatabase(postgres, { runFolder, log });
  await databaseReady(postgres, database, { runFolder, log, signal: AbortSignal.timeout(60_000) });
  const folders = ['/usr', root, swarm.folder, runFolder, dirname(process.execPath)];
  return {
    ...{ docker, folders, databaseUrl: databaseUrl(runFolder), file: (name) => join(swarm.folder, name) },
    async run(line) {
      const [own = '', options] = line.split(' -- ');
      const [command = '', ...rest] = own.split(' ');
      const words = [command, '--swarm', service, '--simulated', ...rest];
      const args = [
        ...['--host', `unix://${socketPath}`, 'run', '--rm', '--network', 'fleet', '--workdir', swarm.folder],
        ...['--env', `DOCKER_HOST=unix://${socketPath}`, ...mountsOf(folders), images.old, 'fleet', ...words],
        ...(options === undefined ? [] : ['--', ...options.split(' ')]),
      ];
      const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (piece) => (stdout += String(piece)));
      child.stderr.on('data', (piece) => (stderr += String(piece)));
      const [code] = await once(child, 'close');
      return { code, stdout, stderr };
    },
    async remove() {
      docker('service', 'rm', service);
      await endProcess(database, { first: 'SIGQUIT', graceMs: 5_000 });
      rmSync(runFolder, { recursive: true });
      await swarm.remove();
    },
  };
}

const mountsOf = (folders: readonly string[]) =>
  folders.flatMap((folder) => ['--mount', `type=bind,source=${folder},target=${folder}`]);

/** Imports an image without programs of its own: they are in the folders of this machine. */
function importImage({ docker, file }: FleetSwarm, name: string, program: string): void {
  const folder = file('image');
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['etc', 'proc', 'sys', 'dev', 'tmp', 'root']) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${path}`, join(folder, path));
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  const archive = file('image.tar');
  execFileSync('tar', ['-C', folder, '-cf', archive, '.']);
  const entrypoint = `ENTRYPOINT ${JSON.stringify([process.execPath, program])}`;
  docker('import', '--change', entrypoint, '--change', `ENV PATH=${dirname(process.execPath)}:/usr/bin`, archive, name);
}

/** Lines of a program with a function that returns the name of the container that called it first. */
function firstContainer(path: string): readonly string[] {
  return [
    "import { readFile, writeFile } from 'node:fs/promises';",
    'async function firstContainer() {',
    `  await writeFile('${path}', process.env.HOSTNAME, { flag: 'wx' }).catch(() => {});`,
    `  return await readFile('${path}', 'utf8');`,
    '}',
  ];
}

function createService({ docker, file, folders, databaseUrl: url }: FleetSwarm): void {
  const environment = {
    CLOISTER_FLEET_ADDRESS: 'https://{{.Service.Name}}.{{.Task.Slot}}.{{.Task.ID}}:8443',
    CLOISTER_FLEET_POLICY: file('both.json'),
    CLOISTER_DATABASE_URL: url,
    CLOISTER_HOST: '0.0.0.0',
    CLOISTER_METRICS_HOST: '0.0.0.0',
    CLOISTER_ADMIN_PORT: 'off',
    CLOISTER_STATE_DIR: '/var/state',
    CLOISTER_MODEL: model,
    CLOISTER_THREADS: '1',
  };
  docker(
    ...['service', 'create', '--detach', '--no-resolve-image', '--name', service, '--replicas', '2'],
    ...['--network', 'fleet', '--endpoint-mode', 'dnsrr', '--stop-grace-period', '60s'],
    ...['--update-parallelism', '1', '--update-order', 'start-first', '--update-failure-action', 'rollback'],
    ...['--health-cmd', 'curl -kfs https://localhost:8443/health/ready', '--health-interval', '1s'],
    ...['--health-start-period', '240s', '--health-timeout', '10s', ...mountsOf(folders)],
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...[images.old, 'serve', '--simulate-tdx'],
  );
}
