/** The form of the inventory file. */
import { type JsonSchema, objectOf } from '../base/json-schema.ts';

const name: JsonSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  description: 'letters, digits, dots, hyphens and underscores, at most 63',
};
const text: JsonSchema = { type: 'string', maxLength: 200 };
const dollars: JsonSchema = { type: ['string', 'number'], description: 'dollars per hour' };
const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 1_000_000 };
const day: JsonSchema = {
  type: ['string', 'null'],
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'a day, YYYY-MM-DD',
};
const address: JsonSchema = { type: ['string', 'null'], maxLength: 2_000 };
const lines: JsonSchema = { type: 'array', items: { type: 'string', maxLength: 2_000 }, maxItems: 50 };

const engine: JsonSchema = {
  type: 'object',
  properties: { name, type: { type: 'string', enum: ['docker', 'swarm', 'libvirt'] } },
  required: ['name', 'type'],
};

const machine = objectOf(
  {
    id: name,
    provider: { type: 'string', enum: ['standard', 'confidential'] },
    engine: name,
    machine: name,
    name: text,
    resource_name: name,
    gpu_type: text,
    gpu_count: count,
    gpu_memory_gb: count,
    price_per_hour: dollars,
    location: objectOf(
      { city: text, country: text, country_code: text },
      { optional: ['city', 'country', 'country_code'] },
    ),
    cpu_cores: { type: 'number', minimum: 0.1, maximum: 4096 },
    ram_gb: { type: 'number', minimum: 0.01, maximum: 1_000_000 },
    disk_gb: { type: 'number', minimum: 0.01, maximum: 1_000_000 },
    max_cuda_version: text,
  },
  {
    optional: [
      'machine',
      'name',
      'resource_name',
      'gpu_type',
      'gpu_count',
      'gpu_memory_gb',
      'price_per_hour',
      'location',
      'cpu_cores',
      'ram_gb',
      'disk_gb',
      'max_cuda_version',
    ],
  },
);

const tier = objectOf(
  {
    resource_name: name,
    display_name: text,
    gpu_type: text,
    gpu_count: count,
    vcpu: { type: 'integer', minimum: 1, maximum: 4096 },
    memory_gb: { type: 'number', minimum: 0.01, maximum: 1_000_000 },
    disk_gb: { type: 'number', minimum: 0.01, maximum: 1_000_000 },
    image: name,
    base_price: dollars,
    p_min: dollars,
    p_max: dollars,
    k: { type: 'number', minimum: 0, maximum: 10 },
  },
  { optional: ['display_name', 'p_min', 'p_max', 'k'] },
);

const evidence = objectOf(
  {
    sku: name,
    verified: { type: 'boolean' },
    verified_on: day,
    evidence_url: address,
    generated_by: text,
    gpu_report_url: address,
    verify_inside_the_vm: lines,
    not_attested: lines,
  },
  {
    optional: ['verified_on', 'evidence_url', 'generated_by', 'gpu_report_url', 'verify_inside_the_vm', 'not_attested'],
  },
);

const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, maxItems: 100_000 });

export const configurationSchema = objectOf(
  { engines: list(engine), machines: list(machine), tiers: list(tier), evidence: list(evidence) },
  { optional: ['tiers', 'evidence'] },
);
