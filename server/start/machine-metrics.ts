/** Metrics of the machine and of what it shows to its clients: GPUs, certificates, attested keys. */
import { readGpuLoads } from '@cloister/attestation/guest/gpu-evidence';
import type { Registry } from 'prom-client';
import type { Enclave } from '../enclave/enclave.ts';
import { registerExpiry } from '../metrics/expiry-metrics.ts';
import { registerGpuLoads } from '../metrics/gpu-metrics.ts';
import type { Config } from '../program/config.ts';
import type { TlsIdentity } from '../tls/tls.ts';
import type { OperatorPorts } from './operator-ports.ts';

export interface MachineParts {
  readonly config: Pick<Config, 'gpu'>;
  /** The certificate that the API shows; replaced when it is renewed. */
  readonly shown: { readonly tls: TlsIdentity };
  readonly operator: Pick<OperatorPorts, 'adminCertificate'>;
  /** Undefined until the start has been measured, and without a platform. */
  readonly enclave: () => Pick<Enclave, 'identity'> | undefined;
}

/** Registers the metrics of a listening server. */
export function registerMachine(registry: Registry, { config, shown, operator, enclave }: MachineParts): void {
  registerExpiry(registry, {
    certificates: () => ({ api: shown.tls.certificate, admin: operator.adminCertificate() }),
    keysetExpiry: () => enclave()?.identity.keyset.notAfter,
  });
  // Without GPUs, NVIDIA's library is not opened.
  if (config.gpu !== 'off') registerGpuLoads(registry, () => readGpuLoads());
}
