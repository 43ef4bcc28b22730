/**
 * Connections to verified servers. Each new connection proves which machine terminates it; a machine that is not known yet is
 * verified over that connection. So several machines can share one address, behind a load balancer that forwards TCP. For Node.
 */
import { AttestationError } from '../base/errors.ts';
import { CollateralCache } from '../collateral/cache.ts';
import { fetchCollateral } from '../collateral/fetch.ts';
import type { PlatformFamily } from '../collateral/platform-family.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import { type AttestedServer, attestConnection, attestServer, type CollateralChoice } from './attest-server.ts';
import { requireBoundChannel, requireSameMachine, type VerifiedMachine } from './bound-channel.ts';
import { type PinnedTlsKey, requireAttestedKey } from './channel.ts';
import { requestChannelProof } from './channel-request.ts';
import type { NewConnection } from './new-connection.ts';
import type { OpeningConnection } from './open-connection.ts';
import { PinnedAgent, type PinnedConnection } from './pinned-agent.ts';
import { type AddressedRequest, asUnsent, nothingSentBy, sendOver } from './pinned-https.ts';
import { type ReachedServer, type Session, Sessions } from './sessions.ts';
import { type EvidenceVerification, requireVerified } from './verification.ts';

/** How servers are verified. */
export interface VerificationOptions {
  /** Trusted roots for quotes, as PEM text or DER. Default: Intel's. The root of a simulation proves nothing about hardware. */
  readonly roots?: string | readonly Uint8Array[];
  /** Trusted roots for GPU reports, as PEM text or DER. Default: NVIDIA's. */
  readonly gpuRoots?: string | readonly Uint8Array[];
  /** Where Intel's collateral comes from: see `CollateralChoice`. Fetched collateral is cached for six hours. */
  readonly collateral?: CollateralChoice;
  /** NVIDIA's manifests and OCSP responses, required to verify GPUs. Default: fetched from `gpuReferenceSource`. */
  readonly gpuReference?: GpuReference;
  /** Where to fetch NVIDIA's manifests and OCSP responses. Default: NVIDIA's services; `'none'` disables fetching. */
  readonly gpuReferenceSource?: GpuReferenceSource | 'none';
  /** Time limit of one verification, including the wait for the quote, and of the proof of each connection. Default 60,000. */
  readonly verifyTimeoutMs?: number;
  /**
   * How long a verification is valid, 1,000 to 86,400,000. Default 600,000. A server in use is verified again in the
   * background before that.
   */
  readonly sessionAgeMaxMs?: number;
  /** Time limit of the TCP and TLS handshakes of each connection. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long a server may owe the headers of an answer before a new connection checks whether it still completes TLS handshakes, and how
   * long this check takes at most. If it does not, the request fails with ERR_NO_ANSWER. 1 to 600,000; default 4,000.
   */
  readonly silenceMs?: number;
  /** Called after each verification with any verdict. */
  readonly onVerification?: (origin: string, verification: EvidenceVerification) => void;
  /** Called after each verification with all of its inputs, from which a bundle can be made. */
  readonly onAttested?: (server: AttestedServer) => void;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

/** A machine whose evidence satisfies the policy. */
export interface VerifiedServer extends Session {
  readonly machine: VerifiedMachine;
  readonly tlsKeys: readonly PinnedTlsKey[];
  readonly sealingKey: Uint8Array | undefined;
}

export class VerifiedServers {
  readonly #policy: EvidencePolicy;
  readonly #options: VerificationOptions;
  readonly #collateral: CollateralCache;
  readonly #sessions: Sessions<VerifiedServer>;
  readonly #agent: PinnedAgent<VerifiedServer>;

  /** @param onSilent called when a server is found gone · @throws {RangeError} on an invalid `sessionAgeMaxMs` or `silenceMs` */
  constructor(policy: EvidencePolicy, options: VerificationOptions, onSilent?: (origin: string) => void) {
    const { now = Date.now, clock = () => performance.now(), verifyTimeoutMs: timeoutMs } = options;
    this.#policy = policy;
    this.#options = options;
    // A client that verifies every few minutes must not query Intel as often.
    const source = typeof options.collateral === 'object' ? options.collateral : {};
    this.#collateral = new CollateralCache({
      fetchCollateral: (family) => fetchCollateral(family, source),
      now: clock,
    });
    this.#sessions = new Sessions<VerifiedServer>({
      ...{ now, clock, timeoutMs, ageMaxMs: options.sessionAgeMaxMs },
      attest: async (origin, signal) =>
        this.#accept(origin, await attestServer(origin, { ...this.#attestOptions(signal), proveConnection: false })),
    });
    const isKeyEnough = policy.channel === 'key';
    this.#agent = new PinnedAgent<VerifiedServer>({
      accept: (connection, end) =>
        isKeyEnough ? this.#serverWithKey(connection, end) : this.#provenServer(connection, end),
      ...{ connectTimeoutMs: options.connectTimeoutMs, acceptTimeoutMs: timeoutMs },
      ...{ silenceMs: options.silenceMs, onSilent },
    });
  }

  /**
   * Waits for a connection to any of the verified servers at an origin. The caller sends a request over it, or releases it.
   * @throws {AttestationError} ERR_NOT_VERIFIED if the reached server does not satisfy the policy, ERR_EVIDENCE_UNAVAILABLE if no
   *   server could be verified · the signal's reason · TypeError "fetch failed". `wasNothingSent` is true of them
   */
  async connect(origin: string, signal: AbortSignal | undefined): Promise<PinnedConnection<VerifiedServer>> {
    this.#sessions.prune(origin);
    try {
      return await nothingSentBy(this.#agent.acquire(new URL(origin), signal), signal);
    } catch (error) {
      const isUnreached = error instanceof TypeError && signal?.aborted !== true && !this.#sessions.has(origin);
      if (!isUnreached) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
      const message = `the report of ${origin} could not be fetched: ${reason}`;
      throw asUnsent(new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause }));
    }
  }

  /** Sends a request over a connection of `connect`. @throws as `sendOver` */
  send(connection: PinnedConnection<VerifiedServer>, request: AddressedRequest<VerifiedServer>): Promise<Response> {
    return sendOver(this.#agent, connection, request);
  }

  /** Whether the verification of a reached server is still valid. It is renewed in the background. */
  isUsable(origin: string, server: VerifiedServer): boolean {
    return this.#sessions.isUsable(origin, server);
  }

  /** Closes the connections to a server, so that it is verified before its next use. */
  drop(origin: string, server: VerifiedServer): void {
    this.#sessions.drop(origin, server);
  }

  /** Requires a proof that a verified machine terminates the connection. */
  async #provenServer(connection: NewConnection, { origin, signal }: OpeningConnection): Promise<VerifiedServer> {
    const { proof, nonce } = await requestChannelProof(connection);
    const { keysetDigest } = proof;
    const reached: ReachedServer<VerifiedServer> = {
      key: keysetDigest,
      matches: (server) => server.keysetDigest === keysetDigest && isSameMachine(proof, server.machine),
      attest: (deadline) => this.#attestReached(origin, connection, deadline),
      abandoned: signal,
    };
    const server = await this.#sessions.open(origin, signal, reached);
    requireAttestedKey(connection.server, server.tlsKeys);
    requireSameMachine(proof, server.machine);
    requireBoundChannel(proof, { nonce, channel: connection.channel });
    return server;
  }

  /** Requires an attested TLS key, which servers behind one address may share. */
  async #serverWithKey(connection: NewConnection, { origin, signal }: OpeningConnection): Promise<VerifiedServer> {
    const { spkiSha256 } = connection.server;
    const server = await this.#sessions.open(origin, signal, {
      key: spkiSha256,
      matches: ({ tlsKeys }) => tlsKeys.some((key) => key.spkiSha256 === spkiSha256),
      attest: (deadline) => this.#attestReached(origin, connection, deadline),
      abandoned: signal,
    });
    requireAttestedKey(connection.server, server.tlsKeys);
    return server;
  }

  async #attestReached(origin: string, connection: NewConnection, signal: AbortSignal): Promise<VerifiedServer> {
    return this.#accept(origin, await attestConnection(connection, this.#attestOptions(signal)));
  }

  #attestOptions(signal: AbortSignal) {
    const { now = Date.now } = this.#options;
    const fetchCached = (family: PlatformFamily) => this.#collateral.get(family);
    return { ...this.#options, policy: this.#policy, now, signal, fetchCollateral: fetchCached };
  }

  /** @throws {AttestationError} ERR_NOT_VERIFIED */
  #accept(origin: string, attested: AttestedServer): VerifiedServer {
    const { verification, machine } = attested;
    this.#options.onAttested?.(attested);
    this.#options.onVerification?.(origin, verification);
    requireVerified(verification, origin);
    const { keyset, keysetDigest, expiresAtMs, sealingKey } = verification;
    const server: VerifiedServer = {
      machine: machine!,
      tlsKeys: keyset!.tlsPublicKeys,
      keysetDigest: keysetDigest!,
      sealingKey,
      expiresAtMs: expiresAtMs!,
      close: () => this.#agent.retire(server),
    };
    return server;
  }
}

/** Whether the proof names this machine in this state; a machine that restarted is verified again. */
function isSameMachine(proof: Parameters<typeof requireSameMachine>[0], machine: VerifiedMachine): boolean {
  try {
    requireSameMachine(proof, machine);
    return true;
  } catch {
    return false;
  }
}
