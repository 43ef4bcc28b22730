import { describe, expect, it } from 'vitest';
import { EngineError, refused } from '../../../server/compute/engines/errors.ts';
import { describeFault } from '../../../server/plugins/request-log.ts';

describe('a fault of an engine in the log', () => {
  it('says what was refused and why, and none of the engine’s words', () => {
    const fault = describeFault(refused('devices_missing', 'no GPU canary', new Error('canary')));
    expect(fault).toMatchObject({ type: 'EngineError', code: 'ERR_ENGINE_REFUSED', reason: 'devices_missing' });
    expect(JSON.stringify(fault)).not.toContain('canary');
  });

  it('has no reason where there is none', () => {
    expect(describeFault(new EngineError('ERR_ENGINE_UNREACHABLE', 'away')).reason).toBeUndefined();
  });

  it.each([
    ['a sentence', 'the tenant said so'],
    ['one word', 'canary'],
    ['a long one', 'a_b_c_d_e_f_g'],
    ['no text', { canary_word: true }],
  ])('takes %s for no reason: others write what they like there', (_, reason) => {
    const fault = describeFault(Object.assign(new Error('failed'), { reason }));
    expect(fault.reason).toBeUndefined();
  });
});
