/** Announces this node: its signed entry, every few seconds and as soon as it drains or its load changes. */
import type { FleetDirectory } from '@cloister/accounts/store';
import {
  type FleetEntry,
  type FleetModel,
  fleetLoadMax,
  formatFleetEntry,
  signFleetEntry,
} from '@cloister/attestation/fleet/entry';
import type { OwnNode, OwnNodes } from './own-nodes.ts';

/** The facts about this node that its entry states. */
export interface NodeFacts {
  readonly models: readonly FleetModel[];
  /** Used share of the capacity, 0 to 1. */
  readonly load: number;
}

export interface AnnouncerOptions {
  readonly rows: Pick<FleetDirectory, 'announce' | 'withdraw'>;
  readonly own: OwnNodes;
  /** Origin of this node: `https://host:port`. */
  readonly address: string;
  /** `sha256:…` of the policy for other nodes; undefined without one. */
  readonly policyDigest: () => string | undefined;
  readonly facts: () => NodeFacts;
  /** The key that signs: that of receipts. */
  readonly signer: () => { readonly keyId: string; readonly sign: (bytes: Uint8Array) => Uint8Array };
  /** PEM of the root of this machine if it is simulated. */
  readonly simulationRoot: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with each failure to write after a success. */
  readonly onFailed: (error: unknown) => void;
}

/** Between two announcements of an unchanged node. */
const intervalMs = 5_000;
/** How often the load is read. */
const pollMs = 500;
/** A change of the load that is announced at once, in sixteenths. */
const loadStep = 2;
/** Validity of an entry. With the tolerated clock skew, a killed node disappears within 30 seconds. */
const validSeconds = 20;

export class Announcer {
  readonly #options: AnnouncerOptions;
  #timer: NodeJS.Timeout | undefined;
  #announced: { readonly at: number; readonly load: number } | undefined;
  #isDraining = false;
  #hasFailed = false;
  /** Announcements are written one after the other, so that the last one stays. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Starts announcing. Before the start has been measured there is nothing to announce. */
  start(): void {
    this.#timer ??= setInterval(() => this.#announceIfDue(), pollMs);
    this.#timer.unref();
    this.#announceIfDue();
  }

  /** Announces at once that this node drains. */
  drain(): Promise<void> {
    this.#isDraining = true;
    return this.#announce();
  }

  /** Stops announcing and withdraws the entries. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#last;
    const { rows, own } = this.#options;
    // An entry that cannot be withdrawn expires.
    await Promise.allSettled(own.all.map(({ node }) => rows.withdraw(node)));
  }

  #announceIfDue(): void {
    const { own, now } = this.#options;
    if (own.current === undefined) return;
    const last = this.#announced;
    const sinceMs = last === undefined ? Infinity : now() - last.at;
    const isChanged = last !== undefined && Math.abs(last.load - this.#load()) >= loadStep;
    // The clock can go back.
    if (isChanged || sinceMs < 0 || sinceMs >= intervalMs) void this.#announce();
  }

  #load(): number {
    return Math.max(0, Math.min(fleetLoadMax, Math.floor(this.#options.facts().load * (fleetLoadMax + 1))));
  }

  #announce(): Promise<void> {
    const { rows, own, now, simulationRoot, onFailed } = this.#options;
    const load = this.#load();
    this.#announced = { at: now(), load };
    this.#last = this.#last.then(async () => {
      try {
        for (const one of own.all) {
          const entry = await this.#sign(one, load);
          await rows.announce(
            { node: one.node, entry, simulationRoot: simulationRoot() },
            { validMs: validSeconds * 1000 },
          );
        }
        this.#hasFailed = false;
      } catch (error) {
        if (!this.#hasFailed) onFailed(error);
        this.#hasFailed = true;
      }
    });
    return this.#last;
  }

  async #sign({ node, identity }: OwnNode, load: number): Promise<string> {
    const { address, policyDigest, facts, signer, now, own } = this.#options;
    const { keyId, sign } = signer();
    const issuedAt = Math.floor(now() / 1000);
    const entry: FleetEntry = {
      ...{ node, address, keyset: identity.keyset, models: facts().models, policyDigest: policyDigest(), load },
      // An earlier node of this process takes no new work: its keys were replaced.
      draining: this.#isDraining || node !== own.current?.node,
      ...{ issuedAt, expiresAt: issuedAt + validSeconds, keyId },
    };
    return formatFleetEntry(await signFleetEntry(entry, sign));
  }
}
