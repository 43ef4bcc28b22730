/** `GET /metrics` for Prometheus and the operator's API, in plain HTTP and therefore on the loopback interface only. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { AdminHandler } from '../admin/admin.ts';

const loopback = '127.0.0.1';

/** @returns the server, listening, and its URL · @throws the listen error, for example EADDRINUSE */
export async function serveMetrics(
  registry: Registry,
  { port, admin }: { port: number; admin: AdminHandler },
): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { requestTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    async (request, response) => {
      if (await admin(request, response)) return;
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    },
  );
  server.maxConnections = 64;
  server.listen(port, loopback);
  await once(server, 'listening');
  return { server, url: `http://${loopback}:${(server.address() as AddressInfo).port}/metrics` };
}
