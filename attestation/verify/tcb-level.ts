/** Which of Intel's levels a platform, a TDX module and a quoting enclave are on. Pure. */
import { sameBytes, toHex } from '../bytes.ts';
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

/** The first level whose every version the platform reaches. @throws {AttestationError} ERR_NOT_VERIFIED for none */
export function platformLevel(info: TcbInfo, platform: PckPlatform, body: TdBody): PlatformLevel {
  // From TDX 1.5 on the first two TDX components are the module's own: its identity judges them (see `moduleLevel`).
  const firstTdxComponent = body.teeTcbSvn[1]! > 0 ? 2 : 0;
  const level = info.levels.find(
    (candidate) =>
      platform.pceSvn >= candidate.pceSvn &&
      platform.sgxSvns.every((svn, index) => svn >= candidate.sgxSvns[index]!) &&
      candidate.tdxSvns.every((svn, index) => index < firstTdxComponent || body.teeTcbSvn[index]! >= svn),
  );
  return level ?? refuse(`no level of the TCB info fits TEE_TCB_SVN ${toHex(body.teeTcbSvn)}`);
}

/**
 * The identity that the TCB info has for the quote's TDX module, after signer and attributes were compared.
 * @returns undefined for TDX 1.0, whose module has no levels of its own
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function moduleIdentity(info: TcbInfo, body: TdBody): TdxModuleIdentity | undefined {
  const version = body.teeTcbSvn[1]!;
  const id = `TDX_${toHex(Uint8Array.of(version)).toUpperCase()}`;
  const identity = version === 0 ? undefined : info.moduleIdentities.find((candidate) => candidate.id === id);
  if (version > 0 && identity === undefined) refuse(`the TCB info knows no TDX module ${id}`);
  const expected: TdxModule = identity ?? info.module;
  if (!sameBytes(body.mrSignerSeam, expected.mrSigner))
    refuse(`the TDX module's signer is ${toHex(body.mrSignerSeam)}`);
  if (!fits(body.seamAttributes, expected.attributes, expected.attributesMask)) {
    refuse(`the TDX module's attributes are ${toHex(body.seamAttributes)}, expected ${toHex(expected.attributes)}`);
  }
  return identity;
}

/** @throws {AttestationError} ERR_NOT_VERIFIED where the module is older than every level */
export function moduleLevel(identity: TdxModuleIdentity, body: TdBody): IsvSvnLevel {
  const svn = body.teeTcbSvn[0]!;
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
