/**
 * Receives the operator's secrets before the runtime starts. It proves this machine to the operator and accepts only secrets that are
 * sealed to the proven key and signed by the key in the measured configuration. The secrets stay in memory.
 */
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AttestationError } from '@cloister/attestation/base/errors';
import { isNonce } from '@cloister/attestation/base/report-data';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import {
  formatOffer,
  parseSignedSecrets,
  provisionBytesMax,
  provisionPath,
  provisionReportData,
  provisionStatement,
  type SecretName,
  type Secrets,
} from '@cloister/attestation/provision/provision';
import { FrameReader } from '@cloister/attestation/sealed/frames';
import { encapsulatedKeyHeader, responseNonceHeader } from '@cloister/attestation/sealed/protocol';
import { createSealingKey, type SealedExchange, type SealingKey } from '../enclave/sealing-key.ts';
import { makeIdentity, tlsOptions } from '../tls/tls.ts';

export interface ProvisionOptions {
  readonly platform: Pick<AttestedPlatform, 'quote'>;
  /** The operator's Ed25519 key, 32 bytes. */
  readonly operatorKey: Uint8Array;
  readonly wanted: readonly SecretName[];
  readonly host: string;
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when the port is open. */
  readonly onListening: (port: number) => void;
}

/** Maximum concurrent requests. The host needs up to a second for a quote. */
const requestsMax = 4;

/** @returns the secrets, after the operator has sent them and the port is closed */
export async function receiveSecrets(options: ProvisionOptions): Promise<Secrets> {
  const { host, port, now, onListening } = options;
  const key = createSealingKey();
  const received = Promise.withResolvers<Secrets>();
  let running = 0;
  const server = createServer(tlsOptions(makeIdentity({ host, now: now() })), (request, response) => {
    if (running >= requestsMax) return refuse(response, 429, 'too many requests at once');
    running += 1;
    void answer(request, response, { ...options, key })
      .then((secrets) => {
        if (secrets !== undefined) received.resolve(secrets);
      })
      .catch((error: unknown) => refuse(response, ...statusOf(error)))
      .finally(() => {
        running -= 1;
      });
  });
  server.listen(port, host);
  await once(server, 'listening');
  onListening((server.address() as AddressInfo).port);
  const secrets = await received.promise;
  server.close();
  server.closeIdleConnections();
  await once(server, 'close');
  return secrets;
}

type Handling = ProvisionOptions & { readonly key: SealingKey };

/** @returns the secrets, if this request contained them */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handling: Handling,
): Promise<Secrets | undefined> {
  response.setHeader('connection', 'close');
  const url = new URL(request.url ?? '/', 'https://guest');
  if (url.pathname !== provisionPath) return void refuse(response, 404, `there is only ${provisionPath}`);
  if (request.method === 'GET') return void (await offer(url, response, handling));
  if (request.method === 'POST') return await take(request, response, handling);
  return void refuse(response, 405, 'GET and POST');
}

async function offer(url: URL, response: ServerResponse, { platform, key }: Handling): Promise<void> {
  const nonce = url.searchParams.get('nonce') ?? '';
  if (!isNonce(nonce)) return refuse(response, 400, 'nonce must be 64 lowercase hexadecimal digits');
  const quote = await platform.quote(await provisionReportData(key.publicKey, nonce));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(formatOffer({ publicKey: key.publicKey, quote }));
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { key, wanted, operatorKey }: Handling,
): Promise<Secrets | undefined> {
  const encapsulated = request.headers[encapsulatedKeyHeader];
  const exchange = key.receive(Buffer.from(typeof encapsulated === 'string' ? encapsulated : '', 'hex'));
  if (exchange === undefined) return void refuse(response, 400, 'the body is not sealed');
  try {
    const text = await open(request, exchange);
    if (text === undefined) return void refuse(response, 400, 'the body is not sealed to this key');
    const { secrets, signature } = parseSignedSecrets(text, wanted);
    if (!verify(null, provisionStatement(key.publicKey, secrets), ed25519(operatorKey), signature)) {
      return void refuse(response, 403, 'the secrets are not signed by the operator of the configuration');
    }
    // The answer is sealed, which proves to the operator that this machine received the secrets.
    const nonce = exchange.beginAnswer();
    const sealed = exchange.seal(Buffer.from(JSON.stringify({ taken: wanted })));
    response.writeHead(200, { 'content-type': 'application/json', [responseNonceHeader]: nonce });
    response.end(sealed);
    await once(response, 'finish');
    return secrets;
  } finally {
    exchange.wipe();
  }
}

async function open(request: IncomingMessage, exchange: SealedExchange): Promise<string | undefined> {
  const frames = new FrameReader({ frameBytesMax: provisionBytesMax, framesMax: 64 });
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > provisionBytesMax) throw new AttestationError('ERR_SEALED_MALFORMED', 'the body is too large');
    for (const frame of frames.push(piece)) {
      const text = exchange.open(frame);
      if (text === undefined) return undefined;
      parts.push(text);
    }
  }
  frames.end();
  return Buffer.concat(parts).toString('utf8');
}

function ed25519(raw: Uint8Array) {
  const x = Buffer.from(raw).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** 400 for malformed requests; otherwise an error of the machine, whose message tells the operator the remedy. */
function statusOf(error: unknown): [status: number, message: string] {
  if (!(error instanceof AttestationError)) return [500, 'the machine failed'];
  const isTheirs = error.code === 'ERR_SEALED_MALFORMED' || error.code === 'ERR_EVIDENCE_MALFORMED';
  return [isTheirs ? 400 : 503, error.message];
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error: { message } }));
}
