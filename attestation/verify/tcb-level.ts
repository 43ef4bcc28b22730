/** Determines the TCB levels of a platform, a TDX module and a quoting enclave. Pure. */
import { isAllZero, sameBytes, toHex } from '../base/bytes.ts';
import type { PckPlatform } from '../collateral/pck-extension.ts';
import type {
  IsvSvnLevel,
  PlatformLevel,
  QeIdentity,
  TcbInfo,
  TcbStatus,
  TcbVerdict,
  TdxModule,
  TdxModuleIdentity,
} from '../collateral/tcb-info.ts';
import type { QeReport } from '../quote/qe-report.ts';
import type { TdBody } from '../quote/td-body.ts';
import { refuse } from './checks.ts';

/**
 * The TEE_TCB_SVN values to evaluate: that of the TD's start and, from TD 1.5 on, that after updates of the running module. Each must match
 * a level; the worse one decides.
 */
export function countedSvns(body: TdBody): readonly Uint8Array[] {
  return body.teeTcbSvn2 === undefined ? [body.teeTcbSvn] : [body.teeTcbSvn, body.teeTcbSvn2];
}

/**
 * The first level whose every component the platform reaches. From TDX 1.5 on, the first two TDX components belong to the module, which
 * `moduleLevel` evaluates.
 * @param teeTcbSvn one of `countedSvns`
 * @throws {AttestationError} ERR_NOT_VERIFIED if no level matches, or if Intel's order of levels differs from the list's
 * @see docs/decisions/2026-11-21-tdx-tcb-rule.md
 */
export function platformLevel(info: TcbInfo, platform: PckPlatform, teeTcbSvn: Uint8Array): PlatformLevel {
  const firstTdxComponent = teeTcbSvn[1]! > 0 ? 2 : 0;
  const [level, ...lower] = info.levels.filter(
    (candidate) =>
      platform.pceSvn >= candidate.pceSvn &&
      platform.sgxSvns.every((svn, index) => svn >= candidate.sgxSvns[index]!) &&
      candidate.tdxSvns.every((svn, index) => index < firstTdxComponent || teeTcbSvn[index]! >= svn),
  );
  if (level === undefined) return refuse(`no level of the TCB info matches TEE_TCB_SVN ${toHex(teeTcbSvn)}`);
  // Intel's library sorts the levels; Intel's documentation takes the first. If the two differ, the TCB info is refused.
  if (lower.some((other) => isHigher(other, level))) return refuse('the levels of the TCB info are not in order');
  return level;
}

/** The sort order of Intel's library: SGX components, then PCESVN, then TDX components. */
function isHigher(one: PlatformLevel, other: PlatformLevel): boolean {
  const digits = (level: PlatformLevel) => [...level.sgxSvns, level.pceSvn, ...level.tdxSvns];
  const theirs = digits(other);
  const difference = digits(one)
    .map((svn, index) => svn - theirs[index]!)
    .find((value) => value !== 0);
  return difference !== undefined && difference > 0;
}

/**
 * Finds the identity in the TCB info for the TDX module with this version.
 * @param teeTcbSvn one of `countedSvns`
 * @returns undefined for TDX 1.0, whose module has no levels
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function moduleIdentity(info: TcbInfo, teeTcbSvn: Uint8Array): TdxModuleIdentity | undefined {
  const version = teeTcbSvn[1]!;
  if (version === 0) return undefined;
  const id = `TDX_${toHex(Uint8Array.of(version)).toUpperCase()}`;
  const known = info.moduleIdentities.find((candidate) => candidate.id === id);
  return known ?? refuse(`the TCB info has no TDX module ${id}`);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the module has another signer than expected, or has attributes */
export function requireModule(body: TdBody, expected: TdxModule): void {
  if (!sameBytes(body.mrSignerSeam, expected.mrSigner)) {
    refuse(`the TDX module's signer is ${toHex(body.mrSignerSeam)}`);
  }
  // Intel's library requires zeros regardless of the mask.
  const isExpected = fits(body.seamAttributes, expected.attributes, expected.attributesMask);
  if (!isExpected || !isAllZero(body.seamAttributes)) {
    refuse(`the TDX module's attributes are ${toHex(body.seamAttributes)}, expected ${toHex(expected.attributes)}`);
  }
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the module is older than every level */
export function moduleLevel(identity: TdxModuleIdentity, teeTcbSvn: Uint8Array): IsvSvnLevel {
  const svn = teeTcbSvn[0]!;
  return levelOf(identity.levels, svn) ?? refuse(`no level of ${identity.id} matches version ${svn}`);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED */
export function requireQeIdentity(report: QeReport, identity: QeIdentity): void {
  if (!sameBytes(report.mrSigner, identity.mrSigner))
    refuse(`the quoting enclave's signer is ${toHex(report.mrSigner)}`);
  if (report.isvProdId !== identity.isvProdId) {
    refuse(`the quoting enclave's product is ${report.isvProdId}, expected ${identity.isvProdId}`);
  }
  if ((report.attributes[0]! & 2) !== 0) refuse('the quoting enclave is in debug mode');
  if (!fits(report.miscSelect, identity.miscSelect, identity.miscSelectMask)) {
    refuse(`the quoting enclave's MISCSELECT is ${toHex(report.miscSelect)}`);
  }
  if (!fits(report.attributes, identity.attributes, identity.attributesMask)) {
    refuse(`the quoting enclave's attributes are ${toHex(report.attributes)}`);
  }
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the enclave is older than every level */
export function qeLevel(report: QeReport, identity: QeIdentity): IsvSvnLevel {
  const level = levelOf(identity.levels, report.isvSvn);
  return level ?? refuse(`no level of the QE identity matches version ${report.isvSvn}`);
}

/**
 * Combines the platform's status with those of the module and the quoting enclave, which can only make it worse.
 * @see Intel SGX-TDX-DCAP-QuoteVerificationLibrary, TcbLevelCheck: convergence of TCB statuses
 */
export function combineTcb(platform: TcbVerdict, parts: readonly TcbVerdict[]): TcbVerdict {
  let status: TcbStatus = platform.status;
  for (const part of parts) status = worsen(status, part.status);
  const all = [platform, ...parts];
  return {
    status,
    advisories: [...new Set(all.flatMap((verdict) => verdict.advisories))],
    dateMs: Math.min(...all.map((verdict) => verdict.dateMs)),
  };
}

function worsen(status: TcbStatus, part: TcbStatus): TcbStatus {
  if (status === 'Revoked' || part === 'Revoked') return 'Revoked';
  if (part === 'UpToDate') return status;
  const needsConfiguration = /Configuration/.test(status) || /Configuration/.test(part);
  const isOld = /^OutOfDate/.test(status) || /^OutOfDate/.test(part);
  const needsHardening = /SWHardening/.test(status) || /SWHardening/.test(part);
  if (isOld) return needsConfiguration ? 'OutOfDateConfigurationNeeded' : 'OutOfDate';
  if (needsConfiguration) return needsHardening ? 'ConfigurationAndSWHardeningNeeded' : 'ConfigurationNeeded';
  return 'SWHardeningNeeded';
}

function levelOf(levels: readonly IsvSvnLevel[], svn: number): IsvSvnLevel | undefined {
  return levels.find((level) => svn >= level.isvSvn);
}

function fits(actual: Uint8Array, expected: Uint8Array, mask: Uint8Array): boolean {
  return actual.every((byte, index) => (byte & mask[index]!) === (expected[index]! & mask[index]!));
}
