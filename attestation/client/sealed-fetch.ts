/**
 * A `fetch` for web pages, which cannot see the TLS key of a connection: it verifies the server once per keyset and seals
 * every body to the attested key, so that only that server can read it and answer it. Headers and addresses are not sealed.
 */
import { AttestationError } from '../base/errors.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, sealRequest } from '../sealed/client.ts';
import { askForReport, randomNonce, reportPath } from './report-request.ts';
import { type Session, Sessions } from './sessions.ts';
import { type EvidenceVerification, requireVerified } from './verification.ts';
import { verifyEvidence } from './verify-evidence.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface SealedFetchOptions {
  /** What sends. Default: the page's own. */
  readonly fetch?: Fetch;
  /** DER of the roots that quotes may lead to. Default: Intel's. */
  readonly roots?: readonly Uint8Array[];
  /** DER of the roots that GPU reports may lead to. Default: NVIDIA's. */
  readonly gpuRoots?: readonly Uint8Array[];
  /** NVIDIA's manifests and OCSP responses, which servers with GPUs take to verify. */
  readonly gpuReference?: GpuReference;
  /** For verifying a server, waiting for its quote included. Default 60,000. */
  readonly verifyTimeoutMs?: number;
  /** How long a server is believed before it proves itself again: see `AttestedFetchOptions`. Default 600,000. */
  readonly sessionAgeMaxMs?: number;
  /** Called after each verification, whatever its verdict. */
  readonly onVerification?: (origin: string, verification: EvidenceVerification) => void;
  /** Milliseconds since 1970. Default: the clock's. */
  readonly now?: () => number;
  /** Milliseconds that never go back. Default: the page's. */
  readonly clock?: () => number;
}

interface SealedSession extends Session {
  readonly sealingKey: Uint8Array;
}

/**
 * @param wishes which servers are acceptable
 * @returns a fetch for requests with a body, and for those alone: without one there is nothing to seal, and an answer would
 *   be anybody's. An answer with an error status may come unsealed, from anybody between: do not trust what it says
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function sealedFetch(wishes: EvidencePolicy, options: SealedFetchOptions = {}): Fetch {
  const policy = requireEvidencePolicy(wishes);
  const transport = options.fetch ?? ((input: string | URL | Request, init?: RequestInit) => fetch(input, init));
  const now = options.now ?? Date.now;
  const { roots, gpuRoots } = options;
  const sessions = new Sessions<SealedSession>({
    ...{ now, clock: options.clock, timeoutMs: options.verifyTimeoutMs, ageMaxMs: options.sessionAgeMaxMs },
    attest: async (origin, signal) => {
      const nonce = randomNonce();
      const report = await fetchReport(transport, `${origin}${reportPath}?nonce=${nonce}`, signal);
      const trust = { policy, roots, gpuRoots, gpuReference: options.gpuReference, nowMs: now() };
      const verification = await verifyEvidence({ report, nonce, observed: 'invisible' }, trust);
      options.onVerification?.(origin, verification);
      requireVerified(verification, origin);
      return sessionOf(verification, origin);
    },
  });
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.body === null) throw new TypeError('a request without a body cannot be sealed');
    const { origin } = new URL(request.url);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const attempt = async (session: SealedSession, copy: Request): Promise<Response> => {
      const sealed = await sealRequest(copy, session.sealingKey);
      if (sealed.exchange === undefined) throw new TypeError('a request without a body cannot be sealed');
      return openResponse(await transport(sealed.request), sealed.exchange);
    };
    const session = await sessions.open(origin, signal);
    try {
      return await attempt(session, request.clone());
    } catch (error) {
      if (!(error instanceof AttestationError && error.code === 'ERR_SEALED_KEY')) throw error;
      // The server has another key and could not open the body: it may have started anew.
      sessions.drop(origin, session);
      return attempt(await sessions.open(origin, signal), request);
    }
  };
}

function sessionOf({ sealingKey, keysetDigest, expiresAtMs }: EvidenceVerification, origin: string): SealedSession {
  if (sealingKey === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', `${origin} has no attested key that bodies could be sealed to`);
  }
  return { sealingKey, keysetDigest: keysetDigest!, expiresAtMs: expiresAtMs!, close: () => {} };
}

async function fetchReport(transport: Fetch, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const init: RequestInit = { signal, cache: 'no-store', credentials: 'omit', redirect: 'error' };
  try {
    return await askForReport(() => transport(url, init), { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AttestationError) throw cause;
    throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', 'the server could not be asked for its report', { cause });
  }
}
