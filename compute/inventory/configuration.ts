/** The operator's inventory: machines, tiers, prices and evidence, from one JSON file that is validated before the service starts. */
import { parseDollars } from '@cloister/accounts/base/money';
import { ServerError } from '@cloister/server/http/errors';
import { fileReader } from '../base/readers.ts';
import { configurationSchema, type EvidenceEntry, type MachineEntry, type TierEntry } from './configuration-schema.ts';
import type { PriceCurve } from './price-curve.ts';

export interface StandardMachine {
  readonly id: string;
  readonly provider: 'standard';
  readonly name: string;
  readonly engine: string;
  /** The engine's name of the machine. */
  readonly machine: string;
  readonly gpuType: string;
  readonly gpuCount: number;
  readonly gpuMemoryGb: number;
  /** Micro-dollars per hour, markup included (C-061). */
  readonly price: number;
  readonly location: { readonly city: string; readonly country: string; readonly country_code: string };
  readonly cpuCores: number;
  readonly ramGb: number;
  readonly diskGb: number;
  readonly maxCudaVersion: string;
}

/** One machine of a tier. */
export interface ConfidentialMachine {
  readonly id: string;
  readonly provider: 'confidential';
  readonly engine: string;
  readonly machine: string;
  readonly resourceName: string;
}

export interface Tier {
  readonly resourceName: string;
  readonly displayName: string;
  readonly gpuType: string;
  readonly gpuCount: number;
  readonly vcpu: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  readonly curve: PriceCurve;
  /** Name of the base image on the hosts. */
  readonly image: string;
}

/** The attestation record of a kind of machine, made by a tenant (C-096). */
export interface Evidence {
  readonly sku: string;
  readonly verified: boolean;
  /** `YYYY-MM-DD` */
  readonly verifiedOn: string | null;
  readonly evidenceUrl: string | null;
  readonly generatedBy: string;
  /** Address of the GPU attestation report made inside a VM; null if there is none (C-066). */
  readonly gpuReportUrl: string | null;
  readonly verifyInsideTheVm: readonly string[];
  readonly notAttested: readonly string[];
}

export interface Inventory {
  readonly machines: readonly (StandardMachine | ConfidentialMachine)[];
  readonly tiers: readonly Tier[];
  readonly evidence: readonly Evidence[];
  /** Entries of the file; `start/engine-schemas.ts` validates the members of each type. */
  readonly engines: readonly EngineEntry[];
}

export interface EngineEntry {
  readonly name: string;
  readonly type: 'docker' | 'swarm' | 'libvirt';
  readonly [option: string]: unknown;
}

/** @param raw the parsed file · @throws {ServerError} ERR_CONFIG, naming the invalid member */
export function parseInventory(raw: unknown): Inventory {
  const file = fileReader.read(configurationSchema, raw);
  const inventory: Inventory = {
    engines: file.engines,
    tiers: (file.tiers ?? []).map(toTier),
    machines: file.machines.map((machine) => toMachine(machine)),
    evidence: (file.evidence ?? []).map(toEvidence),
  };
  requireReferences(inventory);
  return { ...inventory, evidence: inventory.evidence.map((one) => dropImpossibleClaims(one, inventory)) };
}

/** A tier without a GPU cannot have a GPU report, and plain virtual machines cannot be attested (C-066, C-067). */
function dropImpossibleClaims(evidence: Evidence, { tiers, machines, engines }: Inventory): Evidence {
  const tier = tiers.find(({ resourceName }) => resourceName === evidence.sku);
  const isPlain = machines.some(
    (machine) =>
      machine.provider === 'confidential' &&
      machine.resourceName === evidence.sku &&
      engines.some((engine) => engine.name === machine.engine && isForTests(engine)),
  );
  if (isPlain) return { ...evidence, verified: false, verifiedOn: null, evidenceUrl: null, gpuReportUrl: null };
  return tier?.gpuCount === 0 ? { ...evidence, gpuReportUrl: null } : evidence;
}

function isForTests({ profile }: EngineEntry): boolean {
  return (profile as { kind?: unknown } | undefined)?.kind === 'plain-vm-for-tests';
}

function toMachine(raw: MachineEntry): StandardMachine | ConfidentialMachine {
  const common = { id: raw.id, engine: raw.engine, machine: raw.machine ?? raw.id };
  if (raw.provider === 'confidential') {
    return { ...common, provider: 'confidential', resourceName: needed(raw, 'resource_name') };
  }
  return {
    ...common,
    provider: 'standard',
    name: raw.name ?? raw.id,
    gpuType: needed(raw, 'gpu_type'),
    gpuCount: needed(raw, 'gpu_count'),
    gpuMemoryGb: raw.gpu_memory_gb ?? 0,
    price: price(raw.price_per_hour, { of: raw.id, field: 'price_per_hour' }),
    location: { city: '', country: '', country_code: '', ...raw.location },
    cpuCores: needed(raw, 'cpu_cores'),
    ramGb: needed(raw, 'ram_gb'),
    diskGb: needed(raw, 'disk_gb'),
    maxCudaVersion: raw.max_cuda_version ?? '',
  };
}

function toTier(raw: TierEntry): Tier {
  const { resource_name: of, p_min: min, p_max: max } = raw;
  const basePrice = price(raw.base_price, { of, field: 'base_price' });
  const curve = {
    basePrice,
    priceMin: min === undefined ? basePrice : price(min, { of, field: 'p_min' }),
    priceMax: max === undefined ? basePrice : price(max, { of, field: 'p_max' }),
    exponent: raw.k ?? 0,
  };
  if (curve.priceMin > basePrice || basePrice > curve.priceMax) {
    throw invalid(`tier ${raw.resource_name}: p_min ≤ base_price ≤ p_max must hold`);
  }
  return {
    resourceName: raw.resource_name,
    displayName: raw.display_name ?? raw.resource_name,
    gpuType: raw.gpu_type,
    gpuCount: raw.gpu_count,
    vcpu: raw.vcpu,
    memoryGb: raw.memory_gb,
    diskGb: raw.disk_gb,
    image: raw.image,
    curve,
  };
}

function toEvidence(raw: EvidenceEntry): Evidence {
  return {
    sku: raw.sku,
    verified: raw.verified,
    verifiedOn: raw.verified_on ?? null,
    evidenceUrl: raw.evidence_url ?? null,
    generatedBy: raw.generated_by ?? 'tenant',
    gpuReportUrl: raw.gpu_report_url ?? null,
    verifyInsideTheVm: raw.verify_inside_the_vm ?? [],
    notAttested: raw.not_attested ?? [],
  };
}

function requireReferences({ machines, tiers, engines, evidence }: Inventory): void {
  requireUnique(
    'engines',
    engines.map(({ name }) => name),
  );
  requireUnique(
    'machines',
    machines.map(({ id }) => id),
  );
  requireUnique(
    'tiers',
    tiers.map(({ resourceName }) => resourceName),
  );
  requireUnique(
    'evidence',
    evidence.map(({ sku }) => sku),
  );
  for (const machine of machines) {
    if (!engines.some(({ name }) => name === machine.engine)) {
      throw invalid(`machine ${machine.id}: no engine is named ${machine.engine}`);
    }
    if (machine.provider === 'standard') continue;
    if (tiers.some(({ resourceName }) => resourceName === machine.resourceName)) continue;
    throw invalid(`machine ${machine.id}: no tier is named ${machine.resourceName}`);
  }
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${what} contains ${twice} twice`);
}

function price(dollars: string | number | undefined, { of, field }: { of: string; field: string }): number {
  try {
    return parseDollars(String(dollars));
  } catch {
    throw invalid(`${of}: \`${field}\` must be dollars per hour with at most six decimals, above 0`);
  }
}

/** Members that are required for one kind of machine only. */
function needed<Field extends keyof MachineEntry>(raw: MachineEntry, field: Field): NonNullable<MachineEntry[Field]> {
  const value = raw[field];
  if (value !== undefined) return value;
  throw invalid(`machine ${raw.id}: \`${field}\` is missing`);
}

function invalid(message: string): ServerError {
  return new ServerError('ERR_CONFIG', `inventory: ${message}`);
}
