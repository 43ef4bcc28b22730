/** Sends requests to the nodes of a fleet: to the best one that can be reached and verified. For Node. */
import { AttestationError } from '../base/errors.ts';
import { routeHints } from '../fleet/route-hints.ts';
import { firstReady } from './first-ready.ts';
import type { FleetNode, FleetNodes } from './fleet-nodes.ts';
import type { PinnedConnection } from './pinned-agent.ts';
import { wasNothingSent } from './pinned-https.ts';
import { raceAbort } from './sessions.ts';
import type { VerifiedServer, VerifiedServers } from './verified-servers.ts';

export interface FleetRequest {
  /** Its body was read. */
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Fleet {
  readonly nodes: FleetNodes;
  readonly servers: VerifiedServers;
  /** See `AttestedFetchOptions`. */
  readonly hedgeAfterMs: number;
}

/** Sends a request to a node over a verified connection. */
export type SendToNode = (url: URL, connection: PinnedConnection<VerifiedServer>) => Promise<Response>;

interface ReadyNode {
  readonly node: FleetNode;
  readonly connection: PinnedConnection<VerifiedServer>;
  /** Takes the request off the node's load. */
  readonly end: () => void;
}

/** Status of a node that cannot serve now, for example without the database of the accounts. */
const serviceUnavailable = 503;
/** Maximum number of nodes that a request tries to reach with one reading of the directory. */
const nodesTriedMax = 3;

/** @throws the signal's reason, at once · the error of the node that was tried last, if none can be reached and verified */
export async function sendToFleet(fleet: Fleet, fleetRequest: FleetRequest, send: SendToNode): Promise<Response> {
  const { nodes } = fleet;
  const { request, body, signal } = fleetRequest;
  const { origin, pathname, search } = new URL(request.url);
  const key = request.headers.get('authorization') ?? request.headers.get('x-api-key') ?? '';
  const hints = await routeHints(body ?? new Uint8Array(), key);
  const failures = new Map<string, unknown>();
  const tryNodes = async () => {
    const ranked = await raceAbort(nodes.ranked(origin, pathname, hints), signal);
    const tried = ranked.filter(({ address }) => !failures.has(address)).slice(0, nodesTriedMax);
    for (;;) {
      const left = tried.filter(({ address }) => !failures.has(address));
      const ready = await reach(fleet, left, { failures, signal });
      if (ready === undefined) return undefined;
      const { node, connection, end } = ready;
      try {
        const answer = await send(new URL(pathname + search, node.address), connection);
        if (answer.status === serviceUnavailable) nodes.unavailable(node);
        else nodes.answered(node, hints);
        return answer;
      } catch (error) {
        if (!wasNothingSent(error)) throw error;
        nodes.failed(node.address);
        failures.set(node.address, error);
      } finally {
        end();
      }
    }
  };
  const answer = await tryNodes();
  if (answer !== undefined) return answer;
  // All of them may have been replaced since the directory was read.
  await raceAbort(nodes.refresh(origin), signal);
  const later = await tryNodes();
  if (later !== undefined) return later;
  throw [...failures.values()].at(-1) ?? new AttestationError('ERR_EVIDENCE_UNAVAILABLE', noNodes(origin));
}

/**
 * A verified connection to one of the nodes. While one takes long, the next is started: this may verify two nodes more than are used,
 * once in the lifetime of a verification. Connections that come too late are kept for later requests.
 */
async function reach(
  { nodes, servers, hedgeAfterMs }: Fleet,
  candidates: readonly FleetNode[],
  { failures, signal }: { failures: Map<string, unknown>; signal: AbortSignal | undefined },
): Promise<ReadyNode | undefined> {
  const connect = async (node: FleetNode): Promise<ReadyNode> => {
    const end = nodes.start(node);
    let endSlow = () => {};
    const slow = setTimeout(() => {
      endSlow = nodes.slow(node);
    }, hedgeAfterMs);
    try {
      return { node, connection: await servers.connect(node.address, signal), end };
    } catch (error) {
      end();
      if (signal?.aborted !== true) {
        nodes.failed(node.address);
        failures.set(node.address, error);
      }
      throw error;
    } finally {
      clearTimeout(slow);
      endSlow();
    }
  };
  const unused = ({ connection, end }: ReadyNode) => {
    end();
    connection.release();
  };
  const ready = await firstReady(candidates, connect, { hedgeAfterMs, unused });
  signal?.throwIfAborted();
  return ready;
}

function noNodes(origin: string): string {
  return `${origin} serves no directory of a fleet with current entries`;
}
