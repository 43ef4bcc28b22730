/** A day's statement, signed by the receipt key, and the proof that it includes a request. */
import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootFromProof } from '../../../../accounts/ledger/merkle.ts';
import { canonicalBytes } from '../../../../attestation/aci/jcs.ts';
import { receiptKey } from '../../../../attestation/aci/keyset.ts';
import { type AttestedApp, appNowMs, startAttestedApp } from '../../../support/server/attested-app.ts';
import { chatBody, startTestApp } from '../../../support/server/test-app.ts';

const day = new Date(appNowMs).toISOString().slice(0, 10);
const path = `/v1/usage/statements/${day}`;

let running: AttestedApp;

beforeEach(async () => {
  running = await startAttestedApp({ script: (chat) => void chat.answer('yes') });
});
afterEach(() => running.close());

async function readStatement(): Promise<Record<string, string | number>> {
  return JSON.parse((await running.get(path, running.secret)).text);
}

/** Verifies as a tenant does who has already verified the keyset. */
async function isSigned({ signature, ...rest }: Record<string, string | number>): Promise<boolean> {
  const { keyset, keysetDigest } = await running.verified();
  expect(rest.workload_keyset_digest).toBe(keysetDigest);
  const raw = receiptKey(keyset, String(rest.key_id))!;
  const x = Buffer.from(raw).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, canonicalBytes(rest), key, Buffer.from(String(signature), 'hex'));
}

describe('a statement', () => {
  it('is signed by the receipt key of the attested keyset', async () => {
    await running.post(chatBody());
    const statement = await readStatement();
    expect(statement).toMatchObject({ object: 'usage.statement', day, requests: 1, signed_at: appNowMs / 1000 });
    expect(await isSigned(statement)).toBe(true);
  });

  it('that was changed fails verification', async () => {
    await running.post(chatBody());
    const statement = await readStatement();
    for (const change of [
      { requests: 2 },
      { price_micro_dollars: 0 },
      { root: '00'.repeat(32) },
      { day: '2001-01-01' },
    ]) {
      expect(await isSigned({ ...statement, ...change })).toBe(false);
    }
  });

  it('includes each request of the day: its row leads to the signed root', async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push(String((await running.post(chatBody())).headers['x-request-id']));
    const { root, account_id: account } = await readStatement();
    for (const id of ids) {
      const row = JSON.parse((await running.get(`/v1/usage/requests/${id}`, running.secret)).text);
      const { index, size, proof } = row.statement;
      const counts = [row.prompt_tokens, row.completion_tokens, row.images, row.steps, row.price_micro_dollars];
      const named = [row.id, account, row.key_id, row.request_id, row.model, row.created];
      const entry = Buffer.from(JSON.stringify(['cloister-usage-1', ...named, ...counts, row.finish_reason]));
      const siblings = (proof as string[]).map((one) => Buffer.from(one, 'hex'));
      expect(rootFromProof(entry, { index, size, proof: siblings }).toString('hex')).toBe(root);
    }
  });

  it('has no signature without attestation', async () => {
    const plain = await startTestApp({ overrides: { now: () => appNowMs } });
    const { json } = await plain.app
      .inject({ url: path, headers: { 'x-service-key': plain.secret } })
      .then((response) => ({ json: response.json() }));
    expect(json).toMatchObject({ object: 'usage.statement', requests: 0 });
    expect(json).not.toHaveProperty('signature');
    await plain.close();
  });
});
