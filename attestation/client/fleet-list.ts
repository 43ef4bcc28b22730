/**
 * Fetches the directory of a fleet from any server: a node, or an untrusted host. Its entries are signed, and each node is
 * verified before it is used, so the server needs no evidence and no valid certificate. For Node.
 */
import { boundedBody } from './bounded-body.ts';
import { PinnedAgent, sendPinned } from './pinned-https.ts';

/** Path of the directory. */
const fleetPath = '/v1/fleet';
/** 1,000 nodes need one megabyte. JSON of this size that is made to be slow takes about 0.15 s. */
const listBytesMax = 2 * 1024 * 1024;
const listTimeoutMs = 5_000;

/** @param url of a request · @returns whether `fleetListReader` accepts its origin: https, or http of this machine */
export function isListAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname));
}

/**
 * @returns reads `GET /v1/fleet` of an origin. It rejects on network errors, redirects, any status but 200, a body over 2 MiB, and
 *   after 5 s
 */
export function fleetListReader(): (origin: string) => Promise<Uint8Array> {
  const agent = new PinnedAgent({ accept: () => undefined });
  return async (origin) => {
    const url = new URL(fleetPath, origin);
    const signal = AbortSignal.timeout(listTimeoutMs);
    const answer =
      url.protocol === 'https:'
        ? await sendPinned(agent, { url, method: 'GET', headers: new Headers(), signal })
        : await fetch(url, { redirect: 'error', signal });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new Error(`${origin} answered ${answer.status} to the request for the directory`);
    }
    return boundedBody(answer, { what: 'the directory of the fleet', bytesMax: listBytesMax });
  };
}
