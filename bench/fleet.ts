/**
 * `node bench/fleet.ts`: what a fleet costs and saves without a router that reads prompts. Simulates the placement of 1,000 accounts'
 * conversations by the client's own code and by other rules, and times the directory. docs/explanation/fleet.md explains the model.
 */
import { sign } from 'node:crypto';
import { keysetDigest } from '../attestation/aci/keyset.ts';
import {
  fleetNodeOf,
  formatFleetEntry,
  formatFleetList,
  parseFleetList,
  signFleetEntry,
  verifyFleetEntry,
} from '../attestation/fleet/entry.ts';
import { startAttestedServer } from '../test/support/attestation/attested-server.ts';
import { readOptions } from './command-line.ts';
import { type PlacementResult, placements, simulatePlacement } from './fleet/placement.ts';
import { makeTraffic } from './fleet/traffic.ts';
import { type Measurement, runBench } from './in-process.ts';

readOptions('node bench/fleet.ts, without options', {});

const speed = { promptTokensPerSecond: 4000, answerTokensPerSecond: 40, slots: 16, cacheTokensMax: 100_000 };
/** Conversations that begin at each node in that time. */
const conversationsPerNode = { 'half busy': 700, 'fully busy': 1100 };
const seconds = 1800;

const placing = Object.entries(conversationsPerNode).flatMap(([busy, perNode]) =>
  [2, 4, 8].flatMap((nodes) => {
    const traffic = makeTraffic({ accounts: 1000, conversations: perNode * nodes, seconds, seed: nodes });
    return Object.entries(placements).map(([rule, place]): Measurement => {
      // The simulation gives the same result each time.
      let result: Promise<PlacementResult> | undefined;
      return {
        scenario: 'placement',
        label: `${nodes} nodes, ${busy}`,
        of: rule,
        async measure() {
          result ??= simulatePlacement(traffic, { nodes, speed, place: place() });
          return { ...(await result) };
        },
      };
    });
  }),
);

const server = await startAttestedServer();
const nowMs = Date.now();
const entry = await signFleetEntry(
  {
    node: fleetNodeOf(await keysetDigest(server.keyset)),
    address: server.origin,
    keyset: server.keyset,
    models: [{ id: 'chat-TEE', digest: `sha256:${'33'.repeat(32)}` }],
    policyDigest: undefined,
    load: 3,
    draining: false,
    issuedAt: Math.floor(nowMs / 1000),
    expiresAt: Math.floor(nowMs / 1000) + 30,
    keyId: 'r1',
  },
  (bytes) => sign(null, bytes, server.keys.receipt.privateKey),
);
await server.close();
const time = { nowMs, clockSkewMs: 10_000 };

const directory = [10, 100, 1000].map((count): Measurement => {
  const list = new TextEncoder().encode(formatFleetList(Array(count).fill(formatFleetEntry(entry))));
  return {
    scenario: 'directory',
    label: `${count} entries`,
    of: 'cloister',
    async measure() {
      const start = performance.now();
      parseFleetList(list, time);
      for (let index = 0; index < count; index++) await verifyFleetEntry(entry, time);
      return { directoryBytes: list.length, readMs: performance.now() - start };
    },
  };
});

await runBench(
  {
    name: 'fleet',
    settings: {
      ...speed,
      accounts: 1000,
      conversations: '700 or 1,100 per node',
      seconds,
      directoryAgeSeconds: 5,
      randomNumbers: 'the same in each run',
    },
    servers: {},
  },
  [...placing, ...directory],
);
