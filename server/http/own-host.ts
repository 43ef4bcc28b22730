/**
 * Checks the `Host` of requests to the operator's ports. A page in a browser can make its own name resolve to an address of
 * this machine (DNS rebinding); its requests then carry that name.
 */
import { isIP } from 'node:net';

/** The names and addresses under which a port may be called, in addition to those of the loopback interface. */
export interface OwnHosts {
  /** Names and addresses of this server, in lower case. */
  readonly names: readonly string[];
  /** Accept every IP address: a page cannot make a browser send one. For ports on other interfaces. */
  readonly anyAddress: boolean;
}

/** @param header of the request */
export function isOwnHost(header: string | undefined, { names, anyAddress }: OwnHosts): boolean {
  const host = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase();
  if (host === undefined) return false;
  const name = host.startsWith('[') ? host.slice(1, -1) : host;
  return isLoopback(name) || names.includes(name) || (anyAddress && isIP(name) !== 0);
}

/** Whether a host that a server listens on is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
