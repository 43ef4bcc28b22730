/** The Python verifier reaches the verdict of the TypeScript verifier, check by check, on genuine and on changed evidence. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatReceipt, type Receipt, signReceipt } from '../../attestation/aci/receipt.ts';
import { toHex } from '../../attestation/base/bytes.ts';
import { checkReceipt } from '../../attestation/client/check-receipt.ts';
import type { EvidenceTrust } from '../../attestation/client/verification.ts';
import { verifyEvidence } from '../../attestation/client/verify-evidence.ts';
import { type Collateral, formatCollateral, parseCollateral } from '../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../attestation/collateral/intel-root.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { judgeQuote } from '../../attestation/policy/policy.ts';
import { parsePolicy } from '../../attestation/policy/policy-file.ts';
import { verdictOf, verifyQuote } from '../../attestation/verify/index.ts';
import { changeJson, type Json } from '../fuzz/mutation/json.ts';
import {
  type AttestedServer,
  simulatedSoftware,
  spkiOf,
  startAttestedServer,
  testStartLog,
} from '../support/attestation/attested-server.ts';
import { collateralCases, stateCases } from '../support/attestation/collateral-cases.ts';
import {
  buildJudged,
  changeQuoteStructure,
  changeSignedDocument,
  changeVersions,
  flipOneBit,
  type Mutation,
} from '../support/attestation/evidence-mutations.ts';
import type { JudgedEvidence } from '../support/attestation/oracle.ts';
import { chainCases, quoteCases } from '../support/attestation/quote-cases.ts';
import {
  hasPython,
  type Judged,
  pythonNote,
  runPython,
  startPythonVerifier,
} from '../support/clients/python-verifier.ts';
import { Random } from '../support/random.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

/** MUTATIONS=10 runs ten times as many. */
const scale = Number(process.env.MUTATIONS ?? 1);
const nonce = 'ab'.repeat(32);
let python: ReturnType<typeof startPythonVerifier>;
beforeAll(() => {
  if (hasPython) python = startPythonVerifier();
});
afterAll(() => python?.close());

type Checks = readonly { readonly id: string; readonly outcome: string; readonly required?: boolean }[];
const shown = (checks: Checks): Judged => ({
  verdict: verdictOf(checks as Parameters<typeof verdictOf>[0]),
  checks: checks.map(({ id, outcome, required = true }) => [id, outcome, required] as const),
});

async function compareQuote(
  { quote, collateral, rootCa, nowMs }: JudgedEvidence,
  policy?: object,
): Promise<string | undefined> {
  const text = policy && JSON.stringify(policy);
  const request = {
    quote: toHex(quote),
    collateral: formatCollateral(collateral),
    roots: [toHex(rootCa)],
    nowMs,
    policy: text,
  };
  const [theirs, verified] = await Promise.all([
    python.judge(request),
    verifyQuote(quote, collateral, [rootCa], nowMs),
  ]);
  const checks = text === undefined ? verified.checks : (await judgeQuote(verified, parsePolicy(text), 'any')).checks;
  return differenceOf(shown(checks), theirs);
}

function differenceOf(ours: Judged, { titles: _, ...theirs }: Judged): string | undefined {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return undefined;
  const rows = (ours.checks ?? []).filter((row, index) => `${row}` !== `${theirs.checks?.[index]}`);
  return `${ours.verdict} ${JSON.stringify(rows)}, Python: ${JSON.stringify({ ...theirs, checks: undefined })}`;
}

/** Differences in `count` mutations, at most ten. */
async function differences(count: number, next: () => Mutation | Promise<Mutation>): Promise<string[]> {
  const found: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0 && found.length < 10) {
      const { what, evidence } = await next();
      const difference = await compareQuote(evidence);
      if (difference !== undefined) found.push(`${what}: ${difference}`);
    }
  };
  // Both verifiers compute at the same time.
  await Promise.all(Array.from({ length: 4 }, work));
  return found;
}

describe.skipIf(!hasPython)(`the Python verifier, compared with the TypeScript verifier${pythonNote}`, () => {
  const cases = [...quoteCases, ...chainCases, ...collateralCases, ...stateCases];

  it(`agrees on ${cases.length} named changes`, async () => {
    const list = cases.values();
    const next = async () => {
      const [what, , , change] = list.next().value!;
      return { what, evidence: await buildJudged(change) };
    };
    expect(await differences(cases.length, next)).toEqual([]);
  });

  it(
    'agrees on flipped bits and changed structures of quotes and collateral',
    async () => {
      const random = new Random(11);
      const both = [await buildJudged(), await buildJudged({ form: { version: 5, body: '1.5' } })];
      expect(await differences(300 * scale, () => flipOneBit(random.pick(both), random))).toEqual([]);
      expect(await differences(300 * scale, () => changeQuoteStructure(random.pick(both), random))).toEqual([]);
    },
    90_000 * scale,
  );

  it(
    'agrees on documents and versions that were signed again after a change',
    async () => {
      const random = new Random(12);
      expect(await differences(80 * scale, () => changeSignedDocument(random))).toEqual([]);
      expect(await differences(80 * scale, () => changeVersions(random))).toEqual([]);
    },
    90_000 * scale,
  );

  it('agrees on every requirement of a policy for quotes', async () => {
    const evidence = await buildJudged({ form: { version: 5, body: '1.5' } });
    const sets = [{ mrTd: '00'.repeat(48) }, { mrTd: '11'.repeat(48), rtmr1: '22'.repeat(48), rtmr2: '33'.repeat(48) }];
    const members: readonly object[] = [
      ...[
        { tcbEvaluationMin: 5000 },
        { collateralAgeDaysMax: 0.1 },
        { collateralAgeDaysMax: 2 },
        { teeTcbSvnMin: 'ff'.repeat(16) },
      ],
      ...[
        { fmspcs: ['AABBCCDDEEFF'] },
        { platformIds: ['00'.repeat(16)] },
        { xfam: ['ff'.repeat(8)] },
        { tdAttributes: ['pks'] },
      ],
      ...[
        { tdAttributes: [] },
        { rtmr3: 'zero' },
        { rtmr3: 'any' },
        { tcbStatuses: ['OutOfDate'] },
        { advisories: 'any' },
      ],
      ...sets.map((one) => ({ measurements: [one] })),
    ];
    for (const one of members) {
      expect.soft(await compareQuote(evidence, { measurements: 'any', ...one }), JSON.stringify(one)).toBeUndefined();
    }
  });

  it.skipIf(!hasVectors)(
    `agrees on real evidence, bit by bit${vectorsNote}`,
    async () => {
      const random = new Random(13);
      const real = (name: string, at: string): JudgedEvidence => ({
        quote: vectorBytes(`tdx-dcap-qvl/${name}`),
        collateral: parseCollateral(vectorText(`tdx-dcap-qvl/${name}_collateral.json`)),
        ...{ rootCa: intelRootCa, nowMs: Date.parse(at) },
      });
      const genuine = real('tdx_quote', '2025-06-20T00:00:00Z');
      expect((await python.judge({ ...asRequest(genuine), roots: undefined })).verdict).toBe('verified');
      const outdated = real('tdx_quote_outdated', '2026-02-20T00:00:00Z');
      const production = {
        ...genuine,
        quote: vectorBytes('tdx-go-tdx-guest/tdx_prod_quote_SPR_E4.dat').subarray(0, 4935),
      };
      for (const evidence of [genuine, outdated, production]) {
        expect(await compareQuote(evidence)).toBeUndefined();
        expect(await differences(60 * scale, () => flipOneBit(evidence, random))).toEqual([]);
        expect(await differences(30 * scale, () => changeQuoteStructure(evidence, random))).toEqual([]);
      }
    },
    90_000 * scale,
  );
});

function asRequest({ quote, collateral, rootCa, nowMs }: JudgedEvidence & { collateral: Collateral }) {
  return { quote: toHex(quote), collateral: formatCollateral(collateral), roots: [toHex(rootCa)], nowMs };
}

describe.skipIf(!hasPython)(`the Python verifier, for servers${pythonNote}`, () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const folder = mkdtempSync(join(tmpdir(), 'cloister-python-'));
  const policy: EvidencePolicy = { measurements: simulatedSoftware };
  let server: AttestedServer;
  let report: string;

  beforeAll(async () => {
    const publicHex = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
    const keys = [{ keyId: 'r1', algorithm: 'ed25519', publicKey: publicHex }];
    server = await startAttestedServer({ keyset: { receiptSigningKeys: keys } });
    report = await server.report(nonce);
    writeFileSync(join(folder, 'root.pem'), server.rootPem);
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  const trustOf = (trust: Partial<EvidenceTrust> = {}): EvidenceTrust => ({
    ...{ policy, nowMs: Date.now(), roots: [server.platform.rootCa] },
    ...trust,
  });

  async function compareReport(
    text: string | Uint8Array,
    given: { nonce?: string | undefined; trust?: Partial<EvidenceTrust>; of?: AttestedServer } = {},
  ) {
    const trust = trustOf(given.trust);
    const asked = 'nonce' in given ? given.nonce : nonce;
    const observed = { host: 'localhost', spkiSha256: spkiOf((given.of ?? server).identity) };
    const bytes = new Uint8Array(Buffer.from(text));
    const request = {
      ...{ report: toHex(bytes), nonce: asked, observed, nowMs: trust.nowMs, roots: trust.roots!.map(toHex) },
      policy: trust.policy && JSON.stringify(trust.policy),
    };
    const [theirs, { checks }] = await Promise.all([
      python.judge(request),
      verifyEvidence({ report: bytes, nonce: asked, observed }, trust),
    ]);
    return { verdict: theirs.verdict, difference: differenceOf(shown(checks), theirs), titles: theirs.titles, checks };
  }

  it('names every check as the TypeScript verifier does', async () => {
    const { verdict, titles, checks } = await compareReport(report);
    expect(verdict).toBe('verified');
    expect(titles).toEqual(Object.fromEntries(checks.map(({ id, title }) => [id, title])));
  });

  it.each<[string, { nonce?: string | undefined; trust?: Partial<EvidenceTrust> }, string]>([
    ['a pinned policy', {}, 'verified'],
    ['no policy', { trust: { policy: undefined } }, 'could-not-check'],
    ['any software', { trust: { policy: { measurements: 'any', sources: 'any' } } }, 'could-not-check'],
    ['other software', { trust: { policy: { measurements: [{ mrTd: '11'.repeat(48) }] } } }, 'not-verified'],
    ["Intel's root", { trust: { roots: [intelRootCa] } }, 'not-verified'],
    ['no nonce', { nonce: undefined }, 'could-not-check'],
    ['another nonce', { nonce: 'cd'.repeat(32) }, 'not-verified'],
    ['a later time', { trust: { nowMs: Date.now() + 500 * 86_400_000 } }, 'not-verified'],
    ['a GPU', { trust: { policy: { ...policy, gpuRequired: true } } }, 'not-verified'],
    ['RTMR3 of zeros', { trust: { policy: { ...policy, rtmr3: 'zero' } } }, 'not-verified'],
    [
      'an allowed source',
      { trust: { policy: { ...policy, sources: [{ repoCommit: 'c0ffee'.padEnd(40, '0') }] } } },
      'verified',
    ],
    [
      'another source',
      { trust: { policy: { ...policy, sources: [{ repoUrl: 'https://example.org' }] } } },
      'not-verified',
    ],
    ['a start', { trust: { policy: { ...policy, started: { 'cloister.ready': ['{"models":1}'] } } } }, 'verified'],
    ['another start', { trust: { policy: { ...policy, started: { 'cloister.ready': ['{}'] } } } }, 'not-verified'],
  ])('agrees on evidence with %s', async (_title, given, verdict) => {
    expect(await compareReport(report, given)).toMatchObject({ verdict, difference: undefined });
  });

  it.each<[string, string[], string]>([
    ['a model', ['cloister.model', 'compose-hash'], 'verified'],
    [
      'two models',
      ['cloister.model', 'cloister.libraries', 'compose-hash', 'cloister.model', 'compose-hash'],
      'verified',
    ],
    ['a model without a composition', ['cloister.model'], 'not-verified'],
    ['libraries without a composition', ['cloister.model', 'cloister.libraries'], 'not-verified'],
    ['only a composition', ['compose-hash'], 'not-verified'],
    ['two models with one composition', ['cloister.model', 'cloister.model', 'compose-hash'], 'not-verified'],
    ['another event', ['cloister.model', 'compose-hash', 'cloister.host'], 'not-verified'],
    ['a second end', ['cloister.ready'], 'not-verified'],
  ])('agrees on a start log that goes on with %s', async (_title, names, verdict) => {
    const later = names.map((name, index) => ({ name, content: `{"number":${index}}` }));
    const other = await startAttestedServer({ platform: server.platform, startLog: [...testStartLog, ...later] });
    const given = { trust: { roots: [other.platform.rootCa] }, of: other };
    expect(await compareReport(await other.report(nonce), given)).toMatchObject({ verdict, difference: undefined });
    await other.close();
  });

  it(
    'agrees on changed reports',
    async () => {
      const random = new Random(21);
      const document = JSON.parse(report) as Json;
      const words = ['cloister.model', 'compose-hash', 'aci/1', 'tdx', 'gpu', 'gpus', 'device', 'CUDA0', '{"gpus":[]}'];
      for (let index = 0; index < 300 * scale; index++) {
        const changed = JSON.stringify(
          changeJson(structuredClone(document), { random, other: document, strings: words }),
        );
        expect.soft((await compareReport(changed)).difference, changed.slice(0, 3000)).toBeUndefined();
      }
    },
    90_000 * scale,
  );

  it(
    'agrees on receipts, genuine and changed',
    async () => {
      const random = new Random(22);
      const body = Buffer.from('{"model":"tiny"}');
      const verified = await verifyEvidence({ report, nonce, observed: 'none' }, trustOf());
      const digest = `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))}`;
      const receipt: Receipt = {
        ...{ receiptId: 'rcpt-1', chatId: undefined, model: 'tiny', keysetDigest: verified.keysetDigest!, keyId: 'r1' },
        ...{ endpoint: '/v1/chat/completions', method: 'POST', servedAt: Math.floor(Date.now() / 1000) },
        events: [
          { type: 'request.received', body_hash: digest },
          { type: 'cloister.usage', note: 'Grüße \u2028 👋', prompt_tokens: 12 },
          { type: 'response.returned', body_hash: digest },
        ],
      };
      const text = formatReceipt(await signReceipt(receipt, (bytes) => sign(null, bytes, privateKey)));
      const document = JSON.parse(text) as Json;
      const verdicts = new Set<string | undefined>();
      for (let index = 0; index < 150 * scale; index++) {
        const changed =
          index === 0 ? text : JSON.stringify(changeJson(structuredClone(document), { random, other: document }));
        const bytes = new Uint8Array(Buffer.from(changed));
        const asked = {
          ...{ report: toHex(Buffer.from(report)), nonce, nowMs: Date.now() },
          policy: JSON.stringify(policy),
        };
        const trusted = {
          roots: [toHex(server.platform.rootCa)],
          receipt: toHex(bytes),
          request: toHex(body),
          response: toHex(body),
        };
        const theirs = await python.judge({ ...asked, ...trusted });
        const { checks } = await checkReceipt({ receipt: bytes, evidence: verified, request: body, response: body });
        verdicts.add(theirs.verdict);
        expect.soft(differenceOf(shown(checks), theirs), changed).toBeUndefined();
      }
      expect(verdicts).toEqual(new Set(['verified', 'not-verified']));
    },
    90_000 * scale,
  );

  it.each([
    ['a pinned policy', ['--policy', 'policy.json', '--root', 'root.pem'], 0, /^VERIFIED \(SIMULATED/m],
    ["Intel's root", ['--policy', 'policy.json'], 10, /^NOT VERIFIED/m],
    ['any software', ['--policy', 'any', '--root', 'root.pem'], 21, /^COULD NOT CHECK/m],
    ['no such policy', ['--policy', 'absent.json'], 64, /^$/],
  ])('verifies a live server and its connection with %s', async (_title, args, code, output) => {
    const inFolder = args.map((one) => (/\.(json|pem)$/.test(one) ? join(folder, one) : one));
    const command = runPython(server.origin, ...inFolder);
    let printed = '';
    command.stdout.on('data', (part) => (printed += part));
    const [exitCode] = await once(command, 'close');
    expect(printed).toMatch(output);
    expect(exitCode).toBe(code);
    if (code === 0) expect(printed).toMatch(/^pass +The machine proves that it terminates this connection/m);
  });
});
