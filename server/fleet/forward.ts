/**
 * Asks another node of the fleet what only its memory holds. The request goes to an enclave that satisfies this node's policy, over a
 * connection that it proves to end there, with the caller's own key; the other node checks that key as always. One hop, bounded in
 * number, size and time. If nothing is asked, the caller learns the address to ask.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type AttestedFetch, attestedFetch } from '@cloister/attestation/client/attested-fetch';
import { ClientBudget } from '@cloister/attestation/guest/client-budget';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenCallerLeaves } from '../http/caller-signal.ts';
import { clientNetwork } from '../http/client-network.ts';
import { ServerError } from '../http/errors.ts';
import { readSessionCookie, sessionCookieName } from '../http/session-cookie.ts';
import { type FleetNode, type NodeDirectory, simulationRootOf } from './directory.ts';
import { type Forwarded, formatForwarded, forwardedHeader, readForwarded } from './forwarded.ts';
import type { OwnNodes } from './own-nodes.ts';
import { VerifiedNodes } from './verified-nodes.ts';

export interface ForwarderOptions {
  readonly own: OwnNodes;
  readonly directory: NodeDirectory;
  /** Which nodes are asked, and believed when they ask; undefined: none, and callers learn the address. */
  readonly policy: () => EvidencePolicy | undefined;
  /** Whether this machine is simulated. A simulated machine accepts the roots that simulated nodes announce, a real one never. */
  readonly isSimulated: () => boolean;
  /** Signs with the receipt key. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Question {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

const forwardsMax = 64;
const timeoutMs = 10_000;
const answerBytesMax = 32 * 1024 * 1024;
/** The caller's own proofs of identity. */
const keyHeaders = ['authorization', 'x-service-key', 'x-api-key'] as const;
const headersKept = ['content-type', 'retry-after', 'x-content-type-options'] as const;
/** Forwards per network of callers without a key, for links and evidence. */
const budgetLimits = { burst: 60, perMinute: 240, clientsMax: 4096 };
/** Fetches by the root of a simulated node; a real fleet has one. */
const fetchesMax = 256;

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #budget: ClientBudget;
  readonly #verified: VerifiedNodes;
  /** Of one policy, by the root of simulated nodes. */
  readonly #fetches = new Map<string | undefined, AttestedFetch>();
  #fetchesOf: EvidencePolicy | undefined;
  #running = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#verified = new VerifiedNodes(options);
    this.#budget = new ClientBudget(budgetLimits, options.clock);
  }

  /**
   * Answers a request without a body with the answer of the node that it concerns.
   * @param node that the request names; undefined if it names none
   * @returns undefined if this node must answer by itself, since the node is its own, unknown or gone, or asked already
   * @throws {ServerError} ERR_OTHER_NODE with the node's address, if it cannot be asked from here
   */
  async ask(node: string | undefined, exchange: Exchange): Promise<FastifyReply | undefined> {
    const { request, reply } = exchange;
    const found = this.#find(node, request);
    if (found === undefined) return undefined;
    const { answer, end } = await this.#send(found, exchange, { method: request.method, path: request.originalUrl });
    if (reply.raw.closed) end();
    else reply.raw.once('close', end);
    for (const name of headersKept) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(answer.status).send(Readable.from(boundedBody(answer.body)));
  }

  /**
   * Posts JSON to a route between nodes, with the key of the caller for whom this node asks.
   * @returns status and parsed answer; undefined as `ask`
   * @throws as `ask`, also if the answer breaks off
   */
  async post(
    node: string | undefined,
    exchange: Exchange,
    { path, json }: { readonly path: string; readonly json: object },
  ): Promise<{ readonly status: number; readonly json: unknown } | undefined> {
    const found = this.#find(node, exchange.request);
    if (found === undefined) return undefined;
    const { answer, end } = await this.#send(found, exchange, { method: 'POST', path, body: JSON.stringify(json) });
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of boundedBody(answer.body)) pieces.push(piece);
      return { status: answer.status, json: JSON.parse(Buffer.concat(pieces).toString()) };
    } catch (cause) {
      throw otherNode(found, cause);
    } finally {
      end();
    }
  }

  /** @returns the node to ask; undefined if this one must answer by itself */
  #find(node: string | undefined, { headers }: FastifyRequest): FleetNode | undefined {
    const { own, directory } = this.#options;
    if (node === undefined || own.has(node) || headers[forwardedHeader] !== undefined) return undefined;
    return directory.find(node);
  }

  #isSpent({ caller, ip }: FastifyRequest): boolean {
    return caller === undefined && this.#budget.take(clientNetwork(ip)) > 0;
  }

  /** The network that limits of a request count by: that of the caller, also if another node forwards the request. */
  clientOf(request: FastifyRequest): string {
    const stated = this.#readForwarded(request);
    return stated !== undefined && this.#verified.has(stated.from) ? stated.client : clientNetwork(request.ip);
  }

  /** Whether a request comes from another node that satisfies the policy of this one. */
  async isFromNode(request: FastifyRequest): Promise<boolean> {
    const stated = this.#readForwarded(request);
    return stated !== undefined && (await this.#verified.verify(stated.from));
  }

  #readForwarded({ headers }: FastifyRequest): Forwarded | undefined {
    const { own, directory, now } = this.#options;
    return readForwarded(headers[forwardedHeader], {
      ...{ directory, now: now() },
      own: own.all.map(({ node }) => node),
    });
  }

  /** The header that states for whom this node asks. */
  #mark(to: string, { ip }: FastifyRequest): string {
    const { own, sign, now } = this.#options;
    const from = own.current!.node;
    return formatForwarded({ from, to, client: clientNetwork(ip), at: Math.floor(now() / 1000) }, sign);
  }

  /** @returns the answer, and what ends its share of `forwardsMax` */
  async #send(
    node: FleetNode,
    { request, reply }: Exchange,
    question: Question,
  ): Promise<{ readonly answer: Response; readonly end: () => void }> {
    const policy = this.#options.policy();
    if (policy === undefined || this.#running >= forwardsMax || this.#isSpent(request)) throw otherNode(node);
    const { method, path, body } = question;
    this.#running += 1;
    const end = () => {
      this.#running -= 1;
    };
    const signal = AbortSignal.any([whenCallerLeaves(reply), AbortSignal.timeout(timeoutMs)]);
    try {
      const headers = headersFor(request, this.#mark(node.entry.node, request));
      if (body !== undefined) headers.set('content-type', 'application/json');
      const url = new URL(`${node.entry.address}${path}`);
      const init = { method, headers, signal, ...(body !== undefined && { body }) };
      return { answer: await this.#fetchOf(node, policy)(url, init), end };
    } catch (cause) {
      end();
      // Nothing is wrong with the request: the caller can ask that node, and verify it by another policy.
      throw otherNode(node, cause);
    }
  }

  #fetchOf(node: FleetNode, policy: EvidencePolicy): AttestedFetch {
    if (policy !== this.#fetchesOf) this.#fetches.clear();
    this.#fetchesOf = policy;
    const root = simulationRootOf(node, this.#options);
    const known = this.#fetches.get(root);
    if (known !== undefined) return known;
    const roots = root === undefined ? {} : { roots: root };
    const made = attestedFetch(policy, { ...roots, connectTimeoutMs: timeoutMs, verifyTimeoutMs: timeoutMs });
    if (this.#fetches.size >= fetchesMax) this.#fetches.clear();
    this.#fetches.set(root, made);
    return made;
  }
}

async function* boundedBody(body: Response['body']): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  let bytes = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Error('the answer of the other node is too long');
    yield chunk;
  }
}

function headersFor(request: FastifyRequest, mark: string): Headers {
  const headers = new Headers({ [forwardedHeader]: mark });
  for (const name of keyHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const cookie = readSessionCookie(request);
  if (cookie !== undefined) headers.set('cookie', `${sessionCookieName}=${cookie}`);
  return headers;
}

function otherNode({ entry }: FleetNode, cause?: unknown): ServerError {
  return new ServerError('ERR_OTHER_NODE', 'another node of this fleet has it: ask the one at `details.address`', {
    cause,
    details: { address: entry.address, node: entry.node },
  });
}
