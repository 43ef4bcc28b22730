/** Schemas of the engine entries in the inventory file. */
import { Type } from '@cloister/server/schema/type';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';

const text = Type.String({ minLength: 1, maxLength: 1_000 });
const integer = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Time limit of one request that changes the engine's state. Pods still incomplete long after it count as abandoned. */
const seconds = Type.Integer({ minimum: 1, maximum: 3_600 });
const texts = Type.Array(text, { maxItems: 100 });

const endpoint = Type.Object(
  {
    transport: Type.Enum(['unix', 'tls', 'ssh']),
    socket_path: Type.Optional(text),
    host: Type.Optional(text),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    ca_file: Type.Optional(text),
    cert_file: Type.Optional(text),
    key_file: Type.Optional(text),
    username: Type.Optional(text),
    private_key_file: Type.Optional(text),
    host_key_fingerprint: Type.Optional(text),
  },
  closed,
);

const docker = Type.Object(
  {
    name: text,
    type: Type.Literal('docker'),
    endpoint,
    public_host: text,
    registries: Type.Optional(texts),
    ssh_kit: Type.Optional(text),
    gpu_count: Type.Optional(integer),
    gpu_request: Type.Optional(Type.Enum(['nvidia', 'cdi', 'libpod'])),
    gpu_device: Type.Optional(text),
    processes_max: Type.Optional(integer),
    runtime: Type.Optional(text),
    disk_quota: Type.Optional(Type.Boolean()),
    change_timeout_s: Type.Optional(seconds),
  },
  closed,
);

const swarm = Type.Object(
  {
    name: text,
    type: Type.Literal('swarm'),
    endpoint,
    nodes: Type.Record(Type.String(), Type.Object({ public_host: text, endpoint: Type.Optional(endpoint) }, closed)),
    registries: Type.Optional(texts),
    gpu_resource: Type.Optional(text),
    kit_folder: Type.Optional(text),
    processes_max: Type.Optional(integer),
    change_timeout_s: Type.Optional(seconds),
  },
  closed,
);

const byKind = { discriminator: { propertyName: 'kind' } };

const profile = Type.Union(
  [
    Type.Object({ kind: Type.Literal('tdx'), firmware: text, quote_socket: text }, closed),
    Type.Object(
      {
        kind: Type.Literal('plain-vm-for-tests'),
        domain_type: Type.Enum(['kvm', 'qemu']),
        kernel: Type.Optional(Type.Object({ path: text, initrd: text, command_line: text }, closed)),
      },
      closed,
    ),
  ],
  byKind,
);

const network = Type.Union(
  [
    Type.Object({ kind: Type.Literal('routed'), name: text }, closed),
    Type.Object({ kind: Type.Literal('forwarded'), public_host: text, ports_from: integer }, closed),
  ],
  byKind,
);

const libvirt = Type.Object(
  {
    name: text,
    type: Type.Literal('libvirt'),
    program: Type.Optional(text),
    uri: text,
    network,
    profile,
    pool: text,
    images: Type.Record(
      Type.String(),
      Type.Object({ pool: text, volume: text, format: Type.Enum(['qcow2', 'raw']) }, closed),
    ),
    gpus: Type.Optional(texts),
    wipe_disks: Type.Optional(Type.Boolean()),
    change_timeout_s: Type.Optional(seconds),
  },
  closed,
);

export const engineSchemas = { docker, swarm, libvirt } as const;

export type EndpointEntry = ReadonlyStatic<typeof endpoint>;
export type DockerEntry = ReadonlyStatic<typeof docker>;
export type SwarmEntry = ReadonlyStatic<typeof swarm>;
export type LibvirtEntry = ReadonlyStatic<typeof libvirt>;
