/** What the inventory file says of each type of engine. */
import { type JsonSchema, objectOf } from '../base/json-schema.ts';

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 1_000 };
const integer: JsonSchema = { type: 'integer', minimum: 0 };
/** How long one question that changes something may take; what is half made long after that is given up. */
const seconds: JsonSchema = { type: 'integer', minimum: 1, maximum: 3_600 };
const texts: JsonSchema = { type: 'array', items: text, maxItems: 100 };

const endpoint = objectOf(
  {
    transport: { type: 'string', enum: ['unix', 'tls', 'ssh'] },
    socket_path: text,
    host: text,
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    ca_file: text,
    cert_file: text,
    key_file: text,
    username: text,
    private_key_file: text,
    host_key_fingerprint: text,
  },
  {
    optional: [
      'socket_path',
      'host',
      'port',
      'ca_file',
      'cert_file',
      'key_file',
      'username',
      'private_key_file',
      'host_key_fingerprint',
    ],
  },
);

const docker = objectOf(
  {
    name: text,
    type: { type: 'string', enum: ['docker'] },
    endpoint,
    public_host: text,
    registries: texts,
    ssh_kit: text,
    gpu_count: integer,
    gpu_request: text,
    gpu_device: text,
    processes_max: integer,
    runtime: text,
    disk_quota: { type: 'boolean' },
    change_timeout_s: seconds,
  },
  {
    optional: [
      'registries',
      'ssh_kit',
      'gpu_count',
      'gpu_request',
      'gpu_device',
      'processes_max',
      'runtime',
      'disk_quota',
      'change_timeout_s',
    ],
  },
);

const swarm = objectOf(
  {
    name: text,
    type: { type: 'string', enum: ['swarm'] },
    endpoint,
    nodes: {
      type: 'object',
      additionalProperties: objectOf({ public_host: text, endpoint }, { optional: ['endpoint'] }),
    },
    registries: texts,
    gpu_resource: text,
    kit_folder: text,
    processes_max: integer,
    change_timeout_s: seconds,
  },
  { optional: ['registries', 'gpu_resource', 'kit_folder', 'processes_max', 'change_timeout_s'] },
);

const libvirt = objectOf(
  {
    name: text,
    type: { type: 'string', enum: ['libvirt'] },
    program: text,
    uri: text,
    profile: objectOf(
      {
        kind: { type: 'string', enum: ['tdx', 'plain-vm-for-tests'] },
        firmware: text,
        quote_socket: text,
        domain_type: { type: 'string', enum: ['kvm', 'qemu'] },
        kernel: objectOf({ path: text, initrd: text, command_line: text }),
      },
      { optional: ['firmware', 'quote_socket', 'domain_type', 'kernel'] },
    ),
    pool: text,
    images: {
      type: 'object',
      additionalProperties: objectOf({
        pool: text,
        volume: text,
        format: { type: 'string', enum: ['qcow2', 'raw'] },
      }),
    },
    network: objectOf(
      { kind: { type: 'string', enum: ['routed', 'forwarded'] }, name: text, public_host: text, ports_from: integer },
      { optional: ['name', 'public_host', 'ports_from'] },
    ),
    gpus: texts,
    wipe_disks: { type: 'boolean' },
    change_timeout_s: seconds,
  },
  { optional: ['program', 'gpus', 'wipe_disks', 'change_timeout_s'] },
);

export const engineSchemas: Readonly<Record<'docker' | 'swarm' | 'libvirt', JsonSchema>> = { docker, swarm, libvirt };
