/** The options shared by all commands: the policy, the roots, the collateral and the time. */
import { isNonce } from '../base/report-data.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type EvidencePolicy, parseEvidencePolicy } from '../policy/evidence-policy.ts';
import { type Flags, readInput, readRoots, readText, UsageError, type VerifierIo } from './command-line.ts';

export interface TrustOptions {
  readonly policy: EvidencePolicy | undefined;
  /** The nonce of the report or of the request for it. */
  readonly nonce: string | undefined;
  readonly roots: readonly Uint8Array[] | undefined;
  readonly gpuRoots: readonly Uint8Array[] | undefined;
  readonly gpuReference: GpuReference | undefined;
  /** `intel`, `none`, the address of a mirror, or the path of a file. */
  readonly collateral: string | undefined;
  /** Default: now, or when the bundle was collected. */
  readonly nowMs: number | undefined;
}

/** Names of the flags, each with a value. */
export const trustFlags = [
  ...[
    'policy',
    'nonce',
    'root',
    'gpu-root',
    'gpu-driver-rim',
    'gpu-vbios-rim',
    'gpu-switch-rim',
    'gpu-ocsp',
    'collateral',
    'at',
  ],
] as const;

export const trustHelp = `\
  --policy <file>      acceptable servers and software; "any" accepts any software. Without a policy, or with "any", the
                       verdict is at best "could not check" [none]
  --root <pem>         trusted root of quotes, for a simulation [Intel's]
  --collateral <from>  "intel" for fresh collateral, the address of a mirror, a file, or "none" to fetch nothing
                       [from the evidence, else Intel]
  --gpu-root <pem>     trusted root of GPU reports and manifests [NVIDIA's]
  --gpu-driver-rim, --gpu-vbios-rim, --gpu-switch-rim <xml>, --gpu-ocsp <der,…>
                       NVIDIA's manifests and OCSP responses for the GPUs and switches [fetched from NVIDIA]
  --at <time>          time of the verification, for example 2026-11-21T12:00:00Z [now; for a bundle, its time]
  --json               print JSON
`;

/** @throws {UsageError} · @throws {AttestationError} ERR_POLICY_MALFORMED */
export function readTrust(values: Flags['values'], io: VerifierIo): TrustOptions {
  return {
    policy: readPolicy(values.policy, io),
    nonce: nonceOf(values.nonce),
    roots: readRoots(values.root, io),
    gpuRoots: readRoots(values['gpu-root'], io),
    gpuReference: readGpuReference(values, io),
    collateral: collateralOf(values.collateral),
    nowMs: timeOf(values.at),
  };
}

const anySoftware: EvidencePolicy = { measurements: 'any', sources: 'any' };

function readPolicy(from: string | undefined, io: VerifierIo): EvidencePolicy | undefined {
  if (from === undefined) return undefined;
  return from === 'any' ? anySoftware : parseEvidencePolicy(readText(from, io));
}

function readGpuReference(values: Flags['values'], io: VerifierIo): GpuReference | undefined {
  const { 'gpu-driver-rim': driver, 'gpu-vbios-rim': vbios, 'gpu-switch-rim': fabric, 'gpu-ocsp': ocsp } = values;
  if ([driver, vbios, fabric, ocsp].every((path) => path === undefined)) return undefined;
  const read = (path: string | undefined) => (path === undefined ? undefined : readInput(path, io));
  return {
    driverRim: read(driver),
    vbiosRim: read(vbios),
    switchRim: read(fabric),
    ocspResponses: ocsp?.split(',').map((path) => readInput(path, io)),
  };
}

function collateralOf(from: string | undefined): string | undefined {
  const { protocol, hostname } = URL.parse(from ?? '') ?? {};
  const isInsecure = protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname ?? '');
  if (isInsecure)
    throw new UsageError('--collateral requires an https address of a mirror; http is allowed on loopback only');
  return from;
}

function nonceOf(text: string | undefined): string | undefined {
  if (text !== undefined && !isNonce(text)) throw new UsageError('--nonce must be 64 lowercase hexadecimal digits');
  return text;
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !/^\d{4}-/.test(text)) throw new UsageError('--at must be a time like 2026-11-21T12:00:00Z');
  return ms;
}
