/** Opens the ports for metrics, the admin API and payment webhooks, as configured. Metrics and admin API may share one. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server as HttpsServer, ServerOptions } from 'node:https';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Accounts } from '@cloister/accounts/store';
import type { Registry } from 'prom-client';
import { consoleHandler } from '../features/pages/console.ts';
import { ServerError } from '../http/errors.ts';
import { isLoopback, type OwnHosts } from '../http/own-host.ts';
import { type AdminAccess, adminHandler, readAdminToken, readTokenFile } from '../operator/admin.ts';
import { creditWebhookHandler, readWebhookSecrets } from '../operator/credit-webhook.ts';
import { metricsHandler, type OperatorHandler, serveOperator } from '../operator/operator-server.ts';
import type { OperatorViews } from '../operator/views.ts';
import type { Config } from '../program/config.ts';
import { portError } from '../program/ports.ts';
import { isOwnAdminPort } from '../program/setting-conflicts.ts';
import { splitNames } from '../program/setting-kinds.ts';
import { statePaths } from '../program/state-folder.ts';
import { readIdentity, type TlsIdentity, tlsOptions } from '../tls/tls.ts';

export interface OperatorPorts {
  readonly metricsUrl: string | undefined;
  /** Undefined if the admin API is off or shares the port of the metrics. */
  readonly adminUrl: string | undefined;
  /** Of `/webhooks/credits`; undefined without `--credits-webhook-secret-file`. */
  readonly webhookUrl: string | undefined;
  /** The API has another certificate; the admin API uses the same, unless it has one of its own. */
  useCertificate(identity: TlsIdentity): void;
  /** PEM chain of the admin API; undefined without TLS. */
  readonly adminCertificate: () => string | undefined;
  /** Reads the admin API's certificate, key and authority again. @returns whether they have changed · @throws {ServerError} */
  reload(): boolean;
  close(): void;
}

export interface OperatorPortParts {
  readonly accounts: Accounts;
  readonly registry: Registry;
  /** The certificate of the API. */
  readonly tls: TlsIdentity;
  /** Starts to stop the server. */
  readonly drain?: () => void;
  readonly views?: OperatorViews;
}

/** The port of the admin API if it has one of its own and `--admin-port` is `auto`. */
const adminPortDefault = 9444;

/**
 * @throws {ServerError} ERR_START if a port is in use or a file cannot be read
 */
export async function openOperatorPorts(
  config: Config,
  { accounts, registry, tls, drain, views }: OperatorPortParts,
): Promise<OperatorPorts> {
  const { metricsHost, metricsPort, adminHost, adminCert } = config;
  const isOwn = isOwnAdminPort(config);
  const isShared = !isOwn && config.adminPort !== 'off';
  const openAdmin = () => [
    adminHandler({ accounts, access: adminAccess(config), drain, views, now: Date.now }),
    // The console's page holds nothing; its requests are those of the API.
    consoleHandler(),
  ];
  const metrics = [metricsHandler(registry)];
  const metricsServer = await open(isShared ? [...openAdmin(), ...metrics] : metrics, {
    config,
    host: metricsHost,
    port: metricsPort,
    setting: '--metrics-port',
  });
  const isEncrypted = adminCert !== undefined || !isLoopback(adminHost);
  let current = isEncrypted && isOwn ? adminTls(config, tls) : undefined;
  const adminServer = isOwn
    ? await open(openAdmin(), {
        config,
        host: adminHost,
        port: config.adminPort === 'auto' ? adminPortDefault : config.adminPort,
        setting: '--admin-port',
        tls: current,
      }).catch((error: unknown) => {
        metricsServer?.server.close();
        throw error;
      })
    : undefined;
  const webhooks = await openWebhooks(config, { accounts, tls }).catch((error: unknown) => {
    metricsServer?.server.close();
    adminServer?.server.close();
    throw error;
  });
  return {
    metricsUrl: metricsServer === undefined ? undefined : `${metricsServer.url}/metrics`,
    adminUrl: adminServer === undefined ? undefined : `${adminServer.url}/admin`,
    webhookUrl: webhooks === undefined ? undefined : `${webhooks.url}/webhooks/credits`,
    useCertificate(identity) {
      if (webhooks !== undefined && !isLoopback(config.creditsWebhookHost))
        (webhooks.server as HttpsServer).setSecureContext(tlsOptions(identity));
      if (adminServer === undefined || !isEncrypted || adminCert !== undefined) return;
      current = adminTls(config, identity);
      (adminServer.server as HttpsServer).setSecureContext(current);
    },
    adminCertificate: () => (adminServer === undefined ? undefined : (current?.cert as string | undefined)),
    reload() {
      if (adminServer === undefined || adminCert === undefined) return false;
      const next = adminTls(config, tls);
      if (isDeepStrictEqual(next, current)) return false;
      (adminServer.server as HttpsServer).setSecureContext(next);
      current = next;
      return true;
    },
    close() {
      metricsServer?.server.close();
      adminServer?.server.close();
      webhooks?.server.close();
    },
  };
}

interface Opening {
  readonly config: Config;
  readonly host: string;
  readonly port: number | 'off';
  /** The flag to change if the port cannot be opened. */
  readonly setting: string;
  readonly tls?: ServerOptions | undefined;
}

async function open(handlers: readonly OperatorHandler[], { config, host, port, setting, tls }: Opening) {
  if (port === 'off') return undefined;
  return await serveOperator(handlers, { host, port, ownHosts: ownHosts(config, host), tls }).catch((cause) => {
    throw portError(cause, { port, setting });
  });
}

/** On loopback in plain HTTP, for a proxy; on other interfaces with the API's certificate. */
async function openWebhooks(config: Config, { accounts, tls }: { accounts: Accounts; tls: TlsIdentity }) {
  const { creditsWebhookSecretFile: file, creditsWebhookHost: host, creditsWebhookPort: port } = config;
  if (file === undefined) return undefined;
  const handler = creditWebhookHandler({ accounts, secrets: readWebhookSecrets(file), now: Date.now });
  const ownTls = isLoopback(host) ? undefined : tlsOptions(tls);
  return await open([handler], { config, host, port, setting: '--credits-webhook-port', tls: ownTls });
}

/** A client certificate or a token. Both are required if both are configured. */
function adminAccess(config: Config): AdminAccess {
  const { adminCa, adminTokenFile } = config;
  const byCertificate = adminCa !== undefined;
  if (adminTokenFile !== undefined) return { token: readTokenFile(adminTokenFile), byCertificate };
  return byCertificate ? { byCertificate } : { token: readAdminToken(statePaths(config).adminToken), byCertificate };
}

function adminTls({ adminCa, adminCert, adminKey }: Config, ofApi: TlsIdentity): ServerOptions {
  const isBrought = adminCert !== undefined && adminKey !== undefined;
  const identity = isBrought ? readIdentity({ certificatePath: adminCert, keyPath: adminKey }) : ofApi;
  if (adminCa === undefined) return tlsOptions(identity);
  return { ...tlsOptions(identity), ca: readAuthority(adminCa), requestCert: true, rejectUnauthorized: true };
}

function readAuthority(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (cause) {
    throw new ServerError('ERR_START', `--admin-ca: ${path} is not a readable certificate in PEM`, { cause });
  }
}

/** On other interfaces than loopback, ports are called by address or by the names of this server. */
function ownHosts({ host, publicUrl, tlsName }: Config, listening: string): OwnHosts {
  const names = [
    host,
    listening,
    ...splitNames(tlsName),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ];
  if (isLoopback(listening)) return { names: [host.toLowerCase(), ...splitNames(tlsName)], anyAddress: false };
  return { names: [...names, hostname()].map((name) => name.toLowerCase()), anyAddress: true };
}
