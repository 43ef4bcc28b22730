/** A fleet of attested servers, which all serve one directory, and relays that can be cut. */
import { sign } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { keysetDigest } from '../../../attestation/aci/keyset.ts';
import {
  type FleetEntry,
  fleetNodeOf,
  formatFleetEntry,
  formatFleetList,
  signFleetEntry,
} from '../../../attestation/fleet/entry.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  commit,
  simulatedSoftware,
  startAttestedServer,
} from './attested-server.ts';

export interface TestFleet {
  readonly nodes: AttestedServer[];
  /** The entries that every node lists. */
  entries: string[];
  /** How often the directory was fetched from a node. */
  fetches: number;
  entryOf(node: AttestedServer, changes?: Partial<FleetEntry>): Promise<string>;
  close(): Promise<void>;
}

export const modelDigest = `sha256:${'33'.repeat(32)}`;

/**
 * @param options of each node · @returns nodes that answer every request with its path and their number
 */
export async function startTestFleet(
  count: number,
  options: readonly AttestedServerOptions[] = [],
): Promise<TestFleet> {
  const platform = await createSimulatedPlatform(Date.now());
  const fleet: TestFleet = {
    nodes: [],
    entries: [],
    fetches: 0,
    async entryOf(node, changes = {}) {
      const nowSeconds = Math.floor(Date.now() / 1000);
      const entry: FleetEntry = {
        node: fleetNodeOf(await keysetDigest(node.keyset)),
        address: node.origin,
        keyset: node.keyset,
        models: [{ id: 'chat', digest: modelDigest }],
        policyDigest: undefined,
        load: 0,
        draining: false,
        issuedAt: nowSeconds,
        expiresAt: nowSeconds + 30,
        keyId: 'r1',
        ...changes,
      };
      const signed = await signFleetEntry(entry, (bytes) => sign(null, bytes, node.keys.receipt.privateKey));
      return formatFleetEntry(signed);
    },
    async close() {
      await Promise.all(fleet.nodes.map((node) => node.close()));
    },
  };
  for (let index = 0; index < count; index++) {
    const node = await startAttestedServer({
      platform,
      handle(request, response) {
        if (request.url === '/v1/fleet') {
          fleet.fetches += 1;
          response.end(formatFleetList(fleet.entries));
        } else response.end(JSON.stringify({ path: request.url, node: index }));
      },
      ...options[index],
    });
    fleet.nodes.push(node);
  }
  fleet.entries = await Promise.all(fleet.nodes.map((node) => fleet.entryOf(node)));
  return fleet;
}

export const fleetPolicy: EvidencePolicy = { measurements: simulatedSoftware, sources: [{ repoCommit: commit }] };

/** A request of a new conversation. */
export const chatRequest = (text: string, model = 'chat') => ({
  method: 'POST',
  headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
  body: JSON.stringify({ model, messages: [{ role: 'user', content: text }] }),
});

/** The number of requests that each node received, without those for the directory. */
export const requestCounts = ({ nodes }: TestFleet) =>
  nodes.map(({ requests }) => requests.filter(({ url }) => url !== '/v1/fleet').length);

export interface Relay {
  readonly origin: string;
  /** Connections that were made to it. */
  connections: number;
  /** From now on, no byte passes, and new connections get none, as behind a cut cable. */
  cut(): void;
  close(): Promise<void>;
}

/** Forwards connections to a port of this machine. */
export async function startRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const pipe = (from: Socket, to: Socket) => {
    sockets.add(from);
    from
      .on('data', (bytes) => isCut || to.write(bytes))
      .on('error', () => {})
      .on('close', () => isCut || to.destroy());
  };
  const server = createServer((client) => {
    relay.connections += 1;
    const upstream = connect(port, '127.0.0.1');
    pipe(client, upstream);
    pipe(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: Relay = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    connections: 0,
    cut() {
      isCut = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return relay;
}
