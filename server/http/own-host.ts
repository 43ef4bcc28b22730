/**
 * Checks the `Host` of requests to the operator's port. A page in a browser on this machine can make its own name
 * resolve to a loopback address (DNS rebinding); its requests then carry that name.
 */

/** @param header of the request · @param configured the host that the server listens on */
export function isOwnHost(header: string | undefined, configured: string): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return name === 'localhost' || name === '[::1]' || isLoopback4(name) || name === bracketed(configured.toLowerCase());
}

function isLoopback4(name: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(name);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
