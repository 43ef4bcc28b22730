/**
 * `/v1/aci`: evidence of the enclave, and receipts of requests. Errors have the form of ACI, which is OpenAI's.
 */
import { AttestationError } from '@cloister/attestation/base/errors';
import { isNonce } from '@cloister/attestation/base/report-data';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Enclave } from '../../enclave/enclave.ts';
import type { ReceiptBook } from '../../enclave/receipts.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { clientNetwork } from '../../http/client-network.ts';
import { aciError, endpointOf, errorReply } from '../../http/error-replies.ts';
import { ServerError } from '../../http/errors.ts';
import { describeFault } from '../../http/request-log.ts';
import { receiptOwner } from '../../serving/receipts.ts';
import { channelEnds } from '../../tls/channel-ends.ts';

export interface AciDependencies {
  /** Undefined until the start has been measured, and always on a machine without TDX. */
  readonly enclave: () => Enclave | undefined;
  readonly book: ReceiptBook;
}

/** `GET /aci/attestation`: needs no key, since clients verify the evidence before they send one. */
export function attestationRoutes(app: FastifyInstance, { enclave }: AciDependencies): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/aci/attestation',
    { errorHandler: sendAciError },
    async (request, reply) => {
      const nonce = readNonce(request.query);
      const own = requireEnclave(enclave);
      const call = { nonce, client: clientNetwork(request.ip), signal: whenCallerLeaves(reply) };
      const report = await orBusy(own.report(call));
      // Public, and needed by pages elsewhere that verify this server. No other route has such a header.
      reply.header('access-control-allow-origin', '*');
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
      const nonce = readNonce(request.query);
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
export function receiptRoutes(app: FastifyInstance, { enclave, book }: AciDependencies): void {
  app.get<{ Params: { id: string } }>('/aci/receipts/:id', { errorHandler: sendAciError }, async (request, reply) => {
    const own = requireEnclave(enclave);
    const receipt = book.find(request.params.id, receiptOwner(request), (bytes) => own.signReceipt(bytes));
    if (receipt === undefined) {
      throw new ServerError(
        'ERR_RECEIPT_UNKNOWN',
        'this key has no receipt with this id: it does not exist, has expired, or its answer has not ended yet',
      );
    }
    return reply.type('application/json; charset=utf-8').send(receipt);
  });
}

/** Accepts one nonce or none. Any other parameter is refused, since it may be a misspelled nonce. */
function readNonce(query: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(query).find((name) => name !== 'nonce');
  if (unknown !== undefined) {
    throw new ServerError('ERR_REQUEST_INVALID', 'the only parameter of this route is `nonce`');
  }
  if (!Object.hasOwn(query, 'nonce')) return undefined;
  const { nonce } = query;
  if (typeof nonce === 'string' && isNonce(nonce)) return nonce;
  throw new ServerError('ERR_REQUEST_INVALID', '`nonce` must be 32 bytes as 64 lowercase hexadecimal digits, once');
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
