/** An inventory, templates and keys for tests of the compute service. */
import { generateKeyPairSync } from 'node:crypto';

export const standardMachine = {
  id: 'm-1',
  provider: 'standard',
  engine: 'memory',
  name: 'RTX 4090 in Oslo',
  gpu_type: 'RTX 4090',
  gpu_count: 3,
  gpu_memory_gb: 24,
  price_per_hour: '1.00',
  location: { city: 'Oslo', country: 'Norway', country_code: 'NO' },
  cpu_cores: 16,
  ram_gb: 64,
  disk_gb: 200,
  max_cuda_version: '12.8',
};

export const inventoryFile = {
  engines: [{ name: 'memory', type: 'docker' }],
  tiers: [
    {
      resource_name: 'h100-tdx',
      display_name: 'H100 in a trust domain',
      gpu_type: 'H100',
      gpu_count: 1,
      vcpu: 16,
      memory_gb: 128,
      disk_gb: 500,
      image: 'ubuntu-24.04',
      base_price: '2.50',
    },
  ],
  machines: [
    standardMachine,
    { ...standardMachine, id: 'm-2', price_per_hour: '0.70', gpu_count: 1, gpu_type: 'A6000' },
    { id: 'vm-1', provider: 'confidential', engine: 'memory', resource_name: 'h100-tdx' },
    { id: 'vm-2', provider: 'confidential', engine: 'memory', resource_name: 'h100-tdx' },
  ],
  evidence: [
    {
      sku: 'h100-tdx',
      verified: true,
      verified_on: '2026-11-01',
      evidence_url: 'https://evidence.example/h100-tdx.json',
      generated_by: 'tenant',
      gpu_report_url: 'https://evidence.example/h100-gpu.json',
      verify_inside_the_vm: ['test -e /dev/tdx_guest'],
      not_attested: ['the boot disk of the host'],
    },
  ],
};

export const templatesFile = {
  standard: [
    { id: 'base', name: 'Base', category: 'os', default: true, image: 'registry.example/base:1' },
    {
      id: 'torch',
      name: 'Torch',
      category: 'ml',
      image: 'registry.example/torch:1',
      commands: ['sleep'],
      args: ['inf'],
    },
  ],
  confidential: [
    {
      uid: 'vm-ubuntu',
      name: 'Ubuntu',
      description: 'Ubuntu 24.04',
      type: 'RENTAL',
      image: 'ubuntu-24.04',
      resource_name: 'h100-tdx',
      ports: [8080],
      env: { A: 'b' },
    },
  ],
};

/** A public key in OpenSSH form without a private key. */
export function newSshKey(): string {
  const der = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(der.subarray(-32))]);
  return `ssh-ed25519 ${blob.toString('base64')} someone@somewhere`;
}
