/** A port for the operator: `/metrics`, the admin API or both. Plain HTTP unless TLS options are given. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as HttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { answerClientErrors } from '../http/client-errors.ts';
import { errorReply } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { isOwnHost, type OwnHosts } from '../http/own-host.ts';
import { limitConnections } from '../tls/connections.ts';

/** Answers the requests that it knows. @returns false for others, without an answer */
export type OperatorHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface OperatorPort {
  /** Name or address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly ownHosts: OwnHosts;
  /** HTTPS with these options; undefined: HTTP. */
  readonly tls?: ServerOptions | undefined;
}

/** Above it, the connection that is idle for longest is closed. */
const connectionsMax = 64;

/**
 * @returns the listening server, and its URL without a path
 * @throws the listen error, for example EADDRINUSE
 */
export async function serveOperator(
  handlers: readonly OperatorHandler[],
  { host, port, ownHosts, tls }: OperatorPort,
): Promise<{ server: Server | HttpsServer; url: string }> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => refuse(response, error));
  };
  const limits = { requestTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false };
  const server = tls === undefined ? createServer(limits, listener) : createTlsServer({ ...tls, ...limits }, listener);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const hosts = request.headersDistinct.host ?? [];
    if (hosts.length !== 1) {
      throw new ServerError('ERR_REQUEST_INVALID', 'the request must have one `Host` header');
    }
    if (!isOwnHost(hosts[0], ownHosts)) {
      throw new ServerError('ERR_HOST_UNKNOWN', hostRemedy(ownHosts));
    }
    for (const handle of handlers) if (await handle(request, response)) return;
    throw new ServerError('ERR_ROUTE_UNKNOWN', 'this path does not exist');
  };
  server.on(
    'clientError',
    answerClientErrors((refusal) => errorReply(refusal, 'unknown')),
  );
  limitConnections(server, { connectionsMax });
  server.listen(port, host);
  await once(server, 'listening');
  const scheme = tls === undefined ? 'http' : 'https';
  return { server, url: `${scheme}://${callable(host)}:${(server.address() as AddressInfo).port}` };
}

/** `GET /metrics` for Prometheus. */
export function metricsHandler(registry: Registry): OperatorHandler {
  return async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return false;
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    return true;
  };
}

function hostRemedy({ anyAddress }: OwnHosts): string {
  return anyAddress
    ? 'call this port by an IP address, or by a name that --tls-name lists'
    : 'call this port by localhost or a loopback address';
}

/** The unspecified addresses are not callable on every system. */
function callable(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return name.includes(':') ? `[${name}]` : name;
}

/** Answers 500 for errors of the process itself, such as a gauge that cannot be read. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = errorReply(error, 'unknown');
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
}
