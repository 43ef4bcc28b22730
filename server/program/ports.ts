/** Messages about the ports that the server listens on, or cannot listen on. */
import type { AddressInfo } from 'node:net';
import { ServerError } from '../http/errors.ts';

/** The address as a client on this machine would write it. */
export function baseUrl(host: string, { port }: AddressInfo): string {
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  const name = isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `https://${name}:${port}/v1`;
}

/** The message names the setting to change. */
export function portError(cause: NodeJS.ErrnoException, { port, setting }: { port: number; setting: string }): Error {
  const reason = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${cause.code})`;
  return new ServerError('ERR_START', `port ${port} ${reason}: choose another with ${setting}, 0 for any`, { cause });
}
