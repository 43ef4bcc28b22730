/** Where a server listens, and whether it still answers there. For Node. */
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

export interface ServerAddress {
  /** `https://host[:port]` */
  readonly origin: string;
  /** The host of the URL, without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** IP address to connect to in place of the host. */
  readonly ip?: string | undefined;
}

/** @param url https */
export function addressOf({ origin, hostname, port }: URL): ServerAddress {
  return { origin, host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 443) };
}

/** The caller compares the server's key: the certificate's signer, names and dates do not matter. */
export function startHandshake({ host, port, ip = host }: ServerAddress): TLSSocket {
  return connect({
    ...{ host: ip, port },
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
}

const goneCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/** Whether a connection failed because its host does not answer. Other errors, for example a refusal, show that it runs. */
export function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code !== undefined && goneCodes.has(code);
}

/**
 * Whether a host is silent: a new connection to it gets no TLS handshake. TCP alone would prove less, because the kernel of a stopped
 * process and a load balancer complete it on their own. Sends no request. Never rejects.
 * @param limit time for the handshake · @param signal ends the check with false
 */
export function isHostSilent(
  address: ServerAddress,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = startHandshake(address);
    // The program may end before the check does.
    socket.unref();
    const end = (isSilent: boolean) => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', answered);
      socket.destroy();
      resolve(isSilent);
    };
    const answered = () => end(false);
    const deadline = setTimeout(end, limitMs, true).unref();
    signal.addEventListener('abort', answered, { once: true });
    socket
      .on('secureConnect', answered)
      .on('close', answered)
      .on('error', (error) => end(isGone(error)));
  });
}
