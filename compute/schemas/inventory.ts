/** Answers about machines, tiers, templates and evidence. */
import { type JsonSchema, objectOf } from '../base/json-schema.ts';
import { attestationSchema, boolean, integer, listOf, number, plainMarks, text, textOrNull } from './basics.ts';

const marks = { optional: Object.keys(plainMarks) };

const confidentialMachine = objectOf(
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
  marks,
);

const standardMachine = objectOf({
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
  location: objectOf({ city: text, country: text, country_code: text }),
  cpu_cores: number,
  ram_gb: number,
  disk_gb: number,
  max_cuda_version: text,
});

export const machineList: JsonSchema = listOf({ oneOf: [confidentialMachine, standardMachine] });

export const tierList = objectOf({
  tiers: listOf(
    objectOf(
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
        protection: text,
      },
      { optional: ['protection'] },
    ),
  ),
});

const start = {
  commands: listOf(text),
  args: listOf(text),
  ports: listOf(integer),
  env: { type: 'object', additionalProperties: text },
} as const satisfies Record<string, JsonSchema>;

const standardItem = {
  id: text,
  name: text,
  description: text,
  category: text,
  provider: text,
  default: boolean,
} as const;
const confidentialItem = {
  uid: text,
  name: text,
  description: text,
  type: text,
  image: text,
  resource_name: text,
  visibility: text,
} as const;

export const templateList = objectOf({
  success: boolean,
  items: listOf({ oneOf: [objectOf(confidentialItem), objectOf(standardItem)] }),
});

export const templateManifest: JsonSchema = {
  oneOf: [objectOf({ ...confidentialItem, ...start }), objectOf({ ...standardItem, image: text, ...start })],
};

export const evidenceList = objectOf({
  evidence: listOf(
    objectOf({
      ...attestationSchema.properties,
      sku: text,
      gpuAttestation: boolean,
      gpuReportUrl: textOrNull,
      notAttested: listOf(text),
    }),
  ),
  not_attested: listOf(text),
  reproduce: listOf(text),
});
