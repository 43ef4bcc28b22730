/** Response schemas of machines, tiers, templates and evidence. */
import { Type } from '@cloister/server/schema/type';
import { closed } from '../base/schemas.ts';
import { attestationSchema, boolean, integer, number, plainMarks, text, textOrNull } from './basics.ts';

export const confidentialMachine = Type.Object(
  {
    name: text,
    price: number,
    rental_rate: number,
    p_min: number,
    p_max: number,
    base_price: number,
    total_gpu_count: integer,
    k: number,
    provider: text,
    resource_name: text,
    gpu_type: text,
    gpu_count: integer,
    vcpu: integer,
    memory: number,
    available: integer,
    confidential_compute: boolean,
    ...plainMarks,
  },
  closed,
);

export const standardMachine = Type.Object(
  {
    machine_id: text,
    name: text,
    provider: text,
    confidential_compute: boolean,
    gpu_type: text,
    gpu_count: integer,
    gpu_memory_gb: number,
    price_per_hour: number,
    price_per_gpu_hour: number,
    price: number,
    available: boolean,
    available_gpu_count: integer,
    location: Type.Object({ city: text, country: text, country_code: text }, closed),
    cpu_cores: number,
    ram_gb: number,
    disk_gb: number,
    max_cuda_version: text,
  },
  closed,
);

export const machineList = Type.Array(Type.Union([confidentialMachine, standardMachine]));

export const tier = Type.Object(
  {
    resourceName: text,
    displayName: text,
    gpuType: text,
    gpuCount: integer,
    vcpu: integer,
    memoryGb: number,
    pricePerHour: number,
    available: integer,
    gpuAttestation: boolean,
    attestation: attestationSchema,
    protection: Type.Optional(text),
  },
  closed,
);

export const tierList = Type.Object({ tiers: Type.Array(tier) }, closed);

const start = {
  commands: Type.Array(text),
  args: Type.Array(text),
  ports: Type.Array(integer),
  env: Type.Record(Type.String(), text),
};

export const standardTemplate = Type.Object(
  { id: text, name: text, description: text, category: text, provider: text, default: boolean },
  closed,
);

export const confidentialTemplate = Type.Object(
  { uid: text, name: text, description: text, type: text, image: text, resource_name: text, visibility: text },
  closed,
);

export const templateList = Type.Object(
  { success: boolean, items: Type.Array(Type.Union([confidentialTemplate, standardTemplate])) },
  closed,
);

export const templateManifest = Type.Union(
  [
    Type.Object({ ...confidentialTemplate.properties, ...start }, closed),
    Type.Object({ ...standardTemplate.properties, image: text, ...start }, closed),
  ],
  { type: 'object' },
);

export const evidence = Type.Object(
  {
    ...attestationSchema.properties,
    sku: text,
    gpuAttestation: boolean,
    gpuReportUrl: textOrNull,
    notAttested: Type.Array(text),
  },
  closed,
);

export const evidenceList = Type.Object(
  { evidence: Type.Array(evidence), not_attested: Type.Array(text), reproduce: Type.Array(text) },
  closed,
);
