import { describe, expect, it } from 'vitest';
import { reportDataOf, reportDataText } from '../../attestation/base/report-data.ts';
import { judgeQuote, measurements, measurementsOf, type Policy } from '../../attestation/policy/policy.ts';
import { parsePolicy } from '../../attestation/policy/policy-file.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { buildEvidence, type EvidenceChange, evidenceNowMs } from '../support/attestation/simulated-evidence.ts';

const reportData = new Uint8Array(64).fill(7);
const register = (byte: number) => new Uint8Array(48).fill(byte);
const digits = (byte: string) => byte.repeat(48);
const zero = register(0);
const mrTd = register(0xaa);
const rtmrs = [register(0xa0), register(0xa1), register(0xa2), zero];
const pins = { mrTd: digits('aa'), rtmr1: digits('a1'), rtmr2: digits('a2') };
const pinned: Policy = { measurements: [{ ...pins, rtmr0: digits('a0') }] };

async function judge(policy: Policy, change: EvidenceChange = {}, expected: Uint8Array | 'any' = reportData) {
  const td = { reportData, mrTd, rtmrs, ...change.td };
  const { quote, collateral, rootCa } = await buildEvidence({ ...change, td });
  const verification = await verifyQuote(quote, collateral, [rootCa], evidenceNowMs);
  const { verdict, checks } = await judgeQuote(verification, policy, expected);
  const ids = (outcome: string) => checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
  const reasonOf = (id: string) => checks.find((check) => check.id === id)?.reason;
  return { verdict, failed: ids('fail'), skipped: ids('not-checked'), reasonOf };
}

const attributes = (last: number, first = 0, fourth = 0x10) => Uint8Array.of(first, 0, 0, fourth, 0, 0, 0, last);
const status = (tcbStatus: string, advisoryIDs: string[] = []): EvidenceChange => ({
  tcbInfo: (document) => Object.assign(document.tcbLevels[0]!, { tcbStatus, advisoryIDs }),
});
const extended = { td: { rtmrs: [...rtmrs.slice(0, 3), mrTd] } };
const fmspc = 'c10157e40000';
const ppid = '1f'.repeat(16);
const onMachine: EvidenceChange = { hardware: { ppid: Uint8Array.from(Buffer.from(ppid, 'hex')) } };

describe('A policy that pins software', () => {
  it('verifies a genuine quote with the firmware, kernel and command line of the policy', async () => {
    const policy: Policy = {
      measurements: [
        { ...pins, mrTd: digits('BB') },
        { ...pins, mrTd: digits('AA') },
      ],
    };
    expect(await judge(policy)).toMatchObject({ verdict: 'verified', failed: [], skipped: ['hardware'] });
    expect(await judge(pinned)).toMatchObject({ verdict: 'verified', failed: [], skipped: [] });
  });

  it.each(measurements)('could not check under a policy of one register: %s', async (name) => {
    const { quote } = await buildEvidence({ td: { reportData, mrTd, rtmrs } });
    const found = measurementsOf(parseQuote(quote).body)[name];
    const { verdict, failed, skipped, reasonOf } = await judge({ measurements: [{ [name]: found }] });
    expect({ verdict, failed }).toEqual({ verdict: 'could-not-check', failed: [] });
    expect(skipped).toContain('software');
    const registers = { mrTd: 'MRTD', rtmr1: 'RTMR1', rtmr2: 'RTMR2' };
    for (const [member, register] of Object.entries(registers)) {
      const sentence = expect.stringContaining(`${register} is not pinned, which permits any`);
      if (member === name) expect(reasonOf('software')).not.toEqual(sentence);
      else expect(reasonOf('software')).toEqual(sentence);
    }
    if (name !== 'rtmr0') expect(reasonOf('hardware')).toMatch(/^RTMR0 is not pinned: any processors, memory, ACPI/);
  });

  it.each(Object.keys(pins))('could not check if only %s is missing or pinned to zeros', async (member) => {
    const { [member as keyof typeof pins]: _, ...rest } = pins;
    expect((await judge({ measurements: [rest] })).verdict).toBe('could-not-check');
    const zeroed = { ...rtmrs, length: 4, mrTd };
    const td =
      member === 'mrTd'
        ? { mrTd: zero }
        : { rtmrs: Array.from(zeroed).map((one, index) => (member === `rtmr${index}` ? zero : one)) };
    const judged = await judge({ measurements: [{ ...pins, [member]: digits('00') }] }, { td });
    expect([judged.verdict, judged.failed]).toEqual(['could-not-check', []]);
    expect(judged.reasonOf('software')).toMatch(/is pinned to zeros, which permits/);
  });

  it('could not check under a policy of any software, regardless of its other requirements', async () => {
    const policy: Policy = { measurements: 'any', fmspcs: [fmspc], tdAttributes: [], tcbEvaluationMin: 1 };
    const { verdict, failed, reasonOf } = await judge(policy);
    expect([verdict, failed]).toEqual(['could-not-check', []]);
    expect(reasonOf('software')).toBe('the policy accepts any software: MRTD, RTMR1, RTMR2 are open');
  });

  it('prefers a matching set that pins the software, and rejects a quote without a matching set', async () => {
    const measurements = [{ mrTd: digits('aa') }, pins];
    expect(await judge({ measurements })).toMatchObject({ verdict: 'verified' });
    const other = { td: { rtmrs: [rtmrs[0]!, mrTd, mrTd, zero] } };
    expect(await judge({ measurements }, other)).toMatchObject({ verdict: 'could-not-check', failed: [] });
    expect(await judge({ measurements: [pins] }, other)).toMatchObject({ failed: ['measurements'] });
  });

  it('reports what an uncompared RTMR3 permits', async () => {
    const { verdict, reasonOf } = await judge({ ...pinned, rtmr3: 'any' }, extended);
    expect([verdict, reasonOf('rtmr3')]).toEqual([
      'verified',
      'RTMR3 is not compared: any settings, models and agents, unless the start log is replayed',
    ]);
  });

  it('compares RTMR3 with the matching set only', async () => {
    const measurements = [
      { ...pins, rtmr3: digits('aa') },
      { ...pins, mrTd: digits('bb') },
    ];
    expect(await judge({ measurements }, extended)).toMatchObject({ verdict: 'verified' });
  });
});

describe('judgeQuote', () => {
  it.each<[string, string, Policy, EvidenceChange]>([
    ['software that no set names', 'measurements', { measurements: [{ ...pins, mrTd: digits('bb') }] }, {}],
    ['a set that fits in part', 'measurements', { measurements: [{ ...pins, rtmr1: digits('01') }] }, {}],
    ['a set that names nothing', 'measurements', { measurements: [{}] }, {}],
    ['no set at all', 'measurements', { measurements: [] }, {}],
    ['an extended RTMR3', 'rtmr3', pinned, extended],
    ['an old platform', 'tcb-status', pinned, status('OutOfDate')],
    ['a platform that needs hardening', 'tcb-status', pinned, status('SWHardeningNeeded')],
    [
      'a status that the policy does not list',
      'tcb-status',
      { ...pinned, tcbStatuses: ['UpToDate'] },
      status('ConfigurationNeeded'),
    ],
    ['an open advisory', 'advisories', pinned, status('UpToDate', ['INTEL-SA-00001'])],
    [
      'an advisory in addition to the allowed one',
      'advisories',
      { ...pinned, advisories: ['INTEL-SA-00001'] },
      status('UpToDate', ['INTEL-SA-00001', 'INTEL-SA-00002']),
    ],
    ['old collateral', 'tcb-evaluation', { ...pinned, tcbEvaluationMin: 2 }, {}],
    ['a TDX module below the floor', 'tcb-svn', { ...pinned, teeTcbSvnMin: `07${'00'.repeat(15)}` }, {}],
    ['a last SVN component below the minimum', 'tcb-svn', { ...pinned, teeTcbSvnMin: `${'00'.repeat(15)}01` }, {}],
    [
      'a running TDX module below the floor',
      'tcb-svn',
      { ...pinned, teeTcbSvnMin: `06${'00'.repeat(15)}` },
      {
        form: { version: 5, body: '1.5' },
        td: { teeTcbSvn2: Uint8Array.of(5, 1, 3, ...new Uint8Array(13)) },
        tcbInfo: (document) =>
          document.tdxModuleIdentities[0]!.tcbLevels.push({
            ...document.tdxModuleIdentities[0]!.tcbLevels[0]!,
            tcb: { isvsvn: 5 },
          }),
      },
    ],
    ['another family', 'machine', { ...pinned, fmspcs: ['00606a000000'] }, {}],
    ['another machine', 'machine', { ...pinned, platformIds: ['2f'.repeat(16)] }, onMachine],
    ['another XFAM', 'xfam', { ...pinned, xfam: ['e718060000000000'] }, {}],
    ['performance counters', 'exact-attributes', pinned, { td: { tdAttributes: attributes(0x80) } }],
    [
      'performance counters that were not listed',
      'exact-attributes',
      { ...pinned, tdAttributes: ['pks'] },
      { td: { tdAttributes: attributes(0x80, 0, 0x50) } },
    ],
    [
      'PKS that was not listed',
      'exact-attributes',
      { ...pinned, tdAttributes: [] },
      { td: { tdAttributes: attributes(0, 0, 0x50) } },
    ],
    [
      'Key Locker that was not listed',
      'exact-attributes',
      { ...pinned, tdAttributes: ['pks'] },
      { td: { tdAttributes: attributes(0, 0, 0x90) } },
    ],
    ['PKS that is off and listed', 'exact-attributes', { ...pinned, tdAttributes: ['pks'] }, {}],
    ['debug mode', 'td-debug', pinned, { td: { tdAttributes: attributes(0, 1) } }],
  ])('rejects %s, by %s', async (_, id, policy, change) => {
    expect(await judge(policy, change)).toMatchObject({ verdict: 'not-verified', failed: [id] });
  });

  it('rejects a quote for another nonce', async () => {
    expect(await judge(pinned, {}, new Uint8Array(64))).toMatchObject({
      verdict: 'not-verified',
      failed: ['report-data'],
    });
  });

  it.each<[string, Policy, EvidenceChange]>([
    ['a status', { ...pinned, tcbStatuses: ['OutOfDate'] }, status('OutOfDate')],
    ['an advisory', { ...pinned, advisories: ['INTEL-SA-00001'] }, status('UpToDate', ['INTEL-SA-00001'])],
    ['performance counters', { ...pinned, perfmonAllowed: true }, { td: { tdAttributes: attributes(0x80) } }],
    [
      'performance counters and PKS, exactly',
      { ...pinned, tdAttributes: ['perfmon', 'pks'] },
      { td: { tdAttributes: attributes(0x80, 0, 0x50) } },
    ],
    ['PKS and Key Locker by default', pinned, { td: { tdAttributes: attributes(0, 0, 0xd0) } }],
    ['debug mode', { ...pinned, debugAllowed: true }, { td: { tdAttributes: attributes(0, 1) } }],
    ['an extended RTMR3', { ...pinned, rtmr3: 'any' }, extended],
    ['a named RTMR3', { measurements: [{ ...pins, rtmr3: digits('aa') }] }, extended],
    ['a TDX module at the floor', { ...pinned, teeTcbSvnMin: `060103${'00'.repeat(13)}` }, {}],
    ['a family', { ...pinned, fmspcs: ['00606a000000', fmspc.toUpperCase()] }, {}],
    ['a machine', { ...pinned, platformIds: [ppid.toUpperCase()] }, onMachine],
    ['an XFAM', { ...pinned, xfam: ['E700060000000000'] }, {}],
  ])('accepts %s if the policy allows it', async (_, policy, change) => {
    expect(await judge(policy, change)).toMatchObject({ verdict: 'verified', failed: [] });
  });

  it('never accepts a revoked platform', async () => {
    const policy = { ...pinned, tcbStatuses: ['Revoked'] as const };
    expect(await judge(policy, status('Revoked'))).toMatchObject({
      verdict: 'not-verified',
      failed: ['tcb-not-revoked'],
    });
  });

  it('could not check without collateral under any policy', async () => {
    const { quote } = await buildEvidence({ td: { mrTd, rtmrs } });
    const verification = await verifyQuote(quote, undefined, [], evidenceNowMs);
    expect((await judgeQuote(verification, pinned, 'any')).verdict).toBe('could-not-check');
    expect(measurementsOf(verification.quote!.body).mrTd).toBe(digits('aa'));
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
    ['{"measurements":"any","teeTcbSvnMin":"06"}', /teeTcbSvnMin must be 32 hexadecimal digits/],
    ['{"measurements":"any","fmspcs":[]}', /fmspcs must be/],
    ['{"measurements":"any","fmspcs":"c10157e40000"}', /fmspcs must be/],
    ['{"measurements":"any","platformIds":["zz"]}', /platformIds must be/],
    ['{"measurements":"any","xfam":["e7"]}', /xfam must be/],
    ['{"measurements":"any","tdAttributes":["debug"]}', /tdAttributes must be/],
    ['{"measurements":"any","tdAttributes":["pks","pks"]}', /tdAttributes must be/],
    ['{"measurements":"any","tdAttributes":[],"perfmonAllowed":true}', /perfmonAllowed cannot be combined/],
  ])('rejects %s', (text, reason) => {
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
