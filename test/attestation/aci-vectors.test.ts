/**
 * Reproduces the byte vectors that ACI publishes. Values from Dstack-TEE/private-ai-gateway `spec/test-vectors.md`
 * (Apache-2.0), sections 1, 2 and 4.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Digest } from '../../attestation/aci/digest.ts';
import { canonicalJson } from '../../attestation/aci/jcs.ts';
import { type Keyset, keysetDigest, keysetDocument, parseKeyset, receiptKey } from '../../attestation/aci/keyset.ts';
import {
  formatReceipt,
  parseReceipt,
  receiptBytes,
  signReceipt,
  verifyReceipt,
} from '../../attestation/aci/receipt.ts';
import { toHex } from '../../attestation/base/bytes.ts';
import { reportDataOf, reportDataText } from '../../attestation/base/report-data.ts';

const keysetText =
  '{"e2ee_public_keys":[{"algo":"x25519-aes-256-gcm-hkdf-sha256","key_id":"e2ee-1","public_key":"5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22"}],"not_after":1800000000,"receipt_signing_keys":[{"algo":"ed25519","key_id":"receipt-1","public_key":"8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394"}],"subject":"dstack-app://example-app","tls_public_keys":[{"domain":"api.example.com","spki_sha256":"c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"}]}';
const digest = '53a5cd44b30dcc51999754c719f2628a041f174ecbf9662a6f8e898a10cd9371';
const nonce = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const receiptText =
  '{"api_version":"aci/1","chat_id":"chatcmpl-123","endpoint":"/v1/chat/completions","event_log":[{"body_hash":"sha256:94d809bf47380d8a2eab0eb6e126d4dda9364b0b4725cdf7ead52dd70b2aa87b","type":"request.received"},{"body_hash":"sha256:94d809bf47380d8a2eab0eb6e126d4dda9364b0b4725cdf7ead52dd70b2aa87b","type":"request.forwarded"},{"model_id":"demo-model","required":true,"result":"verified","session_id":"95ad1cb4dd25445808c2e9d116caf420b05703730b506395e8fc1ca6faeae28f","type":"upstream.verified"},{"body_hash":"sha256:dedfffe5b14d031b8e2c01996d021a15293cb7c63b56be7e4be9e89b6f0a5f61","type":"response.returned"}],"key_id":"receipt-1","method":"POST","model":"demo-model","receipt_id":"rcpt-0001","served_at":1750000000,"signature":"d5b005e093bde3b577faf270b7184b09e169cacb0ecb206b103bd2581f997db03da616175454b063323a23ac1dc68f1ce506c2a6eba8aa0561d5e724f0b80c03","workload_keyset_digest":"sha256:53a5cd44b30dcc51999754c719f2628a041f174ecbf9662a6f8e898a10cd9371"}';
const utf8 = (text: string) => new TextEncoder().encode(text);

/** An Ed25519 key from its seed, as PKCS#8. */
function keyFromSeed(seed: Uint8Array) {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
}

describe('the published vectors', () => {
  it('give the keyset its canonical form and its digest', async () => {
    const keyset = parseKeyset(JSON.parse(keysetText));
    expect(canonicalJson(keysetDocument(keyset))).toBe(keysetText);
    expect(await keysetDigest(keyset)).toBe(`sha256:${digest}`);
  });

  it('give the statement with a nonce, and its report data padded to 64 bytes', async () => {
    const statement = { keysetDigest: digest, nonce };
    expect(reportDataText(statement)).toBe(
      `{"keyset_digest":"sha256:${digest}","nonce":"${nonce}","purpose":"aci.report_data.v1"}`,
    );
    expect(toHex(await reportDataOf(statement))).toBe(
      'df2174d28130852b413646a3786927b93e94c11d770268b65def8bdba45cb49e0000000000000000000000000000000000000000000000000000000000000000',
    );
  });

  it('give the statement with a null nonce if there is no nonce', async () => {
    const statement = { keysetDigest: digest, nonce: undefined };
    expect(reportDataText(statement)).toContain('"nonce":null,');
    expect(toHex((await reportDataOf(statement)).subarray(0, 32))).toBe(
      '0633919ca3f00e97bafaa3304278eb22420cc3ff0d19f87dfca2d3f7508150bc',
    );
  });

  it('give the receipt its signed bytes, its signature, and its text', async () => {
    const { signature, ...receipt } = parseReceipt(receiptText);
    expect(await sha256Digest(receiptBytes(receipt))).toBe(
      'sha256:1bd328e6880a5a12b3915af95ea32111310e04ab9e21ac3d71ce268e33b965c9',
    );
    const key = keyFromSeed(new Uint8Array(32).fill(2));
    const signed = await signReceipt(receipt, (bytes) => sign(null, bytes, key));
    expect(signed.signature).toBe(signature);
    expect(formatReceipt(signed)).toBe(receiptText);
  });

  it('verify, with the bodies of the exchange, from any encoding of the document', async () => {
    const keyset: Keyset = parseKeyset(JSON.parse(keysetText));
    const key = createPublicKey(keyFromSeed(new Uint8Array(32).fill(2))).export({ format: 'jwk' });
    expect(toHex(receiptKey(keyset, 'receipt-1')!)).toBe(Buffer.from(key.x!, 'base64url').toString('hex'));
    const pretty = JSON.stringify(JSON.parse(receiptText), null, 2);
    await verifyReceipt(
      parseReceipt(pretty),
      { keyset, keysetDigest: `sha256:${digest}` },
      {
        receiptId: 'rcpt-0001',
        requestBody: utf8('{"messages":[{"content":"hi","role":"user"}],"model":"demo-model"}'),
        responseBody: utf8('{"choices":[],"id":"chatcmpl-123"}'),
      },
    );
  });
});
