/**
 * The factors by which auditors of confidential inference score evidence, in the order and with the names and tiers of teep
 * (github.com/13rac1/teep).
 */
import type { channelChecks, measuredChecks, reportChecks } from '../client/evidence-check-table.ts';
import type { gpuChecks, switchChecks } from '../gpu/gpu-check-table.ts';
import type { gpuReferenceChecks, switchReferenceChecks } from '../gpu/gpu-reference-check-table.ts';
import type { policyChecks } from '../policy/policy.ts';
import type { quoteChecks } from '../verify/quote-check-table.ts';

export type CheckId =
  | keyof typeof reportChecks
  | keyof typeof measuredChecks
  | keyof typeof channelChecks
  | keyof typeof quoteChecks
  | keyof typeof policyChecks
  | keyof typeof gpuChecks
  | keyof typeof switchChecks
  | keyof typeof switchReferenceChecks
  | keyof typeof gpuReferenceChecks;

export interface Factor {
  readonly name: string;
  readonly tier: string;
  /** The statement that holds if the factor passes. */
  readonly passes: string;
  /** The checks that must all pass. Without checks, `scoreEvidence` uses other facts. */
  readonly checks: readonly CheckId[];
  /** Advice for factors whose checks have none, for the server or its operator. */
  readonly remedy?: string;
}

export const tiers = {
  core: 'Tier 1: Core Attestation',
  binding: 'Tier 2: Binding & Crypto',
  supplyChain: 'Tier 3: Supply Chain & Channel Integrity',
  gateway: 'Tier 4: Gateway Attestation',
} as const;

const core: readonly Omit<Factor, 'tier'>[] = [
  { name: 'nonce_match', passes: 'the report contains our nonce', checks: ['nonce'] },
  { name: 'tee_quote_present', passes: 'the evidence carries a TDX quote', checks: [] },
  { name: 'tee_quote_structure', passes: 'the quote parses', checks: ['quote-format'] },
  {
    name: 'tee_cert_chain',
    passes: "the chain from the root to the quote's attestation key is valid",
    checks: ['platform', 'pck-certificates', 'pck-chain', 'pck-chain-dates', 'qe-report-signature', 'qe-identity'],
  },
  {
    name: 'tee_quote_signature',
    passes: 'the quote is signed by the attestation key',
    checks: ['quote-signature', 'attestation-key'],
  },
  { name: 'tee_debug_disabled', passes: 'the debug bit is 0', checks: ['td-debug'] },
  { name: 'tee_measurement', passes: 'MRTD is one that the policy names', checks: [] },
  {
    name: 'tee_hardware_config',
    passes: "RTMR0 is one that the policy names, and the machine's attributes keep the host out",
    checks: ['td-attributes', 'td-sept-ve-disable', 'service-td', 'xfam', 'exact-attributes'],
  },
  { name: 'tee_boot_config', passes: 'RTMR1 and RTMR2 are those that the policy names', checks: [] },
  {
    name: 'signing_key_present',
    passes: 'the report names its keys, and they have not expired',
    checks: ['keyset-expiry'],
  },
  {
    name: 'response_schema',
    passes: 'report and evidence have exactly the members of their format',
    checks: ['report-format', 'evidence-format'],
  },
];

const binding: readonly Omit<Factor, 'tier'>[] = [
  {
    name: 'tee_reportdata_binding',
    passes: "the quote's report data is the digest of the keys and our nonce",
    checks: ['keyset-digest', 'report-data'],
  },
  {
    name: 'intel_pcs_collateral',
    passes: "Intel's collateral is present, signed and current",
    checks: [
      ...(['root-crl', 'root-crl-dates', 'pck-crl-issuer', 'pck-crl', 'pck-crl-dates', 'tcb-info-chain'] as const),
      ...(['tcb-info-chain-dates', 'tcb-info-signature', 'tcb-info-format', 'tcb-info-dates'] as const),
      ...(['qe-identity-chain', 'qe-identity-chain-dates', 'qe-identity-signature', 'qe-identity-format'] as const),
      ...(['qe-identity-dates', 'platform-family', 'tcb-evaluation', 'collateral-age'] as const),
    ],
  },
  {
    name: 'tee_tcb_current',
    passes: 'the TCB status is UpToDate',
    checks: [
      ...(['tdx-module', 'tdx-module-tcb-level', 'platform-tcb-level', 'qe-tcb-level'] as const),
      ...(['tcb-status', 'advisories', 'tcb-svn'] as const),
    ],
  },
  {
    name: 'tee_tcb_not_revoked',
    passes: 'no version, certificate or signer is revoked',
    checks: ['tcb-not-revoked', 'pck-not-revoked', 'tcb-info-signer-not-revoked', 'qe-identity-signer-not-revoked'],
  },
  {
    name: 'nvidia_payload_present',
    passes: 'every GPU in use has a report in the evidence',
    checks: ['gpu', 'gpu-binding'],
  },
  {
    name: 'nvidia_signature',
    passes: "each report is signed by a GPU that NVIDIA's root vouches for",
    checks: ['gpu-report-format', 'gpu-certificates', 'gpu-chain', 'gpu-chain-dates', 'gpu-report-signature'],
  },
  {
    name: 'nvidia_claims',
    passes: 'each GPU names its certified firmware and is in a mode that the policy allows',
    checks: ['gpu-device', 'gpu-firmware', 'gpu-mode', 'gpu-developer-tools'],
  },
  {
    name: 'nvidia_nonce_client_bound',
    passes: 'each GPU report is for report data that includes our nonce',
    checks: ['nonce', 'report-data', 'gpu-nonce'],
  },
  {
    name: 'nvidia_nras_verified',
    passes:
      "each GPU measured what NVIDIA's signed manifests say, and is not revoked; verified here, without NVIDIA's service",
    checks: [
      ...(['gpu-not-revoked', 'driver-rim-format', 'driver-rim-chain', 'driver-rim-chain-dates'] as const),
      ...(['driver-rim-not-revoked', 'driver-rim-signature', 'driver-rim-version', 'vbios-rim-format'] as const),
      ...(['vbios-rim-chain', 'vbios-rim-chain-dates', 'vbios-rim-not-revoked', 'vbios-rim-signature'] as const),
      ...(['vbios-rim-version', 'rim-no-conflict', 'gpu-measurements'] as const),
    ],
  },
  { name: 'e2ee_capable', passes: 'the attested keyset has a key that bodies can be sealed to', checks: [] },
  { name: 'e2ee_usable', passes: 'a sealed request gets a sealed response', checks: [] },
];

const supplyChain: readonly Omit<Factor, 'tier'>[] = [
  { name: 'tls_key_binding', passes: 'the TLS key of the connection is attested', checks: ['channel'] },
  {
    name: 'cpu_gpu_chain',
    passes: 'RTMR3 names each GPU by its key, and each GPU report is for the report data of the quote',
    checks: ['start-log', 'gpu-binding', 'gpu-nonce', 'report-data'],
  },
  {
    name: 'nvswitch_binding',
    passes:
      'RTMR3 names each switch by its key, and all switches of the node are in the evidence, locked and as NVIDIA published',
    checks: [
      ...(['start-log', 'gpu-binding', 'gpu-node', 'switch-report-format', 'switch-certificates'] as const),
      ...(['switch-chain', 'switch-chain-dates', 'switch-device', 'switch-report-signature'] as const),
      ...(['switch-nonce', 'switch-firmware', 'switch-not-revoked', 'switch-lock', 'switch-rim-format'] as const),
      ...(['switch-rim-chain', 'switch-rim-chain-dates', 'switch-rim-not-revoked'] as const),
      ...(['switch-rim-signature', 'switch-rim-version', 'switch-measurements'] as const),
    ],
  },
  {
    name: 'measured_model_weights',
    passes: 'the digests of the weights are measured',
    checks: ['start-log', 'whole-start', 'started'],
  },
  {
    name: 'build_transparency_log',
    passes: 'the measurements are in a public transparency log',
    checks: [],
    remedy: 'publish the measurements of each release in a public transparency log and carry its inclusion proof',
  },
  {
    name: 'component_recognition',
    passes: 'the measured source is one that the policy names',
    checks: ['source'],
    remedy: 'name repository, commit or image in the policy, under sources',
  },
  {
    name: 'provider_signer_recognition',
    passes: 'the releases are signed by a known identity',
    checks: [],
    remedy: 'sign releases with an identity that verifiers can name',
  },
  {
    name: 'component_signature_recognition',
    passes: 'each component is signed as the policy says',
    checks: [],
    remedy: 'sign each file of a release and carry the signatures in the evidence',
  },
  {
    name: 'cpu_id_registry',
    passes: 'the CPU is in a public registry of audited hardware',
    checks: [],
    remedy: "enter the CPU's PPID in a public registry of audited hardware; this verifier would then have to ask it",
  },
  { name: 'compose_binding', passes: 'the compose file is measured', checks: [] },
  { name: 'sigstore_verification', passes: 'the container images are in the Sigstore log', checks: [] },
  {
    name: 'sigstore_code_verified',
    passes: 'a Sigstore bundle names the measurements of the quote',
    checks: [],
    remedy: 'sign the measurements of each release with Sigstore and carry the bundle in the evidence',
  },
  {
    name: 'event_log_integrity',
    passes: 'the event logs replay to RTMR0 to RTMR3',
    checks: ['boot-log', 'start-log'],
  },
];

const gatewayNames = [
  ...['nonce_match', 'tee_quote_present', 'tee_quote_structure', 'tee_cert_chain', 'tee_quote_signature'],
  ...['tee_debug_disabled', 'tee_measurement', 'tee_hardware_config', 'tee_boot_config', 'tee_reportdata_binding'],
  ...['compose_binding', 'cpu_id_registry', 'event_log_integrity'],
];

const inTier = (tier: string, factors: readonly Omit<Factor, 'tier'>[]) =>
  factors.map((factor): Factor => ({ ...factor, tier }));

/** All factors, each once. The scorer's guide counts 45; its program also reports the three on components and signers. */
export const factors: readonly Factor[] = [
  ...inTier(tiers.core, core),
  ...inTier(tiers.binding, binding),
  ...inTier(tiers.supplyChain, supplyChain),
  ...inTier(
    tiers.gateway,
    gatewayNames.map((name) => ({ name: `gateway_${name}`, passes: `the gateway's ${name}`, checks: [] })),
  ),
];
