/** `cloister verify` on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { runVerifier } from '../../attestation/cli/main.ts';
import { measurementsOf } from '../../attestation/policy/policy.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { startAttestedServer, startManInTheMiddle } from '../support/attestation/attested-server.ts';
import { startCollateralServer } from '../support/attestation/collateral-server.ts';
import { startVerifyCli } from '../support/attestation/verify-cli.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../support/vectors.ts';

const { cwd, server, cloister, close } = await startVerifyCli();
afterAll(close);

const verify = (rest: string) => cloister(`verify ${server.origin} --root root.pem ${rest}`.trim());

describe('cloister verify', () => {
  it('prints every check and one verdict, and marks the platform as simulated', async () => {
    const { code, stdout, stderr } = await verify('--policy pinned.json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^evidence of +https:\/\/localhost/);
    expect(stdout).toMatch(/platform +simulated/);
    expect(stdout).toMatch(/RESULT +CHECK +FOUND/);
    expect(stdout).toMatch(/pass +The quote is signed by the attestation key/);
    expect(stdout).toMatch(
      /not checked +The firmware's event log replays to RTMR0 to RTMR2 +the evidence has no boot log/,
    );
    expect(stdout).toMatch(
      /\nVERIFIED \(SIMULATED: proves nothing about hardware\): \d+ passed, 0 failed, 2 not checked\n$/,
    );
  });

  it('cannot check without a policy for the software, and prints how to write one', async () => {
    const { code, stdout } = await verify('');
    expect(code).toBe(20);
    expect(stdout).toMatch(/not checked: The measured software is in the policy\n {2}no policy was given/);
    const policy = /^\{"measurements.*$/m.exec(stdout)![0];
    writeFileSync(join(cwd, 'policy.json'), policy);
    expect((await verify('--policy policy.json')).code).toBe(0);
  });

  it('does not verify without the simulated root, nor with a policy for other software', async () => {
    const rootless = await cloister(`verify ${server.origin} --policy pinned.json`);
    expect(rootless.code).toBe(10);
    expect(rootless.stdout).toMatch(
      /FAIL +The platform is real, or a simulation .* the server reports a simulated platform/,
    );
    writeFileSync(join(cwd, 'other.json'), JSON.stringify({ measurements: [{ mrTd: 'ab'.repeat(48) }] }));
    const other = await verify('--policy other.json');
    expect(other.code).toBe(10);
    expect(other.stdout).toContain('none of the 1 sets matches');
    expect(other.stdout).toMatch(/NOT VERIFIED .*: \d+ passed, 1 failed/);
  });

  it('cannot check with a policy of one register, and explains what each missing register permits', async () => {
    const text = '{"measurements":[{"mrOwner":"REGISTER"}],"sources":"any"}'.replace('REGISTER', '00'.repeat(48));
    writeFileSync(join(cwd, 'one-register.json'), text);
    const { code, stdout } = await verify('--policy one-register.json');
    expect(code).toBe(21);
    expect(stdout).not.toMatch(/^VERIFIED/m);
    expect(stdout).toMatch(
      /\nCOULD NOT CHECK \(SIMULATED: .*; THE POLICY DOES NOT PIN THE SOFTWARE\): \d+ passed, 0 failed/,
    );
    expect(stdout).toMatch(
      /MRTD is not pinned, which permits any firmware.*RTMR1 is not pinned, which permits any kernel;/,
    );
    expect(stdout).toMatch(/RTMR2 is not pinned, which permits any kernel command line and initial RAM disk/);
    expect(stdout).toMatch(
      /not checked +The policy pins the virtual hardware .* RTMR0 is not pinned: any processors, memory/,
    );
    expect(JSON.parse((await verify('--policy one-register.json --json')).stdout).verdict).toBe('could-not-check');
  });

  it('cannot check with a policy that accepts any software', async () => {
    const { code, stdout } = await verify('--policy any');
    expect(code).toBe(21);
    expect(stdout).toMatch(/the policy accepts any software: MRTD, RTMR1, RTMR2 are open/);
    expect((await verify('--help')).stdout).toMatch(/21 could not check because the policy does not pin the software/);
  });

  it('fetches fresh collateral from the given mirror, and rejects a mirror without TLS', async () => {
    const mirror = await startCollateralServer(server.platform.collateral);
    expect((await verify(`--policy any --collateral ${mirror.url}`)).code).toBe(21);
    expect(mirror.asked).toHaveLength(4);
    await mirror.close();
    const { code, stderr } = await verify('--policy any --collateral http://mirror.example.org');
    expect([code, stderr]).toEqual([64, expect.stringContaining('requires an https address of a mirror')]);
  });

  it('prints JSON with every check', async () => {
    const nonce = 'ab'.repeat(32);
    const { code, stdout } = await verify(`--policy pinned.json --nonce ${nonce} --json`);
    const json = JSON.parse(stdout);
    expect([code, json.verdict, json.simulated, json.nonce]).toEqual([0, 'verified', true, nonce]);
    expect(json.keysetDigest).toBe(await keysetDigest(server.keyset));
    expect(json.startLog).toHaveLength(8);
    expect(json.checks.length).toBeGreaterThan(50);
    expect(json.checks[0]).toEqual({
      id: 'report-format',
      title: 'The report is an ACI report, version aci/1',
      action: expect.any(String),
      outcome: 'pass',
      reason: 'it holds',
      required: true,
    });
  });

  it('saves a bundle that verifies offline, years later, at its capture time', async () => {
    const short = await startAttestedServer({ keyset: { notAfter: Math.floor(Date.now() / 1000) + 60 } });
    writeFileSync(join(cwd, 'short.pem'), short.rootPem);
    expect(
      (await cloister(`verify ${short.origin} --root short.pem --policy pinned.json --save bundle.json`)).code,
    ).toBe(0);
    await short.close();
    const offline = 'verify --offline bundle.json --root short.pem --policy pinned.json';
    expect((await cloister(offline)).code).toBe(0);
    expect((await cloister('verify bundle.json --root short.pem --policy pinned.json')).code).toBe(0);
    const later = await cloister(`${offline} --at 2031-01-01T00:00:00Z`);
    expect(later.code).toBe(10);
    expect(later.stdout).toMatch(/FAIL: The keyset has not expired/);
    expect((await cloister('verify --offline bundle.json --policy pinned.json')).code).toBe(10);
  });

  it('rejects a changed bundle and names the failed check', async () => {
    await verify('--policy pinned.json --save whole.json');
    const whole = JSON.parse(readFileSync(join(cwd, 'whole.json'), 'utf8'));
    const changed = async (bundle: object) => {
      writeFileSync(join(cwd, 'changed.json'), JSON.stringify(bundle));
      const { code, stdout } = await cloister('verify changed.json --root root.pem --policy pinned.json --json');
      const { checks } = JSON.parse(stdout);
      const failed = checks.filter((check: { outcome: string }) => check.outcome === 'fail');
      return [code, ...failed.map(({ id }: { id: string }) => id)];
    };
    expect(await changed(whole)).toEqual([0]);
    const observed = { ...whole.observed, spki_sha256: '00'.repeat(32) };
    expect(await changed({ ...whole, observed })).toEqual([10, 'channel']);
    expect(await changed({ ...whole, nonce: '00'.repeat(32) })).toEqual([10, 'nonce']);
    const tampered = whole.report.replace('00ff', '00fe');
    expect(await changed({ ...whole, report: tampered })).toEqual([10, 'start-log']);
    expect(await changed({ ...whole, report: '{}' })).toEqual([10, 'report-format']);
  });

  it('verifies a report file with the nonce of its request', async () => {
    const nonce = 'cd'.repeat(32);
    writeFileSync(join(cwd, 'report.json'), await server.report(nonce));
    const line = 'verify report.json --root root.pem --policy pinned.json';
    expect((await cloister(`${line} --nonce ${nonce}`)).code).toBe(0);
    expect((await cloister(line)).code).toBe(20);
    expect((await cloister(`${line} --nonce ${'ce'.repeat(32)}`)).code).toBe(10);
    writeFileSync(join(cwd, 'unasked.json'), await server.report(undefined));
    const unasked = await cloister('verify unasked.json --root root.pem --policy pinned.json');
    expect([unasked.code, unasked.stdout.includes('freshness not verified')]).toEqual([20, true]);
  });

  it('does not verify a man in the middle', async () => {
    const middle = await startManInTheMiddle(server);
    const { code, stdout } = await cloister(`verify ${middle.origin} --root root.pem --policy pinned.json`);
    await middle.close();
    expect(code).toBe(10);
    expect(stdout).toMatch(/FAIL: The TLS key of the connection is attested\n.*not among the 1 attested TLS keys/);
  });

  it.each([
    ['verify', 64, 'expected one address or file, got '],
    ['verify a b', 64, 'expected one address or file, got '],
    ['verify http://localhost', 64, 'must be an https address'],
    ['verify nowhere.json', 64, 'nowhere.json cannot be read: ENOENT'],
    ['verify x --wings', 64, 'wings'],
    ['verify https://localhost --nonce AB', 64, '--nonce must be 64 lowercase hexadecimal digits'],
    ['verify --offline nowhere.json extra', 64, '--offline cannot be combined'],
    ['verify https://localhost:1 --policy pinned.json', 20, 'could not be fetched: ECONNREFUSED'],
    ['verify https://localhost:1 --policy bad-policy.json', 64, 'a policy has no member wings'],
    [
      'verify root.pem --collateral none --policy pinned.json --root bad-policy.json',
      64,
      'has text outside its certificates',
    ],
    ['verify-receipt', 64, 'expected one receipt, got 0'],
    ['verify-receipt r --bundle a --report b', 64, '--bundle and --report cannot be combined'],
  ])('exits %j with code %i and prints %j', async (line, code, message) => {
    writeFileSync(join(cwd, 'bad-policy.json'), '{"measurements":"any","wings":2}');
    const result = await cloister(line);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it("removes control characters from a server's texts", async () => {
    const loud = await startAttestedServer({ startLog: [{ name: 'cloister.build', content: '\u001b[2J\u202e' }] });
    const { stdout } = await cloister(`verify ${loud.origin} --policy pinned.json`);
    await loud.close();
    expect(stdout).toContain('\\u{1b}[2J\\u{202e}');
    expect(['\u001b', '\u202e'].some((character) => stdout.includes(character))).toBe(false);
  });
});

describe.skipIf(!hasVectors)(`cloister verify of a real production quote${vectorsNote}`, () => {
  const at = (time: string) => `verify quote.bin --collateral collateral.json --at ${time}`;
  beforeAll(() => {
    if (!hasVectors) return;
    writeFileSync(join(cwd, 'quote.bin'), vectorBytes('tdx-dcap-qvl/tdx_quote'));
    writeFileSync(join(cwd, 'collateral.json'), vectorBytes('tdx-dcap-qvl/tdx_quote_collateral.json'));
  });

  it('verifies at its capture time', async () => {
    const { code, stdout } = await cloister(at('2025-06-20T00:00:00Z'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/platform +Intel TDX\nTCB status +UpToDate/);
    expect(stdout).toMatch(/\nVERIFIED: 36 passed, 0 failed, 0 not checked\n$/);
  });

  it('has expired collateral today, and the output has the expiry date', async () => {
    const { code, stdout } = await cloister(at('2026-11-21T00:00:00Z'));
    expect(code).toBe(10);
    expect(stdout).toMatch(/FAIL +The TCB info is current +the tcb-info expired on 2025-07-/);
  });

  it('verifies against a policy, in hexadecimal and base64, and cannot be checked without collateral', async () => {
    const bytes = vectorBytes('tdx-dcap-qvl/tdx_quote');
    const { mrTd, rtmr1, rtmr2, rtmr3 } = measurementsOf(parseQuote(bytes).body);
    writeFileSync(join(cwd, 'real.json'), JSON.stringify({ measurements: [{ mrTd, rtmr1, rtmr2, rtmr3 }] }));
    writeFileSync(join(cwd, 'quote.hex'), Buffer.from(bytes).toString('hex'));
    writeFileSync(join(cwd, 'quote.b64'), Buffer.from(bytes).toString('base64'));
    const flags = '--collateral collateral.json --at 2025-06-20T00:00:00Z --policy real.json';
    for (const file of ['quote.bin', 'quote.hex', 'quote.b64']) {
      expect((await cloister(`verify ${file} ${flags}`)).code).toBe(0);
    }
    expect((await cloister('verify quote.bin --collateral none')).code).toBe(20);
  });
});

describe('cloister-verify', () => {
  it('gives the same result as `cloister verify`', async () => {
    let [stdout, stderr] = ['', ''];
    const io = {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
      cwd,
    };
    expect(await runVerifier([server.origin, '--root', 'root.pem', '--policy', 'pinned.json'], io)).toBe(0);
    expect(await runVerifier(['receipt', '--help'], io)).toBe(0);
    expect(await runVerifier(['evidence', '--help'], io)).toBe(0);
    expect(await runVerifier(['--help'], io)).toBe(0);
    expect(await runVerifier([], io)).toBe(64);
    expect(stdout).toContain('Usage: cloister-verify receipt <receipt>');
    expect(stderr).toContain('Usage: cloister-verify <https');
  });
});
