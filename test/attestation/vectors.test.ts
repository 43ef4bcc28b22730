/** Real quotes, reports and collateral. */
import { describe, expect, it } from 'vitest';
import { toHex } from '../../attestation/base/bytes.ts';
import { parseCollateral, splitSignedAnswer } from '../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../attestation/collateral/intel-root.ts';
import { parsePckPlatform } from '../../attestation/collateral/pck-extension.ts';
import { prepareCollateral, unwrap } from '../../attestation/collateral/prepare.ts';
import { parseQeIdentity, parseTcbInfo } from '../../attestation/collateral/tcb-info.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { parseTdReport } from '../../attestation/quote/td-report.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { verifyChain, verifyCrl } from '../../attestation/x509/chain.ts';
import { parseCrl } from '../../attestation/x509/crl.ts';
import { importEcdsaPoint, isSignatureValid } from '../../attestation/x509/ecdsa.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

const quotes: readonly (readonly [string, number, '1.0' | '1.5', string])[] = [
  ['tdx-dcap-qvl/tdx_quote', 4, '1.0', 'b0c06f000000'],
  ['tdx-dcap-qvl/tdx_quote_outdated', 5, '1.5', '90c06f000000'],
  ['tdx-go-tdx-guest/quote_v5_sample.dat', 5, '1.5', '90c06f000000'],
  ['tdx-go-tdx-guest/ccel/cos-113-tdx-quote.dat', 4, '1.0', '00806f050000'],
];
const production = 'tdx-go-tdx-guest/tdx_prod_quote_SPR_E4.dat';

const failed = (checks: readonly { id: string; outcome: string }[]) =>
  checks.filter((check) => check.outcome === 'fail').map((check) => check.id);

describe.skipIf(!hasVectors)(`real evidence${vectorsNote}`, () => {
  it.each(quotes)(
    'parses %s: version %i, TD %s, with valid signatures and a chain to Intel',
    async (file, version, td) => {
      const quote = parseQuote(vectorBytes(file));
      expect([quote.version, quote.body.version]).toEqual([version, td]);
      await expectSigned(quote);
    },
  );

  it('rejects the production quote with the trailing text of its file, and accepts it without that text', async () => {
    const file = vectorBytes(production);
    expect(() => parseQuote(file)).toThrow(/bytes follow the quote, and they are not all zero/);
    const quote = parseQuote(file.subarray(0, 4935));
    expect(quote.version).toBe(4);
    await expectSigned(quote);
  });

  it('finds the production quote genuine at its capture time and expired today', async () => {
    const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
    const at = (time: number) => verifyQuote(vectorBytes('tdx-dcap-qvl/tdx_quote'), collateral, [intelRootCa], time);
    const then = await at(Date.parse('2025-06-20T00:00:00Z'));
    expect(failed(then.checks)).toEqual([]);
    expect(then).toMatchObject({ genuine: true, tcb: { status: 'UpToDate', advisories: [] }, tcbEvaluationNumber: 17 });
    const today = await at(Date.parse('2026-11-21T00:00:00Z'));
    expect(today.genuine).toBe(false);
    expect(failed(today.checks)).toEqual(['root-crl-dates', 'pck-crl-dates', 'tcb-info-dates', 'qe-identity-dates']);
  });

  it('finds no matching level for the outdated quote, and passes every other check', async () => {
    const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_outdated_collateral.json'));
    const now = Date.parse('2026-02-20T00:00:00Z');
    const { checks } = await verifyQuote(
      vectorBytes('tdx-dcap-qvl/tdx_quote_outdated'),
      collateral,
      [intelRootCa],
      now,
    );
    expect(failed(checks)).toEqual(['platform-tcb-level']);
  });

  it('reads the platform family that collateral is fetched for', () => {
    const families = quotes.map(([file]) => {
      const [pck] = parsePemChain(parseQuote(vectorBytes(file)).pckChainPem, 'chain').map(parseCertificate);
      return toHex(parsePckPlatform(pck!).fmspc);
    });
    expect(families).toEqual(quotes.map(([, , , fmspc]) => fmspc));
  });

  it('rejects the sample TDREPORT, whose first bytes are random where a CPU writes the report type', () => {
    expect(() => parseTdReport(vectorBytes('tdx-go-tdx-guest/report.dat'))).toThrow(/report type is not that of a TD/);
  });

  it('checks the revocation lists of 2023 against Intel’s root', async () => {
    const root = parseCertificate(intelRootCa);
    const rootCrl = parseCrl(vectorBytes('tdx-go-tdx-guest/rootcrl.der'));
    await verifyCrl(rootCrl, root);
    const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
    const [ca] = unwrap((await prepareCollateral(collateral, [intelRootCa])).pckCrlIssuer);
    const pckCrl = parseCrl(vectorBytes('tdx-go-tdx-guest/pckcrl'));
    await verifyCrl(pckCrl, ca!);
    expect(pckCrl.revokedSerials.size).toBeGreaterThan(10);
  });

  it.each(['sample_tcbInfo_response', 'sample_tcbinfo_response_v5'])(
    'parses Intel’s answer %s without changing the signed text',
    async (file) => {
      const { body, signature } = splitSignedAnswer(vectorText(`tdx-go-tdx-guest/${file}`), 'tcbInfo');
      expect(parseTcbInfo(body).levels.length).toBeGreaterThan(1);
      expect(await isSignedByTcbSigner(body, signature)).toBe(true);
      expect(await isSignedByTcbSigner(`${body} `, signature)).toBe(false);
    },
  );

  it("parses Intel's QE identity likewise", async () => {
    const answer = vectorText('tdx-go-tdx-guest/sample_qeIdentity_response');
    const { body, signature } = splitSignedAnswer(answer, 'enclaveIdentity');
    expect(parseQeIdentity(body).isvProdId).toBe(2);
    expect(await isSignedByTcbSigner(body, signature)).toBe(true);
  });
});

/** Checks of a quote that need no collateral. */
async function expectSigned(quote: ReturnType<typeof parseQuote>): Promise<void> {
  const certificates = parsePemChain(quote.pckChainPem, 'chain').map(parseCertificate);
  const { leafKey } = await verifyChain(certificates, [parseCertificate(intelRootCa)]);
  expect(await isSignatureValid(leafKey, quote.qeReportSignature, quote.qeReportBytes)).toBe(true);
  const key = await importEcdsaPoint('P-256', quote.attestationKey);
  expect(await isSignatureValid(key, quote.signature, quote.signedBytes)).toBe(true);
}

/** Intel kept the key of its TCB signing certificate when it renewed the certificate in 2025. */
async function isSignedByTcbSigner(body: string, signature: Uint8Array): Promise<boolean> {
  const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
  const { tcbInfoChain } = await prepareCollateral(collateral, [intelRootCa]);
  return isSignatureValid(unwrap(tcbInfoChain).leafKey, signature, new TextEncoder().encode(body));
}
