/** Each check of `verifyQuote`, with the one fault that makes it fail. */
import { describe, expect, it } from 'vitest';
import { verdictOf, verifyQuote } from '../../attestation/verify/index.ts';
import { type QuoteCheckId, quoteChecks } from '../../attestation/verify/quote-check-table.ts';
import { collateralCases, stateCases } from '../support/attestation/collateral-cases.ts';
import { chainCases, quoteCases } from '../support/attestation/quote-cases.ts';
import { buildEvidence, evidenceNowMs } from '../support/attestation/simulated-evidence.ts';

const dayMs = 86_400_000;

describe.each([
  ['the quote', quoteCases],
  ['chains and revocation', chainCases],
  ['collateral', collateralCases],
  ['platform and TD', stateCases],
] as const)('what verifyQuote refuses: %s', (_, cases) => {
  it.each(cases.map(([title, id, ...rest]) => ({ title, id, rest })))('$title, by $id', async ({ id, rest }) => {
    const [reason, change, others = []] = rest;
    const { quote, collateral, rootCa } = await buildEvidence(change);
    const { genuine, checks } = await verifyQuote(quote, collateral, [rootCa], evidenceNowMs);
    const failed = checks.filter((check) => check.outcome === 'fail');
    expect(failed.map((check) => check.id).sort()).toEqual([id, ...others].sort());
    expect(failed.find((check) => check.id === id)?.reason).toMatch(reason);
    expect(genuine).toBe(false);
    expect(verdictOf(checks)).toBe('not-verified');
  });
});

describe('verifyQuote', () => {
  it.each([
    { version: 4, body: '1.0' },
    { version: 5, body: '1.0' },
    { version: 5, body: '1.5' },
  ] as const)('passes every check of a genuine quote of version $version, TD $body', async (form) => {
    const { quote, collateral, rootCa } = await buildEvidence({ form });
    const padded = Uint8Array.from([...quote, ...new Uint8Array(300)]);
    const { genuine, checks, tcb, expiresAtMs } = await verifyQuote(padded, collateral, [rootCa], evidenceNowMs);
    expect(checks.filter((check) => check.outcome !== 'pass')).toEqual([]);
    expect(checks.map((check) => check.id)).toEqual(Object.keys(quoteChecks));
    expect({ genuine, status: tcb?.status, expiresAtMs }).toEqual({
      genuine: true,
      status: 'UpToDate',
      expiresAtMs: evidenceNowMs + dayMs,
    });
  });

  it.each(['signer', 'ca'] as const)(
    'says that it expires with the first of its certificates: the %s',
    async (name) => {
      const notAfterMs = evidenceNowMs + 60_000;
      const { quote, collateral, rootCa } = await buildEvidence({ certificates: { [name]: { notAfterMs } } });
      const { genuine, expiresAtMs } = await verifyQuote(quote, collateral, [rootCa], evidenceNowMs);
      expect({ genuine, expiresAtMs }).toEqual({ genuine: true, expiresAtMs: notAfterMs });
    },
  );

  it('could not check without collateral, except the checks of the quote itself', async () => {
    const { quote } = await buildEvidence();
    const { genuine, checks } = await verifyQuote(quote, undefined, [], evidenceNowMs);
    expect(genuine).toBe(false);
    expect(verdictOf(checks)).toBe('could-not-check');
    expect(checks.find((check) => check.id === 'pck-chain')?.reason).toBe('no collateral is available');
  });

  it('rejects a malformed quote also without collateral', async () => {
    const { quote } = await buildEvidence();
    const { checks } = await verifyQuote(quote.subarray(0, 600), undefined, [], evidenceNowMs);
    const failed = checks.filter(({ outcome }) => outcome === 'fail');
    expect(failed).toMatchObject([{ id: 'quote-format', reason: expect.stringMatching(/ends at byte 600/) }]);
    expect(verdictOf(checks)).toBe('not-verified');
  });

  it('is never genuine without anchors', async () => {
    const { quote, collateral } = await buildEvidence();
    const { genuine, checks } = await verifyQuote(quote, collateral, [], evidenceNowMs);
    expect(genuine).toBe(false);
    expect(checks.find((check) => check.id === 'pck-chain')?.outcome).toBe('fail');
  });

  it.each([Number.NaN, Infinity, -Infinity, 8.64e15 + 1, 1e300])('rejects an invalid time: %s', async (nowMs) => {
    const { quote, collateral, rootCa } = await buildEvidence();
    await expect(verifyQuote(quote, collateral, [rootCa], nowMs)).rejects.toThrow(TypeError);
  });

  it.each([
    ['before 1970', -1],
    ['at 1970', 0],
    ['in seconds', evidenceNowMs / 1000],
    ['in microseconds', evidenceNowMs * 1000],
    ['at the end of all dates', 8.64e15],
    ['at the beginning of all dates', -8.64e15],
  ])('finds no collateral valid by a clock %s, and reports it for every part of the collateral', async (_, nowMs) => {
    const { quote, collateral, rootCa } = await buildEvidence();
    const { genuine, checks } = await verifyQuote(quote, collateral, [rootCa], nowMs);
    expect(genuine).toBe(false);
    const failed = checks.filter(({ outcome }) => outcome === 'fail');
    const dated = Object.keys(quoteChecks).filter((id) => id.endsWith('-dates'));
    expect(failed.map(({ id }) => id).filter((id) => id.endsWith('-dates'))).toEqual(dated);
    expect(failed.filter(({ reason }) => reason.startsWith('defect'))).toEqual([]);
  });

  it('is valid at the exact second of the next update, and not a millisecond later', async () => {
    const { quote, collateral, rootCa } = await buildEvidence();
    const at = (nowMs: number) => verifyQuote(quote, collateral, [rootCa], nowMs);
    expect((await at(evidenceNowMs + dayMs)).genuine).toBe(true);
    expect((await at(evidenceNowMs + dayMs + 1)).genuine).toBe(false);
  });

  it('is never genuine with the TCB info of another platform, for any mixture of their collaterals', async () => {
    const one = await buildEvidence();
    const other = await buildEvidence({
      hardware: { fmspc: Uint8Array.of(1, 2, 3, 4, 5, 6) },
      tcbInfo: (document) => Object.assign(document, { fmspc: '010203040506' }),
    });
    const roots = [one.rootCa, other.rootCa];
    const names = Object.keys(one.collateral) as (keyof typeof one.collateral)[];
    const isFew = (count: number) => count <= 2 || count >= names.length - 1;
    const mixes = Array.from({ length: 2 ** names.length }, (_, mix) => mix);
    for (const mix of mixes.filter((one) => isFew(one.toString(2).replaceAll('0', '').length))) {
      const isOther = (name: string) => ((mix >> names.indexOf(name as never)) & 1) === 1;
      const entries = names.map((name) => [name, (isOther(name) ? other : one).collateral[name]]);
      const { genuine } = await verifyQuote(one.quote, Object.fromEntries(entries), roots, evidenceNowMs);
      if (isOther('tcbInfo') || isOther('tcbInfoSignature')) expect(genuine).toBe(false);
      if (mix === 0) expect(genuine).toBe(true);
    }
  });

  it('has at least 60 reasons for a rejection', () => {
    const all = [...quoteCases, ...chainCases, ...collateralCases, ...stateCases];
    expect(all.length).toBeGreaterThanOrEqual(60);
    const covered = new Set(all.flatMap(([, id, , , others = []]) => [id, ...others]));
    expect(Object.keys(quoteChecks).filter((id) => !covered.has(id as QuoteCheckId))).toEqual([]);
  });
});
