/**
 * A `fetch` for Node that sends requests to verified servers only. It verifies each server every few minutes, and requires on
 * each connection a proof that the verified machine terminates it. It can also seal bodies. Drop-in for `new OpenAI({ fetch })`.
 */
import { AttestationError } from '../base/errors.ts';
import { routeHints } from '../fleet/route-hints.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { openResponse, type SealedExchange, sealBody } from '../sealed/client.ts';
import { nodePrimitives } from '../sealed/node-primitives.ts';
import { boundedBody } from './bounded-body.ts';
import { FleetNodes, fleetPath } from './fleet-nodes.ts';
import { wasNothingSent } from './pinned-https.ts';
import { keysetDigestHeader } from './report-request.ts';
import { raceAbort } from './sessions.ts';
import { type VerificationOptions, type VerifiedServer, VerifiedServers } from './verified-servers.ts';

export interface AttestedFetchOptions extends VerificationOptions {
  /** Whether to also encrypt bodies to the attested key, so that nothing between TLS and the enclave can read them. Default false. */
  readonly seal?: boolean;
  /**
   * Chooses a node of a fleet for each request. `'announced'`: among the nodes in the directory of the server at the request's
   * origin, so that any node can be the base URL. A list of origins: among these. The path of the request is the same at all nodes.
   * A node that cannot be reached or verified is passed over; a request of which any byte was sent is never sent again.
   */
  readonly fleet?: 'announced' | readonly string[];
}

/** Limits of fetching a fleet's directory. */
const fleetListBytesMax = 16 * 1024 * 1024;
const fleetListTimeoutMs = 10_000;
/** Status of a node that cannot serve now, for example without the database of the accounts. */
const serviceUnavailable = 503;
/** Maximum number of nodes that a request tries to reach. */
const nodesTriedMax = 3;

/** Like the global `fetch`, but https only, without cookies or cache; redirects are refused. */
export type AttestedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a fetch that verifies servers before it sends them anything.
 * @param requirements which servers are acceptable
 * @returns a fetch that rejects with AttestationError ERR_NOT_VERIFIED if the server does not satisfy the policy, with
 *   ERR_EVIDENCE_UNAVAILABLE if the server sends no evidence, and otherwise like the global fetch
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function attestedFetch(requirements: EvidencePolicy, options: AttestedFetchOptions = {}): AttestedFetch {
  const servers = new VerifiedServers(requireEvidencePolicy(requirements), options);
  const isSealed = options.seal === true;
  const nodes = options.fleet === undefined ? undefined : fleetNodes(servers, options.fleet, options);
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.protocol !== 'https:') throw new TypeError(`attestedFetch requires an https URL, got ${url.protocol}`);
    // Use the caller's signal: the signal of the copied request may be garbage-collected before it fires.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const body = request.body === null ? undefined : new Uint8Array(await raceAbort(request.arrayBuffer(), signal));
    const sendTo = (target: URL) => sendOrRepeat({ servers, request, body, url: target, signal, isSealed });
    return nodes === undefined ? sendTo(url) : sendToFleet(nodes, { request, body }, sendTo);
  };
}

function fleetNodes(
  servers: VerifiedServers,
  fleet: NonNullable<AttestedFetchOptions['fleet']>,
  { now = Date.now, clock = () => performance.now() }: AttestedFetchOptions,
): FleetNodes {
  return new FleetNodes({
    ...{ now, clock, addresses: fleet === 'announced' ? undefined : fleet.map((address) => new URL(address).origin) },
    async fetchList(origin) {
      const url = new URL(fleetPath, origin);
      const contentsFor = async () => ({ headers: new Headers() });
      const signal = AbortSignal.timeout(fleetListTimeoutMs);
      const answer = await servers.send(origin, { url, method: 'GET', signal, contentsFor });
      return boundedBody(answer, { what: 'the directory of the fleet', bytesMax: fleetListBytesMax });
    },
  });
}

/** Sends a request to the best node that can be reached and verified. */
async function sendToFleet(
  nodes: FleetNodes,
  { request, body }: Pick<Sending, 'request' | 'body'>,
  sendTo: (target: URL) => Promise<Response>,
): Promise<Response> {
  const { origin, pathname, search } = new URL(request.url);
  const key = request.headers.get('authorization') ?? request.headers.get('x-api-key') ?? '';
  const hints = await routeHints(body ?? new Uint8Array(), key);
  const failures = new Map<string, unknown>();
  const tryNodes = async () => {
    const ranked = await nodes.ranked(origin, pathname, hints);
    for (const node of ranked.filter(({ address }) => !failures.has(address)).slice(0, nodesTriedMax)) {
      const ended = nodes.start(node);
      try {
        const answer = await sendTo(new URL(pathname + search, node.address));
        if (answer.status === serviceUnavailable) nodes.unavailable(node);
        else nodes.answered(node, hints);
        return answer;
      } catch (error) {
        if (!wasNothingSent(error)) throw error;
        nodes.failed(node);
        failures.set(node.address, error);
      } finally {
        ended();
      }
    }
    return undefined;
  };
  const answer = await tryNodes();
  if (answer !== undefined) return answer;
  // All of them may have been replaced since the directory was read.
  await nodes.refresh(origin);
  const later = await tryNodes();
  if (later !== undefined) return later;
  throw [...failures.values()].at(-1) ?? new AttestationError('ERR_EVIDENCE_UNAVAILABLE', 'the fleet has no nodes');
}

async function sendOrRepeat(sending: Sending): Promise<Response> {
  try {
    return await send(sending);
  } catch (error) {
    const isKeyProblem = error instanceof AttestationError && error.code === 'ERR_SEALED_KEY';
    const isSessionOver = wasNothingSent(error) && (error as Error).cause instanceof SessionOver;
    if (!isKeyProblem && !isSessionOver) throw error;
    // The server received nothing that it could decrypt. Its connections are closed, so that it is verified again, once.
    return send(sending);
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

async function send({ servers, request, body, url, signal, isSealed }: Sending): Promise<Response> {
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
  const answer = await servers.send(origin, { url, method: request.method, signal, contentsFor });
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
