import { describe, expect, it } from 'vitest';
import { judgeQuote, measurementsOf, type Policy, parsePolicy } from '../../attestation/policy.ts';
import { reportDataOf, reportDataText } from '../../attestation/report-data.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { buildEvidence, type EvidenceChange, evidenceNowMs } from '../support/simulated-evidence.ts';

const reportData = new Uint8Array(64).fill(7);
const mrTd = new Uint8Array(48).fill(0xaa);

async function judge(policy: Policy, change: EvidenceChange = {}, expected: Uint8Array | 'any' = reportData) {
  const { quote, collateral, rootCa } = await buildEvidence({ ...change, td: { reportData, mrTd, ...change.td } });
  const verification = await verifyQuote(quote, collateral, [rootCa], evidenceNowMs);
  const { verdict, checks } = await judgeQuote(verification, policy, expected);
  return { verdict, failed: checks.filter((check) => check.outcome === 'fail').map((check) => check.id) };
}

const any: Policy = { measurements: 'any' };
const attributes = (last: number, first = 0) => Uint8Array.of(first, 0, 0, 0x10, 0, 0, 0, last);
const status = (tcbStatus: string, advisoryIDs: string[] = []): EvidenceChange => ({
  tcbInfo: (document) => Object.assign(document.tcbLevels[0]!, { tcbStatus, advisoryIDs }),
});

describe('judgeQuote', () => {
  it('verifies a genuine quote with the measurements that the policy names', async () => {
    const policy: Policy = {
      measurements: [{ mrTd: 'BB'.repeat(48) }, { mrTd: 'AA'.repeat(48), rtmr0: '00'.repeat(48) }],
    };
    expect(await judge(policy)).toEqual({ verdict: 'verified', failed: [] });
  });

  it.each<[string, string, Policy, EvidenceChange]>([
    ['software that no set names', 'measurements', { measurements: [{ mrTd: 'bb'.repeat(48) }] }, {}],
    [
      'a set that fits in part',
      'measurements',
      { measurements: [{ mrTd: 'aa'.repeat(48), rtmr1: '01'.repeat(48) }] },
      {},
    ],
    ['a set that names nothing', 'measurements', { measurements: [{}] }, {}],
    ['no set at all', 'measurements', { measurements: [] }, {}],
    ['an extended RTMR3', 'rtmr3', any, { td: { rtmrs: [mrTd, mrTd, mrTd, mrTd] } }],
    ['an old platform', 'tcb-status', any, status('OutOfDate')],
    ['a platform that needs hardening', 'tcb-status', any, status('SWHardeningNeeded')],
    [
      'a status that the policy does not list',
      'tcb-status',
      { ...any, tcbStatuses: ['UpToDate'] },
      status('ConfigurationNeeded'),
    ],
    ['an open advisory', 'advisories', any, status('UpToDate', ['INTEL-SA-00001'])],
    [
      'an advisory beside the allowed one',
      'advisories',
      { ...any, advisories: ['INTEL-SA-00001'] },
      status('UpToDate', ['INTEL-SA-00001', 'INTEL-SA-00002']),
    ],
    ['old collateral', 'tcb-evaluation', { ...any, tcbEvaluationMin: 2 }, {}],
    ['performance counters', 'perfmon', any, { td: { tdAttributes: attributes(0x80) } }],
    ['debug mode', 'td-debug', any, { td: { tdAttributes: attributes(0, 1) } }],
  ])('refuses %s, by %s', async (_, id, policy, change) => {
    expect(await judge(policy, change)).toEqual({ verdict: 'not-verified', failed: [id] });
  });

  it('refuses a quote for another nonce', async () => {
    expect(await judge(any, {}, new Uint8Array(64))).toEqual({ verdict: 'not-verified', failed: ['report-data'] });
  });

  it.each<[string, Policy, EvidenceChange]>([
    ['a status', { ...any, tcbStatuses: ['OutOfDate'] }, status('OutOfDate')],
    ['an advisory', { ...any, advisories: ['INTEL-SA-00001'] }, status('UpToDate', ['INTEL-SA-00001'])],
    ['performance counters', { ...any, perfmonAllowed: true }, { td: { tdAttributes: attributes(0x80) } }],
    ['debug mode', { ...any, debugAllowed: true }, { td: { tdAttributes: attributes(0, 1) } }],
    ['an extended RTMR3', { ...any, rtmr3: 'any' }, { td: { rtmrs: [mrTd, mrTd, mrTd, mrTd] } }],
    ['a named RTMR3', { measurements: [{ rtmr3: 'aa'.repeat(48) }] }, { td: { rtmrs: [mrTd, mrTd, mrTd, mrTd] } }],
  ])('takes %s that the policy allows', async (_, policy, change) => {
    expect(await judge(policy, change)).toEqual({ verdict: 'verified', failed: [] });
  });

  it('never takes a revoked platform', async () => {
    const policy = { ...any, tcbStatuses: ['Revoked'] as const };
    expect(await judge(policy, status('Revoked'))).toEqual({ verdict: 'not-verified', failed: ['tcb-not-revoked'] });
  });

  it('could not check what has no collateral, even where the policy accepts anything', async () => {
    const { quote } = await buildEvidence();
    const verification = await verifyQuote(quote, undefined, [], evidenceNowMs);
    expect((await judgeQuote(verification, any, 'any')).verdict).toBe('could-not-check');
    expect(measurementsOf(verification.quote!.body).mrTd).toBe('00'.repeat(48));
  });
});

describe('parsePolicy', () => {
  it('reads a policy file', () => {
    const policy = { measurements: [{ mrTd: 'ab'.repeat(48) }], tcbStatuses: ['UpToDate'], tcbEvaluationMin: 17 };
    expect(parsePolicy(JSON.stringify(policy))).toEqual(policy);
  });

  it.each([
    ['{', /must be JSON/],
    ['[]', /must be an object/],
    ['{"measurements":[{"mrTd":"00"}],"measurements":"any"}', /free of duplicate members/],
    ['{}', /measurements is missing/],
    ['{"measurements":[]}', /measurements must be/],
    ['{"measurements":[{}]}', /measurements must be/],
    ['{"measurements":[{"mrTD":"00"}]}', /measurements must be/],
    ['{"measurements":[{"mrTd":"00"}]}', /measurements must be/],
    ['{"measurements":"any","tcbStatus":["UpToDate"]}', /no member tcbStatus/],
    ['{"measurements":"any","toString":1}', /no member toString/],
    ['{"measurements":"any","tcbStatuses":["Revoked"]}', /tcbStatuses must be/],
    ['{"measurements":"any","debugAllowed":"yes"}', /debugAllowed must be true or false/],
    ['{"measurements":"any","tcbEvaluationMin":-1}', /tcbEvaluationMin must be/],
  ])('refuses %s', (text, reason) => {
    expect(() => parsePolicy(text)).toThrow(reason);
    expect(() => parsePolicy(text)).toThrow(expect.objectContaining({ code: 'ERR_POLICY_MALFORMED' }));
  });
});

describe('report data', () => {
  const statement = { keysetDigest: 'ab'.repeat(32), nonce: '0f'.repeat(32) };

  it('is the digest of the exact text of ACI, then zeros', async () => {
    const text = `{"keyset_digest":"sha256:${'ab'.repeat(32)}","nonce":"${'0f'.repeat(32)}","purpose":"aci.report_data.v1"}`;
    expect(reportDataText(statement)).toBe(text);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
    expect(await reportDataOf(statement)).toEqual(Uint8Array.from([...digest, ...new Uint8Array(32)]));
  });

  it.each(['', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}\n`])('has no nonce %j', (nonce) => {
    expect(() => reportDataText({ ...statement, nonce })).toThrow(TypeError);
  });
});
