/** Logs in over SSH as a tenant would, and runs one command. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import ssh2 from 'ssh2';
import type { SshAddress } from '../../../compute/engines/engine.ts';

/** A new pair of ed25519 keys. `public` has the OpenSSH form of one line. */
export function makeSshKey(): { readonly public: string; readonly private: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    // ssh2 1.17 writes about one key in two hundred in a form that it cannot read.
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}

/** Retries until the server answers. @returns the output of the command @throws the last failure after `timeoutMs` */
export async function runOverSsh(
  { host, port, user }: SshAddress,
  privateKey: string,
  command: string,
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<string> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await once({ host, port, username: user, privateKey, readyTimeout: timeoutMs }, command);
    } catch (error) {
      if (performance.now() > end || (error as { level?: string }).level === 'client-authentication') throw error;
      await pause(200);
    }
  }
}

/** @returns the fingerprint (`SHA256:…`) of the key that the server at this address shows before login */
export async function shownHostKey(
  { host, port }: Pick<SshAddress, 'host' | 'port'>,
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<string> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const shown = await handshake({ host, port }).catch((error: Error) => error);
    if (typeof shown === 'string') return shown;
    if (performance.now() > end) throw shown;
    await pause(200);
  }
}

/** A command that prints a file once it exists, and fails after a while. */
export function untilThere(path: string): string {
  return `tries=0; while [ ! -e ${path} ] && [ $tries -lt 50 ]; do sleep 0.2; tries=$((tries+1)); done; cat ${path}`;
}

function handshake(address: { host: string; port: number }): Promise<string> {
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  client.on('error', reject);
  client.on('close', () => reject(new Error('the SSH server closed the connection')));
  const hostVerifier = (key: Buffer): boolean => {
    resolve(`SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`);
    return false;
  };
  client.connect({ ...address, username: 'nobody', hostVerifier, readyTimeout: 10_000 });
  return promise;
}

function once(options: ssh2.ConnectConfig, command: string): Promise<string> {
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  client.on('error', reject);
  client.on('close', () => reject(new Error('the SSH server closed the connection')));
  client.on('ready', () => {
    client.exec(command, (error, stream) => {
      if (error) return reject(error);
      let output = '';
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      stream.stderr.resume();
      stream.on('close', () => {
        resolve(output);
        client.end();
      });
    });
  });
  client.connect(options);
  return promise;
}
