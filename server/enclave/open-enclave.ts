/** Opens the enclave of a process, and issues a certificate with a quote after the start has been measured. */
import { CollateralCache } from '@cloister/attestation/collateral/cache';
import { type CollateralSource, fetchCollateral } from '@cloister/attestation/collateral/fetch';
import { platformFamilyOfChain } from '@cloister/attestation/collateral/platform-family';
import { DeviceEvidenceLine } from '@cloister/attestation/guest/gpu-evidence';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import { parseQuote } from '@cloister/attestation/quote/quote';
import { ratlsReportData } from '@cloister/attestation/ratls/ratls';
import type { OwnTlsKey, TlsIdentity } from '../tls/tls.ts';
import { Enclave, type EnclaveOptions } from './enclave.ts';

export interface OpenEnclaveOptions
  extends Pick<EnclaveOptions, 'platform' | 'sealingKey' | 'provenance' | 'claims' | 'now' | 'clock'> {
  /** The server's certificate and key. */
  readonly tls: TlsIdentity;
  /** Undefined if the operator configured the key, which evidence cannot vouch for. */
  readonly ownKey: OwnTlsKey | undefined;
  /** Whether reports need GPU evidence; called for each report. */
  readonly hasGpu: () => boolean;
  /** Source of collateral; by default Intel. */
  readonly collateralSource?: CollateralSource;
}

/** Creates an enclave with new keys. Its evidence must not be published before the start has been measured. */
export function openEnclave(options: OpenEnclaveOptions): Enclave {
  const { platform, tls, ownKey, hasGpu, collateralSource, ...rest } = options;
  const collateral = new CollateralCache({
    fetchCollateral: (family) => fetchCollateral(family, collateralSource),
    now: options.clock,
  });
  const devices = new DeviceEvidenceLine();
  return new Enclave({
    ...rest,
    platform,
    certificate: tls.certificate,
    isTlsKeyBornInside: ownKey !== undefined,
    deviceEvidence: async (nonce, wait) => (hasGpu() ? devices.collect(nonce, wait) : undefined),
    collateralFor: async (quote) => collateral.get(platformFamilyOfChain(parseQuote(quote))),
  });
}

/**
 * @returns the certificate for new connections: the same key with a quote, or the operator's certificate unchanged
 * @throws {AttestationError} if the machine gives no quote
 */
export async function certify(
  platform: Pick<AttestedPlatform, 'quote'>,
  { tls, ownKey, now }: Pick<OpenEnclaveOptions, 'tls' | 'ownKey' | 'now'>,
): Promise<TlsIdentity> {
  if (ownKey === undefined) return tls;
  return ownKey.identity({ now: now(), quote: await platform.quote(await ratlsReportData(ownKey.spki)) });
}
