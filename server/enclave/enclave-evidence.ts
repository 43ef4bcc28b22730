/** Collects the evidence of a report, `cloister.tdx.v1`: quote, logs, GPU evidence, collateral and claims for one report data. */
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
  /** Claims of the server. Claims that are also in the start log are measured; the others are not verified. */
  readonly claims: () => readonly { readonly type: string; readonly value: Json }[];
  /** @param nonce 32 bytes · @returns undefined without a GPU */
  readonly deviceEvidence?: (
    nonce: Uint8Array,
    options: { signal?: AbortSignal | undefined },
  ) => Promise<DeviceEvidence | undefined>;
  /** Fetches the collateral for a quote of a real platform. @throws {AttestationError} */
  readonly collateralFor: (quote: Uint8Array) => Promise<Collateral>;
}

export interface EvidenceCall {
  /** 64 bytes. The first half is the nonce of the GPU evidence, which binds it to the quote. */
  readonly reportData: Uint8Array;
  /** Made over the report data. @throws {AttestationError} */
  readonly makeQuote: () => Promise<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * @throws {AttestationError} without a quote or GPU evidence. Missing collateral is reported in the evidence, since verifiers may
 *   have their own
 */
export async function gatherEvidence(
  { reportData, makeQuote, signal }: EvidenceCall,
  { platform, claims, deviceEvidence, collateralFor }: EvidenceSources & { platform: AttestedPlatform },
): Promise<JsonObject> {
  // The quote comes first: its rate limit refuses frequent callers before the GPUs do any work.
  const quote = await makeQuote();
  const devices = await deviceEvidence?.(reportData.subarray(0, 32), { signal });
  const { collateral, missing } = await collateralOf(quote, platform, collateralFor);
  return {
    kind: 'cloister.tdx.v1',
    simulated: platform.kind === 'simulated',
    // Hexadecimal, as in ACI. Our verifiers also accept base64, which earlier reports had.
    quote: toHex(quote),
    boot_log: platform.bootLog === undefined ? null : base64(platform.bootLog),
    start_log: platform.startLog.map(({ name, content }) => ({ name, content })),
    event_log: await formatEventLog(platform.startLog),
    app_compose: compositionOf(platform.startLog) ?? null,
    gpu: (devices?.gpus ?? []).map(deviceDocument),
    // Absent without GPUs: earlier verifiers do not know this member.
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
 * The end of validity of a quote's collateral, milliseconds since 1970.
 * @returns undefined without collateral; verifiers may have their own
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
