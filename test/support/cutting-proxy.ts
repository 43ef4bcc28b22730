/** A network that fails at a chosen moment: the request has arrived, the answer never does. */
import { connect, createServer } from 'node:net';

export interface CuttingProxy {
  close(): void;
}

/**
 * Hands connections on from one unix socket to another, and cuts everything as soon as something matching was handed on.
 * @param atCut runs before the callers notice
 */
export async function startCuttingProxy({
  from,
  to,
  pattern,
  atCut = () => undefined,
}: {
  from: string;
  to: string;
  pattern: RegExp;
  atCut?: () => Promise<void> | void;
}): Promise<CuttingProxy> {
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(to);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('error', end).on('close', end);
    upstream.on('error', end);
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const matches = pattern.test(chunk.toString('latin1'));
      upstream.write(chunk, async () => {
        if (!matches) return;
        isCut = true;
        await atCut();
        end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(from, resolve));
  return { close: () => void server.close() };
}
