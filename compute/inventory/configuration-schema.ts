/** The schema of the inventory file. */
import { Type } from '@cloister/server/schema/type';
import type { TSchema } from 'typebox';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';

const name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  description: 'letters, digits, dots, hyphens and underscores, at most 63',
});
const text = Type.String({ maxLength: 200 });
const dollars = Type.Union([Type.String(), Type.Number()], { description: 'dollars per hour' });
const count = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const gigabytes = Type.Number({ minimum: 0.01, maximum: 1_000_000 });
const day = Type.Union([
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'a day, YYYY-MM-DD' }),
  Type.Null(),
]);
const address = Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]);
const lines = Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 50 });

/** The other members are validated by the schema of the engine's type. */
const engine = Type.Object(
  { name, type: Type.Enum(['docker', 'swarm', 'libvirt']) },
  { additionalProperties: Type.Unknown() },
);

const machine = Type.Object(
  {
    id: name,
    provider: Type.Enum(['standard', 'confidential']),
    engine: name,
    machine: Type.Optional(name),
    name: Type.Optional(text),
    resource_name: Type.Optional(name),
    gpu_type: Type.Optional(text),
    gpu_count: Type.Optional(count),
    gpu_memory_gb: Type.Optional(count),
    price_per_hour: Type.Optional(dollars),
    location: Type.Optional(Type.Partial(Type.Object({ city: text, country: text, country_code: text }), closed)),
    cpu_cores: Type.Optional(Type.Number({ minimum: 0.1, maximum: 4096 })),
    ram_gb: Type.Optional(gigabytes),
    disk_gb: Type.Optional(gigabytes),
    max_cuda_version: Type.Optional(text),
  },
  closed,
);

const tier = Type.Object(
  {
    resource_name: name,
    display_name: Type.Optional(text),
    gpu_type: text,
    gpu_count: count,
    vcpu: Type.Integer({ minimum: 1, maximum: 4096 }),
    memory_gb: gigabytes,
    disk_gb: gigabytes,
    image: name,
    base_price: dollars,
    p_min: Type.Optional(dollars),
    p_max: Type.Optional(dollars),
    k: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  },
  closed,
);

const evidence = Type.Object(
  {
    sku: name,
    verified: Type.Boolean(),
    verified_on: Type.Optional(day),
    evidence_url: Type.Optional(address),
    generated_by: Type.Optional(text),
    gpu_report_url: Type.Optional(address),
    verify_inside_the_vm: Type.Optional(lines),
    not_attested: Type.Optional(lines),
  },
  closed,
);

const list = <Item extends TSchema>(item: Item) => Type.Array(item, { maxItems: 100_000 });

export const configurationSchema = Type.Object(
  {
    engines: list(engine),
    machines: list(machine),
    tiers: Type.Optional(list(tier)),
    evidence: Type.Optional(list(evidence)),
  },
  closed,
);

export type MachineEntry = ReadonlyStatic<typeof machine>;
export type TierEntry = ReadonlyStatic<typeof tier>;
export type EvidenceEntry = ReadonlyStatic<typeof evidence>;
