/** Requests written byte by byte over TLS, and their answers. */
import { once } from 'node:events';
import { connect } from 'node:tls';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary JSON
  readonly body: any;
}

/** Sends all pieces unchanged and only then reads a whole response, like clients that send a body at once. */
export async function exchangeRaw(
  pieces: readonly (string | Buffer)[],
  { port, ca }: { port: number; ca: string },
): Promise<RawAnswer> {
  const socket = connect({ host: '127.0.0.1', port, ca });
  await once(socket, 'secureConnect');
  const ended = new Promise<void>((resolve) => socket.on('error', () => resolve()).on('close', () => resolve()));
  for (const piece of pieces) await Promise.race([ended, new Promise((resolve) => socket.write(piece, resolve))]);
  let text = '';
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      const [head = '', body = ''] = text.split('\r\n\r\n');
      if (body.length === Number(/^content-length: (\d+)/im.exec(head)?.[1])) resolve();
    });
  });
  await Promise.race([whole, ended]);
  socket.destroy();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: JSON.parse(body || 'null') };
}
