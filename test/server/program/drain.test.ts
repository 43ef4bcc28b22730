import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { drain } from '../../../server/program/drain.ts';
import { chatBody, startTestApp, type TestApp } from '../../support/server/test-app.ts';

let running: TestApp;
const sockets: TLSSocket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running.close();
});

async function start() {
  running = await startTestApp();
  const port = Number(new URL(await running.listen()).port);
  return {
    /** Sends a streamed chat over its own connection. */
    async ask() {
      const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
      sockets.push(socket);
      await once(socket, 'secureConnect');
      const body = JSON.stringify(chatBody({ stream: true }));
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      let text = '';
      socket.on('data', (data: Buffer) => {
        text += String(data);
      });
      return { closed: once(socket, 'close').then(() => text) };
    },
  };
}

describe('a drain', () => {
  it('lets a running response finish, then closes', async () => {
    const { ask } = await start();
    const { closed } = await ask();
    const chat = await running.engine.nextChat();
    chat.start().text('half');
    const done = drain(running.app, { engines: [running.engine], timeoutMs: 10_000 });
    chat.text(' and half').finish();
    await done;
    const text = await closed;
    expect(text).toContain(' and half');
    expect(text).toContain('[DONE]');
  });

  it('answers new requests with 503 and closes their connections', async () => {
    const { ask } = await start();
    await ask();
    const chat = await running.engine.nextChat();
    const done = drain(running.app, { engines: [running.engine], timeoutMs: 10_000 });
    const late = await (await ask()).closed;
    expect(late).toMatch(/^HTTP\/1.1 503 /);
    expect(late).toMatch(/connection: close/i);
    chat.answer('done');
    await done;
  });

  it('ends streams that exceed the timeout with an error event', async () => {
    const { ask } = await start();
    const { closed } = await ask();
    const chat = await running.engine.nextChat();
    chat.start().text('half');
    await drain(running.app, { engines: [running.engine], timeoutMs: 20 });
    const text = await closed;
    expect(text).toContain('event: error');
    expect(text).not.toContain('[DONE]');
  });
});
