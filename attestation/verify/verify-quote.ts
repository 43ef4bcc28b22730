/**
 * Verifies that a TDX quote is genuine: made now by a TDX platform that Intel certified, from a virtual machine with attributes that
 * protect it from the host. `policy.ts` judges whether the machine is acceptable. Pure: the time, the collateral and the roots are
 * arguments.
 */
import { concatBytes, isAllZero, sameBytes, toHex } from '../base/bytes.ts';
import { type Parsed, parsedValue, tryParse } from '../base/parsed.ts';
import { type PckPlatform, parsePckPlatform } from '../collateral/pck-extension.ts';
import type { PreparedCollateral } from '../collateral/prepare.ts';
import type { TcbVerdict } from '../collateral/tcb-info.ts';
import { parseQuote, type Quote } from '../quote/quote.ts';
import { attributeBits, tdAttribute } from '../quote/td-body.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { requireValidAt, verifyChain } from '../x509/chain.ts';
import { importEcdsaPoint, isSignatureValid } from '../x509/ecdsa.ts';
import { parsePemChain } from '../x509/pem.ts';
import { type Check, CheckList, refuse, type Step } from './checks.ts';
import { type QuoteCheckId, quoteChecks } from './quote-check-table.ts';
import {
  combineTcb,
  countedSvns,
  moduleIdentity,
  moduleLevel,
  platformLevel,
  qeLevel,
  requireModule,
  requireQeIdentity,
} from './tcb-level.ts';
import { type CollateralSteps, requireNotRevoked, verifyCollateral } from './verify-collateral.ts';

export interface QuoteVerification {
  /** True only if every check passed. */
  readonly genuine: boolean;
  readonly checks: readonly Check<QuoteCheckId>[];
  /** The parsed quote; undefined if malformed, and trustworthy only if `genuine`. */
  readonly quote: Quote | undefined;
  readonly platform: PckPlatform | undefined;
  /** The combined status of platform, TDX module and quoting enclave. */
  readonly tcb: TcbVerdict | undefined;
  /** The lower tcbEvaluationDataNumber of TCB info and QE identity: the higher, the more recent the collateral. */
  readonly tcbEvaluationNumber: number | undefined;
  /** The age of the oldest of TCB info, QE identity and the PCK revocation list. */
  readonly collateralAgeMs: number | undefined;
  /** Milliseconds since 1970: when the first part of the evidence expires. */
  readonly expiresAtMs: number | undefined;
}

const knownAttributes: readonly number[] = [
  tdAttribute.debug,
  tdAttribute.septVeDisable,
  tdAttribute.pks,
  tdAttribute.keyLocker,
  tdAttribute.perfmon,
];

/**
 * Runs every check and returns the outcome of each. Never throws for invalid evidence.
 * @param quoteBytes a quote of version 4 or 5; trailing zeros are accepted
 * @param prepared from `prepareCollateral`, which also has the trusted roots; without it, no quote is genuine
 * @param nowMs milliseconds since 1970: the current time, or when saved evidence was collected
 */
export function verifyPreparedQuote(
  quoteBytes: Uint8Array,
  prepared: PreparedCollateral | undefined,
  nowMs: number,
): Promise<QuoteVerification> {
  return verifyParsedQuote(
    tryParse(() => parseQuote(quoteBytes)),
    prepared,
    nowMs,
  );
}

/** Like `verifyPreparedQuote`, for a caller that has parsed the quote. */
export async function verifyParsedQuote(
  parsed: Parsed<Quote>,
  prepared: PreparedCollateral | undefined,
  nowMs: number,
): Promise<QuoteVerification> {
  // With an invalid time, date comparisons would pass or fail arbitrarily.
  if (Number.isNaN(new Date(nowMs).getTime()))
    throw new TypeError(`nowMs must be a time in milliseconds, got ${nowMs}`);
  const checks = new CheckList(quoteChecks);
  const quote = await checks.run('quote-format', [], () => parsedValue(parsed));
  const collateral =
    prepared === undefined ? withoutCollateral(checks) : await verifyCollateral(checks, prepared, nowMs);
  const pck = await verifyPckChain(checks, quote, collateral, { prepared, nowMs });
  await verifyQuotingEnclave(checks, quote, pck, collateral);
  await verifyQuoteSignature(checks, quote);
  const tcb = await evaluateTcb(checks, quote, pck, collateral);
  await verifyTdAttributes(checks, quote);
  const all = checks.all();
  return {
    genuine: all.every((check) => check.outcome === 'pass'),
    checks: all,
    quote: quote.value,
    platform: pck.value?.platform,
    tcb: tcb.value,
    tcbEvaluationNumber: lowest([
      collateral.tcbInfo.value?.evaluationNumber,
      collateral.qeIdentity.value?.evaluationNumber,
    ]),
    collateralAgeMs: ageOf(collateral, nowMs),
    expiresAtMs: lowest([
      collateral.tcbInfo.value?.nextUpdateMs,
      collateral.qeIdentity.value?.nextUpdateMs,
      collateral.pckCrl.value?.nextUpdateMs,
      collateral.rootCrl.value?.nextUpdateMs,
      ...[...(pck.value?.certificates ?? []), ...collateral.signers].map(({ notAfterMs }) => notAfterMs),
    ]),
  };
}

interface Pck {
  readonly certificates: readonly Certificate[];
  readonly platform: PckPlatform;
  readonly key: Awaited<ReturnType<typeof importEcdsaPoint>>;
}

async function verifyPckChain(
  checks: CheckList<QuoteCheckId>,
  quote: Step<Quote>,
  collateral: CollateralSteps,
  { prepared, nowMs }: { prepared: PreparedCollateral | undefined; nowMs: number },
): Promise<Step<Pck>> {
  const parsed = await checks.run('pck-certificates', [quote], ({ pckChainPem }) => {
    const certificates = parsePemChain(pckChainPem, 'PCK chain').map(parseCertificate);
    return { certificates, platform: parsePckPlatform(certificates[0]!) };
  });
  if (prepared === undefined) return { id: 'pck-chain' };
  const pck = await checks.run('pck-chain', [parsed], async ({ certificates, platform }) => {
    const chain = await verifyChain(certificates, prepared.anchors, { proven: collateral.pckCrlIssuer.value });
    if (chain.certificates.length !== 3) refuse(`the chain has ${chain.certificates.length} certificates, expected 3`);
    return { certificates: chain.certificates, platform, key: chain.leafKey };
  });
  await checks.run('pck-chain-dates', [pck], ({ certificates }) => requireValidAt(certificates, nowMs));
  await checks.run(
    'pck-not-revoked',
    [pck, collateral.pckCrl, collateral.pckCrlIssuer, collateral.rootCrl],
    ({ certificates: [leaf, ...authorities] }, pckCrl, [crlIssuer], rootCrl) => {
      const issuer = authorities[0]!;
      if (!sameBytes(pckCrl.issuer, leaf!.issuer) || !sameBytes(issuer.publicPoint, crlIssuer!.publicPoint)) {
        refuse(
          `the platform revocation list is not issued by "${issuer.commonName}", the issuer of the platform's certificate`,
        );
      }
      requireNotRevoked([leaf!], pckCrl);
      requireNotRevoked(authorities, rootCrl);
    },
  );
  return pck;
}

async function verifyQuotingEnclave(
  checks: CheckList<QuoteCheckId>,
  quote: Step<Quote>,
  pck: Step<Pck>,
  { qeIdentity }: CollateralSteps,
): Promise<void> {
  await checks.run('qe-report-signature', [quote, pck], async ({ qeReportBytes, qeReportSignature }, { key }) => {
    if (!(await isSignatureValid(key, qeReportSignature, qeReportBytes))) refuse('the signature is invalid');
  });
  await checks.run('attestation-key', [quote], async ({ attestationKey, qeAuthenticationData, qeReport }) => {
    const digest = await crypto.subtle.digest('SHA-256', concatBytes(attestationKey, qeAuthenticationData));
    const isBound = sameBytes(qeReport.reportData.subarray(0, 32), new Uint8Array(digest));
    if (!isBound || !isAllZero(qeReport.reportData.subarray(32))) refuse("the enclave's report names another key");
  });
  await checks.run('qe-identity', [quote, qeIdentity], ({ qeReport }, identity) =>
    requireQeIdentity(qeReport, identity),
  );
}

async function verifyQuoteSignature(checks: CheckList<QuoteCheckId>, quote: Step<Quote>): Promise<void> {
  await checks.run('quote-signature', [quote], async ({ attestationKey, signature, signedBytes }) => {
    const key = await importEcdsaPoint('P-256', attestationKey);
    if (!(await isSignatureValid(key, signature, signedBytes))) refuse('the signature is invalid');
  });
}

async function evaluateTcb(
  checks: CheckList<QuoteCheckId>,
  quote: Step<Quote>,
  pck: Step<Pck>,
  { tcbInfo, qeIdentity }: CollateralSteps,
): Promise<Step<TcbVerdict>> {
  const qe = await checks.run('qe-tcb-level', [quote, qeIdentity], ({ qeReport }, identity) =>
    qeLevel(qeReport, identity),
  );
  const family = await checks.run('platform-family', [pck, tcbInfo], ({ platform }, info) => {
    if (!sameBytes(platform.fmspc, info.fmspc)) {
      refuse(`the platform has FMSPC ${toHex(platform.fmspc)}, but the TCB info is for ${toHex(info.fmspc)}`);
    }
    if (!sameBytes(platform.pceId, info.pceId)) {
      refuse(`the platform has PCE ${toHex(platform.pceId)}, but the TCB info is for ${toHex(info.pceId)}`);
    }
  });
  const modules = await checks.run('tdx-module', [quote, tcbInfo], ({ body }, info) => {
    const identities = countedSvns(body).map((svns) => ({ svns, identity: moduleIdentity(info, svns) }));
    requireModule(body, identities[0]!.identity ?? info.module);
    return identities;
  });
  const moduleLevels = await checks.run('tdx-module-tcb-level', [modules], (counted) =>
    counted.flatMap(({ svns, identity }) => (identity === undefined ? [] : [moduleLevel(identity, svns)])),
  );
  const platforms = await checks.run(
    'platform-tcb-level',
    [quote, pck, tcbInfo, family],
    ({ body }, { platform }, info) => countedSvns(body).map((svns) => platformLevel(info, platform, svns)),
  );
  return checks.run('tcb-not-revoked', [platforms, moduleLevels, qe], ([base, ...running], levels, qeVerdict) => {
    const tcb = combineTcb(base!, [...running, ...levels, qeVerdict]);
    if (tcb.status === 'Revoked') refuse('Intel revoked a version in use');
    return tcb;
  });
}

async function verifyTdAttributes(checks: CheckList<QuoteCheckId>, quote: Step<Quote>): Promise<void> {
  const bits = (body: Quote['body']) => attributeBits(body.tdAttributes);
  await checks.run('td-debug', [quote], ({ body }) => {
    if (bits(body).includes(tdAttribute.debug)) refuse('the debug bit is set: the host can read the memory');
  });
  await checks.run('td-attributes', [quote], ({ body }) => {
    const unknown = bits(body).filter((bit) => !knownAttributes.includes(bit));
    if (unknown.length > 0) refuse(`attribute bits ${unknown.join(', ')} are set`);
  });
  await checks.run('td-sept-ve-disable', [quote], ({ body }) => {
    if (!bits(body).includes(tdAttribute.septVeDisable)) refuse('SEPT_VE_DISABLE is not set');
  });
  await checks.run('service-td', [quote], ({ body }) => {
    if (body.mrServiceTd !== undefined && !isAllZero(body.mrServiceTd))
      refuse(`a service TD is bound: ${toHex(body.mrServiceTd)}`);
  });
}

/** The format was checked before: it needs no collateral, and a quote that fails it is rejected. */
function withoutCollateral(checks: CheckList<QuoteCheckId>): CollateralSteps {
  const later = (Object.keys(quoteChecks) as QuoteCheckId[]).filter((id) => id !== 'quote-format');
  for (const id of later) checks.skip(id, 'no collateral is available');
  const missing = { id: 'collateral' };
  return {
    rootCrl: missing,
    pckCrl: missing,
    pckCrlIssuer: missing,
    tcbInfo: missing,
    qeIdentity: missing,
    signers: [],
  };
}

/** Excludes the root's own revocation list, which Intel issues once a year. */
function ageOf({ tcbInfo, qeIdentity, pckCrl }: CollateralSteps, nowMs: number): number | undefined {
  const issuedMs = lowest([tcbInfo.value?.issueDateMs, qeIdentity.value?.issueDateMs, pckCrl.value?.thisUpdateMs]);
  return issuedMs === undefined ? undefined : nowMs - issuedMs;
}

function lowest(values: readonly (number | undefined)[]): number | undefined {
  return values.includes(undefined) || values.length === 0 ? undefined : Math.min(...(values as number[]));
}
