/** Where a Docker Engine API answers, Docker's or podman's, and the client for it. */
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
      /** PEM: who may be the engine, and who we are. */
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
      /** Of the host's public key, as `ssh-keygen -l` prints it: `SHA256:…`. Without it anyone could be the host. */
      readonly hostKeyFingerprint: string;
    };

/**
 * Every option is set, so that the client takes none from the environment of the process (`DOCKER_HOST` and its like).
 * Connections are not kept: one that went stale would make an ordinary refusal look like an answer that got lost.
 */
export function dockerClient(endpoint: DockerEndpoint): Docker {
  const unset = { host: undefined, port: undefined, protocol: undefined, socketPath: undefined, timeout: undefined };
  const noTls = { ca: undefined, cert: undefined, key: undefined };
  const common = { ...unset, ...noTls, sshOptions: {} };
  // The types know no undefined; the client does, and it is what keeps the environment out.
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
      // Where connections lead is the agent's affair; the client only has to be given a place.
      return client({ socketPath: 'ssh', protocol: 'http', agent });
    }
  }
}

/** @param publicKey in the form of RFC 4253 §6.6 @returns as `ssh-keygen -l` prints it */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
}

/** @returns whether this is the key whose `SHA256:…` was configured */
export function hasFingerprint(publicKey: Buffer, fingerprint: string): boolean {
  const actual = createHash('sha256').update(publicKey).digest();
  const expected = Buffer.from(fingerprint.replace(/^SHA256:/, ''), 'base64');
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}
