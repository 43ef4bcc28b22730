/**
 * A pool of connections to servers that `accept` has approved. For Node. A request waits for its connection here, so nothing of it is
 * sent before. What `accept` returns identifies the server at the other end: behind a load balancer, connections to one address may
 * reach different servers.
 */
import { type AcceptedSocket, type ConnectionOptions, openConnection } from './open-connection.ts';
import { addressOf, isGone, isHostSilent, type ServerAddress } from './server-address.ts';

export interface PinnedAgentOptions<Peer> extends ConnectionOptions<Peer> {
  /** Maximum number of connections to one address. Default 256. */
  readonly connectionsMax?: number;
  /** After this silence, a server that owes an answer is checked, for as long again: 1 to 600,000. Default 4,000. */
  readonly silenceMs?: number | undefined;
  /** Called when a check finds a host silent. @param origin `https://host[:port]` */
  readonly onSilent?: ((origin: string) => void) | undefined;
}

/** A connection that one request uses. */
export interface PinnedConnection<Peer> extends AcceptedSocket<Peer> {
  /** The address at the other end, by IP. */
  readonly address: ServerAddress;
  /** Keeps the connection for other requests. @param idleMs how long; undefined without limit */
  release(idleMs?: number): void;
}

interface Waiter<Peer> extends PromiseWithResolvers<PinnedConnection<Peer>> {
  /** Ends the connection that is being opened for this waiter; undefined while there are too many connections. */
  opening: AbortController | undefined;
}

/** The connections to one origin. */
interface Place<Peer> {
  readonly address: ServerAddress;
  readonly open: Set<PinnedConnection<Peer>>;
  /** Those of `open` that no request uses; the latest last. */
  readonly idle: PinnedConnection<Peer>[];
  readonly waiting: Waiter<Peer>[];
  opening: number;
}

export class PinnedAgent<Peer = undefined> {
  readonly #options: PinnedAgentOptions<Peer>;
  readonly #connectionsMax: number;
  readonly #silenceMs: number;
  readonly #places = new Map<string, Place<Peer>>();
  readonly #retired = new WeakSet<object>();
  /** Running checks, by origin and IP address. */
  readonly #checks = new Map<string, Promise<boolean>>();
  readonly #closed = new AbortController();

  /** @throws {RangeError} on an invalid `silenceMs` */
  constructor(options: PinnedAgentOptions<Peer>) {
    const { connectionsMax = 256, silenceMs = 4_000 } = options;
    if (!(silenceMs >= 1 && silenceMs <= 600_000)) {
      throw new RangeError(`silenceMs must be 1 to 600,000, got ${silenceMs}`);
    }
    this.#options = options;
    this.#connectionsMax = connectionsMax;
    this.#silenceMs = silenceMs;
  }

  /**
   * Waits for a connection: an idle one, or a new one that `accept` has approved. The caller must release or destroy it.
   * @throws the signal's reason at once, and the new connection is destroyed unless other callers wait for one · otherwise as
   *   `openConnection`
   */
  async acquire(url: URL, signal?: AbortSignal): Promise<PinnedConnection<Peer>> {
    signal?.throwIfAborted();
    this.#closed.signal.throwIfAborted();
    const place = this.#placeOf(url);
    const idle = takeIdle(place);
    if (idle !== undefined) return idle;
    const waiter: Waiter<Peer> = { ...Promise.withResolvers<PinnedConnection<Peer>>(), opening: undefined };
    place.waiting.push(waiter);
    this.#openMore(place);
    const leave = () => {
      if (!remove(place.waiting, waiter)) return;
      waiter.reject(signal?.reason);
      const next = withoutOpening(place);
      if (next === undefined) waiter.opening?.abort(signal?.reason);
      else next.opening = waiter.opening;
      void this.isSilent(place.address);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await waiter.promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Closes the idle connections to a server now, and its busy ones when their response ends. */
  retire(peer: Peer & object): void {
    this.#retired.add(peer);
    for (const { idle } of this.#places.values()) {
      for (const connection of idle) if (connection.peer === peer) connection.socket.destroy();
    }
  }

  /**
   * Calls back once when the host of a connection is silent, while a sent request waits for its answer. The system's TCP keep-alive does not
   * act while sent bytes are unacknowledged; after that it notices a dead host, so the pauses between checks double.
   * @returns ends the watch
   */
  watch(address: ServerAddress, onSilent: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const checkAfter = (ms: number) => {
      timer = setTimeout(() => void check(2 * ms), ms);
    };
    const check = async (nextMs: number) => {
      const isSilent = await this.isSilent(address);
      if (isOver) return;
      if (isSilent) onSilent();
      else checkAfter(nextMs);
    };
    checkAfter(this.#silenceMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  /**
   * Whether a host completes no TLS handshake, and no connection to its origin receives a byte meanwhile. Concurrent callers share one
   * check. The idle connections to a silent host are closed. Never rejects.
   */
  isSilent(address: ServerAddress): Promise<boolean> {
    const key = `${address.origin} ${address.ip ?? ''}`;
    let check = this.#checks.get(key);
    if (check === undefined) {
      check = this.#check(address).finally(() => this.#checks.delete(key));
      this.#checks.set(key, check);
    }
    return check;
  }

  /** Closes all connections. Those who wait for one get an error. */
  destroy(): void {
    this.#closed.abort(new Error('the agent was closed'));
    for (const { open } of this.#places.values()) for (const { socket } of open) socket.destroy();
  }

  async #check(address: ServerAddress): Promise<boolean> {
    const place = this.#places.get(address.origin);
    const before = [...(place?.open ?? [])].map(({ socket }) => ({ socket, bytes: socket.bytesRead }));
    const { signal } = this.#closed;
    if (signal.aborted || !(await isHostSilent(address, { limitMs: this.#silenceMs, signal }))) return false;
    if (before.some(({ socket, bytes }) => !socket.destroyed && socket.bytesRead > bytes)) return false;
    for (const { socket } of place?.idle ?? []) socket.destroy();
    this.#options.onSilent?.(address.origin);
    return true;
  }

  #placeOf(url: URL): Place<Peer> {
    let place = this.#places.get(url.origin);
    if (place === undefined) {
      place = { address: addressOf(url), open: new Set(), idle: [], waiting: [], opening: 0 };
      this.#places.set(url.origin, place);
    }
    return place;
  }

  /** Opens a connection for each waiter that has none, within the limit. */
  #openMore(place: Place<Peer>): void {
    for (const waiter of place.waiting) {
      if (place.open.size + place.opening >= this.#connectionsMax) return;
      if (waiter.opening === undefined) void this.#openFor(waiter, place);
    }
    const isUnused = place.open.size + place.opening + place.waiting.length === 0;
    if (isUnused && this.#places.get(place.address.origin) === place) this.#places.delete(place.address.origin);
  }

  async #openFor(waiter: Waiter<Peer>, place: Place<Peer>): Promise<void> {
    const opening = new AbortController();
    waiter.opening = opening;
    place.opening += 1;
    const owner = () => place.waiting.find((each) => each.opening === opening);
    try {
      const signal = AbortSignal.any([opening.signal, this.#closed.signal]);
      const accepted = await openConnection(place.address, this.#options, signal);
      this.#serve(this.#kept(accepted, place), place, owner());
    } catch (error) {
      const left = owner();
      if (left !== undefined && remove(place.waiting, left)) left.reject(error);
    } finally {
      place.opening -= 1;
      this.#openMore(place);
    }
  }

  #kept({ socket, peer }: AcceptedSocket<Peer>, place: Place<Peer>): PinnedConnection<Peer> {
    const connection: PinnedConnection<Peer> = {
      ...{ socket, peer, address: { ...place.address, ip: socket.remoteAddress } },
      release: (idleMs = 0) => {
        if (socket.destroyed) return;
        const isRetired = typeof peer === 'object' && peer !== null && this.#retired.has(peer);
        if (isRetired || !socket.writable) socket.destroy();
        else this.#serve(connection, place, withoutOpening(place), idleMs);
      },
    };
    place.open.add(connection);
    // TCP keep-alive ends connections to a host that is gone.
    socket.on('error', (error) => {
      if (isGone(error)) void this.isSilent(connection.address);
    });
    socket.on('timeout', () => {
      if (place.idle.includes(connection)) socket.destroy();
    });
    socket.once('close', () => {
      place.open.delete(connection);
      remove(place.idle, connection);
      this.#openMore(place);
    });
    return connection;
  }

  /** Resolves a waiter with the connection, or adds it to the idle ones. */
  #serve(connection: PinnedConnection<Peer>, place: Place<Peer>, waiter?: Waiter<Peer>, idleMs = 0): void {
    if (waiter !== undefined && remove(place.waiting, waiter)) waiter.resolve(connection);
    else {
      connection.socket.unref().setTimeout(idleMs);
      place.idle.push(connection);
    }
  }
}

/** The first that waits because there are too many connections. */
function withoutOpening<Peer>({ waiting }: Place<Peer>): Waiter<Peer> | undefined {
  return waiting.find(({ opening }) => opening === undefined);
}

function takeIdle<Peer>({ idle }: Place<Peer>): PinnedConnection<Peer> | undefined {
  for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
    const { socket } = connection;
    socket.ref().setTimeout(0);
    if (!socket.destroyed && socket.writable) return connection;
    socket.destroy();
  }
  return undefined;
}

/** @returns whether the list had the item */
function remove<T>(items: T[], item: T): boolean {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
}
