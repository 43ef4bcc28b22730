/** Nodes with keys of their own that sign directory entries. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Keyset, keysetDigest } from '../../../attestation/aci/keyset.ts';
import {
  type FleetEntry,
  fleetNodeOf,
  formatFleetEntry,
  type SignedFleetEntry,
  signFleetEntry,
} from '../../../attestation/fleet/entry.ts';

/** 2026-11-23, on a full second. */
export const fleetNowMs = 1_795_392_000_000;

/** 2100-01-01: also tests with the time of the machine use these keys. Seconds since 1970. */
export const keysetNotAfter = 4_102_444_800;

export interface FleetNodeKeys {
  readonly keyset: Keyset;
  readonly digest: string;
  readonly node: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  /** A signed entry of this node, with the given members changed before it is signed. */
  entry(changes?: Partial<FleetEntry>): Promise<SignedFleetEntry>;
  /** The text of such an entry. */
  text(changes?: Partial<FleetEntry>): Promise<string>;
}

/** @param seed 32 bytes, which determine the node's id and its signatures; without, the keys are random */
export async function fleetNodeKeys(seed?: Uint8Array): Promise<FleetNodeKeys> {
  const privateKey = seed === undefined ? generateKeyPairSync('ed25519').privateKey : ed25519KeyOf(seed);
  const publicKey = createPublicKey(privateKey);
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const keyset: Keyset = {
    subject: undefined,
    notAfter: keysetNotAfter,
    receiptSigningKeys: [{ keyId: 'receipt-1', algorithm: 'ed25519', publicKey: raw }],
    e2eePublicKeys: [{ keyId: 'seal-1', algorithm: 'ehbp-x25519-hkdf-sha256-aes-256-gcm', publicKey: '11'.repeat(32) }],
    tlsPublicKeys: [{ spkiSha256: '22'.repeat(32) }],
  };
  const digest = await keysetDigest(keyset);
  const plain: FleetEntry = {
    node: fleetNodeOf(digest),
    address: 'https://node-1.example.org:8443',
    keyset,
    models: [{ id: 'chat-TEE', digest: `sha256:${'33'.repeat(32)}` }],
    policyDigest: undefined,
    load: 3,
    draining: false,
    issuedAt: fleetNowMs / 1000,
    expiresAt: fleetNowMs / 1000 + 20,
    keyId: 'receipt-1',
  };
  const signOwn = (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey));
  const entry = (changes: Partial<FleetEntry> = {}) => signFleetEntry({ ...plain, ...changes }, signOwn);
  return {
    ...{ keyset, digest, node: plain.node, sign: signOwn, entry },
    text: async (changes) => formatFleetEntry(await entry(changes)),
  };
}

/** @see RFC 8410 §7: the PKCS #8 form of a private key is a constant and the seed. */
function ed25519KeyOf(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
