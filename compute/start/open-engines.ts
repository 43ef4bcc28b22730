/** Opens the engines of the inventory file. Reads the files that its entries name, once, at the start. */
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
import { SwarmEngine, type SwarmMachine } from '../engines/swarm/swarm-engine.ts';
import type { EngineEntry, Inventory } from '../inventory/configuration.ts';
import {
  type DockerEntry,
  type EndpointEntry,
  engineSchemas,
  type LibvirtEntry,
  type SwarmEntry,
} from './engine-schemas.ts';

export interface EngineContext {
  /** Distinguishes this service's pods on engines shared with other services. */
  readonly instance: string;
  /** 32 bytes; authenticates or encrypts the templates stored on the engines. */
  readonly templateKey: Buffer;
  /** Base of relative paths. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** @returns each engine by its name · @throws {ServerError} ERR_CONFIG, naming the invalid member */
export function openEngines({ engines, machines }: Inventory, context: EngineContext): Map<string, Engine> {
  return new Map(
    engines.map((entry, index) => {
      const its = machines.filter(({ engine }) => engine === entry.name).map(({ machine }) => machine);
      try {
        return [entry.name, openEngine(entry, { ...context, path: `engines[${index}]`, machines: its })];
      } catch (cause) {
        if (cause instanceof ServerError) throw cause;
        throw new ServerError('ERR_CONFIG', `engine ${entry.name}: ${(cause as Error).message}`, { cause });
      }
    }),
  );
}

type Context = EngineContext & {
  /** Path of the entry in the file, for errors. */
  readonly path: string;
  readonly machines: readonly string[];
};

function openEngine(entry: EngineEntry, context: Context): Engine {
  const { path } = context;
  switch (entry.type) {
    case 'docker':
      return openDocker(fileReader.read(engineSchemas.docker, entry, path), context);
    case 'swarm':
      return openSwarm(fileReader.read(engineSchemas.swarm, entry, path), context);
    case 'libvirt':
      return openLibvirt(fileReader.read(engineSchemas.libvirt, entry, path), context);
  }
}

function openDocker(entry: DockerEntry, context: Context): Engine {
  const [machine = entry.name, ...more] = context.machines;
  if (more.length > 0) throw new ServerError('ERR_CONFIG', `engine ${entry.name}: a docker engine has one machine`);
  const { endpoint, publicHost, registries, sshKit, changeTimeoutS, type: _, ...options } = camelCase(entry);
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

function openSwarm(entry: SwarmEntry, context: Context): Engine {
  const { endpoint, registries, nodes, changeTimeoutS, type: _, ...options } = camelCase(entry);
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

function openLibvirt(entry: LibvirtEntry, context: Context): Engine {
  const [machine = entry.name, ...more] = context.machines;
  if (more.length > 0) throw new ServerError('ERR_CONFIG', `engine ${entry.name}: a libvirt host has one machine`);
  const { name, program, changeTimeoutS, type: _, ...host } = camelCase(entry);
  return new LibvirtEngine({
    name,
    host: { gpus: [], wipeDisks: true, ...host, machine },
    instance: context.instance,
    now: context.now,
    timeouts: timeoutsOf(changeTimeoutS),
    ...(program === undefined ? {} : { program }),
  });
}

type Endpoint = CamelCased<EndpointEntry>;

function endpointOf(endpoint: Endpoint, context: EngineContext): DockerEndpoint {
  const { transport, port } = endpoint;
  const needed = (field: keyof Endpoint): string => {
    if (typeof endpoint[field] === 'string') return endpoint[field];
    throw new ServerError('ERR_CONFIG', `an endpoint over ${transport} needs ${snakeCase(field)}`);
  };
  if (transport === 'unix') return { transport, socketPath: resolve(context.folder, needed('socketPath')) };
  const host = needed('host');
  if (port === undefined) throw new ServerError('ERR_CONFIG', `an endpoint over ${transport} needs port`);
  const text = (field: keyof Endpoint) => readFileSync(resolve(context.folder, needed(field)), 'utf8');
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

/** Members whose keys the operator chooses. */
const operatorNamed: ReadonlySet<string> = new Set(['images', 'nodes']);

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

type CamelCased<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value as CamelCase<Name>]: CamelCased<Value[Name]> }
    : Value;

/** Converts member names such as `socket_path` to `socketPath`, recursively. Arrays contain only strings. */
function camelCase<Value>(value: Value, isNamedByOperator = false): CamelCased<Value> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as CamelCased<Value>;
  const camel = (name: string) =>
    isNamedByOperator ? name : name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), camelCase(inner, operatorNamed.has(name))]),
  ) as CamelCased<Value>;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
