/**
 * A tenant's requirements for a server beyond its quote: sources, models, settings and GPUs. `Policy` in `policy.ts` has the requirements
 * for the quote; one policy file has both.
 */
import { AttestationError } from '../base/errors.ts';
import type { GpuMode } from '../gpu/gpu-state.ts';
import { isDriverVersion, isVbiosVersion } from '../gpu/version-floor.ts';
import type { Policy } from './policy.ts';
import { parsePolicyObject, policyOf } from './policy-file.ts';

/** An accepted origin of the software. Every member that is present must match. */
export interface SourceRequirement {
  readonly repoUrl?: string;
  readonly repoCommit?: string;
  /** `sha256:…` */
  readonly imageDigest?: string;
}

export interface EvidencePolicy extends Policy {
  /** Accepted sources, one of which must be measured; `'any'` waives the check. Default: any source, if it is measured. */
  readonly sources?: readonly SourceRequirement[] | 'any';
  /**
   * Required start log entries by name, each with its allowed contents: exact text, or its SHA-256 as `sha256:…`. Other entries may have
   * any content.
   */
  readonly started?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether the evidence must have an attested GPU. Default false: the server may compute in the memory of the virtual machine.
   */
  readonly gpuRequired?: boolean;
  /** `'published'` compares GPUs with NVIDIA's manifests and OCSP responses; `'any'` waives both. Default `'published'`. */
  readonly gpuMeasurements?: 'published' | 'any';
  /**
   * Allowed confidential modes of a GPU. Default: all. In mode `ppcie`, which leaves the links between GPUs unencrypted, the check for a
   * whole node always runs.
   */
  readonly gpuModes?: readonly GpuMode[] | 'any';
  /** Minimum driver version, `570.86.15`. Default: any version that NVIDIA published. */
  readonly gpuDriverMin?: string;
  /** Minimum VBIOS version, `96.00.9F.00.01`. Default: any version that NVIDIA published. */
  readonly gpuVbiosMin?: string;
  /**
   * What a connection must prove before `attestedFetch` uses it. Default `'bound'`: that the verified machine terminates this connection.
   * `'key'`: possession of an attested TLS key, which a thief of the key has too; for servers that cannot prove connections.
   */
  readonly channel?: 'bound' | 'key';
}

/**
 * Parses a policy file: JSON of `EvidencePolicy`. Unknown members are refused.
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function parseEvidencePolicy(text: string): EvidencePolicy {
  return evidencePolicyOf(parsePolicyObject(text));
}

/**
 * Validates a policy object like a policy file, so that a misspelled requirement is refused instead of ignored. Undefined members count
 * as missing.
 * @returns a copy, independent of later changes to `members` · @throws {AttestationError} ERR_POLICY_MALFORMED
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
