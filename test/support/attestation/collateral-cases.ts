/** Cases in which collateral, a platform or a TD is rejected. Each case has one fault. */
import { issueCrl, signBytes } from '../../../attestation/simulate/certificates.ts';
import { pckExtension } from '../../../attestation/simulate/documents.ts';
import { simulatedHardware } from '../../../attestation/simulate/platform.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';
import type { Case } from './quote-cases.ts';
import { evidenceNowMs } from './simulated-evidence.ts';

const dayMs = 86_400_000;
const past = evidenceNowMs - dayMs / 2;
const future = evidenceNowMs + dayMs / 2;
const flip = (index: number) => (bytes: Uint8Array) => bytes.with(index, bytes[index]! ^ 1) as Uint8Array;
const svns = (changes: Record<number, number>) => {
  const copy = Uint8Array.from(simulatedHardware.tdxSvns);
  for (const [index, svn] of Object.entries(changes)) copy[Number(index)] = svn;
  return copy;
};
const attributes = (...bits: number[]) => {
  const bytes = new Uint8Array(8);
  for (const bit of bits) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes;
};
const attributesOf = (first: number, second = 0) => Uint8Array.of(first, second, ...new Array<number>(14).fill(0));

export const collateralCases: readonly Case[] = [
  [
    'a root CRL by somebody else',
    'root-crl',
    /signature .* is invalid/,
    {
      collateral: async (c, { otherRoot }) => ({
        ...c,
        rootCaCrl: await issueCrl(otherRoot, { thisUpdateMs: past, nextUpdateMs: future }),
      }),
    },
  ],
  ['a malformed root CRL', 'root-crl', /CRL/, { collateral: (c) => ({ ...c, rootCaCrl: c.rootCaCrl.subarray(1) }) }],
  ['an expired root CRL', 'root-crl-dates', /expired on/, { rootCrlDates: { nextUpdateMs: past } }],
  ['a root CRL of tomorrow', 'root-crl-dates', /was issued on/, { rootCrlDates: { thisUpdateMs: future } }],
  ['a PCK CRL by the root', 'pck-crl', /CRL's issuer is not/, { collateral: (c) => ({ ...c, pckCrl: c.rootCaCrl }) }],
  [
    'a changed PCK CRL',
    'pck-crl',
    /signature .* is invalid/,
    { collateral: (c) => ({ ...c, pckCrl: flip(c.pckCrl.length - 2)(c.pckCrl) }) },
  ],
  ['an expired PCK CRL', 'pck-crl-dates', /expired on/, { pckCrlDates: { nextUpdateMs: past } }],
  ['a PCK CRL of tomorrow', 'pck-crl-dates', /was issued on/, { pckCrlDates: { thisUpdateMs: future } }],
  [
    'a PCK CRL issuer that is an end certificate',
    'pck-crl-issuer',
    /is not a CA/,
    { collateral: (c) => ({ ...c, pckCrlIssuerChain: c.tcbInfoIssuerChain }) },
  ],
  [
    'a TCB info with one digit changed',
    'tcb-info-signature',
    /does not match/,
    { collateral: (c) => ({ ...c, tcbInfo: c.tcbInfo.replace('"pcesvn":13', '"pcesvn":12') }) },
  ],
  [
    'a TCB info with other formatting',
    'tcb-info-signature',
    /does not match/,
    { collateral: (c) => ({ ...c, tcbInfo: JSON.stringify(JSON.parse(c.tcbInfo), undefined, 1) }) },
  ],
  [
    'a TCB info signature that is too short',
    'tcb-info-signature',
    /does not match/,
    { collateral: (c) => ({ ...c, tcbInfoSignature: c.tcbInfoSignature.subarray(1) }) },
  ],
  [
    'a TCB info by another signer',
    'tcb-info-signature',
    /does not match/,
    {
      collateral: async (c, { otherKey }) => ({
        ...c,
        tcbInfoSignature: await signBytes(otherKey, new TextEncoder().encode(c.tcbInfo)),
      }),
    },
  ],
  [
    'a TCB signer of another root',
    'tcb-info-chain',
    /not a trusted/,
    {
      collateral: (c, { signer, otherRoot }) => ({ ...c, tcbInfoIssuerChain: formatPemChain([signer, otherRoot.der]) }),
    },
  ],
  [
    'a TCB info signed by a platform',
    'tcb-info-chain',
    /"Test signer" is a platform's certificate and must not sign collateral/,
    { certificates: { signer: { extensions: [pckExtension(simulatedHardware)] } } },
    ['qe-identity-chain'],
  ],
  [
    'a TCB signer below another authority',
    'tcb-info-chain',
    /"Test pck" was not issued by a root/,
    { collateral: (c, { pck, ca, root }) => ({ ...c, tcbInfoIssuerChain: formatPemChain([pck, ca.der, root.der]) }) },
  ],
  [
    'a TCB info of version 2',
    'tcb-info-format',
    /must be 3, got 2/,
    { tcbInfo: (d) => Object.assign(d, { version: 2 }) },
  ],
  [
    'a TCB info for SGX',
    'tcb-info-format',
    /must be TDX, got SGX/,
    { tcbInfo: (d) => Object.assign(d, { id: 'SGX' }) },
  ],
  [
    'a TCB info with 15 components',
    'tcb-info-format',
    /must have 16 components/,
    { tcbInfo: (d) => d.tcbLevels[0]!.tcb.tdxtcbcomponents.pop() },
  ],
  [
    'a TCB info with an unknown status',
    'tcb-info-format',
    /tcbStatus is unknown/,
    { tcbInfo: (d) => Object.assign(d.tcbLevels[0]!, { tcbStatus: 'Fine' }) },
  ],
  [
    'an expired TCB info',
    'tcb-info-dates',
    /expired on/,
    { tcbInfo: (d) => Object.assign(d, { nextUpdate: '2026-06-15T11:00:00Z' }) },
  ],
  [
    'a TCB info of tomorrow',
    'tcb-info-dates',
    /was issued on/,
    { tcbInfo: (d) => Object.assign(d, { issueDate: '2026-06-15T13:00:00Z' }) },
  ],
  [
    'an invalid TCB info date',
    'tcb-info-format',
    /issueDate must be a time/,
    { tcbInfo: (d) => Object.assign(d, { issueDate: '2026-02-30T13:00:00Z' }) },
  ],
  [
    'a QE identity with one digit changed',
    'qe-identity-signature',
    /does not match/,
    { collateral: (c) => ({ ...c, qeIdentity: c.qeIdentity.replace('"isvsvn":4', '"isvsvn":3') }) },
  ],
  [
    'a QE identity signer of another root',
    'qe-identity-chain',
    /not a trusted/,
    {
      collateral: (c, { signer, otherRoot }) => ({
        ...c,
        qeIdentityIssuerChain: formatPemChain([signer, otherRoot.der]),
      }),
    },
  ],
  [
    'the identity of another enclave',
    'qe-identity-format',
    /must be TD_QE, got QE/,
    { qeIdentity: (d) => Object.assign(d, { id: 'QE' }) },
  ],
  [
    'an expired QE identity',
    'qe-identity-dates',
    /expired on/,
    { qeIdentity: (d) => Object.assign(d, { nextUpdate: '2026-06-15T11:00:00Z' }) },
  ],
  [
    'a QE identity of tomorrow',
    'qe-identity-dates',
    /was issued on/,
    { qeIdentity: (d) => Object.assign(d, { issueDate: '2026-06-15T13:00:00Z' }) },
  ],
];

export const stateCases: readonly Case[] = [
  [
    'a quoting enclave of another signer',
    'qe-identity',
    /signer is 52/,
    { qe: { mrSigner: new Uint8Array(32).fill(0x52) } },
  ],
  ['a quoting enclave of another product', 'qe-identity', /product is 1, expected 2/, { qe: { isvProdId: 1 } }],
  ['a quoting enclave in debug mode', 'qe-identity', /debug mode/, { qe: { attributes: attributesOf(0x13) } }],
  [
    'a quoting enclave with another MISCSELECT',
    'qe-identity',
    /MISCSELECT/,
    { qe: { miscSelect: Uint8Array.of(1, 0, 0, 0) } },
  ],
  [
    'a quoting enclave with other attributes',
    'qe-identity',
    /attributes are 11010/,
    { qe: { attributes: attributesOf(0x11, 1) } },
  ],
  ['a quoting enclave below every level', 'qe-tcb-level', /matches version 3/, { qe: { isvSvn: 3 } }],
  ['a platform of another family', 'platform-family', /has FMSPC/, { hardware: { fmspc: new Uint8Array(6) } }],
  ['a platform of another PCE', 'platform-family', /has PCE/, { hardware: { pceId: Uint8Array.of(1, 0) } }],
  ['a platform below every PCE level', 'platform-tcb-level', /no level/, { hardware: { pceSvn: 12 } }],
  [
    'a platform below every SGX level',
    'platform-tcb-level',
    /no level/,
    { hardware: { sgxSvns: [2, ...simulatedHardware.sgxSvns.slice(1)] } },
  ],
  ['a platform below every TDX level', 'platform-tcb-level', /no level/, { td: { teeTcbSvn: svns({ 2: 2 }) } }],
  [
    'a TDX module below every level',
    'tdx-module-tcb-level',
    /matches version 5/,
    { td: { teeTcbSvn: svns({ 0: 5 }) } },
  ],
  [
    'a TDX module of an unknown version',
    'tdx-module',
    /has no TDX module TDX_02/,
    { td: { teeTcbSvn: svns({ 1: 2 }) } },
  ],
  [
    'a TDX module that runs now, of an unknown version',
    'tdx-module',
    /has no TDX module TDX_02/,
    { form: { version: 5, body: '1.5' }, td: { teeTcbSvn2: svns({ 1: 2 }) } },
  ],
  [
    'a TDX module that runs now, below every level',
    'tdx-module-tcb-level',
    /matches version 5/,
    { form: { version: 5, body: '1.5' }, td: { teeTcbSvn2: svns({ 0: 5 }) } },
  ],
  [
    'versions that run now, below every TDX level',
    'platform-tcb-level',
    /no level .* 06010200/,
    { form: { version: 5, body: '1.5' }, td: { teeTcbSvn2: svns({ 2: 2 }) } },
  ],
  [
    'a TDX module that runs now, on a revoked level',
    'tcb-not-revoked',
    /revoked/,
    {
      form: { version: 5, body: '1.5' },
      td: { teeTcbSvn: svns({ 0: 7 }), teeTcbSvn2: svns({ 0: 6 }) },
      tcbInfo: (d) => {
        const levels = d.tdxModuleIdentities[0]!.tcbLevels;
        levels.unshift({ ...structuredClone(levels[0]!), tcb: { isvsvn: 7 } });
        levels[1]!.tcbStatus = 'Revoked';
      },
    },
  ],
  [
    'a TDX module with attributes that the mask allows',
    'tdx-module',
    /attributes are 01/,
    {
      td: { seamAttributes: Uint8Array.of(1) },
      tcbInfo: (d) => Object.assign(d.tdxModuleIdentities[0]!, { attributesMask: '00'.repeat(8) }),
    },
  ],
  [
    'a TDX 1.0 platform below every TDX level in its first component',
    'platform-tcb-level',
    /no level .* 05000300/,
    {
      td: { teeTcbSvn: svns({ 0: 5, 1: 0 }) },
      tcbInfo: (d) => Object.assign(d.tcbLevels[0]!.tcb.tdxtcbcomponents[1]!, { svn: 0 }),
    },
  ],
  [
    'levels that are not in order',
    'platform-tcb-level',
    /not in order/,
    {
      tcbInfo: (d) => {
        const level = structuredClone(d.tcbLevels[0]!);
        level.tcb.pcesvn = 5;
        level.tcbStatus = 'OutOfDate';
        d.tcbLevels.unshift(level);
      },
    },
  ],
  ['a TDX module of another signer', 'tdx-module', /signer is 01/, { td: { mrSignerSeam: Uint8Array.of(1) } }],
  ['a TDX module with attributes', 'tdx-module', /attributes are 01/, { td: { seamAttributes: Uint8Array.of(1) } }],
  [
    'a revoked platform level',
    'tcb-not-revoked',
    /revoked/,
    { tcbInfo: (d) => Object.assign(d.tcbLevels[0]!, { tcbStatus: 'Revoked' }) },
  ],
  [
    'a revoked TDX module level',
    'tcb-not-revoked',
    /revoked/,
    { tcbInfo: (d) => Object.assign(d.tdxModuleIdentities[0]!.tcbLevels[0]!, { tcbStatus: 'Revoked' }) },
  ],
  [
    'a revoked quoting enclave level',
    'tcb-not-revoked',
    /revoked/,
    { qeIdentity: (d) => Object.assign(d.tcbLevels[0]!, { tcbStatus: 'Revoked' }) },
  ],
  ['a TD in debug mode', 'td-debug', /debug bit/, { td: { tdAttributes: attributes(0, 28) } }],
  ['another bit of the debug group', 'td-attributes', /bits 3 are set/, { td: { tdAttributes: attributes(3, 28) } }],
  ['a migratable TD', 'td-attributes', /bits 29 are set/, { td: { tdAttributes: attributes(28, 29) } }],
  ['an unknown high attribute', 'td-attributes', /bits 40 are set/, { td: { tdAttributes: attributes(28, 40) } }],
  [
    'a TD that allows injected page faults',
    'td-sept-ve-disable',
    /not set/,
    { td: { tdAttributes: new Uint8Array(8) } },
  ],
  [
    'a TD with a service TD',
    'service-td',
    /a service TD is bound/,
    { form: { version: 5, body: '1.5' }, td: { mrServiceTd: Uint8Array.of(1) } },
  ],
];
