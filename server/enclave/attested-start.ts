/** The last step of a start on a platform: everything is loaded, now it is measured, and from here on it can be proven. */
import type { SourceProvenance } from '../../attestation/aci/report.ts';
import type { Json } from '../../attestation/aci/strict-json.ts';
import type { AttestedPlatform } from '../../attestation/platform.ts';
import type { Config } from '../config.ts';
import type { OwnTlsKey, TlsIdentity } from '../tls/tls.ts';
import type { Enclave } from './enclave.ts';
import {
  type MeasuredAgent,
  type MeasuredModel,
  measureStart,
  type StartFacts,
  type StartSources,
} from './measured-start.ts';
import { openEnclave } from './open-enclave.ts';
import type { ProcessGuard } from './process-guard.ts';

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
  readonly sealingPublicKey: Uint8Array | undefined;
  /** How long receipts are kept, which the evidence tells. */
  readonly receiptLifetimeMs: number;
  readonly now: () => number;
  readonly clock: () => number;
  readonly readGpus?: StartSources['readGpus'];
}

export interface AttestedStart {
  readonly enclave: Enclave;
  /** The certificate to show from now on. */
  readonly tls: TlsIdentity;
  readonly facts: StartFacts;
}

/** @throws as `measureStart` and `openEnclave`: such a server must not serve */
export async function attestStart(options: AttestedStartOptions): Promise<AttestedStart> {
  const { platform, config, guard, models, agents = [], provenance, readGpus, receiptLifetimeMs, ...rest } = options;
  const facts = await measureStart(platform, {
    config,
    models,
    agents,
    guard,
    source: provenance,
    ...(readGpus === undefined ? {} : { readGpus }),
  });
  const claims = [...retentionClaims(receiptLifetimeMs), ...regionClaims(config)];
  const opened = await openEnclave({
    ...rest,
    platform,
    provenance,
    claims: () => claims,
    hasGpu: platform.kind === 'tdx' && typeof facts.gpu !== 'string' && facts.gpu.gpus.length > 0,
  });
  return { ...opened, facts };
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
