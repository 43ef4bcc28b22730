/**
 * Bounds open connections without locking anyone out: past the limit, the connection that has been idle for longest
 * makes room. One that only drips bytes is idle until its request is complete and its key is known.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Watches `server` from before it listens. */
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
  // The handshake is over: from now on this is the socket to close.
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
 * Has each connection read into memory of its own. Node's HTTP parser otherwise reads all connections into one buffer of 64 KiB, which
 * keeps the last requests until others overwrite them. The listener does nothing: that there is one makes the difference.
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
