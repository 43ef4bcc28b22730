import { describe, expect, it } from 'vitest';
import { EngineError, refused } from '../../compute/engines/errors.ts';
import { computeErrorReply } from '../../compute/http/error-replies.ts';
import { describeFault } from '../../server/http/request-log.ts';

describe('a fault of an engine in the log', () => {
  it("states what was rejected and why, without the engine's message", () => {
    const fault = describeFault(refused('devices_missing', 'no GPU canary', new Error('canary')));
    expect(fault).toMatchObject({ type: 'EngineError', code: 'ERR_ENGINE_REFUSED', reason: 'devices_missing' });
    expect(JSON.stringify(fault)).not.toContain('canary');
  });

  it('has no reason if the error has none', () => {
    expect(describeFault(new EngineError('ERR_ENGINE_UNREACHABLE', 'away')).reason).toBeUndefined();
  });

  it.each([
    ['a sentence', 'the tenant said so'],
    ['one word', 'canary'],
    ['a long one', 'a_b_c_d_e_f_g'],
    ['no text', { canary_word: true }],
  ])('does not treat %s as a reason, because others can write it', (_, reason) => {
    const fault = describeFault(Object.assign(new Error('failed'), { reason }));
    expect(fault.reason).toBeUndefined();
  });
});

describe('an unavailable database', () => {
  it.each([
    ['refuses connections', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['is shutting down', Object.assign(new Error('terminating'), { code: '57P01' })],
    ['does not answer', new Error('Query read timeout')],
    ['has a full disk', Object.assign(new Error('disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })],
  ])('is answered 503 with Retry-After when it %s', (_, error) => {
    const { status, headers, body } = computeErrorReply(error, 0);
    expect([status, headers['retry-after'], body.code]).toEqual([503, '5', 'UNAVAILABLE']);
  });

  it.each([
    ['a broken rule', Object.assign(new Error('constraint'), { code: 'ERR_SQLITE_ERROR', errcode: 19 })],
    ['a statement that cannot be', Object.assign(new Error('syntax'), { code: '42601' })],
    ['a fault of ours', new TypeError('undefined is not a function')],
  ])('is not inferred from %s', (_, error) => {
    expect(computeErrorReply(error, 0).status).toBe(500);
  });
});
