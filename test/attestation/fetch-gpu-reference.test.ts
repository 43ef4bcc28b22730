import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { toHex } from '../../attestation/base/bytes.ts';
import { verifyGpuReference } from '../../attestation/gpu/verify-reference.ts';
import { fetchGpuReference } from '../../attestation/gpu-reference/fetch-gpu-reference.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { parseOcspResponse } from '../../attestation/x509/ocsp.ts';
import { writeOcspRequest } from '../../attestation/x509/ocsp-request.ts';
import { gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { buildReference, newestFields } from '../support/attestation/gpu-reference.ts';
import { issueP384, newKeyPair } from '../support/attestation/p384-hierarchy.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const driver = 'NV_GPU_DRIVER_GH100_570.1.2';
const vbios = 'NV_GPU_VBIOS_1010_0200_882_96005E0001';
const word = (value: string) => new TextEncoder().encode(`${value}\0`);
const board = [
  [15, word('882')],
  [17, word('1010')],
  [18, word('0200')],
] as const;

type Built = Awaited<ReturnType<typeof buildReference>>;

/** Fakes NVIDIA's two services for the built evidence; `override` replaces the response for a name. */
async function fakeNvidia({ reference }: Built, override: Record<string, unknown> = {}) {
  const asked: string[] = [];
  const rims: Record<string, Uint8Array | undefined> = { [driver]: reference.driverRim, [vbios]: reference.vbiosRim };
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'POST') return response.end(answerTo(await bodyOf(request), reference.ocspResponses!));
    const name = request.url!.replace('/v1/rim/', '');
    const rim = rims[name];
    if (rim === undefined) return response.writeHead(404).end();
    response.end(JSON.stringify(override[name] ?? { id: name, rim: Buffer.from(rim).toString('base64'), sha256: '' }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, source: { manifestUrl: `${url}/`, ocspUrl: `${url}/ocsp` } };
}

/** The OCSP response for the serial number at the end of the request. */
function answerTo(question: Uint8Array, responses: readonly Uint8Array[]): Uint8Array {
  return responses.find((response) => toHex(question).endsWith(parseOcspResponse(response).answers[0]!.serial))!;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  return new Uint8Array(Buffer.concat(parts));
}

const build = () => buildReference({ gpu: { report: { fields: [...newestFields, ...board] } } });

describe('fetchGpuReference', () => {
  it("fetches the manifests that the report names and requests each certificate's status once", async () => {
    const built = await build();
    const { asked, source } = await fakeNvidia(built);
    const reference = await fetchGpuReference({ gpus: [built.gpu] }, source);
    expect(asked.sort()).toEqual([`GET /v1/rim/${driver}`, `GET /v1/rim/${vbios}`, 'POST /ocsp', 'POST /ocsp']);
    expect((await verifyGpuReference(built.gpu, reference, built.expectations)).verdict).toBe('verified');
  });

  it('omits a manifest that the report does not name', async () => {
    const built = await buildReference();
    const { source } = await fakeNvidia(built);
    const reference = await fetchGpuReference({ gpus: [built.gpu] }, source);
    expect([reference.driverRim?.length, reference.vbiosRim]).toEqual([built.reference.driverRim!.length, undefined]);
  });

  it.each<[string, unknown, string]>([
    ['another name', { id: vbios, rim: '' }, 'ERR_COLLATERAL_MALFORMED'],
    ['no manifest', { id: driver }, 'ERR_COLLATERAL_MALFORMED'],
    ['a manifest that is no base64', { id: driver, rim: '*' }, 'ERR_CERTIFICATE_MALFORMED'],
    ['a malformed manifest', { id: driver, rim: 'AAAA' }, 'ERR_EVIDENCE_MALFORMED'],
  ])('rejects a response with %s', async (_, answer, code) => {
    const built = await build();
    const { source } = await fakeNvidia(built, { [driver]: answer });
    await expect(fetchGpuReference({ gpus: [built.gpu] }, source)).rejects.toMatchObject({ code });
  });

  it('rejects with a code if NVIDIA has no such manifest', async () => {
    const built = await buildReference({ gpu: { report: { fields: [[3, word('1.2')]] } } });
    const { source } = await fakeNvidia(built);
    await expect(fetchGpuReference({ gpus: [built.gpu] }, source)).rejects.toMatchObject({
      code: 'ERR_COLLATERAL_REFUSED',
    });
  });

  it('requests nothing for a GPU that is not authentic', async () => {
    const built = await buildReference({ gpu: { isForeignKey: true } });
    const { asked, source } = await fakeNvidia(built);
    await expect(fetchGpuReference({ gpus: [built.gpu] }, source)).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
    expect(asked).toEqual([]);
  });
});

it('writeOcspRequest writes hash, issuer and serial number, with a sign octet if required', async () => {
  const key = newKeyPair();
  const dates = { notBeforeMs: gpuNowMs - 1000, notAfterMs: gpuNowMs };
  const root = parseCertificate(
    issueP384({ name: 'R', issuer: 'R', key, by: key, isCa: true, serial: 0x91, ...dates }),
  );
  const request = await writeOcspRequest(root, root);
  // The five sequences of RFC 6960 §4.1.1, the last of which is the certificate's id.
  const head = '30433041303f303d303b300906052b0e03021a0500';
  expect(toHex(request)).toMatch(new RegExp(`^${head}0414[0-9a-f]{40}0414[0-9a-f]{40}02020091$`));
});
