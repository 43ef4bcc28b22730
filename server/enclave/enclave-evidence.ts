/** What stands beside a keyset in a report, `cloister.tdx.v1`: quote, logs, GPUs, collateral and claims, made for one report data. */
import type { Json, JsonObject } from '@cloister/attestation/aci/strict-json';
import { toHex } from '@cloister/attestation/base/bytes';
import { AttestationError } from '@cloister/attestation/base/errors';
import { type Collateral, formatCollateral } from '@cloister/attestation/collateral/collateral';
import { collateralValidUntil } from '@cloister/attestation/collateral/valid-until';
import { compositionOf, formatEventLog } from '@cloister/attestation/eventlog/start-log';
import type { GpuEvidence } from '@cloister/attestation/gpu/verify-gpu';
import type { DeviceEvidence } from '@cloister/attestation/guest/gpu-evidence';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';

export interface EvidenceSources {
  /** What the server says of itself; what is also in the start log under the same name is measured, the rest is only said. */
  readonly claims: () => readonly { readonly type: string; readonly value: Json }[];
  /** @param nonce 32 bytes · @returns undefined where there is no GPU */
  readonly deviceEvidence?: (
    nonce: Uint8Array,
    options: { signal?: AbortSignal | undefined },
  ) => Promise<DeviceEvidence | undefined>;
  /** For a quote of a real platform. @throws {AttestationError} */
  readonly collateralFor: (quote: Uint8Array) => Promise<Collateral>;
}

export interface EvidenceCall {
  /** 64 bytes; the first half is the GPUs' nonce, so that both prove themselves to the same question. */
  readonly reportData: Uint8Array;
  /** Made over the report data. @throws {AttestationError} */
  readonly makeQuote: () => Promise<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * @throws {AttestationError} where there is no quote or no GPU evidence; missing collateral is said and not fatal, since a
 *   verifier may have its own
 */
export async function gatherEvidence(
  { reportData, makeQuote, signal }: EvidenceCall,
  { platform, claims, deviceEvidence, collateralFor }: EvidenceSources & { platform: AttestedPlatform },
): Promise<JsonObject> {
  // The quote first: a caller who asks too often is refused there and costs the GPUs nothing.
  const quote = await makeQuote();
  const devices = await deviceEvidence?.(reportData.subarray(0, 32), { signal });
  const { collateral, missing } = await collateralOf(quote, platform, collateralFor);
  return {
    kind: 'cloister.tdx.v1',
    simulated: platform.kind === 'simulated',
    // As verifiers of ACI read it; ours take base64 too, which reports had before.
    quote: toHex(quote),
    boot_log: platform.bootLog === undefined ? null : base64(platform.bootLog),
    start_log: platform.startLog.map(({ name, content }) => ({ name, content })),
    event_log: await formatEventLog(platform.startLog),
    app_compose: compositionOf(platform.startLog) ?? null,
    gpu: (devices?.gpus ?? []).map(deviceDocument),
    // Not there where there are none: verifiers of before know no such member.
    ...(devices === undefined || devices.switches.length === 0
      ? {}
      : { nvswitch: devices.switches.map(deviceDocument) }),
    collateral: collateral === undefined ? null : (JSON.parse(formatCollateral(collateral)) as JsonObject),
    claims: [
      ...claims().map(({ type, value }) => ({ type, value })),
      ...(missing === undefined ? [] : [{ type: 'cloister.collateral-missing', value: missing }]),
    ],
  };
}

function deviceDocument({ report, chainPem }: GpuEvidence): JsonObject {
  return { report: base64(report), certificate_chain: textOf(chainPem) };
}

/**
 * Until when the collateral that goes with a quote is valid, milliseconds since 1970.
 * @returns undefined where there is none: a verifier may have its own
 */
export async function collateralExpiry(
  quote: Uint8Array,
  { platform, collateralFor }: Pick<EvidenceSources, 'collateralFor'> & { platform: AttestedPlatform },
): Promise<number | undefined> {
  const { collateral } = await collateralOf(quote, platform, collateralFor);
  return collateral === undefined ? undefined : collateralValidUntil(collateral);
}

async function collateralOf(
  quote: Uint8Array,
  { simulation }: AttestedPlatform,
  collateralFor: EvidenceSources['collateralFor'],
): Promise<{ collateral?: Collateral; missing?: string }> {
  if (simulation !== undefined) return { collateral: simulation.collateral };
  try {
    return { collateral: await collateralFor(quote) };
  } catch (error) {
    if (error instanceof AttestationError) return { missing: `${error.code}: ${error.message}` };
    throw error;
  }
}

function textOf(pem: string | Uint8Array): string {
  return typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
