/** WebCrypto's and Node's primitives of sealed bodies compute the same and refuse the same. */
import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerKeys, exchangeSecrets } from '../../attestation/sealed/key-schedule.ts';
import { nodePrimitives } from '../../attestation/sealed/node-primitives.ts';
import { webPrimitives } from '../../attestation/sealed/web-primitives.ts';

const both = { 'of WebCrypto': webPrimitives, 'of Node': nodePrimitives };
const bytes = (count: number) => Uint8Array.from(randomBytes(count));

const server = generateKeyPairSync('x25519');
const serverKey = rawKeyOf(server.publicKey.export({ format: 'jwk' }).x!);

function rawKeyOf(x: string): Uint8Array {
  return Uint8Array.from(Buffer.from(x, 'base64url'));
}

describe.each(Object.entries(both))('the primitives %s', (_name, { agree, derive, sealer, opener }) => {
  it('agree with a server on a secret, a new one each time', async () => {
    const agreed = [await agree(serverKey), await agree(serverKey)];
    for (const { encapsulatedKey, dh } of agreed) {
      const x = Buffer.from(encapsulatedKey).toString('base64url');
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
      expect([...dh]).toEqual([...diffieHellman({ privateKey: server.privateKey, publicKey })]);
    }
    expect([...agreed[0]!.dh]).not.toEqual([...agreed[1]!.dh]);
  });

  it.each([
    ['of 31 bytes', new Uint8Array(31).fill(9)],
    ['of 33 bytes', new Uint8Array(33).fill(9)],
    ['of no bytes', new Uint8Array()],
    ['of low order', new Uint8Array(32)],
  ])('refuse a key %s', async (_what, key) => {
    await expect((async () => agree(key))()).rejects.toThrow();
  });

  it('zero the keys that they take', async () => {
    const keys = [bytes(32), bytes(32)];
    await sealer(keys[0]!);
    await opener(keys[1]!);
    for (const key of keys) expect([...key]).toEqual(Array(32).fill(0));
  });

  it('refuse to open anything that was changed', async () => {
    const [key, nonce] = [bytes(32), bytes(12)];
    const sealed = await (await sealer(key.slice()))(bytes(100), nonce);
    const open = await opener(key);
    const opened = async (frame: Uint8Array, at = nonce) => open(frame, at);
    for (const at of [0, 50, 99, 100, 115]) {
      const damaged = Uint8Array.from(sealed);
      damaged[at]! ^= 1;
      await expect(opened(damaged)).rejects.toThrow();
    }
    for (const length of [0, 1, 15, 16, 115]) await expect(opened(sealed.slice(0, length))).rejects.toThrow();
    await expect(opened(Uint8Array.from(sealed), bytes(12))).rejects.toThrow();
    expect(await opened(Uint8Array.from(sealed))).toHaveLength(100);
  });

  it('derive the same keys as the other ones', async () => {
    const exchange = { dh: bytes(32), encapsulatedKey: bytes(32), publicKey: serverKey };
    const copy = () => ({ ...exchange, dh: exchange.dh.slice() });
    const mine = await derive(exchangeSecrets(copy()));
    expect(mine).toEqual(await webPrimitives.derive(exchangeSecrets(copy())));
    expect(mine).toEqual(await nodePrimitives.derive(exchangeSecrets(copy())));
    const answer = { ...exchange, responseNonce: bytes(32) };
    const exported = () => mine.exported.slice();
    const keys = await derive(answerKeys({ ...answer, exported: exported() }));
    expect(keys).toEqual(await webPrimitives.derive(answerKeys({ ...answer, exported: exported() })));
  });

  it.each([0, 1, 15, 16, 17, 1_000, 100_000])('open %i bytes that the other ones sealed', async (length) => {
    const text = bytes(length);
    for (const other of Object.values(both)) {
      const [key, nonce] = [bytes(32), bytes(12)];
      const sealed = await (await other.sealer(key.slice()))(text, nonce);
      expect(sealed).toHaveLength(length + 16);
      expect(Buffer.from(await (await opener(key))(Uint8Array.from(sealed), nonce)).equals(text)).toBe(true);
    }
  });
});
