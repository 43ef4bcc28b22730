/** The directory of a fleet with as many nodes, each with keys of its own, and what a client does with it. */
import { createHash } from 'node:crypto';
import { formatFleetList, parseFleetList, verifyFleetEntry } from '../../attestation/fleet/entry.ts';
import { rankNodes } from '../../attestation/fleet/rank-nodes.ts';
import { fleetNodeKeys, fleetNowMs } from '../../test/support/attestation/fleet-entry.ts';
import type { Sample } from '../results.ts';

const time = { nowMs: fleetNowMs, clockSkewMs: 10_000 };
const choices = 100;

export interface Directory {
  /** Ids of the nodes. */
  readonly nodes: readonly string[];
  /** The body of `GET /v1/fleet`. */
  readonly list: Uint8Array;
}

/** The same in each run. */
export async function makeDirectory(count: number): Promise<Directory> {
  const keys = await Promise.all(
    Array.from({ length: count }, (_, index) => fleetNodeKeys(createHash('sha256').update(`node ${index}`).digest())),
  );
  const entries = keys.map((node, index) =>
    node.text({ address: `https://node-${index}.fleet.example:8443`, load: index % 16 }),
  );
  const list = new TextEncoder().encode(formatFleetList(await Promise.all(entries)));
  return { nodes: keys.map(({ node }) => node), list };
}

/** Reads and verifies the directory, and chooses nodes for requests, as a client does. */
export async function measureDirectory({ list }: Directory): Promise<Sample> {
  const startedAt = performance.now();
  const entries = parseFleetList(list, time);
  for (const entry of entries) await verifyFleetEntry(entry, time);
  const readMs = performance.now() - startedAt;
  const chosenFrom = performance.now();
  for (let affinity = 0; affinity < choices; affinity++) rankNodes(entries, affinity);
  return { directoryBytes: list.length, readMs, chooseMs: (performance.now() - chosenFrom) / choices };
}
