import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { readRatls } from '../../../attestation/ratls/ratls.ts';
import { spkiOf } from '../../../server/enclave/enclave.ts';
import { certify, openEnclave } from '../../../server/enclave/open-enclave.ts';
import { makeIdentity, OwnTlsKey } from '../../../server/tls/tls.ts';

const now = () => Date.UTC(2026, 10, 21);
const platform = await openSimulatedPlatform(now());
const common = {
  platform,
  sealingKey: undefined,
  provenance: { repositoryUrl: undefined, commit: undefined, imageDigest: undefined },
  claims: () => [],
  now,
  clock: now,
  hasGpu: () => false,
};
const certificateOf = (pem: string) => new Uint8Array(new X509Certificate(pem).raw);

describe('a process whose start was measured', () => {
  it('presents a certificate with a quote for the same key, and lists the key in its keyset', async () => {
    const ownKey = new OwnTlsKey({ host: 'api.example.org' });
    const shown = ownKey.identity({ now: now() });
    const enclave = openEnclave({ ...common, tls: shown, ownKey });
    const tls = await certify(platform, { tls: shown, ownKey, now });
    const found = await readRatls(certificateOf(tls.certificate));
    expect(Buffer.from(parseQuote(found!.quote).body.reportData)).toEqual(Buffer.from(found!.reportData));
    expect(Buffer.from(spkiOf(tls.certificate))).toEqual(Buffer.from(ownKey.spki));
    expect(enclave.identity.keyset.tlsPublicKeys).toHaveLength(1);
    expect(enclave.identity.keyset.e2eePublicKeys).toEqual([]);
  });

  it('leaves an operator’s certificate unchanged and lists no TLS key', async () => {
    const tls = makeIdentity({ host: 'x', now: now() });
    const enclave = openEnclave({ ...common, tls, ownKey: undefined });
    expect(await certify(platform, { tls, ownKey: undefined, now })).toBe(tls);
    expect(enclave.identity.keyset.tlsPublicKeys).toEqual([]);
  });
});
