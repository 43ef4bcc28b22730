/**
 * A `fetch` for Node that sends requests to verified servers only. It verifies each server every few minutes, and requires on
 * each connection a proof that the verified machine terminates it. It can also seal bodies. Drop-in for `new OpenAI({ fetch })`.
 */
import { AttestationError } from '../base/errors.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, type SealedExchange, sealBody } from '../sealed/client.ts';
import { nodePrimitives } from '../sealed/node-primitives.ts';
import { type Fleet, sendToFleet } from './fleet-fetch.ts';
import { fleetListReader, isListAddress } from './fleet-list.ts';
import { FleetNodes } from './fleet-nodes.ts';
import type { PinnedConnection } from './pinned-agent.ts';
import { wasNothingSent } from './pinned-https.ts';
import { keysetDigestHeader } from './report-request.ts';
import { raceAbort } from './sessions.ts';
import { type VerificationOptions, type VerifiedServer, VerifiedServers } from './verified-servers.ts';

export interface AttestedFetchOptions extends VerificationOptions {
  /** Whether to also encrypt bodies to the attested key, so that nothing between TLS and the enclave can read them. Default false. */
  readonly seal?: boolean;
  /**
   * Chooses a node of a fleet for each request. `'announced'`: among the nodes in the directory `/v1/fleet` of the request's origin,
   * which may be a node or any other https server (or an http server of this machine): the directory needs no evidence, because each
   * node is verified before it is used. A list of origins: among these. The path of the request is the same at all nodes.
   * A node that cannot be reached or verified is passed over; a request of which any byte was sent is never sent again.
   * `connectTimeoutMs` is then 5,000 by default, and `verifyTimeoutMs` 20,000.
   */
  readonly fleet?: 'announced' | readonly string[];
  /**
   * With `fleet`: time after which a request that waits for a verified connection to its node starts one to another node, at most two;
   * the first one is used. Each costs a verification of that node, if it has none that is valid. At most 600,000; default 500.
   */
  readonly hedgeAfterMs?: number;
}

/** Limits for a node of a fleet, where another one can serve. */
const fleetLimits = { connectTimeoutMs: 5_000, verifyTimeoutMs: 20_000 };

/** Like the global `fetch`, but https only, without cookies or cache; redirects are refused. */
export type AttestedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a fetch that verifies servers before it sends them anything.
 * @param requirements which servers are acceptable
 * @returns a fetch that rejects with AttestationError ERR_NOT_VERIFIED if the server does not satisfy the policy, with
 *   ERR_EVIDENCE_UNAVAILABLE if the server sends no evidence, with ERR_NO_ANSWER if the server stopped answering after the request
 *   was sent, and otherwise like the global fetch
 * @throws {AttestationError} ERR_POLICY_MALFORMED · {RangeError} on an invalid option
 */
export function attestedFetch(requirements: EvidencePolicy, options: AttestedFetchOptions = {}): AttestedFetch {
  const policy = requireEvidencePolicy(requirements);
  const isSealed = options.seal === true;
  const fleet = options.fleet === undefined ? undefined : fleetOf(policy, options.fleet, options);
  const servers = fleet?.servers ?? new VerifiedServers(policy, options);
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const isUsable = url.protocol === 'https:' || (options.fleet === 'announced' && isListAddress(url));
    if (!isUsable) throw new TypeError(`attestedFetch requires an https URL, got ${url.protocol}`);
    // Use the caller's signal: the signal of the copied request may be garbage-collected before it fires.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const body = request.body === null ? undefined : new Uint8Array(await raceAbort(request.arrayBuffer(), signal));
    const sending = { servers, request, body, signal, isSealed };
    if (fleet === undefined) return sendOrRepeat({ ...sending, url }, await servers.connect(url.origin, signal));
    return sendToFleet(fleet, sending, (target, connection) => sendOrRepeat({ ...sending, url: target }, connection));
  };
}

function fleetOf(
  policy: EvidencePolicy,
  fleet: NonNullable<AttestedFetchOptions['fleet']>,
  options: AttestedFetchOptions,
): Fleet {
  const { now = Date.now, clock = () => performance.now(), hedgeAfterMs = 500 } = options;
  if (!(hedgeAfterMs >= 0 && hedgeAfterMs <= 600_000)) {
    throw new RangeError(`hedgeAfterMs must be 0 to 600,000, got ${hedgeAfterMs}`);
  }
  const addresses = fleet === 'announced' ? undefined : fleet.map((address) => new URL(address).origin);
  const nodes = new FleetNodes({ now, clock, addresses, fetchList: fleetListReader() });
  const servers = new VerifiedServers(policy, { ...fleetLimits, ...options }, (origin) => nodes.failed(origin));
  return { nodes, servers, hedgeAfterMs };
}

async function sendOrRepeat(sending: Sending, connection: PinnedConnection<VerifiedServer>): Promise<Response> {
  const { servers, url, signal } = sending;
  try {
    return await send(sending, connection);
  } catch (error) {
    const isKeyProblem = error instanceof AttestationError && error.code === 'ERR_SEALED_KEY';
    const isSessionOver = wasNothingSent(error) && (error as Error).cause instanceof SessionOver;
    if (!isKeyProblem && !isSessionOver) throw error;
    // The server received nothing that it could decrypt. Its connections are closed, so that it is verified again, once.
    return send(sending, await servers.connect(url.origin, signal));
  }
}

interface Sending {
  readonly servers: VerifiedServers;
  /** Its body was read. */
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  readonly isSealed: boolean;
}

/** The verification of the reached server has expired since the connection was chosen. */
class SessionOver extends Error {}

async function send(
  { servers, request, body, url, signal, isSealed }: Sending,
  connection: PinnedConnection<VerifiedServer>,
): Promise<Response> {
  const { origin } = url;
  let server: VerifiedServer | undefined;
  let exchange: SealedExchange | undefined;
  const contentsFor = async (reached: VerifiedServer) => {
    server = reached;
    if (!servers.isUsable(origin, reached)) throw new SessionOver();
    const { headers } = request;
    if (!isSealed || body === undefined || body.length === 0) return { headers, body };
    const sealed = await sealBody({ headers, body: body.slice() }, sealingKeyOf(reached, origin), nodePrimitives);
    exchange = sealed.exchange;
    return { headers: sealed.headers, body: sealed.sealed };
  };
  const answer = await servers.send(connection, { url, method: request.method, signal, contentsFor });
  const digest = answer.headers.get(keysetDigestHeader);
  if (digest !== null && digest !== server!.keysetDigest) servers.drop(origin, server!);
  if (exchange === undefined) return answer;
  try {
    const opened = await openResponse(answer, exchange, nodePrimitives);
    if (opened !== answer) Object.defineProperty(opened, 'url', { value: url.href });
    return opened;
  } catch (error) {
    // The connection is unusable: ignore errors while it closes.
    await answer.body?.cancel().catch(() => {});
    servers.drop(origin, server!);
    throw error;
  }
}

function sealingKeyOf({ sealingKey }: VerifiedServer, origin: string): Uint8Array {
  if (sealingKey === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', `${origin} has no attested key to seal bodies to`);
  }
  return sealingKey;
}
