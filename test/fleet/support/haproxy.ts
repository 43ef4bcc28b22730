/** HAProxy on a host, with a configuration of `deploy/haproxy` that has addresses in place of a DNS name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { withServers } from '../../support/server/haproxy.ts';
import { HostProcess } from './host-process.ts';
import type { Host } from './network.ts';

const sources = join(import.meta.dirname, '../../../deploy/haproxy');
const startTimeoutMs = 10_000;

export interface HaproxyOptions {
  /** In `deploy/haproxy`. */
  readonly source: string;
  readonly folder: string;
  /** `address:port` */
  readonly servers: readonly string[];
  /** Address and port that it listens on. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Default: whether it accepts connections. */
  readonly isReady?: () => Promise<boolean>;
  /** Variables of the configuration. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startHaproxyOn(
  host: Host,
  { source, folder, servers, listen, isReady = () => canConnect(listen), env }: HaproxyOptions,
): Promise<HostProcess> {
  const path = join(folder, source);
  writeFileSync(path, withServers(readFileSync(join(sources, source), 'utf8'), servers));
  const started = new HostProcess(host, { command: ['haproxy', '-db', '-f', path], env });
  await started.ready(isReady, { timeoutMs: startTimeoutMs });
  return started;
}

export async function canConnect({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = connect({ host, port, timeout: 1_000 });
  try {
    return await new Promise<boolean>((resolve) => {
      socket
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false))
        .once('timeout', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
