/** Requests of a client to NVIDIA's services about the GPUs in evidence, and when it sends none. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { gpuReferenceFor } from '../../attestation/client/gpu-reference.ts';
import { authenticateDevices, parseWholeReport } from '../../attestation/client/parsed-report.ts';
import { type AttestedServer, startAttestedServer } from '../support/attestation/attested-server.ts';
import { gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { gpuServerOptions } from '../support/attestation/gpu-server.ts';

const asked: string[] = [];
const nvidia = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.writeHead(404).end();
});
let source: { manifestUrl: string; ocspUrl: string };
let server: AttestedServer;
let gpuRoots: readonly Uint8Array[];
let isForeign = false;

beforeAll(async () => {
  await new Promise<void>((resolve) => nvidia.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(nvidia.address() as AddressInfo).port}`;
  source = { manifestUrl: url, ocspUrl: url };
  const options = await gpuServerOptions({
    foreignNonce: () => (isForeign ? new Uint8Array(32) : undefined),
    onRoot: (root) => {
      gpuRoots = [root];
    },
  });
  server = await startAttestedServer(options);
});
afterAll(async () => {
  nvidia.close();
  await server.close();
});
beforeEach(() => {
  asked.length = 0;
  isForeign = false;
});

async function reference() {
  const parsed = parseWholeReport(await server.report('ab'.repeat(32)));
  return gpuReferenceFor(await authenticateDevices(parsed, { gpuRoots, nowMs: gpuNowMs }), source);
}

it("requests the manifest of an authentic GPU's driver, and rejects if NVIDIA has none", async () => {
  await expect(reference()).rejects.toMatchObject({ code: 'ERR_COLLATERAL_REFUSED' });
  expect(asked).toEqual([expect.stringMatching(/^GET \/v1\/rim\/NV_GPU_.*570\.1\.2$/)]);
});

it('requests nothing for a GPU whose nonce is not the quote’s report data', async () => {
  isForeign = true;
  expect(await reference()).toBeUndefined();
  expect(asked).toEqual([]);
});
