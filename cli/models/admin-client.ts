/** Asks a running server's admin API, as its settings say where it is and how to call it. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { ServerError } from '@cloister/server/http/errors';
import type { Config } from '@cloister/server/program/config';
import { isOwnAdminPort } from '@cloister/server/program/setting-conflicts';
import { statePaths } from '@cloister/server/program/state-folder';

const answerBytesMax = 1024 * 1024;
const timeoutDefaultMs = 10_000;
const ownPortDefault = 9444;

/** Client certificate for `--admin-ca`: paths of PEM files. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface AdminCall {
  readonly config: Config;
  /** Of the server, without a path. */
  readonly url: URL;
  readonly certificate?: ClientCertificate | undefined;
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** Default 10 seconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** @throws {ServerError} ERR_CONFIG if the settings do not state the port */
export function adminUrl(config: Config): URL {
  const { adminHost, adminPort, adminCert, metricsHost, metricsPort } = config;
  const isOwn = isOwnAdminPort(config);
  const port = isOwn ? (adminPort === 'auto' ? ownPortDefault : adminPort) : metricsPort;
  if (adminPort === 'off' || port === 'off')
    throw new ServerError('ERR_CONFIG', 'the admin API is off: set --admin-port');
  if (port === 0) throw new ServerError('ERR_CONFIG', 'the port of the admin API is not fixed: name it with --url');
  const host = callable(isOwn ? adminHost : metricsHost);
  const isPlain = !isOwn || (adminCert === undefined && /^(127\.|::1$|localhost$)/.test(adminHost));
  return new URL(`${isPlain ? 'http' : 'https'}://${host}:${port}`);
}

/**
 * Sends the admin token if its file exists, and the certificate if one is given.
 * @param path of the admin API
 * @returns the JSON of the answer
 * @throws {ServerError} ERR_START with the remedy if the server cannot be reached, or with the message of its refusal
 */
export async function callAdmin(
  path: string,
  { config, url, certificate, method = 'GET', body, timeoutMs = timeoutDefaultMs, signal: stop }: AdminCall,
): Promise<unknown> {
  const { adminToken, certificate: authority } = statePaths(config);
  const token = readIfPresent(config.adminTokenFile ?? adminToken)?.trim();
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(payload !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
  const target = new URL(path, url);
  const tls = {
    ca: readIfPresent(authority),
    ...(certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) }),
  };
  const sent =
    target.protocol === 'https:'
      ? https.request(target, { method, headers, signal, ...tls })
      : http.request(target, { method, headers, signal });
  const { status, text } = await answerOf(sent, payload).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ?? cause.message;
    throw new ServerError(
      'ERR_START',
      `no answer from ${url.origin} (${reason}): start the server, or name it with --url`,
      {
        cause,
      },
    );
  });
  const json = parse(text);
  if (status === 200 || status === 201) return json;
  const { error } = (json ?? {}) as { error?: unknown };
  throw new ServerError(
    'ERR_START',
    `${url.origin} answered ${status}${typeof error === 'string' ? `: ${error}` : ''}`,
  );
}

async function answerOf(
  sent: http.ClientRequest,
  payload: string | undefined,
): Promise<{ status: number | undefined; text: string }> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end(payload);
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Error(`the answer exceeds ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function callable(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return name.includes(':') ? `[${name}]` : name;
}
