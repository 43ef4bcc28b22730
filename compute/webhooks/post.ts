/** Sends one POST to one checked address. Follows no redirect and reads only the status. */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Destination } from './guard.ts';

/** @returns the status · @throws what the connection throws, or the signal's reason */
export async function post(
  { url, address, family }: Destination,
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<number> {
  const answered = Promise.withResolvers<number>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal,
    agent: false,
    // No second lookup: connects to the checked address.
    lookup: ((_name, { all }, done) =>
      all === true ? done(null, [{ address, family }]) : done(null, address, family)) as LookupFunction,
  };
  const request = url.protocol === 'http:' ? http.request(url, options) : https.request(url, options);
  request.on('error', answered.reject);
  request.on('response', (response) => {
    answered.resolve(response.statusCode ?? 0);
    response.destroy();
  });
  request.end(body);
  return await answered.promise;
}
