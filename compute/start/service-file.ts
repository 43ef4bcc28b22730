/** Reads the compute service's file: its settings and its inventory. */
import { isIP } from 'node:net';
import { ServerError } from '@cloister/server/http/errors';
import { readJsonFile } from '@cloister/server/program/json-file';
import { Type } from '@cloister/server/schema/type';
import { fileReader } from '../base/readers.ts';
import { closed } from '../base/schemas.ts';
import { parseSshPublicKey } from '../base/ssh-key.ts';
import { defaultTimes } from '../control/control.ts';
import { defaultLimits, type RateLimits } from '../http/admission.ts';
import { type Inventory, parseInventory } from '../inventory/configuration.ts';

export interface ServiceSettings {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** Port of the metrics server; undefined to disable it. */
  readonly metricsPort: number | undefined;
  readonly svc: string;
  /** Address under which tenants reach the service; by default the address that it listens on. */
  readonly baseUrl: string | undefined;
  readonly webOrigins: readonly string[];
  readonly topUpUrl: string | undefined;
  readonly serviceSshKey: string | undefined;
  readonly trustedProxies: readonly string[];
  /** Distinguishes this service's pods on shared engines; by default derived from the sealing key. */
  readonly instance: string | undefined;
  /** Allows webhooks to private networks, for development. */
  readonly allowPrivateWebhooks: boolean;
  readonly limits: RateLimits;
  /** Lease of a job: another process takes over this long after a process died. */
  readonly leaseMs: number;
  /** Time limit of fetching an image for a deploy. */
  readonly prepareTimeoutMs: number;
  /** Time limit of an engine to create a pod. */
  readonly createTimeoutMs: number;
}

export interface ServiceFile {
  readonly settings: ServiceSettings;
  readonly inventory: Inventory;
}

const text = Type.String({ minLength: 1, maxLength: 2_000 });
const port = Type.Integer({ minimum: 0, maximum: 65_535 });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const origin = Type.String({ pattern: '^https?://[^/?#]+$', description: 'an origin such as https://example.org' });

const limits = Type.Partial(
  Type.Object({
    requests_per_10_s: count,
    requests_per_hour: count,
    keyless_per_minute: count,
    creations_per_minute: count,
  }),
  closed,
);

const serviceSchema = Type.Partial(
  Type.Object({
    host: text,
    port,
    metrics_port: port,
    svc: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'a lower-case word' }),
    base_url: origin,
    web_origins: Type.Array(origin, { maxItems: 20 }),
    top_up_url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '^https?://[^/?#]+',
      description: 'an address such as https://example.org/top-up',
    }),
    service_ssh_key: text,
    trusted_proxies: Type.Array(text, { maxItems: 100 }),
    instance: Type.String({ pattern: '^[a-z0-9]{1,12}$', description: 'at most 12 lower-case letters and digits' }),
    allow_private_webhooks: Type.Boolean(),
    lease_s: Type.Integer({ minimum: 3, maximum: 600 }),
    prepare_timeout_s: Type.Integer({ minimum: 10, maximum: 600 }),
    create_timeout_s: Type.Integer({ minimum: 10, maximum: 240 }),
    limits,
  }),
  closed,
);

/** @throws {ServerError} ERR_CONFIG, naming the invalid member */
export function readServiceFile(path: string): ServiceFile {
  const { service = {}, templates: _, ...inventory } = readJsonFile(path);
  return { settings: parseSettings(service), inventory: parseInventory(inventory) };
}

/** Reads the catalogue of templates, which may change while the service runs. */
export async function readTemplates(path: string): Promise<unknown> {
  return readJsonFile(path).templates ?? {};
}

function parseSettings(raw: unknown): ServiceSettings {
  const file = fileReader.read(serviceSchema, raw, 'service');
  const { limits = {} } = file;
  return {
    host: file.host ?? '127.0.0.1',
    port: file.port ?? 8444,
    metricsPort: file.metrics_port,
    svc: file.svc ?? 'svc',
    baseUrl: file.base_url,
    webOrigins: file.web_origins ?? [],
    topUpUrl: file.top_up_url,
    serviceSshKey: file.service_ssh_key === undefined ? undefined : parseSshPublicKey(file.service_ssh_key).line,
    trustedProxies: (file.trusted_proxies ?? []).map(requireNetwork),
    instance: file.instance,
    allowPrivateWebhooks: file.allow_private_webhooks ?? false,
    leaseMs: milliseconds(file.lease_s) ?? defaultTimes.leaseMs,
    prepareTimeoutMs: milliseconds(file.prepare_timeout_s) ?? defaultTimes.prepareTimeoutMs,
    createTimeoutMs: milliseconds(file.create_timeout_s) ?? defaultTimes.createTimeoutMs,
    limits: {
      perEndpoint: { ...defaultLimits.perEndpoint, ...limitOf(limits.requests_per_10_s) },
      perAccount: { ...defaultLimits.perAccount, ...limitOf(limits.requests_per_hour) },
      keyless: { ...defaultLimits.keyless, ...limitOf(limits.keyless_per_minute) },
      creations: { ...defaultLimits.creations, ...limitOf(limits.creations_per_minute) },
    },
  };
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function limitOf(limit: number | undefined): { limit?: number } {
  return limit === undefined ? {} : { limit };
}

function requireNetwork(network: string): string {
  const [address = '', prefix] = network.split('/');
  if (isIP(address) !== 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix))) return network;
  throw new ServerError(
    'ERR_CONFIG',
    'service: `trusted_proxies` must contain addresses or networks such as 10.0.0.0/8',
  );
}
