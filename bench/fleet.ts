/**
 * `node bench/fleet.ts`: what a fleet costs and saves without a router that reads prompts. Simulates the placement of 1,000 accounts'
 * conversations by the client's own code and by other rules, times the directory, and measures the throughput of nodes whose models
 * answer after a fixed time, on one PostgreSQL. docs/explanation/fleet.md explains the model.
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
import { type PostgresServer, startPostgres } from '../test/support/accounts/postgres.ts';
import { startAttestedServer } from '../test/support/attestation/attested-server.ts';
import { readOptions } from './command-line.ts';
import { type PlacementResult, placements, simulatePlacement } from './fleet/placement.ts';
import { measureThroughput } from './fleet/throughput.ts';
import { makeTraffic } from './fleet/traffic.ts';
import { type Measurement, runBench } from './in-process.ts';

const help = `node bench/fleet.ts [OPTIONS]

  --only <simulation|throughput>  a part of the bench (default: both)
  --seconds <number>              time of a throughput measurement [10]
  --repeats <number>              measurements of each case [5]
  --help                          this text

Prints tables and writes bench/results/DATE-fleet.json; with --only, DATE-fleet-PART.json. The throughput needs PostgreSQL (apt-get
install postgresql) and a quiet machine.`;
const options = readOptions(help, {
  only: { type: 'string' },
  seconds: { type: 'string', default: '10' },
  repeats: { type: 'string', default: '5' },
});
const parts = ['simulation', 'throughput'];
const [seconds, repeats] = [options.seconds, options.repeats].map(Number) as [number, number];
if ((options.only !== undefined && !parts.includes(options.only)) || !(seconds > 0) || !(repeats >= 1)) {
  console.error(help);
  process.exit(64);
}
const has = (part: string) => options.only === undefined || options.only === part;

const speed = { promptTokensPerSecond: 4000, answerTokensPerSecond: 40, slots: 16, cacheTokensMax: 100_000 };
/** Conversations that begin at each node in that time. */
const conversationsPerNode = { 'half busy': 700, 'fully busy': 1100 };
const simulatedSeconds = 1800;

const placing = Object.entries(conversationsPerNode).flatMap(([busy, perNode]) =>
  [2, 4, 8].flatMap((nodes) => {
    const traffic = makeTraffic({
      accounts: 1000,
      conversations: perNode * nodes,
      seconds: simulatedSeconds,
      seed: nodes,
    });
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

/** Of each node of the throughput bench: 40 requests a second. */
const engine = { slots: 8, answerMs: 200 };
const postgres = has('throughput') ? startPostgres({ fsync: true }) : { missing: '' };
if ('missing' in postgres && has('throughput')) console.error(`the throughput is skipped: ${postgres.missing}`);

const throughput = [1, 2, 4].flatMap((nodes) =>
  (['of each client', 'one'] as const).map((accounts): Measurement => {
    return {
      scenario: 'throughput',
      label: `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${accounts === 'one' ? 'one account' : 'an account of each client'}`,
      of: 'cloister',
      measure: () => measureThroughput(postgres as PostgresServer, { nodes, ...engine, accounts, seconds }),
    };
  }),
);

try {
  await runBench(
    {
      name: options.only === undefined ? 'fleet' : `fleet-${options.only}`,
      settings: {
        ...(has('simulation') && {
          ...speed,
          accounts: 1000,
          conversations: '700 or 1,100 per node',
          simulatedSeconds,
          directoryAgeSeconds: 5,
          randomNumbers: 'the same in each run',
        }),
        ...(has('throughput') && { ...engine, throughputSeconds: seconds }),
      },
      servers: {},
      repeats,
    },
    [...(has('simulation') ? [...placing, ...directory] : []), ...('missing' in postgres ? [] : throughput)],
  );
} finally {
  if (!('missing' in postgres)) postgres.remove();
}
