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
import type { FleetNode, NodeDirectory } from './directory.ts';
import { formatForwarded, forwardedClient, forwardedHeader } from './forwarded.ts';
import type { OwnNodes } from './own-nodes.ts';

export interface ForwarderOptions {
  readonly own: OwnNodes;
  readonly directory: NodeDirectory;
  /** Which nodes are asked; undefined: none, callers learn the address. */
  readonly policy: EvidencePolicy | undefined;
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
  readonly #fetches = new Map<string | undefined, AttestedFetch>();
  #running = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#budget = new ClientBudget(budgetLimits, options.clock);
  }

  /**
   * Answers a GET request with the answer of the node that it concerns.
   * @param node that the request names; undefined if it names none
   * @returns undefined if this node must answer by itself, since the node is its own, unknown or gone, or asked already
   * @throws {ServerError} ERR_OTHER_NODE with the node's address, if it cannot be asked from here
   */
  async ask(node: string | undefined, exchange: Exchange): Promise<FastifyReply | undefined> {
    const { own, directory, policy } = this.#options;
    const { request } = exchange;
    if (node === undefined || own.has(node) || request.headers[forwardedHeader] !== undefined) return undefined;
    const found = directory.find(node);
    if (found === undefined) return undefined;
    if (policy === undefined || this.#running >= forwardsMax || this.#isSpent(request)) throw otherNode(found);
    return await this.#forward(found, exchange, policy);
  }

  #isSpent({ caller, ip }: FastifyRequest): boolean {
    return caller === undefined && this.#budget.take(clientNetwork(ip)) > 0;
  }

  /** The network that limits of a request count by: that of the caller, also if another node forwards the request. */
  clientOf({ headers, ip }: FastifyRequest): string {
    const { own, directory, now } = this.#options;
    const ids = own.all.map(({ node }) => node);
    return forwardedClient(headers[forwardedHeader], { directory, own: ids, now: now() }) ?? clientNetwork(ip);
  }

  /** The header that states for whom this node asks. */
  #mark(to: string, { ip }: FastifyRequest): string {
    const { own, sign, now } = this.#options;
    const from = own.current!.node;
    return formatForwarded({ from, to, client: clientNetwork(ip), at: Math.floor(now() / 1000) }, sign);
  }

  async #forward(node: FleetNode, { request, reply }: Exchange, policy: EvidencePolicy): Promise<FastifyReply> {
    this.#running += 1;
    const end = () => {
      this.#running -= 1;
    };
    const signal = AbortSignal.any([whenCallerLeaves(reply), AbortSignal.timeout(timeoutMs)]);
    let answer: Response;
    try {
      const send = this.#fetchOf(node, policy);
      answer = await send(new URL(`${node.entry.address}${request.url}`), {
        headers: headersFor(request, this.#mark(node.entry.node, request)),
        signal,
      });
    } catch (cause) {
      end();
      // Nothing is wrong with the request: the caller can ask that node, and verify it by another policy.
      throw otherNode(node, cause);
    }
    if (reply.raw.closed) end();
    else reply.raw.once('close', end);
    for (const name of headersKept) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(answer.status).send(Readable.from(boundedBody(answer.body)));
  }

  #fetchOf({ simulationRoot }: FleetNode, policy: EvidencePolicy): AttestedFetch {
    const root = this.#options.isSimulated() ? simulationRoot : undefined;
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
