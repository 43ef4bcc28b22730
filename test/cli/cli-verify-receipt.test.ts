/** `cloister verify-receipt` on the command line. */
import { sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Digest } from '../../attestation/aci/digest.ts';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { formatReceipt, signReceipt } from '../../attestation/aci/receipt.ts';
import { startAttestedServer } from '../support/attestation/attested-server.ts';
import { startVerifyCli } from '../support/attestation/verify-cli.ts';

const { cwd, server, cloister, close } = await startVerifyCli();
afterAll(close);

describe('cloister verify-receipt', () => {
  const request = Buffer.from('{"model":"tiny"}');
  const response = Buffer.from('{"answer":42}');

  beforeAll(async () => {
    await cloister(`verify ${server.origin} --root root.pem --policy pinned.json --save evidence.json`);
    writeFileSync(join(cwd, 'request.json'), request);
    writeFileSync(join(cwd, 'response.json'), response);
    writeFileSync(join(cwd, 'receipt.json'), await receipt());
  });

  async function receipt(servedAt = Math.floor(Date.now() / 1000)): Promise<string> {
    const digest = (bytes: Uint8Array) => sha256Digest(new Uint8Array(bytes));
    const unsigned = {
      receiptId: 'rcpt_1',
      chatId: undefined,
      model: 'tiny',
      keysetDigest: await keysetDigest(server.keyset),
      endpoint: '/v1/chat/completions',
      method: 'POST',
      servedAt,
      events: [
        { type: 'request.received', body_hash: await digest(request) },
        { type: 'cloister.inference', weights: 'sha256:00ff' },
        { type: 'response.returned', body_hash: await digest(response) },
      ],
      keyId: 'r1',
    };
    const key = server.keys.receipt.privateKey;
    return formatReceipt(await signReceipt(unsigned, (bytes) => new Uint8Array(sign(null, bytes, key))));
  }

  const line = 'verify-receipt receipt.json --bundle evidence.json --root root.pem --policy pinned.json';
  const bodies = '--request request.json --response response.json';

  it('verifies a receipt against evidence and both bodies', async () => {
    const { code, stdout } = await cloister(`${line} ${bodies}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/cloister.inference +\{"weights":"sha256:00ff"\}/);
    expect(stdout).toMatch(/VERIFIED \(SIMULATED: .*\): 7 passed, 0 failed, 0 not checked\n$/);
  });

  it('reports the bodies that were not compared', async () => {
    const { code, stdout } = await cloister(line);
    expect(code).toBe(0);
    expect(stdout).toMatch(/not checked +The receipt is for the request that was sent +the body was not given/);
  });

  it.each<[string, (text: string) => string, string]>([
    ['a weight digest', (text) => text.replace('00ff', '00fe'), 'receipt-signature'],
    ['the model', (text) => text.replace('"tiny"', '"large"'), 'receipt-signature'],
    ['the key id', (text) => text.replace('"r1"', '"r2"'), 'receipt-signature'],
    ['the keyset', (text) => text.replace(/(keyset_digest":"sha256:).{4}/, '$1beef'), 'receipt-keyset'],
    ['the version', (text) => text.replace('aci/1', 'aci/2'), 'receipt-format'],
  ])('rejects a receipt after a change of %s', async (_, change, id) => {
    writeFileSync(join(cwd, 'edited.json'), change(await receipt()));
    const { code, stdout } = await cloister(`${line.replace('receipt.json', 'edited.json')} ${bodies} --json`);
    const failed = JSON.parse(stdout).checks.filter((check: { outcome: string }) => check.outcome === 'fail');
    expect([code, failed.map((check: { id: string }) => check.id)]).toEqual([10, [id]]);
  });

  it('rejects a receipt of another response, of another server, and one signed after the keyset expired', async () => {
    const swapped = await cloister(`${line} --request response.json --response request.json`);
    expect(swapped.code).toBe(10);
    expect(swapped.stdout).toMatch(/FAIL: The receipt is for the request that was sent/);
    const other = await startAttestedServer({ platform: server.platform });
    writeFileSync(join(cwd, 'other-report.json'), await other.report('ab'.repeat(32)));
    await other.close();
    const flags = `--report other-report.json --nonce ${'ab'.repeat(32)} --root root.pem --policy pinned.json`;
    const foreign = await cloister(`verify-receipt receipt.json ${flags}`);
    expect(foreign.code).toBe(10);
    expect(foreign.stdout).toMatch(/FAIL: The receipt names the keyset in the evidence/);
    writeFileSync(join(cwd, 'late.json'), await receipt(server.keyset.notAfter + 1));
    expect((await cloister(line.replace('receipt.json', 'late.json'))).stdout).toMatch(
      /FAIL: The receipt was signed before/,
    );
  });

  it('rejects a receipt with an invalid time', async () => {
    writeFileSync(join(cwd, 'never.json'), await receipt(Number.MAX_SAFE_INTEGER));
    const { code, stdout } = await cloister(line.replace('receipt.json', 'never.json'));
    expect(code).toBe(10);
    expect(stdout).toMatch(/served at +9007199254740991 s\n/);
  });

  it('cannot check a receipt without verified evidence', async () => {
    const bare = await cloister('verify-receipt receipt.json');
    expect([bare.code, bare.stdout.includes('the signing key is unknown')]).toEqual([20, true]);
    expect((await cloister(line.replace(' --policy pinned.json', ''))).code).toBe(20);
    expect((await cloister(line.replace(' --root root.pem', ''))).code).toBe(10);
  });
});
