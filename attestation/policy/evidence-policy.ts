/**
 * What a tenant wants of a server beyond its quote: which sources, models and settings it started with, and a GPU that
 * proves itself. The rest is `Policy` of `policy.ts`; both stand in one file.
 */
import { AttestationError } from '../base/errors.ts';
import type { GpuMode } from '../gpu/gpu-state.ts';
import { isDriverVersion, isVbiosVersion } from '../gpu/version-floor.ts';
import type { Policy } from './policy.ts';
import { parsePolicyObject, policyOf } from './policy-file.ts';

/** Where the software comes from; every member that is named must fit. */
export interface SourceRequirement {
  readonly repoUrl?: string;
  readonly repoCommit?: string;
  /** `sha256:…` */
  readonly imageDigest?: string;
}

export interface EvidencePolicy extends Policy {
  /** Sources of which one must be the server's, and measured by it; `'any'` waives it. Default: some source, measured. */
  readonly sources?: readonly SourceRequirement[] | 'any';
  /**
   * Entries that the start log must have, by name, each with one of these contents: the exact text, or its SHA-256 as
   * `sha256:…`. Entries that are not named may hold anything.
   */
  readonly started?: Readonly<Record<string, readonly string[]>>;
  /** Whether a GPU must prove itself. Default false: without one, everything happens in the virtual machine's own memory. */
  readonly gpuRequired?: boolean;
  /** Default: what NVIDIA published, which takes its manifests and OCSP responses to check. `'any'` waives both. */
  readonly gpuMeasurements?: 'published' | 'any';
  /**
   * Modes of confidential computing that a GPU may be in. Default: all. Whether `ppcie`, which leaves the links between GPUs
   * unencrypted, is of a whole node, is checked in any case.
   */
  readonly gpuModes?: readonly GpuMode[] | 'any';
  /** The lowest driver version, `570.86.15`. Default: any that NVIDIA published. */
  readonly gpuDriverMin?: string;
  /** The lowest VBIOS version, `96.00.9F.00.01`. Default: any that NVIDIA published. */
  readonly gpuVbiosMin?: string;
  /**
   * What a connection must show before `attestedFetch` uses it. Default `'bound'`: a proof that the verified machine ends this
   * very connection. `'key'`: an attested TLS key, which somebody who stole that key has too; for servers that cannot prove more.
   */
  readonly channel?: 'bound' | 'key';
}

/**
 * A policy file: JSON of `EvidencePolicy`; unknown members are refused.
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function parseEvidencePolicy(text: string): EvidencePolicy {
  return evidencePolicyOf(parsePolicyObject(text));
}

/**
 * A policy that a program wrote, held to the same: a misspelt wish must not pass for one that was never made. Members that
 * are undefined count as missing.
 * @returns a copy, which later changes to `members` do not reach · @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function requireEvidencePolicy(members: EvidencePolicy): EvidencePolicy {
  if (typeof members !== 'object' || members === null) throw malformed('the policy must be an object');
  const named = Object.entries(members).filter(([, value]) => value !== undefined);
  return structuredClone(evidencePolicyOf(Object.fromEntries(named)));
}

function evidencePolicyOf(json: Readonly<Record<string, unknown>>): EvidencePolicy {
  const { sources, started, gpuRequired, gpuMeasurements, gpuModes, gpuDriverMin, gpuVbiosMin, channel, ...rest } =
    json;
  policyOf(rest);
  if (sources !== undefined && sources !== 'any' && !isListOf(sources, isSource)) {
    throw malformed('sources must be "any" or a list of objects with repoUrl, repoCommit or imageDigest');
  }
  if (started !== undefined && !isStarted(started)) {
    throw malformed('started must name entries of the start log, each with a list of texts or sha256:… digests');
  }
  if (gpuRequired !== undefined && typeof gpuRequired !== 'boolean') {
    throw malformed('gpuRequired must be true or false');
  }
  if (gpuMeasurements !== undefined && gpuMeasurements !== 'published' && gpuMeasurements !== 'any') {
    throw malformed('gpuMeasurements must be "published" or "any"');
  }
  if (
    gpuModes !== undefined &&
    gpuModes !== 'any' &&
    !isListOf(gpuModes, (one) => allGpuModes.some((m) => m === one))
  ) {
    throw malformed(`gpuModes must be "any" or a list of ${allGpuModes.join(', ')}`);
  }
  if (gpuDriverMin !== undefined && !(typeof gpuDriverMin === 'string' && isDriverVersion(gpuDriverMin))) {
    throw malformed('gpuDriverMin must be a version like 570.86.15');
  }
  if (gpuVbiosMin !== undefined && !(typeof gpuVbiosMin === 'string' && isVbiosVersion(gpuVbiosMin))) {
    throw malformed('gpuVbiosMin must be a version like 96.00.9F.00.01');
  }
  if (channel !== undefined && channel !== 'bound' && channel !== 'key') {
    throw malformed('channel must be "bound" or "key"');
  }
  return json as unknown as EvidencePolicy;
}

const allGpuModes: readonly GpuMode[] = ['single', 'multi', 'ppcie'];
const sourceMembers = ['repoUrl', 'repoCommit', 'imageDigest'];

function isSource(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, one]) => sourceMembers.includes(name) && typeof one === 'string');
}

function isStarted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((contents) => isListOf(contents, (one) => typeof one === 'string'));
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(is);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_POLICY_MALFORMED', message);
}
