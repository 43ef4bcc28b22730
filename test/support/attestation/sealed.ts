/** Sends sealed requests to a test application without a network, and records the bytes between them. */
import { Readable } from 'node:stream';
import { openResponse, type SealedExchange, sealRequest } from '../../../attestation/sealed/client.ts';
import type { TestApp } from '../server/test-app.ts';

export interface SealedPost {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** The key to seal to, if it is not the server's. */
  readonly key?: Uint8Array;
}

export interface SealedAnswer {
  /** The response as it was on the wire. */
  readonly wire: Response;
  readonly wireBytes: Buffer;
  readonly exchange: SealedExchange;
  /** The response as the client decrypts it. */
  open(): Promise<Response>;
}

/** Seals a body with our client and sends it. */
export async function postSealed(running: TestApp, body: unknown, post: SealedPost = {}): Promise<SealedAnswer> {
  const { request, exchange } = await sealRequest(
    new Request(`https://cloister.test/v1${post.path ?? '/chat/completions'}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json', ...post.headers },
      body: JSON.stringify(body),
    }),
    post.key ?? running.sealingKey.publicKey,
  );
  const { statusCode, headers, rawPayload } = await running.app.inject({
    method: 'POST',
    url: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    payload: Buffer.from(await request.arrayBuffer()),
  });
  const wire = responseOf(rawPayload, { status: statusCode, headers });
  const wireBytes = rawPayload;
  return { wire, wireBytes, exchange: exchange!, open: () => openResponse(wire, exchange!) };
}

/** A sealed chat, ready to be sent or damaged. */
export async function sealedChat(
  { secret, sealingKey }: Pick<TestApp, 'secret' | 'sealingKey'>,
  body: unknown,
): Promise<{ headers: Record<string, string>; bytes: Buffer }> {
  const { request } = await sealRequest(
    new Request('https://cloister.test/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    sealingKey.publicKey,
  );
  return { headers: Object.fromEntries(request.headers), bytes: Buffer.from(await request.arrayBuffer()) };
}

/** Sends the bytes of a chat unchanged, whole or in pieces. */
export async function sendChat({ app }: TestApp, bytes: Uint8Array | Uint8Array[], headers: Record<string, string>) {
  const whole = { headers, payload: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes as Uint8Array) };
  const inPieces = () => ({
    headers: { ...headers, 'transfer-encoding': 'chunked' },
    payload: Readable.from(bytes as Uint8Array[]),
  });
  const sent = Array.isArray(bytes) ? inPieces() : whole;
  return await app.inject({ method: 'POST', url: '/v1/chat/completions', ...sent });
}

/** A response that arrives in `pieces` of this many bytes. */
export function responseOf(
  bytes: Uint8Array,
  { status, headers, pieceBytes = 1000 }: { status: number; headers: object; pieceBytes?: number },
): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(Uint8Array.from(bytes.subarray(at, at + pieceBytes)));
      else controller.close();
      at += pieceBytes;
    },
  });
  return new Response(body, { status, headers: headers as Record<string, string> });
}
