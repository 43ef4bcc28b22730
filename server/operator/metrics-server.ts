/** `GET /metrics` for Prometheus and the operator's API, in plain HTTP and therefore on the loopback interface only. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { answerClientErrors } from '../http/client-errors.ts';
import { errorReply } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { isOwnHost } from '../http/own-host.ts';
import type { AdminHandler } from './admin.ts';

const loopback = '127.0.0.1';

/**
 * @param host of the API, accepted as a name of this machine
 * @returns the listening server, and its URL
 * @throws the listen error, for example EADDRINUSE
 */
export async function serveMetrics(
  registry: Registry,
  { port, host, admin }: { port: number; host: string; admin: AdminHandler },
): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { requestTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    (request, response) => {
      answer(request, response).catch((error: unknown) => refuse(response, error));
    },
  );
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const hosts = request.headersDistinct.host ?? [];
    if (hosts.length !== 1) {
      throw new ServerError('ERR_REQUEST_INVALID', 'the request must have one `Host` header');
    }
    if (!isOwnHost(hosts[0], host)) {
      throw new ServerError('ERR_HOST_UNKNOWN', 'call this port by localhost or a loopback address');
    }
    if (await admin(request, response)) return;
    if (request.method !== 'GET' || request.url !== '/metrics') {
      throw new ServerError('ERR_ROUTE_UNKNOWN', 'this path does not exist');
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  };
  server.on(
    'clientError',
    answerClientErrors((refusal) => errorReply(refusal, 'unknown')),
  );
  server.maxConnections = 64;
  server.listen(port, loopback);
  await once(server, 'listening');
  return { server, url: `http://${loopback}:${(server.address() as AddressInfo).port}/metrics` };
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
