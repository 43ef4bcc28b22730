/** This server as a node of a fleet: it announces itself, knows the other nodes, and forwards requests that concern them. */
import type { FleetDirectory } from '@cloister/accounts/store';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import type { Enclave } from '../enclave/enclave.ts';
import { Announcer, type NodeFacts } from './announce.ts';
import { fleetListAgeMs, NodeDirectory } from './directory.ts';
import { Forwarder } from './forward.ts';
import { OwnNodes } from './own-nodes.ts';
import { SecretGiver, type SecretGiverOptions } from './secret-giver.ts';
import type { SharedSecrets } from './shared-secrets.ts';

/** The policy for other nodes, and the digest of its file. */
export interface FleetPolicy {
  readonly policy: EvidencePolicy;
  /** `sha256:…` */
  readonly digest: string;
}

export interface FleetOptions {
  readonly rows: FleetDirectory;
  /** Undefined until the start has been measured. */
  readonly enclave: () => Enclave | undefined;
  /** Origin at which other nodes and clients reach this one: `https://host:port`. */
  readonly address: string;
  readonly policy: FleetPolicy | undefined;
  /** What joining nodes get if they satisfy the policy; undefined: they get nothing here. */
  readonly giving?:
    | ({ readonly secrets: SharedSecrets } & Pick<SecretGiverOptions, 'onGiven' | 'onRefused'>)
    | undefined;
  readonly facts: () => NodeFacts;
  /** PEM of the root of this machine if it is simulated. */
  readonly simulationRoot: () => string | undefined;
  /** Called when this node cannot be announced, once per outage of the database. */
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** How long a draining node goes on serving, so that clients read the directory again. Default: `clientsReadMs`. */
  readonly drainServesMs?: number;
}

/** Longer than receipts and links to images are kept by default. */
const earlierNodeMs = 3_600_000;
/** Longest wait for the entry that says "draining" to come back from the database. */
const drainSeenMs = 5_000;
/** Clients read the directory after five seconds (`attestation/client/fleet-nodes.ts`), from a list that is a second old. */
const clientsReadMs = fleetListAgeMs + 6_000;

export class Fleet {
  readonly own: OwnNodes;
  readonly directory: NodeDirectory;
  readonly forwarder: Forwarder;
  /** Undefined if this node gives no secrets. */
  readonly giver: SecretGiver | undefined;
  #policy: FleetPolicy | undefined;
  readonly #announcer: Announcer;
  readonly #rows: FleetDirectory;
  readonly #drainServesMs: number;
  #follower: { close(): Promise<void> } | undefined;

  constructor(options: FleetOptions) {
    const { rows, enclave, address, policy, giving, facts, simulationRoot, onFailed, now, clock } = options;
    this.#rows = rows;
    this.#policy = policy;
    this.#drainServesMs = options.drainServesMs ?? clientsReadMs;
    this.own = new OwnNodes({ identity: () => enclave()?.identity, keepMs: earlierNodeMs, clock });
    this.directory = new NodeDirectory({ now });
    const isSimulated = () => enclave()?.isSimulated === true;
    this.forwarder = new Forwarder({
      own: this.own,
      directory: this.directory,
      policy: () => this.#policy?.policy,
      isSimulated,
      sign: (bytes) => enclave()!.signReceipt(bytes),
      now,
      clock,
    });
    this.giver =
      policy === undefined || giving === undefined
        ? undefined
        : new SecretGiver({
            ...{ ...giving, own: this.own, isSimulated, now, clock },
            policy: () => this.#policy!.policy,
            isDraining: () => this.isDraining,
          });
    this.#announcer = new Announcer({
      rows,
      own: this.own,
      address,
      policyDigest: () => this.#policy?.digest,
      facts,
      signer: () => {
        const signing = enclave()!;
        return { keyId: signing.receiptKeyId, sign: (bytes) => signing.signReceipt(bytes) };
      },
      simulationRoot,
      now,
      onFailed,
    });
  }

  /** Reads the directory and starts to announce this node as soon as its start has been measured. */
  async start(): Promise<void> {
    this.#follower = await this.#rows.follow(this.directory);
    this.#announcer.start();
  }

  /** Applies a policy to other nodes from now on, in place of the one of the start. @returns whether it differs */
  usePolicy(policy: FleetPolicy): boolean {
    if (policy.digest === this.#policy?.digest) return false;
    this.#policy = policy;
    return true;
  }

  /** Whether this node has begun to drain: its answers then end their connections, so that clients connect to another node. */
  get isDraining(): boolean {
    return this.#announcer.isDraining;
  }

  /**
   * Announces that this node drains, and waits until its clients know: at most five seconds for the directory, then the time in
   * which they read it. Requests are served as before. Without an announced node it returns at once; a node that is alone does
   * not wait for clients, which have no other node.
   */
  async drain(): Promise<void> {
    const own = this.own.current;
    if (own === undefined) return;
    const signal = AbortSignal.timeout(drainSeenMs);
    const announced = this.#announcer.drain();
    try {
      await this.directory.seen(own.node, ({ draining }) => draining, { signal });
      const isOwn = (node: string) => this.own.all.some((one) => one.node === node);
      if (this.directory.hearsOthersThan(isOwn))
        await new Promise((resolve) => setTimeout(resolve, this.#drainServesMs));
    } catch {
      // The database does not answer. Waiting longer would only delay the stop.
      void announced;
    }
  }

  /** Withdraws this node and stops following the directory. */
  async close(): Promise<void> {
    await this.#announcer.close();
    await this.#follower?.close();
  }
}
