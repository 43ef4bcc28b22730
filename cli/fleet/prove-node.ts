/** Waits until a node of a fleet proves itself, as a client would verify it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AttestationError } from '@cloister/attestation/base/errors';
import { attestedFetch } from '@cloister/attestation/client/attested-fetch';
import { parseFleetList } from '@cloister/attestation/fleet/entry';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { ServerError } from '@cloister/server/http/errors';

export interface ProofOptions {
  readonly policy: EvidencePolicy;
  /** Root of a simulated machine, DER or PEM; undefined for Intel's. Called until it succeeds. */
  readonly roots: () => Promise<string | readonly Uint8Array[] | undefined>;
  /** Addresses of other nodes, one of which the directory must list too. */
  readonly others: readonly string[];
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const pollMs = 250;
const connectTimeoutMs = 5_000;
const clockSkewMs = 5_000;

/**
 * Resolves when the node's evidence satisfies the policy and the fleet's directory lists the node.
 * @throws {ServerError} ERR_START if its evidence does not satisfy the policy, or if it does not answer in time
 * @throws the reason of the signal
 */
export async function nodeProven(address: string, options: ProofOptions): Promise<void> {
  const { deadline, signal } = options;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())))]);
  let missing = 'no answer';
  while (!limited.aborted) {
    try {
      if (await isListed(address, options, limited)) return;
      missing = 'the directory of the fleet does not list it';
    } catch (error) {
      if (error instanceof AttestationError && error.code === 'ERR_NOT_VERIFIED') {
        const message = `its evidence does not satisfy the policy: ${error.message}`;
        throw new ServerError('ERR_START', message, { cause: error });
      }
      if (!limited.aborted) missing = (error as Error).message;
    }
    await sleep(pollMs, undefined, { signal: limited }).catch(() => {});
  }
  signal.throwIfAborted();
  throw new ServerError('ERR_START', `it gave no evidence in time (${missing}); to wait longer: --evidence-timeout-s`);
}

/** Reads the directory over a connection to the verified node. */
async function isListed(
  address: string,
  { policy, roots: rootsOf, others }: ProofOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const roots = await rootsOf();
  // A simulated machine sends its own collateral, and Intel has none for it.
  const trust = roots === undefined ? {} : { roots, collateral: 'none' as const };
  const answer = await attestedFetch(policy, { ...trust, connectTimeoutMs })(`${address}/v1/fleet`, { signal });
  if (answer.status !== 200) throw new Error(`GET ${address}/v1/fleet was answered ${answer.status}`);
  const entries = parseFleetList(await answer.text(), { nowMs: Date.now(), clockSkewMs });
  const listed = new Set(entries.map((entry) => entry.address));
  return listed.has(address) && (others.length === 0 || others.some((other) => listed.has(other)));
}
