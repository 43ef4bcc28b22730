/** Parses the evidence object of Cloister's reports, `cloister.tdx.v1`. Nothing in it is verified here. Pure. */
import { base64Of, flagOf, type Json, listOf, malformed, objectOf, textOf } from '../aci/strict-json.ts';
import { fromHex } from '../base/bytes.ts';
import { type Collateral, parseCollateral } from '../collateral/collateral.ts';
import { eventLogBytesMax } from '../eventlog/event-log.ts';
import { checkStartEvents, type StartEvent, startContentMax } from '../eventlog/start-log.ts';
import { gpuReportBytesMax } from '../gpu/gpu-report.ts';
import type { GpuEvidence } from '../gpu/verify-gpu.ts';
import { quoteBytesMax } from '../quote/quote.ts';

/** A machine-readable statement that the server makes about itself. */
export interface Claim {
  readonly type: string;
  readonly value: Json;
}

export interface Evidence {
  /** The server's own statement; the root of the quote's certificate chain decides. */
  readonly simulated: boolean;
  readonly quote: Uint8Array;
  /** The firmware's event log, for RTMR0 to 2. */
  readonly bootLog: Uint8Array | undefined;
  /** The events that the server measured into RTMR3 at its start. */
  readonly startLog: readonly StartEvent[];
  /** The start log and the composition as text for ACI verifiers; undefined in evidence of older servers. */
  readonly eventLog: string | undefined;
  readonly composition: string | undefined;
  readonly gpus: readonly GpuEvidence[];
  /** The switches between the GPUs of a whole node. */
  readonly switches: readonly GpuEvidence[];
  readonly collateral: Collateral | undefined;
  readonly claims: readonly Claim[];
}

export const evidenceKind = 'cloister.tdx.v1';
export const gpusMax = 64;
export const claimsMax = 256;
const chainTextMax = 64 * 1024;

/**
 * @param json `attestation.evidence` of a report
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED, ERR_COLLATERAL_MALFORMED
 */
export function parseEvidence(json: Json): Evidence {
  const optional = ['event_log', 'app_compose', 'nvswitch'];
  const members = objectOf(json, 'the evidence', { required: evidenceMembers, optional });
  if (members.kind !== evidenceKind) throw malformed('kind of the evidence', JSON.stringify(evidenceKind));
  return {
    simulated: flagOf(members.simulated, 'simulated'),
    quote: quoteOf(members.quote),
    bootLog: members.boot_log === null ? undefined : base64Of(members.boot_log, 'boot_log', eventLogBytesMax),
    startLog: checkStartEvents(members.start_log),
    eventLog: optionalTextOf(members.event_log, 'event_log'),
    composition: optionalTextOf(members.app_compose, 'app_compose'),
    gpus: listOf(members.gpu, 'gpu', gpusMax).map((one, index) => deviceOf(one, `gpu[${index}]`)),
    switches: listOf(members.nvswitch ?? [], 'nvswitch', gpusMax).map((one, index) =>
      deviceOf(one, `nvswitch[${index}]`),
    ),
    collateral: members.collateral === null ? undefined : parseCollateral(JSON.stringify(members.collateral)),
    claims: listOf(members.claims, 'claims', claimsMax).map(claimOf),
  };
}

const evidenceMembers = ['kind', 'simulated', 'quote', 'boot_log', 'start_log', 'gpu', 'collateral', 'claims'];

/**
 * Lowercase hexadecimal, which ACI verifiers read, or base64, which older reports have. The first byte of a quote is 4 or 5, so
 * its base64 begins with a capital letter and cannot be mistaken for hexadecimal.
 */
function quoteOf(value: Json | undefined): Uint8Array {
  const isHex = typeof value === 'string' && value.length <= 2 * quoteBytesMax && /^[0-9a-f]+$/.test(value);
  return (isHex ? fromHex(value) : undefined) ?? base64Of(value, 'quote', quoteBytesMax);
}

function optionalTextOf(value: Json | undefined, what: string): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value, what, startContentMax);
}

function deviceOf(value: Json, what: string): GpuEvidence {
  const { report, certificate_chain: chain } = objectOf(value, what, { required: ['report', 'certificate_chain'] });
  return {
    report: base64Of(report, `report of ${what}`, gpuReportBytesMax),
    chainPem: textOf(chain, `certificate_chain of ${what}`, chainTextMax),
  };
}

function claimOf(value: Json, index: number): Claim {
  const what = `claims[${index}]`;
  const { type, value: claimed } = objectOf(value, what, { required: ['type', 'value'] });
  return { type: textOf(type, `type of ${what}`), value: claimed! };
}
