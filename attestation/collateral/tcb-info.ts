/** Parses Intel's TCB info (version 3, TDX) and QE identity (version 2, TD_QE) after their signature was verified. Pure. */
import { AttestationError } from '../base/errors.ts';
import {
  hexAt,
  integerAt,
  type JsonObject,
  objectAt,
  objectsAt,
  parseJsonObject,
  textAt,
  textsAt,
  timeAt,
} from './json-fields.ts';

export const tcbStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const;
export type TcbStatus = (typeof tcbStatuses)[number];

export interface TcbVerdict {
  readonly status: TcbStatus;
  /** Intel's security advisories, `INTEL-SA-…`. */
  readonly advisories: readonly string[];
  /** Milliseconds since 1970: this level mitigates all issues known then. */
  readonly dateMs: number;
}

export interface IsvSvnLevel extends TcbVerdict {
  readonly isvSvn: number;
}

export interface PlatformLevel extends TcbVerdict {
  /** Sixteen each. */
  readonly sgxSvns: readonly number[];
  readonly tdxSvns: readonly number[];
  readonly pceSvn: number;
}

export interface TdxModule {
  readonly mrSigner: Uint8Array;
  readonly attributes: Uint8Array;
  readonly attributesMask: Uint8Array;
}

export interface TdxModuleIdentity extends TdxModule {
  /** `TDX_01`: the module's major version in hexadecimal. */
  readonly id: string;
  readonly levels: readonly IsvSvnLevel[];
}

interface Dated {
  readonly issueDateMs: number;
  readonly nextUpdateMs: number;
  readonly evaluationNumber: number;
}

export interface TcbInfo extends Dated {
  /** 6 and 2 bytes. */
  readonly fmspc: Uint8Array;
  readonly pceId: Uint8Array;
  readonly module: TdxModule;
  readonly moduleIdentities: readonly TdxModuleIdentity[];
  /** In Intel's order: the first match applies. */
  readonly levels: readonly PlatformLevel[];
}

export interface QeIdentity extends Dated {
  readonly miscSelect: Uint8Array;
  readonly miscSelectMask: Uint8Array;
  readonly attributes: Uint8Array;
  readonly attributesMask: Uint8Array;
  readonly mrSigner: Uint8Array;
  readonly isvProdId: number;
  readonly levels: readonly IsvSvnLevel[];
}

/** @throws {AttestationError} ERR_COLLATERAL_MALFORMED */
export function parseTcbInfo(text: string): TcbInfo {
  const info = parseJsonObject(text, 'TCB info');
  requireForm(info, 'TDX', [3]);
  if (integerAt(info, 'tcbType', 255) !== 0) throw malformed('tcbType must be 0');
  const identities = info.tdxModuleIdentities === undefined ? [] : objectsAt(info, 'tdxModuleIdentities');
  return {
    ...dates(info),
    fmspc: hexAt(info, 'fmspc', 6),
    pceId: hexAt(info, 'pceId', 2),
    module: tdxModule(objectAt(info, 'tdxModule')),
    moduleIdentities: identities.map((identity) => ({
      id: textAt(identity, 'id').toUpperCase(),
      ...tdxModule(identity),
      levels: isvSvnLevels(identity),
    })),
    levels: objectsAt(info, 'tcbLevels').map(platformLevel),
  };
}

/** @throws {AttestationError} ERR_COLLATERAL_MALFORMED */
export function parseQeIdentity(text: string): QeIdentity {
  const identity = parseJsonObject(text, 'QE identity');
  requireForm(identity, 'TD_QE', [2]);
  return {
    ...dates(identity),
    miscSelect: hexAt(identity, 'miscselect', 4),
    miscSelectMask: hexAt(identity, 'miscselectMask', 4),
    attributes: hexAt(identity, 'attributes', 16),
    attributesMask: hexAt(identity, 'attributesMask', 16),
    mrSigner: hexAt(identity, 'mrsigner', 32),
    isvProdId: integerAt(identity, 'isvprodid', 0xffff),
    levels: isvSvnLevels(identity),
  };
}

function requireForm(document: JsonObject, id: string, versions: readonly number[]): void {
  if (textAt(document, 'id') !== id) throw malformed(`id must be ${id}, got ${textAt(document, 'id')}`);
  const version = integerAt(document, 'version', 1000);
  if (!versions.includes(version)) throw malformed(`version of ${id} must be ${versions.join(' or ')}, got ${version}`);
}

function dates(document: JsonObject): Dated {
  const issueDateMs = timeAt(document, 'issueDate');
  const nextUpdateMs = timeAt(document, 'nextUpdate');
  return { issueDateMs, nextUpdateMs, evaluationNumber: integerAt(document, 'tcbEvaluationDataNumber', 1_000_000) };
}

function tdxModule(part: JsonObject): TdxModule {
  return {
    mrSigner: hexAt(part, 'mrsigner', 48),
    attributes: hexAt(part, 'attributes', 8),
    attributesMask: hexAt(part, 'attributesMask', 8),
  };
}

function isvSvnLevels(part: JsonObject): IsvSvnLevel[] {
  return objectsAt(part, 'tcbLevels').map((level) => ({
    isvSvn: integerAt(objectAt(level, 'tcb'), 'isvsvn', 0xffff),
    ...verdict(level),
  }));
}

function platformLevel(level: JsonObject): PlatformLevel {
  const tcb = objectAt(level, 'tcb');
  return {
    sgxSvns: components(tcb, 'sgxtcbcomponents'),
    tdxSvns: components(tcb, 'tdxtcbcomponents'),
    pceSvn: integerAt(tcb, 'pcesvn', 0xffff),
    ...verdict(level),
  };
}

function components(tcb: JsonObject, name: string): number[] {
  const svns = objectsAt(tcb, name).map((component) => integerAt(component, 'svn', 255));
  if (svns.length !== 16) throw malformed(`${name} must have 16 components, got ${svns.length}`);
  return svns;
}

function verdict(level: JsonObject): TcbVerdict {
  const text = textAt(level, 'tcbStatus');
  const status = tcbStatuses.find((known) => known === text);
  if (status === undefined) throw malformed(`tcbStatus is unknown: ${text}`);
  return { status, advisories: textsAt(level, 'advisoryIDs'), dateMs: timeAt(level, 'tcbDate') };
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_COLLATERAL_MALFORMED', message);
}
