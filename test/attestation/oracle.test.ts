/**
 * Thousands of changed quotes and collaterals are verified by this library and by @phala/dcap-qvl. This library accepts nothing
 * that dcap-qvl rejects, except under one rule that Intel's documentation supports; a table gives the reason for each case that
 * only dcap-qvl accepts (test/support/attestation/oracle.ts). `npm run fuzz -- oracle` continues for as long as one likes.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCollateral } from '../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../attestation/collateral/intel-root.ts';
import { collateralCases, stateCases } from '../support/attestation/collateral-cases.ts';
import {
  buildJudged,
  changeQuoteStructure,
  changeSignedDocument,
  changeVersions,
  flipOneBit,
  type Mutation,
} from '../support/attestation/evidence-mutations.ts';
import { compare, type JudgedEvidence, looser, stricter } from '../support/attestation/oracle.ts';
import { chainCases, quoteCases } from '../support/attestation/quote-cases.ts';
import type { EvidenceChange } from '../support/attestation/simulated-evidence.ts';
import { Random } from '../support/random.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

let mutations = 0;
const differences = new Map<string, number>();

/** The disagreements among `count` mutations that no table explains. */
async function unexplained(count: number, next: () => Mutation | Promise<Mutation>): Promise<string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index++) {
    const { what, evidence } = await next();
    const { wrong, explainedBy } = await compare(evidence);
    mutations += 1;
    for (const row of explainedBy) differences.set(row, (differences.get(row) ?? 0) + 1);
    if (wrong !== undefined) found.push(`${what}: ${wrong}`);
  }
  return found;
}

const cases: readonly (readonly [string, EvidenceChange])[] = [
  ['nothing', {}],
  ['version 5, TD 1.0', { form: { version: 5, body: '1.0' } }],
  ['version 5, TD 1.5', { form: { version: 5, body: '1.5' } }],
  ['zero padding', { quoteBytes: (quote) => Uint8Array.from([...quote, 0, 0]) }],
  ['an old level', { tcbInfo: (document) => Object.assign(document.tcbLevels[0]!, { tcbStatus: 'OutOfDate' }) }],
  ...[...quoteCases, ...chainCases, ...collateralCases, ...stateCases].map(
    ([title, , , change]): readonly [string, EvidenceChange] => [title, change],
  ),
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

describe('compared with @phala/dcap-qvl', () => {
  afterAll(() => {
    const rows = [...differences].sort(([, a], [, b]) => b - a).map(([row, count]) => `${count} × ${row}`);
    console.info(`${mutations} mutations; differences: ${rows.join(', ')}`);
  });

  it(`agrees on ${cases.length} named changes, except for documented differences`, async () => {
    const list = cases.values();
    const next = async () => {
      const [what, change] = list.next().value!;
      return { what, evidence: await buildJudged(change) };
    };
    expect(await unexplained(cases.length, next)).toEqual([]);
  });

  it('agrees on one flipped bit in evidence that the test generates', async () => {
    const [random, evidence] = [new Random(1), await buildJudged()];
    expect(await unexplained(400, () => flipOneBit(evidence, random))).toEqual([]);
  });

  it('agrees on quotes whose structure was changed', async () => {
    const random = new Random(2);
    const newer = await buildJudged({ form: { version: 5, body: '1.5' } });
    const older = await buildJudged();
    expect(await unexplained(500, () => changeQuoteStructure(random.pick([older, newer]), random))).toEqual([]);
  });

  it('agrees on documents that were signed again after a change', async () => {
    const random = new Random(3);
    expect(await unexplained(150, () => changeSignedDocument(random))).toEqual([]);
  });

  it('agrees on versions and levels, except for the components that the TDX module’s identity decides', async () => {
    const random = new Random(4);
    expect(await unexplained(150, () => changeVersions(random))).toEqual([]);
    expect(differences.get(looser)).toBeGreaterThan(0);
  });

  it.skipIf(!hasVectors)(`agrees on real evidence, bit by bit and in its structure${vectorsNote}`, async () => {
    const random = new Random(5);
    const genuine = realEvidence('tdx_quote', 'tdx_quote_collateral.json', '2025-06-20T00:00:00Z');
    expect(await compare(genuine)).toMatchObject({ ours: true, theirs: true });
    expect(await unexplained(400, () => flipOneBit(genuine, random))).toEqual([]);
    expect(await unexplained(200, () => changeQuoteStructure(genuine, random))).toEqual([]);
    const outdated = realEvidence('tdx_quote_outdated', 'tdx_quote_outdated_collateral.json', '2026-02-20T00:00:00Z');
    expect(await unexplained(100, () => flipOneBit(outdated, random))).toEqual([]);
    for (const file of ['quote_v5_sample.dat', 'tdx_prod_quote_SPR_E4.dat', 'ccel/cos-113-tdx-quote.dat']) {
      const evidence = { ...genuine, quote: vectorBytes(`tdx-go-tdx-guest/${file}`) };
      expect(await unexplained(50, () => flipOneBit(evidence, random))).toEqual([]);
    }
  });

  it('is documented, row by row', () => {
    const page = readFileSync(new URL('../../docs/reference/verifier-differences.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, check, reason]) => [check, reason]);
    expect(Object.fromEntries(rows)).toEqual(stricter);
    expect(page).toContain(looser);
  });

  it('has no unused row in its tables', () => {
    const needed = [...differences.keys()].filter((row) => row !== looser);
    expect(Object.keys(stricter).filter((row) => !needed.includes(row))).toEqual([]);
  });
});

function realEvidence(quote: string, collateral: string, at: string): JudgedEvidence {
  return {
    quote: vectorBytes(`tdx-dcap-qvl/${quote}`),
    collateral: parseCollateral(vectorText(`tdx-dcap-qvl/${collateral}`)),
    rootCa: intelRootCa,
    nowMs: Date.parse(at),
  };
}
