/** `GET /metrics` for Prometheus and the operator's API, in plain HTTP and therefore on the loopback interface only. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { AdminHandler } from '../admin/admin.ts';
import { ServerError } from '../errors.ts';
import { answerClientErrors } from '../plugins/client-errors.ts';
import { errorReply } from '../plugins/error-replies.ts';
import { isOwnHost } from './own-host.ts';

const loopback = '127.0.0.1';

/** @param host that the API listens on, another name of this machine · @returns the server, listening, and its URL · @throws the listen error, for example EADDRINUSE */
export async function serveMetrics(
  registry: Registry,
  { port, host, admin }: { port: number; host: string; admin: AdminHandler },
): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { requestTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    async (request, response) => {
      const hosts = request.headersDistinct.host ?? [];
      if (hosts.length !== 1) {
        refuse(response, new ServerError('ERR_REQUEST_INVALID', 'the request must have one `Host` header'));
        return;
      }
      if (!isOwnHost(hosts[0], host)) {
        refuse(response, new ServerError('ERR_HOST_UNKNOWN', 'call this port by localhost or a loopback address'));
        return;
      }
      if (await admin(request, response)) return;
      if (request.method !== 'GET' || request.url !== '/metrics') {
        refuse(response, new ServerError('ERR_ROUTE_UNKNOWN', 'nothing lives at this path'));
        return;
      }
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    },
  );
  server.on(
    'clientError',
    answerClientErrors((refusal) => errorReply(refusal, 'unknown')),
  );
  server.maxConnections = 64;
  server.listen(port, loopback);
  await once(server, 'listening');
  return { server, url: `http://${loopback}:${(server.address() as AddressInfo).port}/metrics` };
}

function refuse(response: ServerResponse, refusal: ServerError): void {
  const { status, headers, body } = errorReply(refusal, 'unknown');
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
}
