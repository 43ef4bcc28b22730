/** What `cloister fleet` refuses before it starts anything. `test/system/fleet-command.test.ts` runs a fleet. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findHaproxy } from '../../cli/fleet/balancer.ts';
import { findPostgres } from '../../cli/fleet/database.ts';
import { endProcess, isRunning, startProcess } from '../../cli/fleet/processes.ts';
import { fleetPaths, removeFleetFolder, writeFleet } from '../../cli/fleet/state.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-fleet-cli-'));
afterAll(() => rmSync(cwd, { recursive: true }));

describe('cloister fleet', () => {
  it.each([
    ['fleet', 'fleet takes up, status, kill, roll, scale, down, got nothing'],
    ['fleet rol', 'did you mean roll'],
    ['fleet up --nodes 17', '--nodes must be a whole number from 1 to 16, got 17'],
    ['fleet up extra', 'up takes no argument, got extra'],
    ['fleet up --policy missing.json', '--policy: missing.json cannot be read (ENOENT)'],
    ['fleet kill', 'kill takes the number of a node'],
    ['fleet scale 0', 'scale takes the number of nodes, 1 to 16, or --auto'],
    ['fleet scale --auto 3', 'scale --auto takes no argument, got 3'],
    ['fleet scale --auto --min 4 --max 3', '--min 4 exceeds --max 3'],
    ['fleet scale --auto --down-below-s 1 --up-above-s 1', '--down-below-s must be less than --up-above-s'],
    ['fleet scale --auto --up-above-s soon', '--up-above-s must be a number of seconds from 0 to 86400, got soon'],
    ['fleet roll --swarm cloister', '--swarm needs --policy'],
    ['fleet roll --swarm cloister --program other.mjs', 'with --swarm, --image names a version, not --program'],
    ['fleet roll --image cloister:2', '--image needs --swarm'],
  ])('%s is wrong usage', async (line, message) => {
    const { code, stderr } = await runCloister(line, { cwd });
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  });

  it('refuses a malformed policy', async () => {
    writeFileSync(join(cwd, 'policy.json'), '{"measurement": []}');
    const { code, stderr } = await runCloister('fleet up --policy policy.json', { cwd });
    expect([code, stderr]).toEqual([1, 'cloister: a policy has no member measurement\n']);
  });

  it('says what to install where PostgreSQL or HAProxy is absent', () => {
    const code = 'ERR_START';
    expect(() => findPostgres(cwd, join(cwd, 'none'))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining('apt-get install postgresql') }),
    );
    expect(() => findHaproxy(cwd, [])).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining('apt-get install haproxy') }),
    );
  });

  it('says how Docker can be reached', async () => {
    const policy = join(cwd, 'any.json');
    writeFileSync(policy, '{"measurements": "any", "sources": "any"}');
    const line = `fleet scale 3 --swarm cloister --policy ${policy}`;
    const answer = async (DOCKER_HOST: string) => (await runCloister(line, { cwd, env: { DOCKER_HOST } })).stderr;
    expect(await answer('ssh://ada@machine')).toContain('DOCKER_HOST must be unix://<path>, or tcp://<host>:<port>');
    expect(await answer('tcp://127.0.0.1:2375')).toContain('with DOCKER_CERT_PATH, got tcp://127.0.0.1:2375');
    expect(await answer(`unix://${cwd}/none`)).toContain(`Docker does not answer at unix://${cwd}/none`);
  });

  it('has nothing to do without a fleet, and down says so', async () => {
    for (const line of ['status', 'roll', 'scale 3', 'kill 1']) {
      const { code, stderr } = await runCloister(`fleet ${line} --state-dir none`, { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining('has no fleet: start one with cloister fleet up')]);
    }
    expect(await runCloister('fleet down --state-dir never', { cwd })).toMatchObject({
      ...{ code: 0, stderr: 'no fleet runs here\n' },
    });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  it('does not start in a folder with other files, which down would leave alone', async () => {
    mkdirSync(join(cwd, 'full'));
    writeFileSync(join(cwd, 'full/mine.txt'), '');
    const { code, stderr } = await runCloister('fleet up --state-dir full', { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    const release = { number: 1, program: '', options: [], cwd, policy: '' };
    const paths = fleetPaths(join(cwd, 'full'));
    writeFleet(paths, { port: 1, runFolder: cwd, databaseUrl: '', release, nodes: [] });
    removeFleetFolder(paths);
    expect(readdirSync(join(cwd, 'full'))).toEqual(['mine.txt']);
  });

  it('does not take another process for its own that got the same id', async () => {
    const files = { output: join(cwd, 'log'), errors: join(cwd, 'log') };
    const started = await startProcess({ program: 'sleep', args: ['60'], env: process.env, cwd, ...files });
    expect(isRunning(started)).toBe(true);
    const other = { ...started, startTicks: '1' };
    expect(isRunning(other)).toBe(false);
    await endProcess(other, { first: 'SIGKILL', graceMs: 1_000 });
    expect(isRunning(started)).toBe(true);
    await endProcess(started, { first: 'SIGKILL', graceMs: 5_000 });
    expect(isRunning(started)).toBe(false);
    const unknown = { program: join(cwd, 'no-such-program'), args: [], env: {}, cwd, ...files };
    await expect(startProcess(unknown)).rejects.toMatchObject({ code: 'ERR_START' });
  });
});
