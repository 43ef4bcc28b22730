/** `cloister fleet` with real processes: three nodes behind one address, killed, replaced under load, rolled back and removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { FleetCommand, fleetMissing, fleetTitle, model, root, start } from '../support/server/fleet-command.ts';
import { simulatedPolicy } from '../support/server/simulated-fleet.ts';

/** Answers that a node computes at the same time. */
const sequences = 2;

describe.skipIf(fleetMissing !== undefined)(fleetTitle, () => {
  const fleet = new FleetCommand();
  const { folder, policyPath } = fleet;
  afterAll(() => fleet.remove(), 30_000);

  it('up starts three nodes behind one address, and prints a command that works', async () => {
    const up = await fleet.up(`--nodes 3 -- --model ${model} --sequences ${sequences}`);
    expect(up.stdout).toContain(`base URL     ${fleet.origin}/v1`);
    const curl = up.stdout.split('\n').find((line) => line.startsWith('curl '))!;
    const listed = spawn('bash', ['-c', `${curl} -s`], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    listed.stdout.on('data', (piece) => (text += String(piece)));
    await once(listed, 'close');
    expect(JSON.parse(text).data.map(({ id }: { id: string }) => id)).toEqual([model]);
    const status = JSON.parse((await fleet.run('status --json')).stdout);
    expect(status.nodes.map((node: Record<string, unknown>) => [node.node, node.state, node.balancer])).toEqual(
      [1, 2, 3].map((number) => [number, 'serving', 'up']),
    );
    expect((await fleet.run(`up --port ${fleet.port}`)).stderr).toContain('a fleet exists in');
  }, 120_000);

  it('roll goes back to the old release on its own when a node fails the policy, which gets no request', async () => {
    const [node] = fleet.state.nodes;
    const options = { policy: simulatedPolicy, roots: fleet.file('simulation-roots.pem') };
    const { verification } = await attestServer(`https://localhost:${node!.port}`, options);
    const models = verification.startLog.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);
    // Only this model, with these weights.
    fleet.writePolicy({ ...simulatedPolicy, started: { 'cloister.model': models } });
    const before = fleet.state.nodes.map(({ process: { pid } }) => pid);
    const load = await fleet.underLoad(Math.round(0.8 * 3 * sequences), async () => {
      const rolled = await fleet.run(
        `roll --policy ${policyPath} -- --model ${model},cloister-demo-reranker-TEE --sequences ${sequences}`,
      );
      expect(rolled.code).toBe(1);
      expect(rolled.stderr).toContain('the fleet runs the old release again');
      expect(rolled.stderr).toContain('does not satisfy the policy');
    });
    expect(load.failures).toEqual([]);
    expect(load.answers).toBeGreaterThan(0);
    expect(fleet.state.nodes.map(({ process: { pid } }) => pid)).toEqual(before);
    const refused = readdirSync(join(folder, 'nodes')).filter((name) => name.includes('release-2'));
    expect(refused).toHaveLength(1);
    // The log has a line for each request: the evidence was asked for, and nothing else.
    const log = fleet.file(`nodes/${refused[0]}/node.log`);
    expect(log).toContain('/v1/aci/');
    expect(log).not.toContain('/v1/chat/completions');
  }, 120_000);

  it('kill ends a node in the middle of the stream of examples/07-fleet.ts, which loses no answer', async () => {
    const example = start(['examples/07-fleet.ts'], { FLEET: folder, BASE_URL: `${fleet.origin}/v1`, REQUESTS: '30' });
    const lines: string[] = [];
    let errors = '';
    example.stderr!.on('data', (piece) => (errors += String(piece)));
    const exited = once(example, 'exit');
    for await (const line of createInterface({ input: example.stdout! })) {
      lines.push(line);
      if (lines.length === 10) expect((await fleet.run('kill 2')).code).toBe(0);
    }
    expect((await exited)[0], errors).toBe(0);
    expect(lines).toHaveLength(31);
    expect(lines.at(-1)).toMatch(/^30 answers, none lost: /);
    const { nodes } = JSON.parse((await fleet.run('status --json')).stdout);
    expect(nodes.map((node: Record<string, unknown>) => node.state)).toEqual(['serving', 'ended', 'serving']);
  }, 120_000);

  it('roll replaces the nodes at 80 % load without a failed request', async () => {
    const old = fleet.state.nodes.map(({ process: { pid } }) => pid);
    const roll = async () => {
      const rolled = await fleet.run(`roll --policy ${policyPath} -- --model ${model} --sequences ${sequences + 1}`);
      expect(rolled.code, rolled.stderr).toBe(0);
    };
    const load = await fleet.underLoad(Math.round(0.8 * 2 * sequences), roll, { nodesBefore: 2, nodesAfter: 4 });
    expect(load.failures).toEqual([]);
    expect(load.nodes.size).toBe(4);
    const { nodes, release } = fleet.state;
    expect(nodes.map((node) => [node.number, node.release.options.at(-1)])).toEqual([
      [1, String(sequences + 1)],
      [3, String(sequences + 1)],
    ]);
    expect(nodes.map(({ process: { pid } }) => pid).filter((pid) => old.includes(pid))).toEqual([]);
    expect(release.policy).toBe(readFileSync(policyPath, 'utf8'));
  }, 180_000);

  it('down ends a fleet that a command is changing, and leaves no process and no file', async () => {
    const { runFolder } = fleet.state;
    // Ctrl-C ends only the node that is starting.
    const scaling = start(['cli/cloister.mjs', 'fleet', 'scale', '3', '--state-dir', folder]);
    const exited = once(scaling, 'exit');
    await expect.poll(() => fleet.state.nodes.length, { timeout: 30_000 }).toBe(3);
    expect((await fleet.run('down')).stderr).toContain('another cloister fleet command changes the fleet');
    scaling.kill('SIGINT');
    expect((await exited)[0]).toBe(130);
    expect(fleet.state.nodes.map(({ number }) => number)).toEqual([1, 3]);
    expect((await fleet.run('down')).code).toBe(0);
    expect([existsSync(folder), existsSync(runFolder)]).toEqual([false, false]);
    expect(commandLines().filter((line) => line.includes(folder) || line.includes(runFolder))).toEqual([]);
    expect((await fleet.run('status')).stderr).toContain('has no fleet');
  }, 120_000);
});

/** Of every process on this machine; those that have ended have none. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}
