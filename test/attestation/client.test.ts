/** Evidence as a whole, with one fault at a time, which must be the reported reason. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../attestation/aci/strict-json.ts';
import { toHex } from '../../attestation/base/bytes.ts';
import { parseEventLog } from '../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../attestation/eventlog/replay.ts';
import { replayStartLog } from '../../attestation/eventlog/start-log.ts';
import { createSimulatedPlatform, simulatedBoot } from '../../attestation/simulate/platform.ts';
import { commit, repositoryUrl, startLogWith, testStartLog } from '../support/attestation/attested-server.ts';
import { writeEventLog } from '../support/attestation/event-log-writer.ts';
import { type EvidenceCase, evidenceNonce, startEvidenceVerifier } from '../support/attestation/evidence-verifier.ts';
import { confidentialGpu } from '../support/attestation/gpu-server.ts';

const { platform, plainServer, verify, close } = await startEvidenceVerifier();
afterAll(close);

const contentOf = (name: string) => testStartLog.find((event) => event.name === name)!.content;
const startedModel = contentOf('cloister.model');
const startedComposition = '{"models":["tiny"]}';
const composed = testStartLog.toSpliced(-1, 0, { name: 'compose-hash', content: startedComposition });
/** What a load measures after the start. */
const laterModel = [
  { name: 'cloister.model', content: '{"id":"other"}' },
  { name: 'compose-hash', content: '{"models":["other","tiny"]}' },
];

const edit = (change: (report: string) => string): EvidenceCase => ({ server: { report: change } });
const evidence = (change: (evidence: JsonObject) => JsonObject): EvidenceCase => ({ server: { evidence: change } });

describe('verifyEvidence', () => {
  it('verifies a complete report, and returns its contents', async () => {
    const { verdict, failed, skipped, ...found } = await verify();
    expect({ verdict, failed, skipped }).toEqual({ verdict: 'verified', failed: [], skipped: ['boot-log'] });
    expect(found).toMatchObject({ simulated: true, tcbStatus: 'UpToDate', source: { commit, repositoryUrl } });
    expect(found.sealingKey).toHaveLength(32);
    expect(found.startLog).toEqual(testStartLog);
    expect(found.expiresAtMs).toBe(found.keyset!.notAfter * 1000);
  });

  it('accepts a model that was loaded after the start if the policy names it', async () => {
    const models = [startedModel, laterModel[0]!.content];
    const startLog = [...composed, ...laterModel];
    const policy = { started: { 'cloister.model': models } };
    expect(await verify({ policy, server: { startLog } })).toMatchObject({ verdict: 'verified', startLog });
    expect(await verify({ policy, server: { startLog: composed } })).toMatchObject({ verdict: 'verified' });
  });

  it.each<[string, string[], RegExp, EvidenceCase]>([
    ['no JSON', ['report-format'], /must be JSON/, edit(() => 'hello')],
    [
      'a report of another version',
      ['report-format'],
      /must be "aci\/1"/,
      edit((text) => text.replace('aci/1', 'aci/9')),
    ],
    ['other evidence', ['evidence-format'], /kind of the evidence must be/, evidence((all) => ({ ...all, kind: 'x' }))],
    ['evidence with a member too many', ['evidence-format'], /no member "x"/, evidence((all) => ({ ...all, x: 1 }))],
    [
      'another key in the keyset',
      ['keyset-digest'],
      /the report names the keyset/,
      edit((text) => text.replace(/"public_key":"...../, '"public_key":"00000')),
    ],
    ['another nonce', ['nonce'], /replayed or changed/, { input: { nonce: '00'.repeat(32) } }],
    ['an expired keyset', ['keyset-expiry'], /expired at/, { server: { keyset: { notAfter: 1_700_000_000 } } }],
    ['an immortal keyset', ['keyset-expiry'], /too long/, { server: { keyset: { notAfter: 9_000_000_000 } } }],
    [
      'a debug TD',
      ['td-debug'],
      /debug bit/,
      { server: { td: { tdAttributes: Uint8Array.of(1, 0, 0, 0x10, 0, 0, 0, 0) } } },
    ],
    [
      'other software',
      ['measurements'],
      /none of the 1 sets/,
      { policy: { measurements: [{ mrTd: 'ab'.repeat(48) }] } },
    ],
    ['another machine’s key', ['channel'], /not among the 1/, { input: { observed: { host: 'h', spkiSha256: '00' } } }],
    ['an RTMR3 that the policy wants zero', ['rtmr3'], /RTMR3 was extended/, { policy: { rtmr3: 'zero' } }],
    [
      'a start log with a changed digest',
      ['start-log'],
      /the start log replays to RTMR3/,
      { server: { startLog: startLogWith('model', { id: 'tiny', sha256: 'ff00' }), measured: testStartLog } },
    ],
    [
      'a start log that lacks its end',
      ['start-log'],
      /the start log replays to RTMR3/,
      { server: { startLog: testStartLog.slice(0, -1), measured: testStartLog } },
    ],
    [
      'a start with something measured after it',
      ['whole-start'],
      /evil.plugin comes after cloister.ready/,
      { server: { startLog: [...testStartLog, { name: 'evil.plugin', content: '' }] } },
    ],
    [
      'a quote made before the start',
      ['whole-start'],
      /cloister.ready is there 0 times/,
      { server: { startLog: testStartLog.slice(0, -1) } },
    ],
    [
      'other weights',
      ['started'],
      /cloister.model .* is not among the 1/,
      { policy: { started: { 'cloister.model': ['{}'] } } },
    ],
    [
      'a model that was loaded after the start and that the policy does not name',
      ['started'],
      /cloister.model .* is not among the 1/,
      { policy: { started: { 'cloister.model': [startedModel] } }, server: { startLog: [...composed, ...laterModel] } },
    ],
    [
      'a composition that the policy does not name, of a model that was loaded after the start',
      ['started'],
      /compose-hash .* is not among the 1/,
      {
        policy: { started: { 'compose-hash': [startedComposition] } },
        server: { startLog: [...composed, ...laterModel] },
      },
    ],
    ['a model that was not started', ['started'], /has no x/, { policy: { started: { x: ['{}'] } } }],
    ['another commit', ['source'], /deadbeef was not measured/, { server: { provenance: { commit: 'deadbeef' } } }],
    ['no source', ['source'], /neither a commit/, { server: { provenance: { commit: undefined } } }],
    ['an unwanted source', ['source'], /not among the policy/, { policy: { sources: [{ repoCommit: 'abc' }] } }],
    [
      'a claim that differs from what was measured',
      ['claims'],
      /cloister.host differs/,
      evidence((all) => ({ ...all, claims: [{ type: 'cloister.host', value: { swapAreas: 1 } }] })),
    ],
    ['evidence without a required GPU', ['gpu'], /the policy requires one/, { policy: { gpuRequired: true } }],
    [
      'fewer GPUs than were measured',
      ['gpu-binding'],
      /1 GPUs were measured at the start, but the evidence has 0/,
      { server: { startLog: startLogWith('gpu', confidentialGpu) }, policy: { gpuRequired: true } },
    ],
  ])('rejects %s', async (_, ids, reason, change) => {
    const { verdict, failed, reasonOf } = await verify(change);
    expect({ verdict, failed }).toEqual({ verdict: 'not-verified', failed: ids });
    expect(reasonOf(ids[0]!)).toMatch(reason);
  });

  it("rejects a simulation under Intel's root, by its label and by its signatures", async () => {
    const { failed, verdict } = await verify({ trust: { roots: undefined } });
    expect(verdict).toBe('not-verified');
    expect(failed).toEqual([
      'platform',
      'root-crl',
      'pck-crl-issuer',
      'pck-chain',
      'tcb-info-chain',
      'qe-identity-chain',
    ]);
    const hidden = await verify({ ...evidence((all) => ({ ...all, simulated: false })), trust: { roots: undefined } });
    expect(hidden.failed).toContain('pck-chain');
    const given = await verify(evidence((all) => ({ ...all, simulated: false })));
    expect([given.verdict, given.simulated]).toEqual(['verified', true]);
  });

  it('could not check without a policy, collateral or nonce', async () => {
    expect(await verify({ policy: 'none' })).toMatchObject({ verdict: 'could-not-check', failed: [] });
    const bare = await verify(evidence((all) => ({ ...all, collateral: null })));
    expect(bare).toMatchObject({ verdict: 'could-not-check', failed: [], reasonOf: expect.any(Function) });
    expect(bare.reasonOf('pck-chain')).toBe('no collateral is available');
    const given = { input: { collateral: platform.collateral } };
    expect(await verify({ ...evidence((all) => ({ ...all, collateral: null })), ...given })).toMatchObject({
      verdict: 'verified',
    });
    const unasked = await verify({ input: { nonce: undefined } });
    expect(unasked).toMatchObject({ verdict: 'could-not-check', failed: [] });
    expect(unasked.skipped).toEqual(['nonce', 'report-data', 'boot-log']);
  });

  it('notices that a quote was replaced, although the digest of the original is known', async () => {
    const other = await createSimulatedPlatform(Date.now());
    const quote = Buffer.from(await other.quote(new Uint8Array(64))).toString('base64');
    const { failed } = await verify(evidence((all) => ({ ...all, quote })));
    expect(failed).toEqual(expect.arrayContaining(['pck-chain', 'report-data', 'start-log']));
  });

  it('reports an unmeasured claim as not checked, and a measured one as passed', async () => {
    const claims = [
      { type: 'cloister.region', value: 'eu' },
      { type: 'cloister.host', value: { swapAreas: 0 } },
    ];
    const { verdict, reasonOf, skipped } = await verify(evidence((all) => ({ ...all, claims })));
    expect(verdict).toBe('verified');
    expect(skipped).toContain('claims');
    expect(reasonOf('claims')).toBe('claimed but not measured: cloister.region');
    const measured = await verify(evidence((all) => ({ ...all, claims: claims.slice(1) })));
    expect(measured.reasonOf('claims')).toBe('cloister.host');
  });

  it("replays the firmware's log to RTMR0 to 2, and rejects a log with a changed event", async () => {
    const log = (second: string) =>
      writeEventLog([
        { mrIndex: 1, data: 'firmware' },
        { mrIndex: 2, data: second },
        { mrIndex: 3, data: 'loader' },
      ]);
    const [rtmr0, rtmr1, rtmr2] = await replayEventLog(parseEventLog(log('table')).events);
    const rtmr3 = await replayStartLog(testStartLog);
    const td = { ...simulatedBoot(rtmr3), rtmrs: [rtmr0, rtmr1, rtmr2, rtmr3] };
    const boot = (bytes: Uint8Array) => ({
      server: { td, evidence: (all: JsonObject) => ({ ...all, boot_log: Buffer.from(bytes).toString('base64') }) },
    });
    const measurements = [{ mrTd: toHex(td.mrTd!), rtmr1: toHex(rtmr1), rtmr2: toHex(rtmr2) }];
    const right = await verify({ ...boot(log('table')), policy: { measurements } });
    expect([right.verdict, right.reasonOf('boot-log')]).toEqual(['verified', '3 events']);
    const wrong = await verify({ ...boot(log('tables')), policy: { measurements } });
    expect([wrong.verdict, wrong.failed]).toEqual(['not-verified', ['boot-log']]);
    expect(wrong.reasonOf('boot-log')).toMatch(/the event log gives RTMR1 as/);
  });

  it('never verifies a report whose keyset or start log has one changed character', async () => {
    const whole = await (await plainServer()).report(evidenceNonce);
    const bound = ['"workload_keyset":', '"start_log":'].map((name) => {
      const from = whole.indexOf(name) + name.length;
      return { from, until: whole.indexOf(name === '"start_log":' ? ',"gpu":' : ',"report_data":', from) };
    });
    const place = fc.oneof(...bound.map(({ from, until }) => fc.integer({ min: from, max: until - 1 })));
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...'0123456789abcdefX{}[]":, '), async (at, character) => {
        fc.pre(whole[at] !== character);
        const report = `${whole.slice(0, at)}${character}${whole.slice(at + 1)}`;
        expect((await verify({ input: { report } })).verdict).not.toBe('verified');
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  it("reports that bodies must be sealed if the connection's key is not visible", async () => {
    const { verdict, reasonOf } = await verify({ input: { observed: 'invisible' } });
    expect([verdict, reasonOf('channel')]).toEqual(['verified', expect.stringContaining('bodies must be sealed')]);
  });

  it('accepts unattested GPUs on a simulated platform only', async () => {
    for (const gpus of ['unknown', [{}]]) {
      const startLog = startLogWith('gpu', { gpus });
      const simulated = await verify({ server: { startLog } });
      expect([simulated.verdict, simulated.skipped]).toEqual([
        'verified',
        ['boot-log', 'gpu', 'gpu-binding', 'gpu-node'],
      ]);
      const claimed = await verify({ server: { startLog, evidence: (all) => ({ ...all, simulated: false }) } });
      expect(claimed.failed).toEqual(['gpu', 'gpu-binding']);
    }
  });
});
