/**
 * A `fetch` for web pages, which cannot read the TLS key of a connection. It verifies each server and seals every body to the
 * attested key, so that only that server can decrypt the request and respond. Headers and URLs are not sealed.
 */
import { AttestationError } from '../base/errors.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, sealRequest } from '../sealed/client.ts';
import { keysetDigestHeader, randomNonce, reportPath, requestReport } from './report-request.ts';
import { type ReachedServer, type Session, Sessions } from './sessions.ts';
import { type EvidenceVerification, requireVerified } from './verification.ts';
import { verifyEvidence } from './verify-evidence.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface SealedFetchOptions {
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Trusted roots for quotes, DER. Default: Intel's. */
  readonly roots?: readonly Uint8Array[];
  /** Trusted roots for GPU reports, DER. Default: NVIDIA's. */
  readonly gpuRoots?: readonly Uint8Array[];
  /** NVIDIA's manifests and OCSP responses, required to verify GPUs. */
  readonly gpuReference?: GpuReference;
  /** Time limit of one verification, including the wait for the quote. Default 60,000. */
  readonly verifyTimeoutMs?: number;
  /** How long a verification is valid: see `AttestedFetchOptions`. Default 600,000. */
  readonly sessionAgeMaxMs?: number;
  /** Called after each verification with any verdict. */
  readonly onVerification?: (origin: string, verification: EvidenceVerification) => void;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

interface SealedSession extends Session {
  readonly sealingKey: Uint8Array;
}

/**
 * Creates a fetch that seals bodies to verified servers.
 * @param requirements which servers are acceptable
 * @returns a fetch that accepts only requests with a body, because the response to a request without one cannot be
 *   authenticated. A response with an error status may be unsealed and come from an intermediary: do not trust its contents
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function sealedFetch(requirements: EvidencePolicy, options: SealedFetchOptions = {}): Fetch {
  const policy = requireEvidencePolicy(requirements);
  const transport = options.fetch ?? ((input: string | URL | Request, init?: RequestInit) => fetch(input, init));
  const now = options.now ?? Date.now;
  const { roots, gpuRoots } = options;
  /** @param keysetDigest asks for the evidence of this server, if several share the origin */
  const attest = async (origin: string, signal: AbortSignal, keysetDigest?: string) => {
    const nonce = randomNonce();
    const wanted = keysetDigest === undefined ? '' : `&keyset=${encodeURIComponent(keysetDigest)}`;
    const report = await fetchReport(transport, `${origin}${reportPath}?nonce=${nonce}${wanted}`, signal);
    const trust = { policy, roots, gpuRoots, gpuReference: options.gpuReference, nowMs: now() };
    const verification = await verifyEvidence({ report, nonce, observed: 'invisible' }, trust);
    options.onVerification?.(origin, verification);
    requireVerified(verification, origin);
    return sessionOf(verification, origin);
  };
  const sessions = new Sessions<SealedSession>({
    ...{ now, clock: options.clock, timeoutMs: options.verifyTimeoutMs, ageMaxMs: options.sessionAgeMaxMs },
    attest,
  });
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.body === null) throw new TypeError('sealedFetch requires a request with a body');
    const { origin } = new URL(request.url);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    let answeredBy: string | null = null;
    const attempt = async (session: SealedSession, copy: Request): Promise<Response> => {
      const sealed = await sealRequest(copy, session.sealingKey);
      if (sealed.exchange === undefined) throw new TypeError('sealedFetch requires a request with a body');
      const answer = await transport(sealed.request);
      answeredBy = answer.headers.get(keysetDigestHeader);
      return openResponse(answer, sealed.exchange);
    };
    const session = await sessions.open(origin, signal);
    try {
      return await attempt(session, request.clone());
    } catch (error) {
      if (!(error instanceof AttestationError && error.code === 'ERR_SEALED_KEY')) throw error;
      // The server could not decrypt the body: it has restarted with new keys, or another one shares its address. Verify the
      // server that answered, and seal to that one, once.
      const other = answeredBy === null || answeredBy === session.keysetDigest ? undefined : answeredBy;
      if (other === undefined) sessions.drop(origin, session);
      return attempt(await sessions.open(origin, signal, other && serverWith(other)), request);
    }

    function serverWith(keysetDigest: string): ReachedServer<SealedSession> {
      return {
        key: keysetDigest,
        matches: (held) => held.keysetDigest === keysetDigest,
        attest: (deadline) => attest(origin, deadline, keysetDigest),
      };
    }
  };
}

function sessionOf({ sealingKey, keysetDigest, expiresAtMs }: EvidenceVerification, origin: string): SealedSession {
  if (sealingKey === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', `${origin} has no attested key to seal bodies to`);
  }
  return { sealingKey, keysetDigest: keysetDigest!, expiresAtMs: expiresAtMs!, close: () => {} };
}

async function fetchReport(transport: Fetch, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const init: RequestInit = { signal, cache: 'no-store', credentials: 'omit', redirect: 'error' };
  try {
    return await requestReport(() => transport(url, init), { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AttestationError) throw cause;
    throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', 'the report could not be fetched', { cause });
  }
}
