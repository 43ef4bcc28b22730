/**
 * Connections to a Docker engine through SSH and `docker system dial-stdio`. The client's own SSH support builds URLs
 * (`ssh:host:port…`) that Node has deprecated.
 */
import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import ssh2 from 'ssh2';

export interface SshLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly privateKey: string;
  /** @param key in the form of RFC 4253 §6.6 */
  readonly hostVerifier: (key: Buffer) => boolean;
}

type Connected = (error: Error | null, stream?: Duplex) => void;

/** Opens a new SSH connection for each request. */
export class SshAgent extends Agent {
  readonly #login: SshLogin;

  constructor(login: SshLogin) {
    super({ keepAlive: false });
    this.#login = login;
  }

  override createConnection(_options: ClientRequestArgs, answered?: (error: null, stream: Duplex) => void): undefined {
    // The declared type has no error case, in which there is no stream.
    const connected = answered as Connected | undefined;
    const connection = new ssh2.Client();
    let stream: Duplex | undefined;
    const fail = (error: Error): void => {
      connection.end();
      if (stream === undefined) connected?.(error);
      else stream.destroy(error);
    };
    connection.on('error', fail);
    connection.on('ready', () => {
      connection.exec('docker system dial-stdio', (error, channel) => {
        if (error !== undefined) return fail(error);
        stream = channel;
        // A channel destroyed without a reader finishes but never emits `close`.
        for (const event of ['finish', 'close']) channel.once(event, () => connection.end());
        connected?.(null, channel);
      });
    });
    connection.connect(this.#login);
  }
}
