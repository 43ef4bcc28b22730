/**
 * The operator's API: `cloister accounts`, `keys` and `plans` over HTTP. It needs its own token or a client certificate; API keys
 * are not accepted. It has no access to the content of requests.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Accounts } from '@cloister/accounts/store';
import { parseJson } from '../bodies/parse-json.ts';
import { bodyReader } from '../http/body-reader.ts';
import { errorReply } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { type AdminRoute, adminRoutes, FileAnswer } from './admin-routes.ts';
import type { OperatorHandler } from './operator-server.ts';
import { readRequestBytes } from './request-bytes.ts';
import type { OperatorViews } from './views.ts';

const bodyBytesMax = 64 * 1024;
/** Needs no token: it describes the program, not this server. */
const descriptionPath = '/admin/openapi.json';

/** How callers prove that they may administer: every given means is required, and at least one is given. */
export type AdminAccess =
  | { readonly token: string; readonly byCertificate: boolean }
  | { readonly token?: undefined; readonly byCertificate: true };

export interface AdminDependencies {
  readonly accounts: Accounts;
  readonly access: AdminAccess;
  /** Starts to drain the server; undefined where the admin API cannot. */
  readonly drain?: (() => void) | undefined;
  /** Nodes and models; undefined for a service that has neither. */
  readonly views?: OperatorViews | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reads the token, or creates one that only its owner can read. @throws {ServerError} ERR_START */
export function readAdminToken(path: string): string {
  try {
    return requireToken(readFileSync(path, 'utf8').trim(), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('base64url');
  const file = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, `${token}\n`);
  } finally {
    closeSync(file);
  }
  return token;
}

/** Reads the token of a file that the operator provides. @throws {ServerError} ERR_START */
export function readTokenFile(path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ServerError('ERR_START', `--admin-token-file: ${path} cannot be read (${code})`, { cause });
  }
  return requireToken(content.trim(), path);
}

/** Answers requests below `/admin/`. */
export function adminHandler({ accounts, access, drain, views, now }: AdminDependencies): OperatorHandler {
  let description: object | undefined;
  return async (request, response) => {
    if (request.url?.startsWith('/admin/') !== true) return false;
    if (request.url === descriptionPath && request.method === 'GET') {
      // Loaded when it is asked for.
      description ??= (await import('./openapi.ts')).buildAdminDocument().document;
      send(response, { status: 200, headers: {}, body: description });
      return true;
    }
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    let endpoint = '/admin';
    try {
      requireAdmin(request, access);
      const { route, parameters } = findRoute(request.method ?? 'GET', pathname);
      endpoint = route.path;
      const rawBody =
        route.takes === undefined ? {} : parseJson(await readRequestBytes(request, { bytesMax: bodyBytesMax }));
      const body = route.takes === undefined ? {} : bodyReader.read(route.takes, rawBody);
      const answer = await route.answer({
        accounts,
        now,
        drain,
        views,
        body,
        rawBody,
        parameters,
        query: searchParams,
      });
      const status = typeof route.status === 'function' ? route.status(answer) : (route.status ?? 200);
      send(response, { status, headers: {}, body: answer });
    } catch (error) {
      send(response, errorReply(error, endpoint));
    }
    return true;
  };
}

function findRoute(method: string, pathname: string): { route: AdminRoute; parameters: string[] } {
  const allowed: string[] = [];
  for (const route of adminRoutes) {
    const parameters = matchPath(route.path, pathname);
    if (parameters === undefined) continue;
    if (route.method === method) return { route, parameters };
    allowed.push(route.method);
  }
  if (allowed.length === 0) throw new ServerError('ERR_ROUTE_UNKNOWN', 'this path does not exist');
  const allow = allowed.join(', ');
  throw new ServerError('ERR_METHOD_NOT_ALLOWED', `the method is not allowed: use ${allow}`, { details: { allow } });
}

/** @returns the values of the parameters; undefined if the path does not match */
function matchPath(pattern: string, pathname: string): string[] | undefined {
  const [expected, given] = [pattern.split('/'), pathname.split('/')];
  if (expected.length !== given.length) return undefined;
  const parameters: string[] = [];
  for (const [index, word] of expected.entries()) {
    const part = given[index]!;
    if (!word.startsWith(':')) {
      if (word !== part) return undefined;
      continue;
    }
    try {
      parameters.push(decodeURIComponent(part));
    } catch {
      return undefined;
    }
  }
  return parameters;
}

/** Compares the token in constant time. */
function requireAdmin({ headers, socket }: IncomingMessage, { token, byCertificate }: AdminAccess): void {
  // The TLS server rejects other connections already; this rule holds however the handler is served.
  if (byCertificate && !(socket instanceof TLSSocket && socket.authorized))
    throw new ServerError('ERR_KEY_MISSING', 'connect with a client certificate of the configured authority');
  if (token === undefined) return;
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined)
    throw new ServerError('ERR_KEY_MISSING', 'send the admin token as `Authorization: Bearer …`');
  const [a, b] = [given, token].map((text) => hash('sha256', text, 'buffer'));
  if (!timingSafeEqual(a!, b!)) throw new ServerError('ERR_KEY_INVALID', 'the admin token is wrong');
}

function requireToken(token: string, path: string): string {
  if (/^[\x21-\x7e]{32,}$/.test(token)) return token;
  throw new ServerError('ERR_START', `${path} must contain one token of at least 32 characters without spaces`);
}

function send(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
): void {
  const isFile = body instanceof FileAnswer;
  response
    .writeHead(status, {
      ...headers,
      'content-type': isFile ? body.type : 'application/json',
      'cache-control': 'no-store',
    })
    .end(isFile ? body.bytes : JSON.stringify(body));
}
