/** A proxy between two UNIX sockets that can cut all connections at a chosen request. */
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /**
   * Disconnects everything as soon as a matching request was forwarded: the request has arrived, and its response never does.
   * @param atCut runs before the callers notice · @returns when everything is disconnected
   */
  cutAt(pattern: RegExp, atCut?: () => Promise<void> | void): Promise<void>;
  /** Runs `work` before the next matching request is forwarded. @returns when that is done */
  holdAt(pattern: RegExp, work?: () => Promise<void> | void): Promise<void>;
  /** Forwards nothing from now on. */
  cut(): void;
  /** Lets everything through again. */
  heal(): void;
  close(): void;
}

interface Ambush {
  readonly pattern: RegExp;
  readonly work: () => Promise<void> | void;
  readonly cuts: boolean;
  readonly done: PromiseWithResolvers<void>;
}

/** Forwards connections from one UNIX socket to another. Callers must open a connection per request. */
export async function startCuttingProxy({ from, to }: { from: string; to: string }): Promise<CuttingProxy> {
  let isCut = false;
  let ambush: Ambush | undefined;
  const open = new Set<Socket>();
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(to);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.add(client);
    client.on('error', end).on('close', end);
    upstream.on('error', end);
    upstream.pipe(client);
    client.on('data', async (chunk: Buffer) => {
      const sprung = ambush?.pattern.test(chunk.toString('latin1')) === true ? ambush : undefined;
      if (sprung === undefined) {
        upstream.write(chunk);
        return;
      }
      ambush = undefined;
      client.pause();
      if (!sprung.cuts) {
        await sprung.work();
        sprung.done.resolve();
        // Cut meanwhile.
        if (client.destroyed) return;
      }
      await new Promise<void>((resolve) => upstream.write(chunk, () => resolve()));
      if (sprung.cuts) {
        await sprung.work();
        cut();
      }
      client.resume();
      sprung.done.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(from, resolve));
  const lieInWait = (pattern: RegExp, work: Ambush['work'], cuts: boolean): Promise<void> => {
    const done = Promise.withResolvers<void>();
    ambush = { pattern, work, cuts, done };
    return done.promise;
  };
  return {
    cutAt: (pattern, atCut = () => undefined) => lieInWait(pattern, atCut, true),
    holdAt: (pattern, work = () => undefined) => lieInWait(pattern, work, false),
    cut,
    heal: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
