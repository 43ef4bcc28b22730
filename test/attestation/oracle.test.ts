/**
 * Mutations of quotes and collateral, judged by us and by @phala/dcap-qvl: we never accept what it rejects. Where it
 * accepts and we do not, the check that refuses is in the table below with the reason why we are stricter.
 */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { type Collateral, formatCollateral, parseCollateral } from '../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../attestation/collateral/intel-root.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { buildEvidence, type EvidenceChange, evidenceNowMs } from '../support/simulated-evidence.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

interface Oracle {
  QuoteVerifier: new (root: Buffer) => { verify(quote: Buffer, collateral: unknown, nowSeconds: number): unknown };
}
const { QuoteVerifier } = createRequire(import.meta.url)('@phala/dcap-qvl') as Oracle;

/** Checks that refuse what dcap-qvl 0.3.9 lets pass, and why. */
const STRICTER: Readonly<Record<string, string>> = {
  'quote-format': 'it reads neither what follows a quote nor the QE vendor nor the outer certification type',
  'pck-certificates': 'it takes a PEM text apart by regular expression and BER by a lenient reader',
  'pck-chain': 'it compares no names, key usages or path lengths, and takes any re-encoding of the root',
  'pck-not-revoked': 'it does not ask whose revocation list it is',
  'root-crl': 'it does not check the signature, issuer or form of a revocation list',
  'root-crl-dates': 'it does not look at the dates of a revocation list',
  'pck-crl-issuer': 'it does not look at the chain of the revocation list',
  'pck-crl': 'it does not check the signature, issuer or form of a revocation list',
  'pck-crl-dates': 'it does not look at the dates of a revocation list',
  'tcb-info-chain': 'it compares no names, key usages or path lengths, and takes any re-encoding of the root',
  'qe-identity-chain': 'it compares no names, key usages or path lengths, and takes any re-encoding of the root',
  'attestation-key': 'it compares the first half of the report data only',
  'platform-family': 'it does not compare PCE ids',
  'tdx-module': 'it does not look at the identity of the TDX module',
  'tdx-module-tcb-level': 'it does not look at the levels of the TDX module',
  'tcb-not-revoked': 'it does not look at the levels of the TDX module',
};

function isAcceptedByOracle(quote: Uint8Array, collateral: Collateral, root: Uint8Array, nowMs: number): boolean {
  try {
    const json = JSON.parse(formatCollateral(collateral)) as unknown;
    new QuoteVerifier(Buffer.from(root)).verify(Buffer.from(quote), json, Math.floor(nowMs / 1000));
    return true;
  } catch {
    return false;
  }
}

/** What is wrong between the two judgements; undefined where nothing is. */
async function disagreement(quote: Uint8Array, collateral: Collateral, root: Uint8Array, nowMs: number) {
  const ours = await verifyQuote(quote, collateral, [root], nowMs);
  const defects = ours.checks.filter((check) => check.reason.startsWith('defect'));
  if (defects.length > 0) return `defect in ${defects[0]!.id}: ${defects[0]!.reason}`;
  const theirs = isAcceptedByOracle(quote, collateral, root, nowMs);
  if (ours.genuine === theirs) return undefined;
  if (ours.genuine) return 'we accept what it rejects';
  const refusing = ours.checks.filter((check) => check.outcome === 'fail').map((check) => check.id);
  return refusing.every((id) => id in STRICTER) ? undefined : `unexplained: ${refusing.join(', ')}`;
}

/** A fixed sequence, so that a failure can be had again. */
function* positions(count: number, below: number, seed: number): Generator<number> {
  let state = seed;
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state % below;
  }
}

const flipBit = (bytes: Uint8Array, bit: number) =>
  bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))) as Uint8Array;

async function collectFlips(evidence: { quote: Uint8Array; collateral: Collateral; root: Uint8Array; nowMs: number }) {
  const { quote, collateral, root, nowMs } = evidence;
  const found: string[] = [];
  const note = (where: string, what: string | undefined) => what !== undefined && found.push(`${where}: ${what}`);
  for (const bit of positions(300, quote.length * 8, 1)) {
    note(`quote bit ${bit}`, await disagreement(flipBit(quote, bit), collateral, root, nowMs));
  }
  for (const name of Object.keys(collateral) as (keyof Collateral)[]) {
    const part = collateral[name];
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    for (const bit of positions(20, bytes.length * 8, name.length)) {
      // Texts stay ASCII: the two sides would otherwise get different texts from one JSON.
      if (typeof part === 'string' && bit % 8 === 7) continue;
      const flipped = flipBit(bytes, bit);
      const value = typeof part === 'string' ? new TextDecoder().decode(flipped) : flipped;
      note(`${name} bit ${bit}`, await disagreement(quote, { ...collateral, [name]: value }, root, nowMs));
    }
  }
  return found;
}

const STRUCTURED: readonly (readonly [string, EvidenceChange])[] = [
  ['nothing', {}],
  ['version 5, TD 1.0', { form: { version: 5, body: '1.0' } }],
  ['version 5, TD 1.5', { form: { version: 5, body: '1.5' } }],
  ['a service TD', { form: { version: 5, body: '1.5' }, td: { mrServiceTd: Uint8Array.of(1) } }],
  ['a cut quote', { quoteBytes: (quote) => quote.subarray(0, -7) }],
  ['zero padding', { quoteBytes: (quote) => Uint8Array.from([...quote, 0, 0]) }],
  ['other padding', { quoteBytes: (quote) => Uint8Array.from([...quote, 1]) }],
  ['a revoked PCK', { revoked: ['pck'] }],
  ['a revoked CA', { revoked: ['ca'] }],
  ['a revoked signer', { revoked: ['signer'] }],
  ['an expired PCK', { certificates: { pck: { notAfterMs: evidenceNowMs - 1000 } } }],
  ['an expired signer', { certificates: { signer: { notAfterMs: evidenceNowMs - 1000 } } }],
  ['a root CRL of yesterday', { rootCrlDates: { nextUpdateMs: evidenceNowMs - 1000 } }],
  ['a lower SGX version', { hardware: { sgxSvns: new Array<number>(16).fill(0) } }],
  ['a lower PCE version', { hardware: { pceSvn: 0 } }],
  ['another family', { hardware: { fmspc: new Uint8Array(6) } }],
  ['another PCE', { hardware: { pceId: Uint8Array.of(9, 9) } }],
  ['an old quoting enclave', { qe: { isvSvn: 0 } }],
  ['a foreign quoting enclave', { qe: { mrSigner: new Uint8Array(32) } }],
  ['a revoked level', { tcbInfo: (document) => Object.assign(document.tcbLevels[0]!, { tcbStatus: 'Revoked' }) }],
  ['an old level', { tcbInfo: (document) => Object.assign(document.tcbLevels[0]!, { tcbStatus: 'OutOfDate' }) }],
  ...Array.from({ length: 64 }, (_, bit): readonly [string, EvidenceChange] => {
    const tdAttributes = Uint8Array.of(0, 0, 0, 0x10, 0, 0, 0, 0);
    tdAttributes[bit >> 3]! ^= 1 << (bit & 7);
    return [`TD attribute ${bit}`, { td: { tdAttributes } }];
  }),
  ...Array.from({ length: 16 }, (_, index): readonly [string, EvidenceChange] => {
    const teeTcbSvn = Uint8Array.of(6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    teeTcbSvn[index] = teeTcbSvn[index] === 0 ? 1 : teeTcbSvn[index]! - 1;
    return [`TEE_TCB_SVN ${index}`, { td: { teeTcbSvn } }];
  }),
];

describe('beside @phala/dcap-qvl', () => {
  it.each(STRUCTURED)('agrees on %s, or is stricter for a reason in the table', async (_, change) => {
    const { quote, collateral, rootCa } = await buildEvidence(change);
    expect(await disagreement(quote, collateral, rootCa, evidenceNowMs)).toBeUndefined();
  });

  it('agrees on 480 bits flipped in a quote and collateral of our own making', async () => {
    const { quote, collateral, rootCa } = await buildEvidence();
    expect(await collectFlips({ quote, collateral, root: rootCa, nowMs: evidenceNowMs })).toEqual([]);
  });

  it.skipIf(!hasVectors)(`agrees on 480 bits flipped in real evidence${vectorsNote}`, async () => {
    const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
    const quote = vectorBytes('tdx-dcap-qvl/tdx_quote');
    const nowMs = Date.parse('2025-06-20T00:00:00Z');
    expect(await disagreement(quote, collateral, intelRootCa, nowMs)).toBeUndefined();
    expect(await collectFlips({ quote, collateral, root: intelRootCa, nowMs })).toEqual([]);
  });
});
