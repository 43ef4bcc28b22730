import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../compute/engines/engine.ts';
import { answersSsh, poll, reconnecting } from '../../../compute/engines/waiting.ts';

const never = new AbortController().signal;

describe('retrying until there is an answer', () => {
  it('ends with the answer', async () => {
    let asked = 0;
    const ask = async () => (++asked === 3 ? 'yes' : undefined);
    expect(await poll(ask, { everyMs: 1, timeoutMs: 10_000, signal: never })).toBe('yes');
  });

  it('ends at its time limit, and at once when the signal aborts', async () => {
    const ask = async () => undefined;
    expect(await poll(ask, { everyMs: 5, timeoutMs: 20, signal: never })).toBeUndefined();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(poll(ask, { everyMs: 60_000, timeoutMs: 120_000, signal })).rejects.toThrow();
  });
});

describe('a stream of events', () => {
  const started: EngineEvent = { kind: 'started', podId: 'p-1', at: new Date(0) };

  it('is reopened whenever it breaks, and reports it each time', async () => {
    const stop = new AbortController();
    let opened = 0;
    const open = async function* () {
      opened++;
      if (opened === 2) throw new Error('refused');
      yield undefined;
      yield started;
    };
    const kinds: string[] = [];
    for await (const event of reconnecting(open, { signal: stop.signal, pauseMs: 1 })) {
      kinds.push(event.kind);
      if (kinds.length === 6) stop.abort();
    }
    expect(kinds).toEqual(['connected', 'started', 'disconnected', 'disconnected', 'connected', 'started']);
  });

  it('ends when the signal aborts, also during a pause', async () => {
    const stop = new AbortController();
    const open = async function* (): AsyncGenerator<EngineEvent | undefined> {
      yield undefined;
    };
    const kinds: string[] = [];
    for await (const event of reconnecting(open, { signal: stop.signal, pauseMs: 3_600_000 })) {
      kinds.push(event.kind);
      if (event.kind === 'disconnected') setImmediate(() => stop.abort());
    }
    expect(kinds).toEqual(['connected', 'disconnected']);
  });
});

describe('an SSH server', () => {
  let server: Server;

  afterEach(() => server.close());

  async function serve(greet: (socket: Socket) => void): Promise<{ host: string; port: number }> {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      greet(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  }

  it('answers once it has introduced itself, with or without a banner before', async () => {
    const address = await serve((socket) => socket.write('hello\r\nSSH-2.0-dropbear\r\n'));
    expect(await answersSsh(address, { signal: never })).toBe(true);
  });

  it('is not detected if the connection is only accepted, closed, or used by another protocol', async () => {
    const silent = await serve(() => undefined);
    expect(await answersSsh(silent, { signal: never, timeoutMs: 30 })).toBe(false);
    server.close();
    const closing = await serve((socket) => socket.end());
    expect(await answersSsh(closing, { signal: never })).toBe(false);
    server.close();
    const chatty = await serve((socket) => socket.write('x'.repeat(5000)));
    expect(await answersSsh(chatty, { signal: never })).toBe(false);
  });

  it('is false if no server listens', async () => {
    const address = await serve(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    expect(await answersSsh(address, { signal: never })).toBe(false);
  });
});
