import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, it, vi } from 'vitest';
import { chatBody, startTestApp } from '../support/server/test-app.ts';

it('a client that does not read loses the response before it fills the memory', async () => {
  const running = await startTestApp();
  const port = Number(new URL(await running.listen()).port);
  const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.pause();
  const body = JSON.stringify(chatBody({ stream: true }));
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const chat = await running.engine.nextChat();
  chat.start();
  const word = 'x'.repeat(64 * 1024);
  let sent = 0;
  // The kernel buffers a few megabytes on both sides before the server has to buffer.
  while (!chat.isOver && sent < 1000) {
    chat.text(word);
    sent += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(chat.isOver).toBe(true);
  expect(sent).toBeLessThan(500);
  await vi.waitFor(() => expect(running.log()).toContain('"code":"ERR_READER_TOO_SLOW"'));
  socket.destroy();
  await running.close();
});
