/** A model hub on loopback with its storage on another origin: redirects, ranges, ETags, and failures on demand. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A failure of the storage for one request. */
export type Mishap =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** Sends this many bytes of the body, then drops the connection. */
  | { readonly kind: 'drop'; readonly afterBytes: number }
  /** Announces and sends a body that is shorter than the range by this many bytes. */
  | { readonly kind: 'short'; readonly byBytes: number }
  /** Answers 206 with this `Content-Range`. */
  | { readonly kind: 'range'; readonly contentRange: string }
  /** Sends this many bytes, then stalls. */
  | { readonly kind: 'stall'; readonly afterBytes: number };

export interface SeenRequest {
  readonly origin: 'hub' | 'storage';
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly authorization: string | undefined;
  status: number;
  bodyBytes: number;
}

export interface FakeHub extends AsyncDisposable {
  readonly url: string;
  readonly storageUrl: string;
  readonly repository: string;
  readonly commit: string;
  readonly seen: SeenRequest[];
  /** File name → content. Large files are in the storage, small ones in git. */
  readonly files: Map<string, Buffer>;
  /** Names of files in git. */
  readonly inGit: Set<string>;
  /** Called before each storage GET with its index. */
  mishap: (request: SeenRequest, index: number) => Mishap | undefined;
  /** ETag of the files in the storage. */
  etag: string | undefined;
  /** Maximum number of parallel storage requests so far. */
  busiest: number;
  /** Whether the storage supports ranges. */
  ranges: boolean;
  /** If set, requests to the hub require this token. */
  token: string | undefined;
  /** Old name that redirects to `repository`. */
  readonly oldRepository: string;
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function startFakeHub(): Promise<FakeHub> {
  let busy = 0;
  const hubServer = http.createServer((request, response) => serveHub(hub, request, response));
  const storageServer = http.createServer((request, response) => {
    hub.busiest = Math.max(hub.busiest, ++busy);
    response.once('close', () => busy--);
    serveStorage(hub, request, response);
  });
  const [hubUrl, storageUrl] = await Promise.all([listen(hubServer), listen(storageServer)]);
  const hub: FakeHub = {
    url: hubUrl,
    storageUrl,
    repository: 'acme/tiny',
    oldRepository: 'acme/old-name',
    commit: '0123456789abcdef0123456789abcdef01234567',
    seen: [],
    files: new Map(),
    inGit: new Set(),
    mishap: () => undefined,
    etag: '"version-1"',
    ranges: true,
    busiest: 0,
    token: undefined,
    async [Symbol.asyncDispose]() {
      for (const server of [hubServer, storageServer]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
  return hub;
}

async function listen(server: http.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function see(hub: FakeHub, origin: SeenRequest['origin'], { method, url, headers }: IncomingMessage): SeenRequest {
  const { range, authorization } = headers;
  const ifRange = headers['if-range'] as string | undefined;
  const seen = { origin, method: method!, path: url!, range, ifRange, authorization, status: 0, bodyBytes: 0 };
  hub.seen.push(seen);
  return seen;
}

function serveHub(hub: FakeHub, request: IncomingMessage, response: ServerResponse): void {
  const seen = see(hub, 'hub', request);
  const { status, headers = {}, body = '' } = answerAsHub(hub, request);
  seen.status = status;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

interface HubAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

function answerAsHub(hub: FakeHub, { url, headers: { authorization } }: IncomingMessage): HubAnswer {
  const { repository, oldRepository, commit } = hub;
  if (hub.token !== undefined && authorization !== `Bearer ${hub.token}`) {
    return { status: 401, headers: { 'x-error-code': 'GatedRepo', 'x-error-message': 'This model is restricted.' } };
  }
  const path = decodeURIComponent(url!);
  if (path.includes(oldRepository)) {
    return { status: 307, headers: { location: url!.replace(oldRepository, repository) } };
  }
  if (new RegExp(`^/api/models/${repository}/revision/(main|${commit})$`).test(path)) {
    const siblings = [...hub.files.keys()].map((rfilename) => ({ rfilename }));
    return { status: 200, body: JSON.stringify({ sha: commit, siblings }) };
  }
  const [, file = ''] = new RegExp(`^/${repository}/resolve/${commit}/(.+)$`).exec(path) ?? [];
  const content = hub.files.get(file);
  if (content === undefined) return { status: 404, headers: { 'x-error-code': 'EntryNotFound' } };
  if (hub.inGit.has(file)) {
    const sha1 = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    return { status: 200, headers: { 'x-repo-commit': commit, etag: `"${sha1}"` }, body: content };
  }
  const headers = {
    'x-repo-commit': commit,
    'x-linked-etag': `"${sha256Of(content)}"`,
    'x-linked-size': String(content.length),
    location: `${hub.storageUrl}/blob/${file}?signature=secret`,
  };
  return { status: 302, headers, body: 'Found' };
}

function serveStorage(hub: FakeHub, request: IncomingMessage, response: ServerResponse): void {
  const seen = see(hub, 'storage', request);
  const index = hub.seen.filter(({ origin, method }) => origin === 'storage' && method === 'GET').length - 1;
  const mishap = request.method === 'GET' ? hub.mishap(seen, index) : undefined;
  const content = hub.files.get(
    decodeURIComponent(new URL(request.url!, hub.storageUrl).pathname.slice('/blob/'.length)),
  );
  if (content === undefined || mishap?.kind === 'status') {
    seen.status = mishap?.kind === 'status' ? mishap.status : 404;
    response.writeHead(seen.status, mishap?.kind === 'status' ? mishap.headers : {}).end();
    return;
  }
  const { start, end, partial } = chooseRange(hub, seen, content.length);
  if (start >= content.length) {
    seen.status = 416;
    response.writeHead(416).end();
    return;
  }
  seen.status = partial ? 206 : 200;
  const body = content.subarray(start, end);
  const announced = mishap?.kind === 'short' ? body.length - mishap.byBytes : body.length;
  const contentRange = mishap?.kind === 'range' ? mishap.contentRange : `bytes ${start}-${end - 1}/${content.length}`;
  response.writeHead(seen.status, {
    'content-length': announced,
    ...(hub.etag === undefined ? {} : { etag: hub.etag }),
    ...(partial ? { 'content-range': contentRange } : {}),
  });
  const sent = mishap?.kind === 'drop' || mishap?.kind === 'stall' ? mishap.afterBytes : announced;
  seen.bodyBytes = request.method === 'HEAD' ? 0 : Math.min(sent, body.length);
  if (mishap?.kind === 'stall') response.write(body.subarray(0, sent));
  else if (mishap?.kind === 'drop') response.write(body.subarray(0, sent), () => response.socket?.destroySoon());
  else response.end(request.method === 'HEAD' ? undefined : body.subarray(0, announced));
}

function chooseRange(
  hub: FakeHub,
  { range, ifRange }: SeenRequest,
  bytes: number,
): { start: number; end: number; partial: boolean } {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const current = ifRange === undefined || ifRange === hub.etag;
  if (first === undefined || last === undefined || !hub.ranges || !current) {
    return { start: 0, end: bytes, partial: false };
  }
  return { start: Number(first), end: Math.min(bytes, Number(last) + 1), partial: true };
}

/** A GGUF file of `bytes` bytes: a valid header, then pseudorandom bytes. */
export function fakeGguf(
  bytes: number,
  { contextLength = 2048, name = 'Tiny', seed = 1 }: { contextLength?: number; name?: string; seed?: number } = {},
): Buffer {
  const text = (value: string): Buffer => Buffer.concat([uint64(value.length), Buffer.from(value, 'latin1')]);
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(0),
    uint64(4),
    ...[text('general.architecture'), uint32(8), text('llama')],
    ...[text('general.name'), uint32(8), text(name)],
    ...[text('tokenizer.ggml.tokens'), uint32(9), uint32(8), uint64(2), text('a'), text('b')],
    ...[text('llama.context_length'), uint32(4), uint32(contextLength)],
  ]);
  const noise = Buffer.alloc(Math.max(0, bytes - head.length));
  let state = seed >>> 0;
  for (let at = 0; at < noise.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    noise[at] = state >>> 24;
  }
  return Buffer.concat([head, noise]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
