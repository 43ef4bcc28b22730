/** The last step of a start on a platform: everything is loaded, now it is measured, and from here on it can be proven. */
import type { SourceProvenance } from '@cloister/attestation/aci/report';
import type { Json } from '@cloister/attestation/aci/strict-json';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import type { MeasuredGpus } from '../enclave/gpu-admission.ts';
import { type MeasuredAgent, type MeasuredModel, measureStart, type StartFacts } from '../enclave/measured-start.ts';
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
  /** Undefined where the operator brought the key. */
  readonly ownKey: OwnTlsKey | undefined;
  readonly gpu: MeasuredGpus;
  readonly now: () => number;
}

export interface AttestedStart {
  /** The certificate to show from now on. */
  readonly tls: TlsIdentity;
  readonly facts: StartFacts;
}

/** @throws as `measureStart` and `certify`: such a server must not serve */
export async function attestStart(options: AttestedStartOptions): Promise<AttestedStart> {
  const { platform, config, guard, models, agents = [], provenance, gpu, ...rest } = options;
  const facts = await measureStart(platform, { config, models, agents, guard, source: provenance, gpu });
  return { tls: await certify(platform, rest), facts };
}

/** What the server says of itself for programs to read. @param receiptLifetimeMs how long receipts are kept */
export function startClaims(
  config: Config,
  { receiptLifetimeMs }: { receiptLifetimeMs: number },
): readonly { type: string; value: Json }[] {
  return [...retentionClaims(receiptLifetimeMs), ...regionClaims(config)];
}

/** The operator's word (I-007); the start log holds the same among the settings. */
function regionClaims({ region }: Config): readonly { type: string; value: Json }[] {
  return region === undefined ? [] : [{ type: 'cloister.region', value: region }];
}

/** What is kept of a request, for programs to read: said by the very code that was measured. */
function retentionClaims(receiptLifetimeMs: number): readonly { type: string; value: Json }[] {
  return [
    {
      type: 'cloister.retention',
      value: {
        prompts: 'none',
        answers: 'none',
        logs: 'method, route, status, duration, error code',
        usage: 'counts and prices by account, key and model',
        receipts: 'digests and counts, in memory',
        receipt_seconds: Math.floor(receiptLifetimeMs / 1000),
      },
    },
  ];
}
