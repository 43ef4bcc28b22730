/** Turns the body of a request for a standard pod into a deploy plan. All checks run before money moves (C-112…C-127). */
import { Type } from '@cloister/server/schema/type';
import { ComputeError, type ComputeErrorCode, type ErrorFields, notCharged } from '../base/errors.ts';
import { deployReader } from '../base/readers.ts';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';
import type { ImageSpec, RegistryCredentials } from '../engines/engine.ts';
import { EngineError } from '../engines/errors.ts';
import { parseImageReference } from '../engines/image-reference.ts';
import { parseSimpleCommand } from '../engines/simple-command.ts';
import type { StandardMachine } from '../inventory/configuration.ts';
import type { StandardTemplate } from '../inventory/templates.ts';
import type { ComputeService } from '../service/service.ts';
import { requireBalance } from '../store/claim.ts';
import { findRegistry } from '../store/registries.ts';
import { listSshKeys, type SshKeyRow } from '../store/ssh-keys.ts';
import type { DeployPlan } from './deploy-pod.ts';
import { hoursSchema, idSchema, nameSchema, portSchema } from './names.ts';

const portCountDefault = 6;
/** Depth to which bodies are searched for prices. No known field is deeper, so deeper members are rejected as unknown. */
const depthMax = 8;
const fieldPath = /^[a-z_][a-z0-9_-]*(\.[a-z0-9_-]+)*$/i;

export const standardBody = Type.Object(
  {
    provider: Type.Literal('standard'),
    name: nameSchema,
    machine_id: idSchema,
    template_id: Type.Optional(idSchema),
    ssh_key_id: Type.Optional(idSchema),
    gpu_count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'must equal the GPU count of the machine' }),
    ),
    jupyter: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'starts JupyterLab if the image contains it; connect to it through an SSH tunnel',
      }),
    ),
    port_count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: `number of published ports: SSH, \`ports\` and spare ports; by default ${portCountDefault}, or as many as \`ports\` needs`,
      }),
    ),
    auto_terminate_hours: Type.Optional(hoursSchema),
    image: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'a public linux/amd64 image' })),
    docker_credential_id: Type.Optional(idSchema),
    start_command: Type.Optional(
      Type.String({ minLength: 1, maxLength: 8192, description: 'a command without shell syntax' }),
    ),
    ports: Type.Optional(Type.Array(portSchema, { maxItems: 16 })),
    env: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 32_768 }), { maxProperties: 32 })),
  },
  { ...closed, description: 'a standard pod on one listed machine' },
);

export type StandardBody = ReadonlyStatic<typeof standardBody>;

/** @throws {ComputeError} PRICE_NOT_ACCEPTED, INVALID_REQUEST */
export function readStandardBody(raw: object): StandardBody {
  const priced = findPrice(raw);
  if (priced !== undefined) {
    // A name that cannot be a field's is the caller's text and must not be repeated.
    const subject = fieldPath.test(priced) ? `\`${priced}\`` : 'a price';
    throw refused(
      'PRICE_NOT_ACCEPTED',
      `${subject} is not accepted: the service charges the price in the list of machines; remove the field`,
    );
  }
  const body = deployReader.read(standardBody, raw);
  if (body.image !== undefined && body.template_id !== undefined) {
    throw refused('INVALID_REQUEST', '`image` and `template_id` exclude each other: send one of them');
  }
  for (const field of ['start_command', 'ports', 'env', 'docker_credential_id'] as const) {
    if (body[field] !== undefined && body.image === undefined)
      throw refused('INVALID_REQUEST', `\`${field}\` requires \`image\``);
  }
  const ports = body.ports ?? [];
  if (new Set(ports).size < ports.length) throw refused('INVALID_REQUEST', '`ports` must not contain a port twice');
  if (body.port_count !== undefined && body.port_count < ports.length + 1) {
    throw refused('INVALID_REQUEST', '`port_count` must be at least the number of `ports` plus one for SSH');
  }
  return body;
}

/** @returns the path of the first member whose name is that of a price; environment variables may have any name */
function findPrice(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth === depthMax) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (path === '' && name === 'env') continue;
    const here = path === '' ? name : `${path}.${name}`;
    if (/(^|_)(price|cost|rate)(_|$)/i.test(name)) return here.slice(0, 64);
    const found = findPrice(inner, here, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @throws {ComputeError} if a check fails; nothing was charged */
export async function planStandardPod(
  service: ComputeService,
  { accountId, body }: { accountId: string; body: StandardBody },
): Promise<DeployPlan> {
  const template = body.image === undefined ? await findTemplate(service, body.template_id) : undefined;
  const imageSpec = await imageOf(service, { accountId, body, template });
  const { public_key: sshKey } = await findStandardKey(service, { accountId, id: body.ssh_key_id });
  const machine = service.stock.findMachine(body.machine_id);
  if (machine === undefined) {
    throw refused(
      'MACHINE_NOT_FOUND',
      '`machine_id` is unknown or no longer on offer: list the machines with ?provider=standard',
    );
  }
  requireGpuCount(body, machine);
  // The balance is checked before availability (C-098).
  await requireBalance(service.control.store.db, { accountId, price: machine.price });
  await service.stock.requireFree(machine);
  const { serviceSshKey } = service.options;
  const ports = (body.ports ?? []).filter((port) => port !== 22).map((port) => ({ port, protocol: 'tcp' as const }));
  return {
    accountId,
    name: body.name,
    machineIds: [machine.id],
    resourceName: machine.name,
    templateId: template?.id,
    gpuType: machine.gpuType,
    price: machine.price,
    hardStopHours: body.auto_terminate_hours,
    imageSpec,
    spec: {
      sshKeys: [sshKey, ...(serviceSshKey === undefined ? [] : [serviceSshKey])],
      ports,
      sparePorts: Math.max(0, (body.port_count ?? portCountDefault) - 1 - ports.length),
      gpuCount: machine.gpuCount,
      jupyter: body.jupyter ?? false,
      limits: {
        cpus: machine.cpuCores,
        memoryBytes: Math.round(machine.ramGb * 1e9),
        diskBytes: Math.round(machine.diskGb * 1e9),
      },
    },
  };
}

async function findTemplate({ templates }: ComputeService, id: string | undefined): Promise<StandardTemplate> {
  const { standard } = await templates.catalogue();
  const found = standard.find((template) => (id === undefined ? template.default : template.id === id));
  if (found !== undefined) return found;
  throw refused(
    'TEMPLATE_UNKNOWN',
    '`template_id` is not a standard template: list the templates with ?provider=standard',
  );
}

async function imageOf(
  service: ComputeService,
  { accountId, body, template }: { accountId: string; body: StandardBody; template: StandardTemplate | undefined },
): Promise<ImageSpec> {
  const common = { kind: 'standard', owner: accountId, jupyter: body.jupyter ?? false } as const;
  if (template !== undefined) {
    const command = [...template.commands, ...template.args];
    return {
      ...common,
      image: template.image,
      source: 'operator',
      ...(command.length === 0 ? {} : { command }),
      env: template.env,
    };
  }
  const image = settings(() => parseImageReference(body.image ?? '').full, 'image');
  const credentials = await credentialsOf(service, { accountId, id: body.docker_credential_id });
  return {
    ...common,
    image,
    source: 'tenant',
    ...(body.start_command === undefined
      ? {}
      : { command: settings(() => parseSimpleCommand(body.start_command!), 'start_command') }),
    ...(body.env === undefined ? {} : { env: body.env }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** Parses a setting as the engines do, so that a value they would refuse fails before the deploy starts. */
function settings<Value>(parse: () => Value, field: 'image' | 'start_command'): Value {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    if (field === 'image') throw refused('IMAGE_UNAVAILABLE', cause.message, { cause });
    throw refused('SETTINGS_REFUSED', cause.message, { cause, fields: { reason: 'settings_refused' } });
  }
}

async function credentialsOf(
  { control, secrets }: ComputeService,
  { accountId, id }: { accountId: string; id: string | undefined },
): Promise<RegistryCredentials | undefined> {
  if (id === undefined) return undefined;
  const row = await findRegistry(control.store.db, { id, accountId }).catch((error) => {
    if (error instanceof ComputeError) throw refused(error.code, `\`docker_credential_id\`: ${error.message}`);
    throw error;
  });
  const password = secrets.open(row.sealed_password, { purpose: `registry:${row.id}` });
  return { registry: row.registry, username: row.username, password };
}

/** C-116. @throws {ComputeError} SSH_KEY_REQUIRED, SSH_KEY_NOT_FOUND */
export async function findStandardKey(
  { control }: ComputeService,
  { accountId, id }: { accountId: string; id: string | undefined },
): Promise<SshKeyRow> {
  const keys = await listSshKeys(control.store.db, accountId);
  if (id !== undefined) {
    const found = keys.find((key) => key.id === id);
    if (found !== undefined) return found;
    throw refused('SSH_KEY_NOT_FOUND', '`ssh_key_id` is not on this account: list the SSH keys');
  }
  if (keys.length === 1) return keys[0]!;
  if (keys.length === 0)
    throw refused('SSH_KEY_REQUIRED', 'the account has no SSH key: register one with POST ssh-keys', {
      fields: { needsSshKey: true },
    });
  throw refused('SSH_KEY_REQUIRED', '`ssh_key_id` is missing: the account has several SSH keys, choose one of them');
}

function requireGpuCount(body: StandardBody, machine: StandardMachine): void {
  if (body.gpu_count === undefined || body.gpu_count === machine.gpuCount) return;
  throw refused('INVALID_REQUEST', `\`gpu_count\` must be ${machine.gpuCount}: machines are rented whole`);
}

function refused(
  code: ComputeErrorCode,
  message: string,
  options: { cause?: unknown; fields?: ErrorFields } = {},
): ComputeError {
  return notCharged(code, message, options);
}
