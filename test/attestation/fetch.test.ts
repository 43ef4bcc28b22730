import { afterEach, describe, expect, it } from 'vitest';
import type { Collateral } from '../../attestation/collateral/collateral.ts';
import { fetchCollateral } from '../../attestation/collateral/fetch.ts';
import { platformFamilyOfChain } from '../../attestation/collateral/platform-family.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { type CollateralServer, type Reply, startCollateralServer } from '../support/attestation/collateral-server.ts';
import { buildEvidence } from '../support/attestation/simulated-evidence.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../support/vectors.ts';

const servers: CollateralServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A cache with this collateral; `override` replaces the reply to one path, `asked` records the requested paths. */
async function fakeCache(
  c: Collateral,
  override: Readonly<Record<string, Reply>> = {},
  asked: string[] = [],
): Promise<string> {
  const server = await startCollateralServer(c, override, asked);
  servers.push(server);
  return server.url;
}

async function fetchFrom(
  override: Readonly<Record<string, Reply>>,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const { collateral } = await buildEvidence();
  const url = await fakeCache(collateral, override);
  return fetchCollateral({ fmspc: '90c06f000000', ca: 'platform' }, { url, rootCrlUrl: `${url}/root.der`, ...options });
}

const tcb = '/tdx/certification/v4/tcb';

describe('fetchCollateral', () => {
  it('combines the four responses and keeps the signed texts unchanged', async () => {
    const { collateral } = await buildEvidence();
    const url = await fakeCache(collateral);
    const fetched = await fetchCollateral(
      { fmspc: '90c06f000000', ca: 'platform' },
      { url, rootCrlUrl: `${url}/root.der` },
    );
    expect(fetched).toEqual(collateral);
  });

  it("requests the collateral of the quote's platform family", async () => {
    const { quote, collateral } = await buildEvidence({
      certificates: { ca: { commonName: 'Intel SGX PCK Processor CA' } },
    });
    const asked: string[] = [];
    const url = await fakeCache(collateral, {}, asked);
    const fetched = await fetchCollateral(parseQuote(quote), { url, rootCrlUrl: `${url}/root.der` });
    expect(fetched).toEqual(collateral);
    expect(asked.sort()).toEqual([
      '/root.der',
      '/sgx/certification/v4/pckcrl?ca=processor&encoding=der',
      '/tdx/certification/v4/qe/identity',
      '/tdx/certification/v4/tcb?fmspc=c10157e40000',
    ]);
  });

  it('requests nothing for a platform certificate that Intel did not issue', async () => {
    const { quote } = await buildEvidence();
    const fetching = fetchCollateral(parseQuote(quote), { url: 'https://127.0.0.1' });
    await expect(fetching).rejects.toMatchObject({ code: 'ERR_COLLATERAL_REFUSED' });
    await expect(fetching).rejects.toThrow(/by "Test ca", not by Intel/);
  });

  it('requests nothing for a malformed certificate chain', async () => {
    const fetching = fetchCollateral({ pckChainPem: Uint8Array.of(1) }, { url: 'https://127.0.0.1' });
    await expect(fetching).rejects.toMatchObject({ code: 'ERR_CERTIFICATE_MALFORMED' });
  });

  it.skipIf(!hasVectors)(`recognises the families of real quotes${vectorsNote}`, () => {
    const familyOf = (file: string) => platformFamilyOfChain(parseQuote(vectorBytes(file)));
    expect(familyOf('tdx-dcap-qvl/tdx_quote')).toEqual({ fmspc: 'b0c06f000000', ca: 'platform' });
    expect(familyOf('tdx-go-tdx-guest/quote_v5_sample.dat').ca).toBe('platform');
  });

  it.each<[string, Reply, string]>([
    ['an unknown platform', { status: 404 }, 'ERR_COLLATERAL_REFUSED'],
    ['a server in trouble', { status: 503 }, 'ERR_COLLATERAL_UNAVAILABLE'],
    ['too many requests', { status: 429 }, 'ERR_COLLATERAL_UNAVAILABLE'],
    ['a redirect', { status: 302, headers: { location: 'https://example.invalid/' } }, 'ERR_COLLATERAL_UNAVAILABLE'],
    ['an answer without its chain', { body: '{"tcbInfo":{},"signature":""}' }, 'ERR_COLLATERAL_MALFORMED'],
    ['an answer that is too long', { body: 'x'.repeat(600 * 1024) }, 'ERR_COLLATERAL_MALFORMED'],
  ])('reports %s by its code', async (_, reply, code) => {
    await expect(fetchFrom({ [tcb]: reply })).rejects.toMatchObject({ code });
  });

  it("requests everything from a mirror, including the root's list, which caches return in hexadecimal", async () => {
    const { collateral } = await buildEvidence();
    const asked: string[] = [];
    const url = await fakeCache(collateral, {}, asked);
    expect(await fetchCollateral({ fmspc: '90c06f000000', ca: 'platform' }, { url })).toEqual(collateral);
    expect(asked).toContain('/sgx/certification/v4/rootcacrl');
  });

  it('rejects when the server does not respond in time', async () => {
    const fetching = fetchFrom({ [tcb]: { silent: true } }, { timeoutMs: 50 });
    await expect(fetching).rejects.toMatchObject({ code: 'ERR_COLLATERAL_UNAVAILABLE' });
  });

  it('stops when its signal is aborted', async () => {
    const fetching = fetchFrom({ [tcb]: { silent: true } }, { signal: AbortSignal.abort() });
    await expect(fetching).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });

  it.each(['http://example.com', 'ftp://127.0.0.1', 'nonsense'])('rejects the URL %s', async (url) => {
    await expect(fetchCollateral({ fmspc: '90c06f000000', ca: 'platform' }, { url })).rejects.toThrow(TypeError);
  });
});
