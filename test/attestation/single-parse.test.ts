/** How often one verification of a server parses its report, its quote and the report of its GPU. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseReport } from '../../attestation/aci/report.ts';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { parseGpuReport } from '../../attestation/gpu/gpu-report.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { type AttestedServer, startAttestedServer } from '../support/attestation/attested-server.ts';
import { gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { buildReference } from '../support/attestation/gpu-reference.ts';
import { gpuServerOptions } from '../support/attestation/gpu-server.ts';

// The originals run; vitest only counts the calls.
vi.mock('../../attestation/aci/report.ts', { spy: true });
vi.mock('../../attestation/quote/quote.ts', { spy: true });
vi.mock('../../attestation/gpu/gpu-report.ts', { spy: true });

const { reference } = await buildReference();
const nvidia = createServer((request, response) => {
  if (request.method === 'POST') return response.end(reference.ocspResponses![0]);
  const id = request.url!.replace('/v1/rim/', '');
  response.end(JSON.stringify({ id, rim: Buffer.from(reference.driverRim!).toString('base64') }));
});
let server: AttestedServer;
// Each report has a new root; the client reads this list after it has the report.
const gpuRoots: Uint8Array[] = [];
beforeAll(async () => {
  await new Promise<void>((resolve) => nvidia.listen(0, '127.0.0.1', resolve));
  const onRoot = (root: Uint8Array) => {
    gpuRoots[0] = root;
  };
  server = await startAttestedServer(await gpuServerOptions({ onRoot }));
});
afterAll(async () => {
  nvidia.close();
  await server.close();
});

it('parses a report, its quote and its GPU report once, even to fetch collateral and reference values', async () => {
  const { platform } = server;
  const url = `http://127.0.0.1:${(nvidia.address() as AddressInfo).port}`;
  vi.clearAllMocks();
  const { verification, machine, collateral, gpuReference } = await attestServer(server.origin, {
    policy: { measurements: 'any', channel: 'key' },
    roots: [platform.rootCa],
    gpuRoots,
    collateral: 'intel',
    fetchCollateral: async () => platform.collateral,
    gpuReferenceSource: { manifestUrl: url, ocspUrl: url },
    now: () => gpuNowMs,
  });
  // Each step that needs a parsed value ran.
  expect(verification.checks.find(({ id }) => id === 'gpu-report-signature')?.outcome).toBe('pass');
  expect(machine).toBeDefined();
  expect(collateral).toBe(platform.collateral);
  expect(gpuReference?.driverRim).toEqual(reference.driverRim);
  const counts = [parseReport, parseQuote, parseGpuReport].map((parse) => vi.mocked(parse).mock.calls.length);
  expect(counts).toEqual([1, 1, 1]);
});
