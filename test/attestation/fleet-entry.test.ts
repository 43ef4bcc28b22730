/** Directory entries of a fleet: signed claims of a node, read from an untrusted host. */
import { describe, expect, it } from 'vitest';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { parseReceipt } from '../../attestation/aci/receipt.ts';
import {
  fleetEntriesMax,
  fleetNodeOf,
  formatFleetEntry,
  formatFleetList,
  parseFleetEntry,
  parseFleetList,
  type SignedFleetEntry,
  verifyFleetEntry,
} from '../../attestation/fleet/entry.ts';
import { fleetNodeKeys, fleetNowMs } from '../support/attestation/fleet-entry.ts';

const own = await fleetNodeKeys();
const other = await fleetNodeKeys();
const time = { nowMs: fleetNowMs + 1_000, clockSkewMs: 2_000 };
const nowSeconds = fleetNowMs / 1000;
const text = await own.text();
const document = JSON.parse(text) as Record<string, unknown>;
const changed = (members: Record<string, unknown>) => JSON.stringify({ ...document, ...members });
const notVerified = (message: RegExp) =>
  expect.objectContaining({ code: 'ERR_NOT_VERIFIED', message: expect.stringMatching(message) });

describe('a fleet entry', () => {
  it('is read back as it was written, and verified', async () => {
    const entry = await own.entry({ policyDigest: `sha256:${'44'.repeat(32)}`, draining: true, load: 15 });
    const read = parseFleetEntry(formatFleetEntry(entry));
    expect(read).toEqual(entry);
    await expect(verifyFleetEntry(read, time)).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['another version', { api_version: 'cloister.fleet/2' }],
    ['an unknown member', { rank: 1 }],
    ['a load above 15 sixteenths', { load: 16 }],
    ['a fractional load', { load: 1.5 }],
    ['a validity of 31 seconds', { expires_at: nowSeconds + 31 }],
    ['an expiry at its issue', { expires_at: nowSeconds }],
    ['a node id in capitals', { node: own.node.toUpperCase().replace(/^./, 'A') }],
    ['a plain HTTP address', { address: 'http://node-1.example.org' }],
    ['an address with a path', { address: 'https://node-1.example.org/x' }],
    ['an address with a user', { address: 'https://a@node-1.example.org' }],
    ['an address with its default port', { address: 'https://node-1.example.org:443' }],
    ['a model twice', { models: [0, 1].map(() => (document.models as unknown[])[0]) }],
    ['a model digest without its algorithm', { models: [{ id: 'a', digest: '33'.repeat(32) }] }],
    [
      '65 models',
      { models: Array.from({ length: 65 }, (_, id) => ({ id: `${id}`, digest: `sha256:${'33'.repeat(32)}` })) },
    ],
    ['an unpaired surrogate', { key_id: '\ud800' }],
  ])('with %s is refused', (_what, members) => {
    expect(() => parseFleetEntry(changed(members))).toThrow(
      expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }),
    );
  });

  it('of more than 16,384 characters is refused', () => {
    expect(() => parseFleetEntry(`${' '.repeat(16_384)}${text}`)).toThrow(/at most 16384 characters/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['address', { address: 'https://elsewhere.example.org' }],
    ['load', { load: 0 }],
    ['draining', { draining: true }],
    ['expiry', { expires_at: nowSeconds + 30 }],
    ['models', { models: [] }],
    ['policy digest', { policy_digest: `sha256:${'55'.repeat(32)}` }],
  ])('whose %s was changed fails its signature', async (_what, members) => {
    await expect(verifyFleetEntry(parseFleetEntry(changed(members)), time)).rejects.toThrow(notVerified(/signature/));
  });

  it.each(['00', 'ff', '01'])('whose key is 32 bytes of %s, no point or a weak one, is refused', async (byte) => {
    const [key] = own.keyset.receiptSigningKeys;
    const keyset = { ...own.keyset, receiptSigningKeys: [{ ...key!, publicKey: byte.repeat(32) }] };
    const node = fleetNodeOf(await keysetDigest(keyset));
    await expect(verifyFleetEntry(await own.entry({ keyset, node }), time)).rejects.toThrow(notVerified(/signature/));
  });

  it('with the node id of another keyset is refused', async () => {
    const stolen = await own.entry({ node: other.node });
    await expect(verifyFleetEntry(stolen, time)).rejects.toThrow(notVerified(/node id/));
  });

  it('signed by a holder of another keyset’s key is refused', async () => {
    const { signature } = await other.entry({ keyset: own.keyset, node: own.node });
    await expect(verifyFleetEntry({ ...(await own.entry()), signature }, time)).rejects.toThrow(
      notVerified(/signature/),
    );
  });

  it('with the signature of a receipt of the same key is refused', async () => {
    // The canonical form of an entry, signed without the prefix, as receipts are.
    const { signature: _, ...unsigned } = document;
    const bare = new TextEncoder().encode(JSON.stringify(unsigned));
    const signature = Buffer.from(own.sign(bare)).toString('hex');
    await expect(verifyFleetEntry({ ...(await own.entry()), signature }, time)).rejects.toThrow(
      notVerified(/signature/),
    );
    expect(() => parseReceipt(text)).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it.each<[string, number, RegExp | undefined]>([
    ['is valid until its expiry and the skew', 20_000 + 1_999, undefined],
    ['is stale from then on', 20_000 + 2_000, /expired/],
    ['is valid before its issue within the skew', -2_000, undefined],
    ['is from the future before', -2_001, /future/],
  ])('%s', async (_what, offsetMs, message) => {
    const verified = verifyFleetEntry(await own.entry(), { nowMs: fleetNowMs + offsetMs, clockSkewMs: 2_000 });
    if (message === undefined) await expect(verified).resolves.toBeUndefined();
    else await expect(verified).rejects.toThrow(notVerified(message));
  });

  it('of an expired keyset is refused', async () => {
    const nowMs = own.keyset.notAfter * 1000;
    const late = await own.entry({ issuedAt: nowMs / 1000 - 1, expiresAt: nowMs / 1000 + 9 });
    await expect(verifyFleetEntry(late, { nowMs, clockSkewMs: 0 })).rejects.toThrow(notVerified(/keyset/));
  });
});

describe('a fleet list', () => {
  const nodes = (entries: readonly SignedFleetEntry[]) => entries.map(({ node }) => node);

  it('leaves out malformed, ambiguous and stale entries, and keeps the others', async () => {
    const stale = await other.text({ issuedAt: nowSeconds - 60, expiresAt: nowSeconds - 40 });
    const twice = (await other.text()).replace('"load":3', '"load":3,"load":16');
    const list = formatFleetList([
      'null',
      '{}',
      '"x"',
      stale,
      twice,
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      text,
    ]);
    expect(nodes(parseFleetList(list, time))).toEqual([own.node]);
  });

  it('keeps the latest entry of each node', async () => {
    const later = await own.text({ issuedAt: nowSeconds + 1, expiresAt: nowSeconds + 21, load: 9 });
    const [entry, ...rest] = parseFleetList(formatFleetList([later, text]), time);
    expect(entry?.load).toBe(9);
    expect(rest).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no list', '{"api_version":"cloister.fleet/1","entries":{}}'],
    ['another version', '{"api_version":"cloister.fleet/2","entries":[]}'],
    [`more than ${fleetEntriesMax} entries`, formatFleetList(Array.from({ length: fleetEntriesMax + 1 }, () => '0'))],
  ])('is refused as a whole with %s', (_what, list) => {
    expect(() => parseFleetList(list, time)).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });
});
