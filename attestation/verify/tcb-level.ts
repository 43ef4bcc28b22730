/** Which of Intel's levels a platform, a TDX module and a quoting enclave are on. Pure. */
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
 * The versions that count: those that the TD was started with and, from TD 1.5 on, those that run now, after updates
 * that keep TDs alive. Each alone must be on a level; the worse one decides.
 */
export function countedSvns(body: TdBody): readonly Uint8Array[] {
  return body.teeTcbSvn2 === undefined ? [body.teeTcbSvn] : [body.teeTcbSvn, body.teeTcbSvn2];
}

/**
 * The first level whose every version the platform reaches. From TDX 1.5 on the first two TDX components are the
 * module's own, which its identity judges (see `moduleLevel`).
 * @param teeTcbSvn one of `countedSvns`
 * @throws {AttestationError} ERR_NOT_VERIFIED for none, or where Intel's order of levels and the list's disagree
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
  if (level === undefined) return refuse(`no level of the TCB info fits TEE_TCB_SVN ${toHex(teeTcbSvn)}`);
  // Intel's library sorts the levels, Intel's documentation takes the first: where that is not the same, neither counts.
  if (lower.some((other) => isHigher(other, level))) return refuse('the levels of the TCB info are not in order');
  return level;
}

/** In the order that Intel's library gives levels: SGX components, then the PCE's version, then TDX components. */
function isHigher(one: PlatformLevel, other: PlatformLevel): boolean {
  const digits = (level: PlatformLevel) => [...level.sgxSvns, level.pceSvn, ...level.tdxSvns];
  const theirs = digits(other);
  const difference = digits(one)
    .map((svn, index) => svn - theirs[index]!)
    .find((value) => value !== 0);
  return difference !== undefined && difference > 0;
}

/**
 * The identity that the TCB info has for the TDX module that these versions name.
 * @param teeTcbSvn one of `countedSvns`
 * @returns undefined for TDX 1.0, whose module has no levels of its own
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function moduleIdentity(info: TcbInfo, teeTcbSvn: Uint8Array): TdxModuleIdentity | undefined {
  const version = teeTcbSvn[1]!;
  if (version === 0) return undefined;
  const id = `TDX_${toHex(Uint8Array.of(version)).toUpperCase()}`;
  const known = info.moduleIdentities.find((candidate) => candidate.id === id);
  return known ?? refuse(`the TCB info knows no TDX module ${id}`);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED where the module is not the one expected, or has attributes */
export function requireModule(body: TdBody, expected: TdxModule): void {
  if (!sameBytes(body.mrSignerSeam, expected.mrSigner)) {
    refuse(`the TDX module's signer is ${toHex(body.mrSignerSeam)}`);
  }
  // Intel's library wants zeros whatever the mask says.
  const isExpected = fits(body.seamAttributes, expected.attributes, expected.attributesMask);
  if (!isExpected || !isAllZero(body.seamAttributes)) {
    refuse(`the TDX module's attributes are ${toHex(body.seamAttributes)}, expected ${toHex(expected.attributes)}`);
  }
}

/** @throws {AttestationError} ERR_NOT_VERIFIED where the module is older than every level */
export function moduleLevel(identity: TdxModuleIdentity, teeTcbSvn: Uint8Array): IsvSvnLevel {
  const svn = teeTcbSvn[0]!;
  return levelOf(identity.levels, svn) ?? refuse(`no level of ${identity.id} fits version ${svn}`);
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

/** @throws {AttestationError} ERR_NOT_VERIFIED where the enclave is older than every level */
export function qeLevel(report: QeReport, identity: QeIdentity): IsvSvnLevel {
  const level = levelOf(identity.levels, report.isvSvn);
  return level ?? refuse(`no level of the QE identity fits version ${report.isvSvn}`);
}

/**
 * The status of the whole: the platform's, made worse by what the module and the quoting enclave add.
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
