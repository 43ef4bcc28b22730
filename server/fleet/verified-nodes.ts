/**
 * Nodes whose evidence satisfies this node's policy. Any writer of the database can announce a node that signs its requests; only what
 * a verified one states counts here.
 */
import { attestServer } from '@cloister/attestation/client/attest-server';
import { fleetNodeOf } from '@cloister/attestation/fleet/entry';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { type FleetNode, simulationRootOf } from './directory.ts';

export interface VerifiedNodesOptions {
  /** Undefined: no node is verified. */
  readonly policy: () => EvidencePolicy | undefined;
  /** Whether this machine is simulated. */
  readonly isSimulated: () => boolean;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface Verdict {
  readonly policy: EvidencePolicy;
  until: number;
  readonly isVerified: Promise<boolean>;
  /** Undefined while the verification runs. */
  outcome?: boolean;
}

/** How long a verdict holds: collateral and revocations are read again after an hour, a failure is tried again after a minute. */
const verifiedMs = 3_600_000;
const failedMs = 60_000;
const timeoutMs = 10_000;
const runningMax = 4;
/** Above the nodes of a directory. */
const verdictsMax = 2_048;

export class VerifiedNodes {
  readonly #options: VerifiedNodesOptions;
  /** The earliest first. */
  readonly #verdicts = new Map<string, Verdict>();
  #running = 0;

  constructor(options: VerifiedNodesOptions) {
    this.#options = options;
  }

  /** Whether the node is verified already. If that is not known, its verification begins, and the answer is no. */
  has(node: FleetNode): boolean {
    return this.#verdictOf(node)?.outcome === true;
  }

  /** Whether the evidence of the node satisfies the policy, after at most ten seconds. */
  async verify(node: FleetNode): Promise<boolean> {
    return (await this.#verdictOf(node)?.isVerified) ?? false;
  }

  /** @returns undefined without a policy, and while too many other verifications run */
  #verdictOf(node: FleetNode): Verdict | undefined {
    const { policy: policyNow, clock } = this.#options;
    const policy = policyNow();
    const id = node.entry.node;
    const known = this.#verdicts.get(id);
    if (known !== undefined && known.policy === policy && clock() < known.until) return known;
    if (policy === undefined || this.#running >= runningMax) return undefined;
    this.#verdicts.delete(id);
    for (const [earliest] of this.#verdicts) {
      if (this.#verdicts.size < verdictsMax) break;
      this.#verdicts.delete(earliest);
    }
    const verdict = this.#begin(node, policy);
    this.#verdicts.set(id, verdict);
    return verdict;
  }

  #begin(node: FleetNode, policy: EvidencePolicy): Verdict {
    const { clock } = this.#options;
    this.#running += 1;
    const isVerified = this.#check(node, policy).catch(() => false);
    const verdict: Verdict = { policy, until: clock() + verifiedMs, isVerified };
    void isVerified.then((outcome) => {
      this.#running -= 1;
      verdict.outcome = outcome;
      if (!outcome) verdict.until = clock() + failedMs;
    });
    return verdict;
  }

  /** @throws {AttestationError} if there is no evidence */
  async #check(node: FleetNode, policy: EvidencePolicy): Promise<boolean> {
    const { entry } = node;
    const { verification } = await attestServer(entry.address, {
      policy,
      roots: simulationRootOf(node, this.#options),
      connectTimeoutMs: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { verdict, keysetDigest } = verification;
    return verdict === 'verified' && keysetDigest !== undefined && fleetNodeOf(keysetDigest) === entry.node;
  }
}
