/** Each check of `verifyQuote`, and the one thing that makes it fail. */
import { describe, expect, it } from 'vitest';
import { verdictOf, verifyQuote } from '../../attestation/verify/index.ts';
import { QUOTE_CHECKS, type QuoteCheckId } from '../../attestation/verify/quote-check-table.ts';
import { COLLATERAL_CASES, STATE_CASES } from '../support/collateral-cases.ts';
import { CHAIN_CASES, QUOTE_CASES } from '../support/quote-cases.ts';
import { buildEvidence, evidenceNowMs } from '../support/simulated-evidence.ts';

const DAY_MS = 86_400_000;

describe.each([
  ['the quote', QUOTE_CASES],
  ['chains and revocation', CHAIN_CASES],
  ['collateral', COLLATERAL_CASES],
  ['platform and TD', STATE_CASES],
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
    expect(checks.map((check) => check.id)).toEqual(Object.keys(QUOTE_CHECKS));
    expect({ genuine, status: tcb?.status, expiresAtMs }).toEqual({
      genuine: true,
      status: 'UpToDate',
      expiresAtMs: evidenceNowMs + DAY_MS,
    });
  });

  it('could not check without collateral, and says so for every check but those of the quote alone', async () => {
    const { quote } = await buildEvidence();
    const { genuine, checks } = await verifyQuote(quote, undefined, [], evidenceNowMs);
    expect(genuine).toBe(false);
    expect(verdictOf(checks)).toBe('could-not-check');
    expect(checks.find((check) => check.id === 'pck-chain')?.reason).toBe('there is no collateral');
  });

  it('trusts nobody without anchors', async () => {
    const { quote, collateral } = await buildEvidence();
    const { genuine, checks } = await verifyQuote(quote, collateral, [], evidenceNowMs);
    expect(genuine).toBe(false);
    expect(checks.find((check) => check.id === 'pck-chain')?.outcome).toBe('fail');
  });

  it('refuses a clock that is none', async () => {
    const { quote, collateral, rootCa } = await buildEvidence();
    await expect(verifyQuote(quote, collateral, [rootCa], Number.NaN)).rejects.toThrow(TypeError);
  });

  it('holds at the very second of the next update, and not a millisecond later', async () => {
    const { quote, collateral, rootCa } = await buildEvidence();
    const at = (nowMs: number) => verifyQuote(quote, collateral, [rootCa], nowMs);
    expect((await at(evidenceNowMs + DAY_MS)).genuine).toBe(true);
    expect((await at(evidenceNowMs + DAY_MS + 1)).genuine).toBe(false);
  });

  it('has at least 60 things that it refuses', () => {
    const all = [...QUOTE_CASES, ...CHAIN_CASES, ...COLLATERAL_CASES, ...STATE_CASES];
    expect(all.length).toBeGreaterThanOrEqual(60);
    const covered = new Set(all.flatMap(([, id, , , others = []]) => [id, ...others]));
    expect(Object.keys(QUOTE_CHECKS).filter((id) => !covered.has(id as QuoteCheckId))).toEqual([]);
  });
});
