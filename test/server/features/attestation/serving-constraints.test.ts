/** The requirements in `provider` are met or rejected, never ignored. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEvent } from '../../../../attestation/aci/receipt.ts';
import { type AttestedApp, startAttestedApp } from '../../../support/server/attested-app.ts';
import { chatBody, startTestApp } from '../../../support/server/test-app.ts';

const session = 'ab'.repeat(32);
let running: AttestedApp;
beforeEach(async () => {
  running = await startAttestedApp({ script: (chat) => void chat.answer('Hello') });
});
afterEach(() => running.close());

describe('a server that runs the model itself', () => {
  it.each([
    ['nothing', {}],
    ['verified serving', { aci_verified: true }],
    ['whatever serving', { aci_verified: false }],
    ['a field of other providers', { order: ['a'], sort: 'price' }],
  ])('serves requests that require %s', async (_, provider) => {
    expect((await running.post(chatBody({ provider }))).status).toBe(200);
  });

  it.each([['a text'], [null], [[1]], [5]])('accepts a `provider` that is not an object: %j', async (provider) => {
    expect((await running.post(chatBody({ provider }))).status).toBe(200);
  });

  it('rejects every list of sessions, since it has none, and issues a receipt for it', async () => {
    const answer = await running.post(chatBody({ provider: { aci_session_ids: [session] } }));
    expect([answer.status, answer.json().details.code]).toEqual([412, 'ERR_SESSION_NOT_ACCEPTED']);
    expect(answer.json().error).toEqual({
      message: expect.any(String),
      type: 'session_not_accepted',
      code: null,
      param: null,
    });
    expect(running.engine.chats).toEqual([]);
    const receipt = await running.receiptOf(answer.headers);
    expect(findEvent(receipt, 'request.forwarded')).toBeUndefined();
    expect(findEvent(receipt, 'cloister.answer')).toMatchObject({ status: 412 });
  });

  it('rejects sessions also in a body that is parsed on another thread', async () => {
    const provider = { aci_session_ids: [session] };
    const answer = await running.post(chatBody({ provider, padding: 'a'.repeat(100_000) }));
    expect([answer.status, answer.json().details.code]).toEqual([412, 'ERR_SESSION_NOT_ACCEPTED']);
    expect(running.engine.chats).toEqual([]);
  });

  it.each([
    ['a constraint that it does not know', { aci_region: 'eu' }],
    ['a flag that is not a boolean', { aci_verified: 'true' }],
    ['an empty list', { aci_session_ids: [] }],
    ['no list', { aci_session_ids: session }],
    ['ids in another form', { aci_session_ids: [session.toUpperCase()] }],
    ['two that contradict each other', { aci_verified: false, aci_session_ids: [session] }],
  ])('rejects %s as invalid', async (_, provider) => {
    const answer = await running.post(chatBody({ provider }));
    expect([answer.status, answer.json().details.code]).toEqual([400, 'ERR_CONSTRAINT_INVALID']);
    const error = { message: expect.any(String), type: 'invalid_request_error', code: null, param: null };
    expect(answer.json().error).toEqual(error);
  });
});

it('a server without attestation rejects requests that require it', async () => {
  const aci = { enclave: () => undefined, book: running.book, build: () => 'x', modelRecord: () => undefined };
  const plain = await startTestApp({ overrides: { aci }, script: (chat) => void chat.answer('Hello') });
  const refused = await plain.post(chatBody({ provider: { aci_verified: true } }));
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
  expect(refused.json().error).toMatchObject({ type: 'upstream_verification_failed', code: null, param: null });
  expect((await plain.post(chatBody())).status).toBe(200);
  await plain.close();
});
