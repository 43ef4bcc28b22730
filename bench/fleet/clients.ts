/** The clients of a simulated fleet: the code with which `attestedFetch` chooses, one client per account, on signed entries. */
import { createHash } from 'node:crypto';
import { FleetNodes } from '../../attestation/client/fleet-nodes.ts';
import { formatFleetList } from '../../attestation/fleet/entry.ts';
import type { RouteHints } from '../../attestation/fleet/route-hints.ts';
import { type FleetNodeKeys, fleetNodeKeys, fleetNowMs } from '../../test/support/attestation/fleet-entry.ts';
import type { FleetView } from './placement.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { TurnRequest } from './traffic.ts';

export const servedModel = 'chat-TEE';
const origin = 'https://fleet.example';
const path = '/v1/chat/completions';
const entrySeconds = 20;

interface Client {
  readonly nodes: FleetNodes;
  /** How often it began to fetch the directory. */
  fetches: number;
}

export class FleetClients {
  readonly #clients = new Map<number, Client>();
  readonly #keys = new Map<string, Promise<FleetNodeKeys>>();
  /** Of the newest view, once a client has fetched it. */
  #list: { readonly view: FleetView; readonly text: Promise<Uint8Array> } | undefined;
  #view: FleetView = { at: 0, nodes: [] };
  #nowMs = 0;

  async choose({ account, at }: TurnRequest, view: FleetView, hints: RouteHints): Promise<SimulatedNode> {
    this.#view = view;
    this.#nowMs = at * 1000;
    const client = this.#clientOf(account);
    const { fetches } = client;
    const [chosen] = await client.nodes.ranked(origin, path, hints);
    client.nodes.answered(chosen!, hints);
    // A client does not wait for a directory that it reads in the background, but has it before its next request.
    if (client.fetches > fetches) await client.nodes.refresh(origin);
    return view.nodes.find(({ node }) => addressOf(node) === chosen!.address)!.actual;
  }

  #clientOf(account: number): Client {
    let client = this.#clients.get(account);
    if (client === undefined) {
      const nodes = new FleetNodes({
        fetchList: () => {
          made.fetches += 1;
          return this.#currentList();
        },
        now: () => fleetNowMs + this.#nowMs,
        clock: () => this.#nowMs,
      });
      const made: Client = { nodes, fetches: 0 };
      client = made;
      this.#clients.set(account, client);
    }
    return client;
  }

  #currentList(): Promise<Uint8Array> {
    if (this.#list?.view !== this.#view) this.#list = { view: this.#view, text: this.#sign(this.#view) };
    return this.#list.text;
  }

  async #sign({ at, nodes }: FleetView): Promise<Uint8Array> {
    const issuedAt = Math.floor(fleetNowMs / 1000 + at);
    const entries = nodes.map(async ({ node, load }) => {
      const keys = await this.#keysOf(node);
      return keys.text({ address: addressOf(node), load, issuedAt, expiresAt: issuedAt + entrySeconds });
    });
    return new TextEncoder().encode(formatFleetList(await Promise.all(entries)));
  }

  /** The same in each run, because clients order nodes by ids that are made of their keys. */
  #keysOf(node: string): Promise<FleetNodeKeys> {
    let keys = this.#keys.get(node);
    if (keys === undefined) {
      keys = fleetNodeKeys(createHash('sha256').update(node).digest());
      this.#keys.set(node, keys);
    }
    return keys;
  }
}

function addressOf(node: string): string {
  return `https://${node}.example`;
}
