/** Machines, tiers and evidence as callers see them. All evidence about a kind of machine comes from one record (C-096). */
import type { ReadonlyStatic } from '../base/schemas.ts';
import type { Evidence, StandardMachine } from '../inventory/configuration.ts';
import type { TierStock } from '../inventory/stock.ts';
import type { attestationSchema } from '../schemas/basics.ts';
import type * as shape from '../schemas/inventory.ts';
import type { ComputeOptions } from '../service/service.ts';

/** C-060…C-062. */
export function standardEntry(machine: StandardMachine): ReadonlyStatic<typeof shape.standardMachine> {
  const price = machine.price / 1e6;
  return {
    machine_id: machine.id,
    name: machine.name,
    provider: 'standard',
    confidential_compute: false,
    gpu_type: machine.gpuType,
    gpu_count: machine.gpuCount,
    gpu_memory_gb: machine.gpuMemoryGb,
    price_per_hour: price,
    price_per_gpu_hour: Math.round((price / Math.max(1, machine.gpuCount)) * 100) / 100,
    price,
    available: true,
    available_gpu_count: machine.gpuCount,
    location: machine.location,
    cpu_cores: machine.cpuCores,
    ram_gb: machine.ramGb,
    disk_gb: machine.diskGb,
    max_cuda_version: machine.maxCudaVersion,
  };
}

/** C-058. */
export function confidentialEntry(stock: TierStock): ReadonlyStatic<typeof shape.confidentialMachine> {
  const { tier, price, rentalRate, totalGpuCount, protection, freeIds } = stock;
  const { curve } = tier;
  return {
    name: tier.displayName,
    price: price / 1e6,
    rental_rate: rentalRate,
    p_min: curve.priceMin / 1e6,
    p_max: curve.priceMax / 1e6,
    base_price: curve.basePrice / 1e6,
    total_gpu_count: totalGpuCount,
    k: curve.exponent,
    provider: 'confidential',
    resource_name: tier.resourceName,
    gpu_type: tier.gpuType,
    gpu_count: tier.gpuCount,
    vcpu: tier.vcpu,
    memory: tier.memoryGb,
    available: freeIds.length,
    ...protectionOf(protection),
  };
}

/** C-065. */
export function tierEntry(stock: TierStock, options: ComputeOptions): ReadonlyStatic<typeof shape.tier> {
  const { tier, price, freeIds, evidence, protection } = stock;
  return {
    resourceName: tier.resourceName,
    displayName: tier.displayName,
    gpuType: tier.gpuType,
    gpuCount: tier.gpuCount,
    vcpu: tier.vcpu,
    memoryGb: tier.memoryGb,
    pricePerHour: price / 1e6,
    available: freeIds.length,
    gpuAttestation: hasGpuProof(evidence),
    attestation: attestationBlock(evidence, options),
    ...(protection === 'plain-vm-test' ? { protection } : {}),
  };
}

/** C-067. */
export function attestationBlock(
  evidence: Evidence | undefined,
  { baseUrl }: ComputeOptions,
): ReadonlyStatic<typeof attestationSchema> {
  return {
    verified: evidence?.verified ?? false,
    verifiedOn: evidence?.verifiedOn ?? null,
    evidenceUrl: evidence?.evidenceUrl ?? null,
    generatedBy: evidence?.generatedBy ?? null,
    verifyInsideTheVm: evidence?.verifyInsideTheVm ?? [],
    index: `${baseUrl}/api/attestation/evidence`,
  };
}

/** C-095. */
export function evidenceEntry(evidence: Evidence, options: ComputeOptions): ReadonlyStatic<typeof shape.evidence> {
  return {
    sku: evidence.sku,
    ...attestationBlock(evidence, options),
    gpuAttestation: hasGpuProof(evidence),
    gpuReportUrl: evidence.gpuReportUrl,
    notAttested: evidence.notAttested,
  };
}

/** True only if GPU attestation ran inside a VM and its report is published (C-066). */
function hasGpuProof(evidence: Evidence | undefined): boolean {
  return evidence?.verified === true && evidence.gpuReportUrl !== null;
}

function protectionOf(protection: TierStock['protection']) {
  return protection === 'tdx'
    ? { confidential_compute: true }
    : {
        confidential_compute: false,
        protection,
        warning: 'plain virtual machines for tests, without memory protection',
      };
}
