/** The last step of a start on a platform: everything is loaded and is now measured, so that evidence can be served. */
import type { SourceProvenance } from '@cloister/attestation/aci/report';
import type { Json } from '@cloister/attestation/aci/strict-json';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import type { MeasuredGpus } from '../enclave/gpu-admission.ts';
import {
  type MeasuredAgent,
  type MeasuredModel,
  measureStart,
  type ProvisionFacts,
  type StartFacts,
} from '../enclave/measured-start.ts';
import { certify } from '../enclave/open-enclave.ts';
import type { ProcessGuard } from '../enclave/process-guard.ts';
import type { Config } from '../program/config.ts';
import type { OwnTlsKey, TlsIdentity } from '../tls/tls.ts';

export interface AttestedStartOptions {
  readonly platform: AttestedPlatform;
  readonly config: Config;
  readonly guard: ProcessGuard;
  /** Loaded, with verified digests. */
  readonly models: readonly MeasuredModel[];
  readonly agents?: readonly MeasuredAgent[];
  readonly provenance: SourceProvenance;
  readonly tls: TlsIdentity;
  /** Undefined if the operator provides the key. */
  readonly ownKey: OwnTlsKey | undefined;
  readonly gpu: MeasuredGpus;
  readonly provision?: ProvisionFacts | undefined;
  readonly now: () => number;
}

export interface AttestedStart {
  /** The certificate to use from now on. */
  readonly tls: TlsIdentity;
  readonly facts: StartFacts;
}

/** @throws as `measureStart` and `certify`; the server must not serve then */
export async function attestStart(options: AttestedStartOptions): Promise<AttestedStart> {
  const { platform, config, guard, models, agents = [], provenance, gpu, provision, ...rest } = options;
  const sources = { config, models, agents, guard, source: provenance, gpu, provision };
  const facts = await measureStart(platform, sources);
  return { tls: await certify(platform, rest), facts };
}

/** The machine-readable claims of the server. @param receiptLifetimeMs how long receipts are kept */
export function startClaims(
  config: Config,
  { receiptLifetimeMs }: { receiptLifetimeMs: number },
): readonly { type: string; value: Json }[] {
  return [...retentionClaims(config, receiptLifetimeMs), ...regionClaims(config)];
}

/** The region that the operator states (I-007); the settings in the start log contain it too. */
function regionClaims({ region }: Config): readonly { type: string; value: Json }[] {
  return region === undefined ? [] : [{ type: 'cloister.region', value: region }];
}

/** What is retained of a request, in machine-readable form, stated by the measured code itself. */
function retentionClaims(
  { otlpEndpoint }: Config,
  receiptLifetimeMs: number,
): readonly { type: string; value: Json }[] {
  return [
    {
      type: 'cloister.retention',
      value: {
        prompts: 'none',
        answers: 'none',
        logs: 'method, route, status, duration, error code',
        // Absent without a collector.
        ...(otlpEndpoint !== undefined && { traces: 'method, route, status, times, model, counts, error code' }),
        usage: 'counts and prices by account, key and model',
        receipts: 'digests and counts, in memory',
        receipt_seconds: Math.floor(receiptLifetimeMs / 1000),
      },
    },
  ];
}
