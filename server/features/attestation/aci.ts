/**
 * `/v1/aci`: evidence of the enclave, and receipts of requests. Errors have the form of ACI, which is OpenAI's.
 */
import { AttestationError } from '@cloister/attestation/base/errors';
import { isNonce } from '@cloister/attestation/base/report-data';
import { fleetNodeOf } from '@cloister/attestation/fleet/entry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Enclave } from '../../enclave/enclave.ts';
import type { ReceiptBook } from '../../enclave/receipts.ts';
import type { Forwarder } from '../../fleet/forward.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { clientNetwork } from '../../http/client-network.ts';
import { aciError, endpointOf, errorReply } from '../../http/error-replies.ts';
import { ServerError } from '../../http/errors.ts';
import { nodeOfId } from '../../http/node-ids.ts';
import { describeFault } from '../../http/request-log.ts';
import { receiptOwner } from '../../serving/receipts.ts';
import { channelEnds } from '../../tls/channel-ends.ts';

export interface AciDependencies {
  /** Undefined until the start has been measured, and always on a machine without TDX. */
  readonly enclave: () => Enclave | undefined;
  readonly book: ReceiptBook;
  /** Asks other nodes; undefined without a fleet. */
  readonly forwarder?: Forwarder | undefined;
}

/**
 * `GET /aci/attestation`: needs no key, since clients verify the evidence before they send one. In a fleet, `keyset` names the node
 * whose evidence is wanted, for clients that cannot choose the node that they reach.
 */
export function attestationRoutes(app: FastifyInstance, { enclave, forwarder }: AciDependencies): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/aci/attestation',
    { errorHandler: sendAciError },
    async (request, reply) => {
      const nonce = readNonce(request.query, ['nonce', 'keyset']);
      const keyset = readKeyset(request.query);
      const own = requireEnclave(enclave);
      // Public, and needed by pages elsewhere that verify this server. Only `GET /v1/fleet` has such a header too.
      // They wait as long as a 429 says.
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'retry-after');
      if (keyset !== undefined && keyset !== own.identity.digest) {
        const answered = await forwarder?.ask(fleetNodeOf(keyset), { request, reply });
        if (answered !== undefined) return answered;
        throw new ServerError('ERR_NODE_UNKNOWN', 'this is not the keyset of this server, nor of a node of its fleet');
      }
      const client = forwarder?.clientOf(request) ?? clientNetwork(request.ip);
      const call = { nonce, client, signal: whenCallerLeaves(reply) };
      const report = await orBusy(own.report(call));
      return reply.type('application/json; charset=utf-8').send(report);
    },
  );
}

/**
 * `GET /aci/channel`: proves that this enclave is the server end of the TLS connection the request came on. Needs no key. A proxy
 * that terminates TLS has other connections, so clients refuse a proof that it forwards.
 */
export function channelRoutes(app: FastifyInstance, { enclave }: AciDependencies): void {
  const proven = new WeakSet<object>();
  app.get<{ Querystring: Record<string, unknown> }>(
    '/aci/channel',
    { errorHandler: sendAciError },
    async (request, reply) => {
      const nonce = readNonce(request.query, ['nonce']);
      if (nonce === undefined) throw new ServerError('ERR_REQUEST_INVALID', '`nonce` is missing');
      const own = requireEnclave(enclave);
      const { socket } = request.raw;
      const ends = channelEnds(socket);
      // A client needs one proof. More would let a single connection drain the pool.
      if (proven.has(socket)) {
        throw new ServerError('ERR_REQUEST_INVALID', 'this connection already has a proof: open a new one');
      }
      proven.add(socket);
      const call = { nonce, ...ends, client: clientNetwork(request.ip), signal: whenCallerLeaves(reply) };
      const proof = await orBusy(own.proveChannel(call));
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(proof);
    },
  );
}

/** `GET /aci/receipts/{id}`: for the key of the request, behind `requireKey`. */
export function receiptRoutes(app: FastifyInstance, { enclave, book, forwarder }: AciDependencies): void {
  app.get<{ Params: { id: string } }>('/aci/receipts/:id', { errorHandler: sendAciError }, async (request, reply) => {
    const own = requireEnclave(enclave);
    const { id } = request.params;
    const receipt = book.find(id, receiptOwner(request), (bytes) => own.signReceipt(bytes));
    if (receipt === undefined) {
      const answered = await forwarder?.ask(nodeOfId(id), { request, reply });
      if (answered !== undefined) return answered;
      throw new ServerError(
        'ERR_RECEIPT_UNKNOWN',
        'this key has no receipt with this id: it does not exist, has expired, or its answer has not ended yet',
      );
    }
    return reply.type('application/json; charset=utf-8').send(receipt);
  });
}

/** Accepts one nonce or none. Parameters that are not `known` are refused, since they may be a misspelled nonce. */
function readNonce(query: Record<string, unknown>, known: readonly string[]): string | undefined {
  if (!Object.keys(query).every((name) => known.includes(name))) {
    const names = known.map((name) => `\`${name}\``);
    throw new ServerError(
      'ERR_REQUEST_INVALID',
      names.length === 1
        ? `the only parameter of this route is ${names[0]}`
        : `the only parameters of this route are ${names.join(' and ')}`,
    );
  }
  if (!Object.hasOwn(query, 'nonce')) return undefined;
  const { nonce } = query;
  if (typeof nonce === 'string' && isNonce(nonce)) return nonce;
  throw new ServerError('ERR_REQUEST_INVALID', '`nonce` must be 32 bytes as 64 lowercase hexadecimal digits, once');
}

function readKeyset({ keyset }: Record<string, unknown>): string | undefined {
  if (keyset === undefined || (typeof keyset === 'string' && /^sha256:[0-9a-f]{64}$/.test(keyset))) return keyset;
  throw new ServerError('ERR_REQUEST_INVALID', '`keyset` must be `sha256:` and 64 lowercase hexadecimal digits, once');
}

function requireEnclave(enclave: () => Enclave | undefined): Enclave {
  const own = enclave();
  if (own !== undefined) return own;
  throw new ServerError(
    'ERR_NOT_ATTESTED',
    'this server has no evidence: it is still starting, or its machine has no TDX',
  );
}

async function orBusy(proof: Promise<string>): Promise<string> {
  try {
    return await proof;
  } catch (cause) {
    if (!(cause instanceof AttestationError)) throw cause;
    const isBusy = cause.code === 'ERR_QUOTE_BUSY' || cause.code === 'ERR_QUOTE_RATE_LIMITED';
    if (isBusy) throw new ServerError('ERR_ATTESTATION_BUSY', 'too many quotes are requested: retry later', { cause });
    throw new ServerError('ERR_NOT_ATTESTED', `the machine gave no quote (${cause.code}): retry later`, { cause });
  }
}

const errorTypes: Partial<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'unauthorized',
  404: 'not_found',
  429: 'rate_limit_error',
};

function sendAciError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorReply(error, endpointOf(request));
  const code = String(body.details.code);
  request.outcome = code;
  if (status >= 500) request.log.error({ fault: describeFault(error) }, 'no evidence was given');
  const type = errorTypes[status] ?? 'server_error';
  void reply
    .code(status)
    .headers(headers)
    .send({ error: aciError(String(body.error), type), details: body.details });
}
