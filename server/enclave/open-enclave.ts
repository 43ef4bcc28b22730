/** Makes a process provable once its start was measured: its enclave, and a certificate that carries a quote. */
import { CollateralCache } from '../../attestation/collateral/cache.ts';
import { type CollateralSource, fetchCollateral } from '../../attestation/collateral/fetch.ts';
import { platformFamilyOfChain } from '../../attestation/collateral/platform-family.ts';
import { GpuEvidenceLine } from '../../attestation/guest/gpu-evidence.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { ratlsReportData } from '../../attestation/ratls.ts';
import type { OwnTlsKey, TlsIdentity } from '../tls/tls.ts';
import { Enclave, type EnclaveOptions } from './enclave.ts';

export interface OpenEnclaveOptions
  extends Pick<EnclaveOptions, 'platform' | 'sealingPublicKey' | 'provenance' | 'claims' | 'now' | 'clock'> {
  /** What the server shows at the handshake. */
  readonly tls: TlsIdentity;
  /** Undefined where the operator brought the key: it cannot be vouched for. */
  readonly ownKey: OwnTlsKey | undefined;
  /** Whether a GPU was measured that must prove itself with each report. */
  readonly hasGpu: boolean;
  /** Where collateral comes from; by default Intel. */
  readonly collateralSource?: CollateralSource;
}

/**
 * @returns the enclave, and the certificate to show from now on: the same key with a quote, or the operator's as it was
 * @throws {AttestationError} where the machine gives no quote
 */
export async function openEnclave(options: OpenEnclaveOptions): Promise<{ enclave: Enclave; tls: TlsIdentity }> {
  const { platform, tls, ownKey, hasGpu, collateralSource, ...rest } = options;
  const collateral = new CollateralCache({
    fetchCollateral: (family) => fetchCollateral(family, collateralSource),
    now: options.clock,
  });
  const gpus = hasGpu ? new GpuEvidenceLine() : undefined;
  const enclave = new Enclave({
    ...rest,
    platform,
    certificate: tls.certificate,
    isTlsKeyBornInside: ownKey !== undefined,
    gpuEvidence: gpus === undefined ? undefined : (nonce, wait) => gpus.collect(nonce, wait),
    collateralFor: async (quote) => collateral.get(platformFamilyOfChain(parseQuote(quote))),
  });
  if (ownKey === undefined) return { enclave, tls };
  const quote = await platform.quote(await ratlsReportData(ownKey.spki));
  return { enclave, tls: ownKey.identity({ now: options.now(), quote }) };
}
