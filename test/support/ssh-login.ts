/** Logs in over SSH as a tenant would, and runs one command. */
import { setTimeout as pause } from 'node:timers/promises';
import ssh2 from 'ssh2';
import type { SshAddress } from '../../server/compute/engines/engine.ts';

/** A new pair of ed25519 keys. `public` has the OpenSSH form of one line. */
export function makeSshKey(): { readonly public: string; readonly private: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    // ssh2 1.17 writes about one key in two hundred in a form that it cannot read.
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}

/** Tries until the server answers. @returns what the command printed @throws the last failure after `timeoutMs` */
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
