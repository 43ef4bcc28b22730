/** `cloister fleet roll` to software that is measured differently or never serves on one node, and `scale --auto`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { FleetCommand, fleetMissing, fleetTitle, model } from '../support/server/fleet-command.ts';
import {
  neverServesIf,
  nextMeasurement,
  oldMeasurement,
  otherMeasurement,
  writeReleaseProgram,
} from '../support/server/release-program.ts';

/** Answers that a node computes at the same time. */
const sequences = 2;
const onlyOld = { measurements: [oldMeasurement], sources: 'any' } as const;
const both = { measurements: [oldMeasurement, nextMeasurement], sources: 'any' } as const;

describe.skipIf(fleetMissing !== undefined)(fleetTitle, () => {
  const fleet = new FleetCommand();
  const pids = () => fleet.state.nodes.map(({ process: { pid } }) => pid);
  const releases = () => fleet.state.nodes.map(({ number, release }) => [number, release.options.at(-1)]);

  beforeAll(async () => {
    fleet.writePolicy(both);
    await fleet.up(`--nodes 2 --policy ${fleet.policyPath} -- --model ${model} --sequences ${sequences}`);
  }, 120_000);
  afterAll(() => fleet.remove(), 30_000);

  it('roll brings the first node back within 60 s if the second one never serves, without a failed request', async () => {
    const before = pids();
    const lines = neverServesIf("process.argv.some((word) => word.includes('/node-2-'))");
    const program = writeReleaseProgram(fleet.work, 'hangs.mjs', lines);
    let rolled!: Awaited<ReturnType<FleetCommand['run']>>;
    let [failing, back, ended] = [0, 0, 0];
    const load = await fleet.underLoad(Math.round(0.8 * 2 * sequences), async () => {
      const watch = setInterval(() => {
        const { nodes, release } = fleet.state;
        const isFailing = nodes.some((node) => node.number === 2 && node.phase === 'starting');
        const old = nodes.filter((node) => node.phase === 'serving' && node.release.number === release.number);
        if (failing === 0 && isFailing) failing = performance.now();
        if (back === 0 && failing > 0 && old.length === 2) back = performance.now();
      }, 50);
      rolled = await fleet.run(`roll --program ${program} -- --model ${model} --sequences ${sequences + 1}`);
      clearInterval(watch);
      ended = performance.now();
    });
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    console.info(
      `the second node began to start; after ${seconds(failing, back)} s two nodes with the old release served, and ` +
        `${seconds(back, ended)} s later the new one had drained`,
    );
    expect(rolled.code, rolled.stderr).toBe(1);
    expect(rolled.stderr).toContain('node 2 did not serve within 30 s');
    expect(rolled.stderr).toContain('the fleet runs the old release again');
    expect(back - failing).toBeGreaterThan(30_000);
    expect(back - failing).toBeLessThan(60_000);
    expect(load.failures).toEqual([]);
    expect(load.answers).toBeGreaterThan(0);
    expect(releases().sort()).toEqual([1, 2].map((number) => [number, String(sequences)]));
    // The second node never stopped.
    expect(pids()).toContain(before[1]);
    expect(pids()).not.toContain(before[0]);
  }, 180_000);

  it('roll to other measured software: a client of both sets loses no request, one of the old set sends none to it', async () => {
    const program = writeReleaseProgram(fleet.work, 'next.mjs', otherMeasurement);
    const { list, read } = fleet.roots();
    const cautious = attestedFetch(onlyOld, { roots: list, fleet: 'announced' });
    const answered: string[] = [];
    const refused: unknown[] = [];
    let isOver = false;
    const careful = async () => {
      while (!isOver) {
        read();
        const sent = cautious(`${fleet.origin}/v1/completions`, fleet.post({ prompt: 'for the old software only' }));
        await sent.then(
          async (answer) => answered.push(`${answer.status} ${(await answer.text()).slice(0, 100)}`),
          (error) => refused.push(error),
        );
        await pause(50);
      }
    };
    const load = await fleet.underLoad(
      Math.round(0.8 * 2 * sequences),
      async () => {
        const running = careful();
        try {
          await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(0);
          const rolled = await fleet.run(`roll --program ${program} --policy ${fleet.policyPath}`);
          expect(rolled.code, rolled.stderr).toBe(0);
          const refusedBefore = refused.length;
          await expect.poll(() => refused.length, { timeout: 30_000 }).toBeGreaterThan(refusedBefore);
        } finally {
          isOver = true;
          await running;
        }
      },
      { nodesBefore: 2, nodesAfter: 4 },
    );
    expect(load.failures).toEqual([]);
    expect(load.nodes.size).toBe(4);
    expect(answered.filter((answer) => !answer.startsWith('200'))).toEqual([]);
    // Every one of these was refused before anything was sent.
    expect(refused.map((error) => (error as { code?: string }).code)).toEqual(refused.map(() => 'ERR_NOT_VERIFIED'));
    const logs = readdirSync(join(fleet.folder, 'nodes')).map((name) => [name, fleet.file(`nodes/${name}/node.log`)]);
    const release = fleet.state.release.number;
    const withPrompts = logs.filter(([, log]) => log!.includes('/v1/completions')).map(([name]) => name);
    expect(withPrompts).not.toEqual([]);
    expect(withPrompts.filter((name) => name!.includes(`release-${release}-`))).toEqual([]);
    const withChats = logs.filter(([, log]) => log!.includes('/v1/chat/completions')).map(([name]) => name);
    expect(withChats.filter((name) => name!.includes(`release-${release}-`))).toHaveLength(2);
  }, 180_000);

  it('scale --auto adds a node while requests wait, and drains one when none do', async () => {
    const scale = 'scale --auto --once --min 2 --max 3 --interval-s 3 --up-above-s 0.002 --down-below-s 0.001';
    const load = await fleet.underLoad(4 * sequences, async () => {
      const asked = await fleet.run(`${scale} --dry-run`);
      expect(asked.stdout, asked.stderr).toMatch(
        /2 nodes: queue time p95 .* would scale to 3, because the load is high\n$/,
      );
      expect(fleet.state.nodes).toHaveLength(2);
      const added = await fleet.run(scale);
      expect([added.code, added.stdout], added.stderr).toEqual([0, expect.stringContaining('scales to 3')]);
      expect(fleet.state.nodes).toHaveLength(3);
    });
    expect(load.failures).toEqual([]);
    const drained = await fleet.run(`${scale} --json`);
    expect(JSON.parse(drained.stdout), drained.stdout).toMatchObject({
      nodes: 3,
      read: 3,
      waiting: 0,
      count: 2,
      isDryRun: false,
    });
    expect(fleet.state.nodes).toHaveLength(2);
  }, 120_000);
});
