/** The secrets of a fleet as bytes, and their message. */
import { describe, expect, it } from 'vitest';
import { parseSharedSecrets, SharedSecrets } from '../../../server/fleet/shared-secrets.ts';

const all = () => ({
  databaseUrl: Buffer.from('postgres://canary@host/name'),
  tlsCert: Buffer.from('canary-of-a-certificate'),
  tlsKey: Buffer.from('canary-of-a-key'),
});
const malformed = expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' });

describe('shared secrets', () => {
  it('come out of their message as they went in', () => {
    const given = new SharedSecrets(all());
    const message = given.encode();
    const parsed = parseSharedSecrets(message);
    message.fill(0);
    for (const [name, value] of Object.entries(all())) {
      expect(parsed.bytesOf(name as keyof ReturnType<typeof all>)).toEqual(value);
    }
    expect(parsed.names).toEqual(['databaseUrl', 'tlsCert', 'tlsKey']);
    expect(new SharedSecrets({ databaseUrl: Buffer.from('x') }).bytesOf('tlsKey')).toBeUndefined();
  });

  it('are zeroed where they are kept', () => {
    const value = Buffer.from('secret');
    new SharedSecrets({ databaseUrl: value }).wipe();
    expect(value).toEqual(Buffer.alloc(6));
  });

  it('are refused if there is none, one is empty or too long, or a certificate has no key', () => {
    const { tlsCert, tlsKey } = all();
    const refused = [
      {},
      { databaseUrl: Buffer.alloc(0) },
      { databaseUrl: Buffer.alloc(32_769) },
      { tlsCert },
      { tlsKey },
    ];
    for (const values of refused) expect(() => new SharedSecrets(values)).toThrow(RangeError);
  });

  it('are refused at every length that is not that of the whole message, without their text in the error', () => {
    const message = new SharedSecrets(all()).encode();
    const lengths = Array.from({ length: message.length }, (_, length) => length);
    // After the database address and after the key the message is whole.
    const whole = lengths.filter((length) => {
      try {
        parseSharedSecrets(message.subarray(0, length));
        return true;
      } catch (error) {
        expect(error).toEqual(malformed);
        expect(String(error)).not.toMatch(/canary/);
        return false;
      }
    });
    expect(whole).toEqual([new SharedSecrets({ databaseUrl: all().databaseUrl }).encode().length]);
  });

  it('are refused with unknown, repeated or disordered names', () => {
    const [first, second] = [Buffer.from([0, 0, 0, 0, 1, 97]), Buffer.from([3, 0, 0, 0, 1, 97])];
    const magic = Buffer.from('cloister.secrets.v1\n');
    const bodies = [
      [first, first],
      [first, second],
      [Buffer.from([2, 0, 0, 0, 1, 97]), Buffer.from([1, 0, 0, 0, 1, 97])],
    ];
    for (const body of bodies) expect(() => parseSharedSecrets(Buffer.concat([magic, ...body]))).toThrow(malformed);
  });
});
