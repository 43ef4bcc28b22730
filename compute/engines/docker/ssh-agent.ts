/**
 * Connections to a Docker engine behind SSH, through the one command that Docker has for this. The client's own way makes
 * addresses of them (`ssh:host:port…`) that Node is about to refuse.
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

/** Logs in anew for each request, as nothing is kept. */
export class SshAgent extends Agent {
  readonly #login: SshLogin;

  constructor(login: SshLogin) {
    super({ keepAlive: false });
    this.#login = login;
  }

  override createConnection(_options: ClientRequestArgs, answered?: (error: null, stream: Duplex) => void): undefined {
    // Its type knows no failure, which comes without a stream.
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
        // A channel that is destroyed while nobody reads it ends, and never closes.
        for (const event of ['finish', 'close']) channel.once(event, () => connection.end());
        connected?.(null, channel);
      });
    });
    connection.connect(this.#login);
  }
}
