/**
 * A `fetch` for Node that sends requests to verified servers only. It verifies each server every few minutes, and requires on
 * each connection a proof that the verified machine terminates it. It can also seal bodies. Drop-in for `new OpenAI({ fetch })`.
 */
import { AttestationError } from '../base/errors.ts';
import { CollateralCache } from '../collateral/cache.ts';
import { fetchCollateral } from '../collateral/fetch.ts';
import type { PlatformFamily } from '../collateral/platform-family.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, sealRequest } from '../sealed/client.ts';
import { type AttestedServer, attestServer, type CollateralChoice } from './attest-server.ts';
import { requireBoundChannel, requireSameMachine, type VerifiedMachine } from './bound-channel.ts';
import { requireAttestedKey } from './channel.ts';
import { requestChannelProof } from './channel-request.ts';
import { PinnedAgent, sendPinned } from './pinned-https.ts';
import { type Session, Sessions } from './sessions.ts';
import { type EvidenceVerification, requireVerified } from './verification.ts';

export interface AttestedFetchOptions {
  /** Trusted roots for quotes, as PEM text or DER. Default: Intel's. The root of a simulation proves nothing about hardware. */
  readonly roots?: string | readonly Uint8Array[];
  /** Trusted roots for GPU reports, as PEM text or DER. Default: NVIDIA's. */
  readonly gpuRoots?: string | readonly Uint8Array[];
  /** Whether to also encrypt bodies to the attested key, so that nothing between TLS and the enclave can read them. Default false. */
  readonly seal?: boolean;
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
  /** Called after each verification with any verdict. */
  readonly onVerification?: (origin: string, verification: EvidenceVerification) => void;
  /** Called after each verification with all of its inputs, from which a bundle can be made. */
  readonly onAttested?: (server: AttestedServer) => void;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

/** Like the global `fetch`, but https only, without cookies or cache; redirects are refused. */
export type AttestedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface NodeSession extends Session {
  readonly agent: PinnedAgent;
  readonly sealingKey: Uint8Array | undefined;
  /** Whether this error is a refused connection to another server, or to the same server after a restart. */
  isOtherServer(error: unknown): boolean;
}

const keysetDigestHeader = 'x-aci-keyset-digest';

/**
 * Creates a fetch that verifies servers before it sends them anything.
 * @param requirements which servers are acceptable
 * @returns a fetch that rejects with AttestationError ERR_NOT_VERIFIED if the server does not satisfy the policy, with
 *   ERR_EVIDENCE_UNAVAILABLE if the server sends no evidence, and otherwise like the global fetch
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function attestedFetch(requirements: EvidencePolicy, options: AttestedFetchOptions = {}): AttestedFetch {
  const policy = requireEvidencePolicy(requirements);
  const { now = Date.now, clock = () => performance.now() } = options;
  // A client that verifies every few minutes must not query Intel as often.
  const source = typeof options.collateral === 'object' ? options.collateral : {};
  const collateralCache = new CollateralCache({
    fetchCollateral: (family) => fetchCollateral(family, source),
    now: clock,
  });
  const { verifyTimeoutMs: timeoutMs, sessionAgeMaxMs: ageMaxMs } = options;
  const sessions = new Sessions<NodeSession>({
    ...{ now, clock, timeoutMs, ageMaxMs },
    attest: async (origin, signal) => {
      const fetchCached = (family: PlatformFamily) => collateralCache.get(family);
      // This connection carries no requests; the session demands a proof on each connection that does.
      const attestOptions = { ...options, policy, now, signal, fetchCollateral: fetchCached, proveConnection: false };
      const server = await attestServer(origin, attestOptions);
      const { verification, machine } = server;
      options.onAttested?.(server);
      options.onVerification?.(origin, verification);
      requireVerified(verification, origin);
      return nodeSession(verification, { ...options, channel: policy.channel ?? 'bound', machine: machine! });
    },
  });
  const isSealed = options.seal === true;
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.protocol !== 'https:') throw new TypeError(`attestedFetch requires an https URL, got ${url.protocol}`);
    // Use the caller's signal: the signal of the copied request may be garbage-collected before it fires.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const attempt = async (session: NodeSession, copy: Request) => {
      const drop = () => sessions.drop(url.origin, session);
      return send({ session, request: copy, url, signal, isSealed, drop });
    };
    const session = await sessions.open(url.origin, signal);
    try {
      return await attempt(session, request.clone());
    } catch (error) {
      const isKeyProblem = error instanceof AttestationError && error.code === 'ERR_SEALED_KEY';
      if (!isKeyProblem && !session.isOtherServer(error)) throw error;
      // The server received nothing that it could decrypt. It may have restarted with new keys: verify it again, once.
      sessions.drop(url.origin, session);
      return attempt(await sessions.open(url.origin, signal), request);
    }
  };
}

interface Sending {
  readonly session: NodeSession;
  readonly request: Request;
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  readonly isSealed: boolean;
  /** Ends the session, so that the next request verifies the server again. */
  readonly drop: () => void;
}

async function send({ session, request, url, signal, isSealed, drop }: Sending): Promise<Response> {
  if (isSealed && session.sealingKey === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', `${url.origin} has no attested key to seal bodies to`);
  }
  const sealed = isSealed ? await sealRequest(request, session.sealingKey!) : { request, exchange: undefined };
  const { method, headers } = sealed.request;
  const body = sealed.request.body === null ? undefined : new Uint8Array(await sealed.request.arrayBuffer());
  const answer = await sendPinned(session.agent, { url, method, headers, body, signal });
  const digest = answer.headers.get(keysetDigestHeader);
  if (digest !== null && digest !== session.keysetDigest) drop();
  if (sealed.exchange === undefined) return answer;
  try {
    const opened = await openResponse(answer, sealed.exchange);
    if (opened !== answer) Object.defineProperty(opened, 'url', { value: url.href });
    return opened;
  } catch (error) {
    // The connection is unusable: ignore errors while it closes.
    await answer.body?.cancel().catch(() => {});
    drop();
    throw error;
  }
}

interface NodeSessionOptions extends Pick<AttestedFetchOptions, 'connectTimeoutMs' | 'verifyTimeoutMs'> {
  readonly channel: NonNullable<EvidencePolicy['channel']>;
  readonly machine: VerifiedMachine;
}

function nodeSession(verification: EvidenceVerification, options: NodeSessionOptions): NodeSession {
  const { keyset, keysetDigest, expiresAtMs, sealingKey } = verification;
  const { channel, machine, connectTimeoutMs, verifyTimeoutMs } = options;
  // Recorded per error: the refusal of one connection says nothing about a request sent over another.
  const refusals = new WeakSet<object>();
  const recordRefusal = <T>(check: () => T): T => {
    try {
      return check();
    } catch (error) {
      refusals.add(error as object);
      throw error;
    }
  };
  const agent = new PinnedAgent({
    accept: async (connection) => {
      recordRefusal(() => requireAttestedKey(connection.server, keyset!.tlsPublicKeys));
      if (channel === 'key') return;
      const { proof, nonce } = await requestChannelProof(connection);
      recordRefusal(() => requireSameMachine(proof, machine));
      requireBoundChannel(proof, { nonce, channel: connection.channel });
    },
    connectTimeoutMs,
    acceptTimeoutMs: verifyTimeoutMs,
  });
  return {
    agent,
    keysetDigest: keysetDigest!,
    sealingKey,
    expiresAtMs: expiresAtMs!,
    isOtherServer: (error) => refusals.has(error as object),
    close: () => agent.retire(),
  };
}
