/** From the engines of the inventory file to engines that run pods. Paths in it are read here, once, at the start. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ServerError } from '@cloister/server/http/errors';
import { fileReader } from '../base/readers.ts';
import { DockerEngine } from '../engines/docker/docker-engine.ts';
import type { DockerEndpoint } from '../engines/docker/endpoint.ts';
import type { SshKit } from '../engines/docker/templates.ts';
import type { Engine } from '../engines/engine.ts';
import { LibvirtEngine } from '../engines/libvirt/libvirt-engine.ts';
import type { LibvirtHost } from '../engines/libvirt/libvirt-host.ts';
import { SwarmEngine, type SwarmMachine } from '../engines/swarm/swarm-engine.ts';
import type { EngineEntry, Inventory } from '../inventory/configuration.ts';
import { engineSchemas } from './engine-schemas.ts';

export interface EngineContext {
  /** Sets this service's pods apart on engines that it shares with others. */
  readonly instance: string;
  /** 32 bytes, for what is stored with the engines. */
  readonly templateKey: Buffer;
  /** Where relative paths start. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** @returns each engine by its name · @throws {ServerError} ERR_CONFIG, which names the member that is wrong */
export function openEngines({ engines, machines }: Inventory, context: EngineContext): Map<string, Engine> {
  return new Map(
    engines.map((entry, index) => {
      fileReader.read(engineSchemas[entry.type], entry, `engines[${index}]`);
      const its = machines.filter(({ engine }) => engine === entry.name).map(({ machine }) => machine);
      try {
        return [entry.name, openEngine(entry, { ...context, machines: its })];
      } catch (cause) {
        if (cause instanceof ServerError) throw cause;
        throw new ServerError('ERR_CONFIG', `engine ${entry.name}: ${(cause as Error).message}`, { cause });
      }
    }),
  );
}

type Context = EngineContext & { readonly machines: readonly string[] };

function openEngine(entry: EngineEntry, context: Context): Engine {
  if (entry.type === 'docker') return openDocker(entry, context);
  if (entry.type === 'swarm') return openSwarm(entry, context);
  return openLibvirt(entry, context);
}

function openDocker(entry: EngineEntry, context: Context): Engine {
  const [machine = entry.name, ...more] = context.machines;
  if (more.length > 0) throw new ServerError('ERR_CONFIG', `engine ${entry.name}: a docker engine has one machine`);
  const { endpoint, publicHost, registries, sshKit, changeTimeoutS, ...options } = camelCase(
    entry,
  ) as unknown as DockerEntry;
  return new DockerEngine({
    ...options,
    endpoint: endpointOf(endpoint, context),
    machine,
    publicHost,
    instance: context.instance,
    templates: { key: context.templateKey, kit: readKit(sshKit, context), now: context.now },
    timeouts: timeoutsOf(changeTimeoutS),
    ...(registries === undefined ? {} : { registries: { allowed: registries } }),
  });
}

function openSwarm(entry: EngineEntry, context: Context): Engine {
  const { endpoint, registries, nodes, changeTimeoutS, ...options } = camelCase(entry) as unknown as SwarmEntry;
  const known = Object.entries(nodes).map(([name, { publicHost, endpoint }]): [string, SwarmMachine] => [
    name,
    { publicHost, ...(endpoint === undefined ? {} : { endpoint: endpointOf(endpoint, context) }) },
  ]);
  return new SwarmEngine({
    ...options,
    endpoint: endpointOf(endpoint, context),
    nodes: Object.fromEntries(known),
    instance: context.instance,
    templates: { key: context.templateKey, now: context.now },
    timeouts: timeoutsOf(changeTimeoutS),
    ...(registries === undefined ? {} : { registries: { allowed: registries } }),
  });
}

function openLibvirt(entry: EngineEntry, context: Context): Engine {
  const [machine = entry.name, ...more] = context.machines;
  if (more.length > 0) throw new ServerError('ERR_CONFIG', `engine ${entry.name}: a libvirt host has one machine`);
  const { name, program, changeTimeoutS, type: _, ...host } = camelCase(entry) as unknown as LibvirtEntry;
  return new LibvirtEngine({
    name,
    host: { gpus: [], wipeDisks: true, ...host, machine },
    instance: context.instance,
    now: context.now,
    timeouts: timeoutsOf(changeTimeoutS),
    ...(program === undefined ? {} : { program }),
  });
}

interface FileEndpoint {
  readonly transport: 'unix' | 'tls' | 'ssh';
  readonly socketPath: string;
  readonly host: string;
  readonly port: number;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly username: string;
  readonly privateKeyFile: string;
  readonly hostKeyFingerprint: string;
}

/** What every type of engine may say. */
interface CommonEntry {
  readonly name: string;
  readonly changeTimeoutS?: number;
}

interface DockerEntry extends CommonEntry {
  readonly endpoint: FileEndpoint;
  readonly publicHost: string;
  readonly registries?: readonly string[];
  readonly sshKit?: string;
}

interface SwarmEntry extends CommonEntry {
  readonly endpoint: FileEndpoint;
  readonly registries?: readonly string[];
  readonly nodes: Readonly<Record<string, { readonly publicHost: string; readonly endpoint?: FileEndpoint }>>;
}

type LibvirtEntry = Omit<LibvirtHost, 'machine' | 'gpus' | 'wipeDisks'> &
  Partial<Pick<LibvirtHost, 'gpus' | 'wipeDisks'>> &
  CommonEntry & {
    readonly type: string;
    readonly program?: string;
  };

function endpointOf(endpoint: FileEndpoint, context: EngineContext): DockerEndpoint {
  const { transport, host, port } = endpoint;
  const needed = (field: keyof FileEndpoint): string => {
    if (typeof endpoint[field] === 'string') return endpoint[field];
    throw new ServerError('ERR_CONFIG', `an endpoint over ${transport} needs ${snakeCase(field)}`);
  };
  if (transport === 'unix') return { transport, socketPath: resolve(context.folder, needed('socketPath')) };
  needed('host');
  if (port === undefined) throw new ServerError('ERR_CONFIG', `an endpoint over ${transport} needs port`);
  const text = (field: keyof FileEndpoint) => readFileSync(resolve(context.folder, needed(field)), 'utf8');
  if (transport === 'tls') {
    return { transport, host, port, ca: text('caFile'), cert: text('certFile'), key: text('keyFile') };
  }
  const hostKeyFingerprint = needed('hostKeyFingerprint');
  return {
    transport,
    host,
    port,
    username: needed('username'),
    privateKey: text('privateKeyFile'),
    hostKeyFingerprint,
  };
}

function timeoutsOf(changeTimeoutS: number | undefined): { changeMs?: number } {
  return changeTimeoutS === undefined ? {} : { changeMs: changeTimeoutS * 1000 };
}

function readKit(path: string | undefined, { folder }: EngineContext): SshKit | undefined {
  if (path === undefined) return undefined;
  const archive = readFileSync(resolve(folder, path));
  return { archive, sha256: hash('sha256', archive, 'hex') };
}

/** Members whose names are the operator's, not ours. */
const ownNames: ReadonlySet<string> = new Set(['images', 'nodes']);

/** `socket_path` → `socketPath`, all the way down. */
function camelCase(value: unknown, isNamedByOperator = false): unknown {
  if (Array.isArray(value)) return value.map((one) => camelCase(one));
  if (typeof value !== 'object' || value === null) return value;
  const camel = (name: string) =>
    isNamedByOperator ? name : name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), camelCase(inner, ownNames.has(name))]),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
