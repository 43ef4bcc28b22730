/**
 * A `fetch` for Node that talks to verified servers only: it verifies each every few minutes, then lets nothing out but over
 * connections that the verified machine proves to end itself, sealed on top where asked. Drop-in for `new OpenAI({ fetch })`.
 */
import { AttestationError } from '../base/errors.ts';
import { CollateralCache } from '../collateral/cache.ts';
import { fetchCollateral } from '../collateral/fetch.ts';
import type { PlatformFamily } from '../collateral/platform-family.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, sealRequest } from '../sealed/client.ts';
import { attestServer, type CollateralChoice } from './attest-server.ts';
import { requireBoundChannel, requireSameMachine, type VerifiedMachine } from './bound-channel.ts';
import { requireAttestedKey } from './channel.ts';
import { askForChannelProof } from './channel-request.ts';
import { PinnedAgent, sendPinned } from './pinned-https.ts';
import { type Session, Sessions } from './sessions.ts';
import { type EvidenceVerification, requireVerified } from './verification.ts';

export interface AttestedFetchOptions {
  /** PEM text, or DER, of the roots that quotes may lead to. Default: Intel's. A simulation's root: for trying out only. */
  readonly roots?: string | readonly Uint8Array[];
  /** Likewise for GPUs. Default: NVIDIA's. */
  readonly gpuRoots?: string | readonly Uint8Array[];
  /** Whether bodies are sealed to the server's key as well, so that nothing between can read them even beyond TLS. */
  readonly seal?: boolean;
  /** Default: the server's, and Intel's where it has none. What is fetched is kept for six hours. */
  readonly collateral?: CollateralChoice;
  /** NVIDIA's manifests and OCSP responses, which servers with GPUs take to verify. Default: fetched, see below. */
  readonly gpuReference?: GpuReference;
  /** Where they come from if they are not given. Default: NVIDIA's services; `'none'` asks nobody. */
  readonly gpuReferenceSource?: GpuReferenceSource | 'none';
  /** For verifying a server, waiting for its quote included; and for the proof of each connection. Default 60,000. */
  readonly verifyTimeoutMs?: number;
  /**
   * How long a server is believed before it proves itself again, 1,000 to 86,400,000. Default 600,000. A server in use is
   * verified again in the background before.
   */
  readonly sessionAgeMaxMs?: number;
  /** For TCP and TLS of each connection. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Called after each verification, whatever its verdict. */
  readonly onVerification?: (origin: string, verification: EvidenceVerification) => void;
  /** Milliseconds since 1970. Default: the clock's. */
  readonly now?: () => number;
  /** Milliseconds that never go back. Default: the process's. */
  readonly clock?: () => number;
}

/** Like the global one: https only, redirects refused, no cookies, no cache. */
export type AttestedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface NodeSession extends Session {
  readonly agent: PinnedAgent;
  readonly sealingKey: Uint8Array | undefined;
  /** Whether this error is the refusal of a connection that led to another server, or to the same after a new start. */
  isOtherServer(error: unknown): boolean;
}

const keysetDigestHeader = 'x-aci-keyset-digest';

/**
 * @param wishes which servers are acceptable: see `EvidencePolicy`
 * @returns a fetch that rejects with AttestationError ERR_NOT_VERIFIED before anything is sent to a server that does not
 *   satisfy the policy, with ERR_EVIDENCE_UNAVAILABLE where one gives no evidence, and else as the global fetch
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function attestedFetch(wishes: EvidencePolicy, options: AttestedFetchOptions = {}): AttestedFetch {
  const policy = requireEvidencePolicy(wishes);
  const { now = Date.now, clock = () => performance.now() } = options;
  // Kept: a client that verifies every few minutes does not ask Intel as often.
  const source = typeof options.collateral === 'object' ? options.collateral : {};
  const kept = new CollateralCache({ fetchCollateral: (family) => fetchCollateral(family, source), now: clock });
  const { verifyTimeoutMs: timeoutMs, sessionAgeMaxMs: ageMaxMs } = options;
  const sessions = new Sessions<NodeSession>({
    ...{ now, clock, timeoutMs, ageMaxMs },
    attest: async (origin, signal) => {
      const fetchKept = (family: PlatformFamily) => kept.get(family);
      // Each connection that requests are sent over proves itself; this one carries none.
      const how = { ...options, policy, now, signal, fetchCollateral: fetchKept, proveConnection: false };
      const { verification, machine } = await attestServer(origin, how);
      options.onVerification?.(origin, verification);
      requireVerified(verification, origin);
      return nodeSession(verification, { ...options, channel: policy.channel ?? 'bound', machine: machine! });
    },
  });
  const isSealed = options.seal === true;
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.protocol !== 'https:') throw new TypeError('attestedFetch speaks https only');
    // The caller's own signal: that of a copied request may be collected before it fires.
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
      // Nothing was sent, or nothing that the server could open. It may have started anew, with new keys: then it is
      // verified anew.
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
  /** Has the server verified again before the next request. */
  readonly drop: () => void;
}

async function send({ session, request, url, signal, isSealed, drop }: Sending): Promise<Response> {
  if (isSealed && session.sealingKey === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', `${url.origin} has no attested key that bodies could be sealed to`);
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
    // The connection is of no use any more; whether its end is heard does not matter.
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
  // Each by itself: of another request that was refused meanwhile, nothing follows for one that was sent.
  const refusals = new WeakSet<object>();
  const noting = <T>(judge: () => T): T => {
    try {
      return judge();
    } catch (error) {
      refusals.add(error as object);
      throw error;
    }
  };
  const agent = new PinnedAgent({
    accept: async (connection) => {
      noting(() => requireAttestedKey(connection.server, keyset!.tlsPublicKeys));
      if (channel === 'key') return;
      const { proof, nonce } = await askForChannelProof(connection);
      noting(() => requireSameMachine(proof, machine));
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
