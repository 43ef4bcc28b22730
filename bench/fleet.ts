/**
 * `node bench/fleet.ts`: what a fleet costs and saves without a router that reads prompts. Simulates the placement of 1,000 accounts'
 * conversations by the client's own code and by other rules, and fleets of up to 1,000 nodes and 1,000,000 accounts; times the
 * directory; and measures the throughput of nodes whose models answer after a fixed time, on one PostgreSQL. docs/explanation/fleet.md
 * explains the model.
 */
import { startPostgres } from '../test/support/accounts/postgres.ts';
import { readOptions } from './command-line.ts';
import { measureDatabase, measureEvidence } from './fleet/costs.ts';
import { makeDirectory, measureDirectory } from './fleet/directory.ts';
import { type PlacementResult, placements, simulatePlacement } from './fleet/placement.ts';
import { type ScaleCost, simulateScale } from './fleet/scale.ts';
import { measureThroughput } from './fleet/throughput.ts';
import { makeTraffic } from './fleet/traffic.ts';
import { type Measurement, runBench } from './in-process.ts';

const help = `node bench/fleet.ts [OPTIONS]

  --only <placement|scale|throughput>  a part of the bench (default: all)
  --seconds <number>                   time of a throughput measurement [10]
  --repeats <number>                   measurements of each case [5]
  --help                               this text

Prints tables and writes bench/results/DATE-fleet.json; with --only, DATE-fleet-PART.json. The parts scale and throughput need
PostgreSQL (apt-get install postgresql), and the throughput a quiet machine.`;
const options = readOptions(help, {
  only: { type: 'string' },
  seconds: { type: 'string', default: '10' },
  repeats: { type: 'string', default: '5' },
});
const parts = ['placement', 'scale', 'throughput'];
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

const needsPostgres = has('scale') || has('throughput');
const postgres = needsPostgres ? startPostgres({ fsync: true }) : { missing: '' };
if ('missing' in postgres && needsPostgres) console.error(`scale and throughput are skipped: ${postgres.missing}`);

// A bench that is ended leaves no server behind; the nodes end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (!('missing' in postgres)) postgres.remove();
    process.exit(1);
  });
}

const scaled = { nodes: [10, 100, 1000], accountsPerNode: 1000, seconds: 300, busyShare: 0.5 };
const directories = new Map(
  await Promise.all(scaled.nodes.map(async (count) => [count, await makeDirectory(count)] as const)),
);
const directory = scaled.nodes.map((count): Measurement => {
  return {
    scenario: 'directory',
    label: `${count} nodes`,
    of: 'cloister',
    measure: () => measureDirectory(directories.get(count)!),
  };
});

/** Measured before the first simulation that needs it. */
let cost: Promise<ScaleCost> | undefined;
async function measureCost(): Promise<ScaleCost> {
  if ('missing' in postgres) throw new Error(postgres.missing);
  return { evidenceMs: await measureEvidence(), ...(await measureDatabase(postgres, 3)) };
}

const scale = scaled.nodes.map((count): Measurement => {
  const accounts = count * scaled.accountsPerNode;
  return {
    scenario: 'scale',
    label: `${count} nodes, ${accounts.toLocaleString('en')} accounts`,
    of: 'cloister',
    async measure() {
      cost ??= measureCost();
      const { nodes } = directories.get(count)!;
      const { seconds, busyShare } = scaled;
      return {
        ...simulateScale({ nodes, accounts, seconds, busyShare, slots: speed.slots, cost: await cost, seed: count }),
      };
    },
  };
});

/** Of each node of the throughput bench: 40 requests a second. */
const engine = { slots: 8, answerMs: 200 };
const throughput = [1, 2, 4].flatMap((nodes) =>
  (['of each client', 'one'] as const).map((accounts): Measurement => {
    return {
      scenario: 'throughput',
      label: `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${accounts === 'one' ? 'one account' : 'an account of each client'}`,
      of: 'cloister',
      async measure() {
        if ('missing' in postgres) throw new Error(postgres.missing);
        return await measureThroughput(postgres, { nodes, ...engine, accounts, seconds });
      },
    };
  }),
);

try {
  await runBench(
    {
      name: options.only === undefined ? 'fleet' : `fleet-${options.only}`,
      settings: {
        ...(has('placement') && {
          ...speed,
          accounts: 1000,
          conversations: '700 or 1,100 per node',
          simulatedSeconds,
          directoryAgeSeconds: 5,
          randomNumbers: 'the same in each run',
        }),
        ...(has('scale') && {
          scaleSeconds: scaled.seconds,
          scaleAccounts: '1,000 per node',
          scaleBusyShare: scaled.busyShare,
        }),
        ...(has('throughput') && { ...engine, throughputSeconds: seconds }),
      },
      servers: {},
      repeats,
    },
    [
      ...(has('placement') ? placing : []),
      ...(has('scale') ? directory : []),
      ...(has('scale') && !('missing' in postgres) ? scale : []),
      ...(has('throughput') && !('missing' in postgres) ? throughput : []),
    ],
  );
} finally {
  if (!('missing' in postgres)) postgres.remove();
}
