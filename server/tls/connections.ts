/**
 * Bounds open connections: above the limit, the connection that is idle for longest is closed. A connection counts as idle until its
 * request is complete and its key is valid.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Call it before `server` listens. */
export function limitConnections(
  server: HttpServer | HttpsServer,
  { connectionsMax }: { connectionsMax: number },
): { readonly open: number } {
  /** Oldest first: a map keeps the order of insertion. */
  const idle = new Map<string, Socket>();
  let open = 0;

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    open += 1;
    idle.set(peer, socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(peer);
    });
    if (open > connectionsMax) makeRoom(idle);
  });
  // After the handshake this is the socket to close.
  server.on('secureConnection', (socket: Socket) => {
    const peer = peerOf(socket);
    if (idle.has(peer)) idle.set(peer, socket);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const peer = peerOf(request.socket);
    idle.delete(peer);
    response.once('close', () => {
      if (!request.socket.destroyed) idle.set(peer, request.socket);
    });
  });

  return {
    get open() {
      return open;
    },
  };
}

/**
 * Makes Node read each connection into its own memory. Otherwise its HTTP parser reads all connections into one buffer of 64 KiB, which
 * keeps the last requests until they are overwritten. An empty listener is enough to disable the shared buffer.
 */
export function readConnectionsApart(server: HttpServer | HttpsServer): void {
  server.on('secureConnection', (socket: Socket) => socket.on('data', () => undefined));
}

function makeRoom(idle: Map<string, Socket>): void {
  const oldest = idle.entries().next().value;
  if (oldest === undefined) return;
  const [peer, socket] = oldest;
  idle.delete(peer);
  socket.destroy();
}

function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
