/** The address of a Docker Engine API (Docker or podman), and the client for it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import Docker from 'dockerode';
import { SshAgent } from './ssh-agent.ts';

export type DockerEndpoint =
  | { readonly transport: 'unix'; readonly socketPath: string }
  | {
      readonly transport: 'tls';
      readonly host: string;
      readonly port: number;
      /** PEM: the CA of the engine's certificate, then the client certificate and its key. */
      readonly ca: string;
      readonly cert: string;
      readonly key: string;
    }
  | {
      readonly transport: 'ssh';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      /** PEM or OpenSSH form. */
      readonly privateKey: string;
      /** Fingerprint of the host's public key as `ssh-keygen -l` prints it, `SHA256:…`; authenticates the host. */
      readonly hostKeyFingerprint: string;
    };

/**
 * Sets every option, so that the client reads none from the environment of the process (such as `DOCKER_HOST`).
 * Connections are not kept alive: on a stale connection an unsent request would look like a lost answer.
 */
export function dockerClient(endpoint: DockerEndpoint): Docker {
  const unset = { host: undefined, port: undefined, protocol: undefined, socketPath: undefined, timeout: undefined };
  const noTls = { ca: undefined, cert: undefined, key: undefined };
  const common = { ...unset, ...noTls, sshOptions: {} };
  // The client's types exclude undefined, which it accepts and which prevents the use of the environment.
  const client = (options: object): Docker => new Docker({ ...common, ...options } as Docker.DockerOptions);
  switch (endpoint.transport) {
    case 'unix':
      return client({ socketPath: endpoint.socketPath, protocol: 'http', agent: new http.Agent({ keepAlive: false }) });
    case 'tls': {
      const { host, port, ca, cert, key } = endpoint;
      const agent = new https.Agent({ keepAlive: false, minVersion: 'TLSv1.2' });
      return client({ host, port, ca, cert, key, protocol: 'https', agent });
    }
    case 'ssh': {
      const { host, port, username, privateKey, hostKeyFingerprint } = endpoint;
      const hostVerifier = (key: Buffer): boolean => hasFingerprint(key, hostKeyFingerprint);
      const agent = new SshAgent({ host, port, username, privateKey, hostVerifier });
      // The agent opens the connections; the client ignores `socketPath` but requires it.
      return client({ socketPath: 'ssh', protocol: 'http', agent });
    }
  }
}

/** @param publicKey in the form of RFC 4253 §6.6 @returns as `ssh-keygen -l` prints it */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
}

/** @returns whether the key has the configured fingerprint `SHA256:…` */
export function hasFingerprint(publicKey: Buffer, fingerprint: string): boolean {
  const actual = createHash('sha256').update(publicKey).digest();
  const expected = Buffer.from(fingerprint.replace(/^SHA256:/, ''), 'base64');
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}
