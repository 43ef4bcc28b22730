/** What the operator has to let: machines, tiers, prices and evidence, from one JSON file. Checked whole before anything starts. */
import { parseDollars } from '@cloister/accounts/base/money';
import { ServerError } from '@cloister/server/http/errors';
import { findMismatch } from '../base/json-schema.ts';
import { configurationSchema } from './configuration-schema.ts';
import type { PriceCurve } from './price-curve.ts';

export interface StandardMachine {
  readonly id: string;
  readonly provider: 'standard';
  readonly name: string;
  readonly engine: string;
  /** What the engine calls it. */
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

/** One of the machines of a tier. */
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
  /** Name of the machine image on the hosts. */
  readonly image: string;
}

/** What was proven about a kind of machine, by a tenant's own means (C-096). */
export interface Evidence {
  readonly sku: string;
  readonly verified: boolean;
  /** `YYYY-MM-DD` */
  readonly verifiedOn: string | null;
  readonly evidenceUrl: string | null;
  readonly generatedBy: string;
  /** Where the report of the GPU proof that ran inside a VM is kept; null where none ran (C-066). */
  readonly gpuReportUrl: string | null;
  readonly verifyInsideTheVm: readonly string[];
  readonly notAttested: readonly string[];
}

export interface Inventory {
  readonly machines: readonly (StandardMachine | ConfidentialMachine)[];
  readonly tiers: readonly Tier[];
  readonly evidence: readonly Evidence[];
  /** Each as its driver wants it. */
  readonly engines: readonly EngineEntry[];
}

export interface EngineEntry {
  readonly name: string;
  readonly type: 'docker' | 'swarm' | 'libvirt';
  readonly [option: string]: unknown;
}

/** @param raw the parsed file · @throws {ServerError} ERR_CONFIG, which names the member that is wrong */
export function parseInventory(raw: unknown): Inventory {
  const mismatch = findMismatch(configurationSchema, raw);
  if (mismatch !== undefined) throw invalid(mismatch.replace('the request body', 'the file'));
  const file = raw as ConfigurationFile;
  const inventory: Inventory = {
    engines: file.engines,
    tiers: (file.tiers ?? []).map(toTier),
    machines: file.machines.map((machine) => toMachine(machine)),
    evidence: (file.evidence ?? []).map(toEvidence),
  };
  requireReferences(inventory);
  return { ...inventory, evidence: inventory.evidence.map((one) => dropImpossibleClaims(one, inventory)) };
}

/** A tier without a GPU has no GPU proof, and plain virtual machines have no proof at all (C-066, C-067). */
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

type Raw = Readonly<Record<string, unknown>>;

interface ConfigurationFile {
  readonly engines: readonly EngineEntry[];
  readonly machines: readonly Raw[];
  readonly tiers?: readonly Raw[];
  readonly evidence?: readonly Raw[];
}

function toMachine(raw: Raw): StandardMachine | ConfidentialMachine {
  const common = { id: raw.id as string, engine: raw.engine as string, machine: (raw.machine ?? raw.id) as string };
  if (raw.provider === 'confidential') {
    return { ...common, provider: 'confidential', resourceName: neededText(raw, 'resource_name') };
  }
  const location = (raw.location ?? {}) as Partial<StandardMachine['location']>;
  return {
    ...common,
    provider: 'standard',
    name: (raw.name ?? raw.id) as string,
    gpuType: neededText(raw, 'gpu_type'),
    gpuCount: neededNumber(raw, 'gpu_count'),
    gpuMemoryGb: (raw.gpu_memory_gb ?? 0) as number,
    price: price(raw, 'price_per_hour'),
    location: { city: '', country: '', country_code: '', ...location },
    cpuCores: neededNumber(raw, 'cpu_cores'),
    ramGb: neededNumber(raw, 'ram_gb'),
    diskGb: neededNumber(raw, 'disk_gb'),
    maxCudaVersion: (raw.max_cuda_version ?? '') as string,
  };
}

function toTier(raw: Raw): Tier {
  const basePrice = price(raw, 'base_price');
  const curve = {
    basePrice,
    priceMin: raw.p_min === undefined ? basePrice : price(raw, 'p_min'),
    priceMax: raw.p_max === undefined ? basePrice : price(raw, 'p_max'),
    exponent: (raw.k ?? 0) as number,
  };
  if (curve.priceMin > basePrice || basePrice > curve.priceMax) {
    throw invalid(`tier ${raw.resource_name}: p_min ≤ base_price ≤ p_max must hold`);
  }
  return {
    resourceName: raw.resource_name as string,
    displayName: (raw.display_name ?? raw.resource_name) as string,
    gpuType: raw.gpu_type as string,
    gpuCount: raw.gpu_count as number,
    vcpu: raw.vcpu as number,
    memoryGb: raw.memory_gb as number,
    diskGb: raw.disk_gb as number,
    image: raw.image as string,
    curve,
  };
}

function toEvidence(raw: Raw): Evidence {
  return {
    sku: raw.sku as string,
    verified: raw.verified === true,
    verifiedOn: (raw.verified_on ?? null) as string | null,
    evidenceUrl: (raw.evidence_url ?? null) as string | null,
    generatedBy: (raw.generated_by ?? 'tenant') as string,
    gpuReportUrl: (raw.gpu_report_url ?? null) as string | null,
    verifyInsideTheVm: (raw.verify_inside_the_vm ?? []) as string[],
    notAttested: (raw.not_attested ?? []) as string[],
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
      throw invalid(`machine ${machine.id}: there is no engine ${machine.engine}`);
    }
    if (machine.provider === 'standard') continue;
    if (tiers.some(({ resourceName }) => resourceName === machine.resourceName)) continue;
    throw invalid(`machine ${machine.id}: there is no tier ${machine.resourceName}`);
  }
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${what} has ${twice} twice`);
}

function price(raw: Raw, field: string): number {
  try {
    return parseDollars(String(raw[field]));
  } catch {
    throw invalid(
      `${raw.id ?? raw.resource_name}: \`${field}\` must be dollars per hour with at most six decimals, above 0`,
    );
  }
}

function neededText(raw: Raw, field: string): string {
  if (typeof raw[field] === 'string') return raw[field];
  throw invalid(`machine ${raw.id}: \`${field}\` is missing`);
}

function neededNumber(raw: Raw, field: string): number {
  if (typeof raw[field] === 'number') return raw[field];
  throw invalid(`machine ${raw.id}: \`${field}\` is missing`);
}

function invalid(message: string): ServerError {
  return new ServerError('ERR_CONFIG', `inventory: ${message}`);
}
