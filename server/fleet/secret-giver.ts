/**
 * Gives the secrets of the fleet to a node that starts: verifies its evidence like a client does, against the policy of the fleet, and
 * seals the secrets to a key that the evidence vouches for. Every failed or missing check is a refusal.
 */
import { AccountError } from '@cloister/accounts/base/errors';
import { AttestationError } from '@cloister/attestation/base/errors';
import { attestReport } from '@cloister/attestation/client/attest-server';
import { requireQuoteOver } from '@cloister/attestation/client/bound-channel';
import { blockingCheck, type EvidenceVerification } from '@cloister/attestation/client/verification';
import { fleetNodeOf } from '@cloister/attestation/fleet/entry';
import {
  formatJoinChallenge,
  formatSealedSecrets,
  type JoinRequest,
  joinText,
  parseJoinRequest,
} from '@cloister/attestation/fleet/join';
import { ClientBudget } from '@cloister/attestation/guest/client-budget';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { parseQuote } from '@cloister/attestation/quote/quote';
import { sealBytes } from '@cloister/attestation/sealed/client';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import { ServerError } from '../http/errors.ts';
import { demandsHardware, rootsFor } from './evidence-roots.ts';
import { Nonces } from './nonces.ts';
import type { OwnNodes } from './own-nodes.ts';
import type { SharedSecrets } from './shared-secrets.ts';

export interface SecretGiverOptions {
  readonly own: OwnNodes;
  readonly policy: () => EvidencePolicy;
  readonly secrets: SharedSecrets;
  /** Whether this machine is simulated. Only then, and if the policy permits it, a simulated node gets the secrets. */
  readonly isSimulated: () => boolean;
  readonly isDraining: () => boolean;
  /** Called after the secrets were given to a node, and after a refusal with its reason; neither has text of the caller. */
  readonly onGiven: (facts: { node: string }) => void;
  readonly onRefused: (facts: { reason: string }) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Requests for nonces per network of callers. */
const nonceLimits = { burst: 30, perMinute: 60, clientsMax: 4096 };
/** Attempts, which cost a verification: per network, and of all networks together. */
const attemptLimits = { burst: 6, perMinute: 12, clientsMax: 4096 };
const allAttemptLimits = { burst: 30, perMinute: 60, clientsMax: 1 };
/** Attempts at once, whose bodies are received, and those of them that are verified. */
const admittedMax = 16;
const runningMax = 2;
const verifyTimeoutMs = 15_000;

export class SecretGiver {
  readonly #options: SecretGiverOptions;
  readonly #nonces: Nonces;
  readonly #nonceBudget: ClientBudget;
  readonly #attemptBudget: ClientBudget;
  readonly #allAttempts: ClientBudget;
  #admitted = 0;
  #running = 0;

  constructor(options: SecretGiverOptions) {
    const { clock } = options;
    this.#options = options;
    this.#nonces = new Nonces(clock);
    this.#nonceBudget = new ClientBudget(nonceLimits, clock);
    this.#attemptBudget = new ClientBudget(attemptLimits, clock);
    this.#allAttempts = new ClientBudget(allAttemptLimits, clock);
  }

  /**
   * @param client the network of the caller
   * @returns JSON with a nonce for one attempt
   * @throws {RuntimeError} ERR_DRAINING · {ServerError} ERR_NOT_ATTESTED · {AccountError} ERR_RATE_LIMIT
   */
  challenge(client: string): string {
    const giver = this.#requireServing();
    requireBudget(this.#nonceBudget.take(client));
    return formatJoinChallenge({ giver, nonce: this.#nonces.make() });
  }

  /**
   * Admits an attempt before its body is read, and uses its nonce up. Call `end` once when its answer is over.
   * @throws as `challenge` · {ServerError} ERR_REQUEST_INVALID if the nonce is not one of this node, too old, or used
   */
  admit(client: string, nonce: unknown): string {
    this.#requireServing();
    requireBudget(this.#attemptBudget.take(client));
    if (this.#admitted >= admittedMax || this.#running >= runningMax) requireBudget(1);
    // Before the budget of all networks, which requests with invented nonces would use up.
    if (typeof nonce !== 'string' || !this.#nonces.take(nonce)) {
      throw this.#refused('the nonce is not one of this node, or too old, or it was used before');
    }
    requireBudget(this.#allAttempts.take(''));
    this.#admitted += 1;
    return nonce;
  }

  /** Ends an attempt that was admitted. */
  end(): void {
    this.#admitted -= 1;
  }

  /**
   * Verifies a joining node and seals the secrets to it.
   * @param body JSON of `JoinRequest` · @param nonce from `admit`
   * @returns JSON of `SealedSecrets`
   * @throws {ServerError} ERR_REQUEST_INVALID if a check failed, ERR_NOT_ATTESTED if one could not run · as `challenge`
   */
  async give(body: Uint8Array, { nonce, signal }: { nonce: string; signal: AbortSignal }): Promise<string> {
    // Several bodies may have been received since `admit`.
    if (this.#running >= runningMax) requireBudget(1);
    this.#running += 1;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(verifyTimeoutMs)]);
    try {
      const giver = this.#requireServing();
      const request = parseJoinRequest(body);
      const keysetDigest = await this.#verify(request, { nonce, giver, signal: limited });
      signal.throwIfAborted();
      // The verification took its time.
      this.#requireServing();
      const sealed = await sealBytes(this.#options.secrets.encode(), request.recipientKey);
      this.#options.onGiven({ node: fleetNodeOf(keysetDigest) });
      return formatSealedSecrets(sealed);
    } catch (error) {
      if (error instanceof AttestationError) throw this.#refusalOf(error);
      if (limited.aborted && !signal.aborted) throw this.#unverifiable('it took too long');
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  /** @returns the digest of the verified keyset · @throws {AttestationError} */
  async #verify(
    { report, quote, recipientKey }: JoinRequest,
    { nonce, giver, signal }: { nonce: string; giver: string; signal: AbortSignal },
  ): Promise<string> {
    const { isSimulated, now } = this.#options;
    const policy = this.#options.policy();
    const own = { isSimulated: isSimulated() && !demandsHardware(policy) };
    const { verification, machine } = await attestReport(
      { report: Buffer.from(report), observed: 'none', nonce },
      { policy, roots: rootsFor(report, own), signal, now },
    );
    this.#requireAcceptable(verification, own);
    const keysetDigest = verification.keysetDigest!;
    requireQuoteOver(parseQuote(quote), joinText({ giver, keysetDigest, nonce, recipientKey }), machine!);
    return keysetDigest;
  }

  /** Stricter than for a request: a policy that waives a check, such as `measurements: 'any'`, gives no secrets. */
  #requireAcceptable(verification: EvidenceVerification, own: { isSimulated: boolean }): void {
    const { verdict, simulated, checks } = verification;
    if (verdict === 'verified' && (!simulated || own.isSimulated)) return;
    // The title of a check is a text of this program; the reason can repeat what the evidence says.
    const check = blockingCheck(checks)?.title ?? 'the machine is simulated';
    throw this.#refused(`its evidence does not satisfy the policy of the fleet: ${check}`);
  }

  /** @returns the digest of this node's keyset */
  #requireServing(): string {
    const { own, isDraining } = this.#options;
    if (isDraining()) throw new RuntimeError('ERR_DRAINING', 'this node is stopping: join through another one');
    const digest = own.current?.identity.digest;
    if (digest !== undefined) return digest;
    throw new ServerError('ERR_NOT_ATTESTED', 'this node is still starting: retry later');
  }

  #refusalOf({ code }: AttestationError): Error {
    if (code.endsWith('_MALFORMED') || code === 'ERR_QUOTE_UNSUPPORTED') {
      return this.#refused(`its request is malformed (${code})`);
    }
    if (code === 'ERR_NOT_VERIFIED') return this.#refused('its quote was made for another nonce, key or node');
    // Intel's or NVIDIA's documents are unavailable, for example.
    return this.#unverifiable(code);
  }

  #unverifiable(why: string): ServerError {
    this.#options.onRefused({ reason: `could not be verified: ${why}` });
    return new ServerError('ERR_NOT_ATTESTED', `the node could not be verified (${why}): retry later`);
  }

  #refused(reason: string): ServerError {
    this.#options.onRefused({ reason });
    return new ServerError('ERR_REQUEST_INVALID', `the node gets no secrets: ${reason}`);
  }
}

function requireBudget(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new AccountError('ERR_RATE_LIMIT', 'too many nodes try to join: retry later', {
    details: { retryAfterSeconds },
  });
}
