import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhookSignature } from '../../../server/operator/webhook-signature.ts';

const secret = 'whsec_0123456789abcdef';
const seconds = 1_900_000_000;
const body = Buffer.from('{"id":"evt_1"}');
/** Computed by `openssl dgst -sha256 -hmac`. */
const digest = 'ce6f9b609c536bef9e28e24b25d8e9bacca6254631f48b759a636d1538543590';

const verify = (
  signature: string | undefined,
  changes: { body?: Buffer; secrets?: string[]; atSeconds?: number } = {},
) =>
  verifyWebhookSignature({
    signature,
    body: changes.body ?? body,
    secrets: changes.secrets ?? [secret],
    now: (changes.atSeconds ?? seconds) * 1000,
  });
const refused = expect.objectContaining({ code: 'ERR_KEY_INVALID' });

describe('the signature of a webhook', () => {
  it('is accepted up to five minutes before and after its time', () => {
    for (const late of [0, 300, -300])
      expect(() => verify(`t=${seconds},v1=${digest}`, { atSeconds: seconds + late })).not.toThrow();
    for (const late of [301, -301])
      expect(() => verify(`t=${seconds},v1=${digest}`, { atSeconds: seconds + late })).toThrow(
        /at most 300 seconds old/,
      );
  });

  it('may be one of several, by one of several secrets, with signatures of other schemes', () => {
    const wrong = '0'.repeat(64);
    expect(() => verify(`t=${seconds},v0=x,v1=${wrong},v1=${digest}`, { secrets: ['other', secret] })).not.toThrow();
  });

  it('is refused for another body, time or secret', () => {
    expect(() => verify(`t=${seconds},v1=${digest}`, { body: Buffer.from('{"id":"evt_2"}') })).toThrow(refused);
    expect(() => verify(`t=${seconds + 1},v1=${digest}`)).toThrow(refused);
    expect(() => verify(`t=${seconds},v1=${digest}`, { secrets: ['whsec_other'] })).toThrow(refused);
    expect(() => verify(`t=${seconds},v0=${digest}`)).toThrow(refused);
  });

  it('signs time and body together, so that a digit cannot move between them', () => {
    const moved = createHmac('sha256', secret).update('19000000001.{}').digest('hex');
    expect(() => verify(`t=1900000000,v1=${moved}`, { body: Buffer.from('1.{}') })).toThrow(refused);
  });

  it.each([
    '',
    't=,v1=',
    `v1=${digest}`,
    `t=${seconds}`,
    `t=${seconds},t=${seconds},v1=${digest}`,
    `t=${seconds},v1=${digest.toUpperCase()}`,
    `t=${seconds},v1=${digest}00`,
    `t=${seconds}e0,v1=${digest}`,
    `t=${seconds},v1=${digest}${',v1=0'.repeat(20)}`,
    `t=${seconds},v1=${digest},${' '.repeat(4000)}`,
  ])('is refused in the form %j', (signature) => {
    expect(() => verify(signature)).toThrow(refused);
  });

  it('is required', () => {
    expect(() => verify(undefined)).toThrow(expect.objectContaining({ code: 'ERR_KEY_MISSING' }));
  });
});
