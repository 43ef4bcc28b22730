/** What makes a process provable: its enclave, and, once its start was measured, a certificate that carries a quote. */
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
  /** What the server shows at the handshake. */
  readonly tls: TlsIdentity;
  /** Undefined where the operator brought the key: it cannot be vouched for. */
  readonly ownKey: OwnTlsKey | undefined;
  /** Whether a GPU was measured that must prove itself with each report. Asked at each. */
  readonly hasGpu: () => boolean;
  /** Where collateral comes from; by default Intel. */
  readonly collateralSource?: CollateralSource;
}

/** An enclave with new keys; nobody may be shown its evidence before the start was measured. */
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
 * @returns the certificate to show from now on: the same key with a quote, or the operator's as it was
 * @throws {AttestationError} where the machine gives no quote
 */
export async function certify(
  platform: Pick<AttestedPlatform, 'quote'>,
  { tls, ownKey, now }: Pick<OpenEnclaveOptions, 'tls' | 'ownKey' | 'now'>,
): Promise<TlsIdentity> {
  if (ownKey === undefined) return tls;
  return ownKey.identity({ now: now(), quote: await platform.quote(await ratlsReportData(ownKey.spki)) });
}
