/** How a verification scores the factors of auditors, for evidence of this server and of other providers. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { channelChecks, measuredChecks, reportChecks } from '../../attestation/client/evidence-check-table.ts';
import { replayEventLog } from '../../attestation/eventlog/replay.ts';
import { gpuChecks, switchChecks } from '../../attestation/gpu/gpu-check-table.ts';
import { gpuReferenceChecks, switchReferenceChecks } from '../../attestation/gpu/gpu-reference-check-table.ts';
import { policyChecks } from '../../attestation/policy/policy.ts';
import { factors } from '../../attestation/score/factors.ts';
import type { ScoreJson } from '../../attestation/score/report.ts';
import { quoteChecks } from '../../attestation/verify/quote-check-table.ts';
import { startAttestedServer, startManInTheMiddle } from '../support/attestation/attested-server.ts';
import { scoreOf, startPaperScene } from '../support/attestation/score-scenes.ts';
import { startVerifyCli } from '../support/attestation/verify-cli.ts';
import { hasVectors, vectorPath, vectorsNote } from '../support/vectors.ts';

const { cwd, server, cloister, close } = await startVerifyCli();
const paper = await startPaperScene();
afterAll(() => Promise.all([close(), paper.close()]));

const words = ['PASS', 'FAIL', 'SKIP', 'N/A'];

async function score(rest: string) {
  const { code, stdout, stderr } = await cloister(`score ${rest} --json`);
  expect(stderr).toBe('');
  const json = JSON.parse(stdout) as ScoreJson;
  const of = (name: string) => json.factors.find((factor) => factor.name === name)!;
  return { code, json, status: (name: string) => words[of(name).status], detail: (name: string) => of(name).detail };
}

describe('the factors', () => {
  it('are those of the scorer, each once', () => {
    const core =
      'nonce_match tee_quote_present tee_quote_structure tee_cert_chain tee_quote_signature tee_debug_disabled';
    const measured = 'tee_measurement tee_hardware_config tee_boot_config signing_key_present response_schema';
    const binding =
      'tee_reportdata_binding intel_pcs_collateral tee_tcb_current tee_tcb_not_revoked nvidia_payload_present';
    const gpu =
      'nvidia_signature nvidia_claims nvidia_nonce_client_bound nvidia_nras_verified e2ee_capable e2ee_usable';
    const channel = 'tls_key_binding cpu_gpu_chain nvswitch_binding measured_model_weights build_transparency_log';
    const signers = 'component_recognition provider_signer_recognition component_signature_recognition cpu_id_registry';
    const supply = 'compose_binding sigstore_verification sigstore_code_verified event_log_integrity';
    const gateway =
      'nonce_match tee_quote_present tee_quote_structure tee_cert_chain tee_quote_signature tee_debug_disabled tee_measurement tee_hardware_config tee_boot_config tee_reportdata_binding compose_binding cpu_id_registry event_log_integrity';
    const own = [core, measured, binding, gpu, channel, signers, supply].join(' ').split(' ');
    const names = [...own, ...gateway.split(' ').map((name) => `gateway_${name}`)];
    expect(factors.map(({ name }) => name)).toEqual(names);
  });

  it('cover every check of a verification, except those without a factor', () => {
    const tables = [reportChecks, quoteChecks, policyChecks, measuredChecks, gpuChecks, gpuReferenceChecks];
    const switches = [switchChecks, switchReferenceChecks];
    const ids = [...tables, ...switches, channelChecks].flatMap((table) => Object.keys(table));
    const used = new Set<string>(factors.flatMap(({ checks }) => checks));
    expect(ids.filter((id) => !used.has(id))).toEqual([
      'measurements',
      'software',
      'hardware',
      'rtmr3',
      'machine',
      'claims',
    ]);
    expect([...used].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('cloister score', () => {
  it('passes every factor that evidence can prove when all checks ran, and fails the others by name', async () => {
    const { code, score: json } = await scoreOf(paper);
    expect([code, json.metadata.verdict]).toEqual([0, 'verified']);
    const failed = json.factors.filter(({ status }) => status === 1).map(({ name }) => name);
    expect(failed).toEqual([
      'build_transparency_log',
      'provider_signer_recognition',
      'component_signature_recognition',
      'cpu_id_registry',
      'sigstore_code_verified',
    ]);
    expect(json.factors.filter(({ status }) => status === 2)).toEqual([]);
    const counts = ['passed', 'failed', 'skipped', 'enforced_failed', 'allowed_failed', 'not_applicable'];
    const members = ['title', 'provider', 'model', 'timestamp', 'factors', ...counts, 'metadata'];
    expect(Object.keys(json)).toEqual(members);
    expect(Object.keys(json.factors[0]!)).toEqual(['name', 'status', 'detail', 'enforced', 'tier']);
    expect(json.title).toBe('Attestation Report (SIMULATED: proves nothing about hardware)');
    expect(json).toMatchObject({ model: 'tiny', passed: 28, failed: 5, skipped: 0, enforced_failed: 0 });
  });

  it("prints a line per factor, the remedy for those that fail, and exits with the verdict's code", async () => {
    const { code, stdout } = await cloister(`score ${server.origin} --root root.pem --policy any`);
    expect(code).toBe((await cloister(`verify ${server.origin} --root root.pem --policy any`)).code);
    expect(stdout).toMatch(/ {2}PASS {2}nonce_match +the report contains our nonce\n/);
    expect(stdout).toMatch(/ {2}SKIP {2}tee_measurement +the policy accepts any software\n/);
    expect(stdout).toMatch(/ {2}N\/A {3}all 13 +no gateway/);
    expect(stdout).toMatch(/What would make them pass\n {2}build_transparency_log: publish/);
    expect(stdout).toMatch(/\nScore: \d+\/\d+ passed, \d+ skipped, \d+ failed, \d+ n\/a; cloister verify: /);
  });

  it('fails the factors of the certificate chain below Intel’s root for a simulation, and exits like verify', async () => {
    const { code, status, json } = await score(server.origin);
    expect([code, status('tee_cert_chain'), status('intel_pcs_collateral')]).toEqual([10, 'FAIL', 'FAIL']);
    expect([status('tee_quote_signature'), status('tee_debug_disabled')]).toEqual(['PASS', 'PASS']);
    expect(json.enforced_failed).toBeGreaterThan(0);
  });

  it('names the register that a policy does not pin, and fails the one that differs', async () => {
    writeFileSync(join(cwd, 'other.json'), JSON.stringify({ measurements: [{ mrTd: 'ab'.repeat(48) }] }));
    const other = await score(`${server.origin} --root root.pem --policy other.json`);
    expect([other.status('tee_measurement'), other.status('tee_boot_config')]).toEqual(['FAIL', 'FAIL']);
    const { mrtd, rtmr3 } = other.json.metadata;
    writeFileSync(join(cwd, 'open.json'), JSON.stringify({ measurements: [{ mrTd: mrtd, rtmr3 }] }));
    const open = await score(`${server.origin} --root root.pem --policy open.json`);
    expect([open.status('tee_measurement'), open.status('tee_boot_config')]).toEqual(['PASS', 'SKIP']);
    expect(open.detail('tee_boot_config')).toBe('the policy leaves rtmr1 and rtmr2 open');
  });

  it('fails nonce and channel of a man in the middle, and sends him no API key', async () => {
    const middle = await startManInTheMiddle(server, { report: () => server.report('00'.repeat(32)) });
    writeFileSync(join(cwd, 'key'), 'clst_secret');
    const found = await score(`${middle.origin} --root root.pem --policy any --key-file key`);
    await middle.close();
    expect([found.status('nonce_match'), found.status('tls_key_binding')]).toEqual(['FAIL', 'FAIL']);
    expect(found.detail('e2ee_usable')).toBe('API keys are sent only to servers that the policy accepts');
    expect(middle.requests).toEqual([]);
  });

  it('fails e2ee_usable if the response to a sealed request is not sealed', async () => {
    const refusing = await startAttestedServer({
      platform: server.platform,
      handle: (_, response) => response.writeHead(401).end('{}'),
    });
    const policy = writePinned((await score(refusing.origin)).json);
    const flags = `--root root.pem --policy ${policy} --key-file ${writeKey()}`;
    const { status, detail } = await score(`${refusing.origin} ${flags}`);
    await refusing.close();
    expect([status('e2ee_usable'), detail('e2ee_usable')]).toEqual([
      'FAIL',
      'the response, status 401, was not sealed',
    ]);
  });

  const writeKey = () => {
    writeFileSync(join(cwd, 'key'), 'clst_secret');
    return 'key';
  };
  const writePinned = ({ metadata: { mrtd, rtmr0, rtmr1, rtmr2 } }: ScoreJson) => {
    const set = { mrTd: mrtd, rtmr0, rtmr1, rtmr2 };
    writeFileSync(join(cwd, 'pinned.json'), JSON.stringify({ measurements: [set] }));
    return 'pinned.json';
  };
});

describe('cloister score of evidence from other systems', () => {
  const events = [0, 1, 2, 3].map((imr) => ({
    ...{ imr, event_type: 134217729, event: `e${imr}`, event_payload: '' },
    digest: createHash('sha384').update(`register ${imr}`).digest('hex'),
  }));
  const nonce = '5e'.repeat(32);

  /** An ACI report like that of a dstack gateway, around a quote of this test. */
  async function foreignReport(change: (evidence: Record<string, unknown>) => void = () => {}, serving = 'aggregator') {
    const measured = events.map(({ imr, event_type: type, digest }) => ({
      ...{ mrIndex: imr + 1, type, digest: new Uint8Array(Buffer.from(digest, 'hex')) },
    }));
    const compose = '{"services":{}}';
    const mrConfigId = new Uint8Array(48);
    mrConfigId.set([1, ...createHash('sha256').update(compose).digest()]);
    const own = await startAttestedServer({
      platform: server.platform,
      td: { rtmrs: await replayEventLog(measured), mrConfigId },
      evidence: ({ quote }) => {
        const hex = Buffer.from(quote as string, 'base64').toString('hex');
        const evidence = { quote: hex, event_log: JSON.stringify(events), app_compose: compose };
        change(evidence);
        return evidence;
      },
      report: (text) => text.replace('"serving":"direct"', `"serving":"${serving}"`),
    });
    const { collateral } = JSON.parse(await server.report(nonce)).attestation.evidence;
    writeFileSync(join(cwd, 'collateral.json'), JSON.stringify(collateral));
    const found = await score(`${own.origin} --root root.pem --collateral collateral.json`);
    await own.close();
    return found;
  }

  it('verifies the hex quote of an ACI report, its report data, its event log and its compose file', async () => {
    const { code, status, detail } = await foreignReport();
    const passing = [
      'nonce_match',
      'tee_quote_present',
      'tee_quote_structure',
      'tee_cert_chain',
      'tee_quote_signature',
    ];
    passing.push('tee_debug_disabled', 'tee_reportdata_binding', 'intel_pcs_collateral', 'tee_tcb_current');
    passing.push(
      'tee_tcb_not_revoked',
      'signing_key_present',
      'e2ee_capable',
      'event_log_integrity',
      'compose_binding',
    );
    expect(passing.filter((name) => status(name) !== 'PASS')).toEqual([]);
    expect(status('measured_model_weights')).toBe('SKIP');
    expect(detail('cpu_id_registry')).toBe(
      'an ACI report of another provider: this verifier cannot check this factor in this evidence format',
    );
    expect(detail('gateway_nonce_match')).toMatch(/it serves as aggregator/);
    expect(code).toBe(10);
  });

  it.each<[string, string, (evidence: Record<string, unknown>) => void]>([
    ['event_log_integrity', 'FAIL', (evidence) => (evidence.event_log = events.slice(1))],
    ['event_log_integrity', 'SKIP', (evidence) => (evidence.event_log = [{ imr: 9 }])],
    ['compose_binding', 'FAIL', (evidence) => (evidence.app_compose = 'another')],
    ['tee_quote_present', 'FAIL', (evidence) => (evidence.quote = 'zz')],
    ['tee_quote_signature', 'FAIL', (evidence) => (evidence.quote = flip(evidence.quote as string, 2 * 600))],
  ])('%s is %s if the evidence was changed', async (name, expected, change) => {
    expect((await foreignReport(change)).status(name)).toBe(expected);
  });

  it("reads dstack's format, whose binding it cannot verify", async () => {
    const { quote } = JSON.parse(await server.report(nonce)).attestation.evidence;
    const form = {
      intel_quote: Buffer.from(quote, 'base64').toString('hex'),
      nvidia_payload: '{}',
      request_nonce: nonce,
    };
    writeFileSync(join(cwd, 'dstack.json'), JSON.stringify(form));
    const { status } = await score('dstack.json --root root.pem --collateral none');
    expect([status('tee_quote_signature'), status('nvidia_payload_present')]).toEqual(['PASS', 'PASS']);
    expect([status('nonce_match'), status('nvidia_signature')]).toEqual(['SKIP', 'SKIP']);
    expect(status('tee_reportdata_binding')).toBe('SKIP');
  });

  it.each([
    ['another kind of machine', '{"api_version":"aci/1","attestation":{"tee_type":"sev_snp","evidence":{}}}'],
    ['JSON that is no report', '{"a":[1,2]}'],
    ['invalid JSON', '{"a":'],
  ])('scores %s as evidence without a quote, and exits with 10', async (_, text) => {
    writeFileSync(join(cwd, 'odd.json'), text);
    const { code, status, json } = await score('odd.json');
    expect([code, status('tee_quote_present'), json.passed]).toEqual([10, 'FAIL', 0]);
  });

  it.skipIf(!hasVectors)(`scores a real quote without a report${vectorsNote}`, async () => {
    const [quote, collateral] = ['tdx_quote', 'tdx_quote_collateral.json'].map((name) =>
      vectorPath(`tdx-dcap-qvl/${name}`),
    );
    const { code, status, json } = await score(`${quote} --collateral ${collateral} --at 2025-06-20T00:00:00Z`);
    expect(code).toBe(0);
    expect(json.factors.filter((factor) => factor.status === 0).map(({ name }) => name)).toEqual([
      ...['tee_quote_present', 'tee_quote_structure', 'tee_cert_chain', 'tee_quote_signature', 'tee_debug_disabled'],
      ...['intel_pcs_collateral', 'tee_tcb_current', 'tee_tcb_not_revoked'],
    ]);
    expect(status('tee_measurement')).toBe('SKIP');
    expect(json.failed).toBe(0);
  });
});

function flip(hex: string, at: number): string {
  return hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
}
