/**
 * `node bench/attestation.ts`: the cost of verification on one core, compared with @phala/dcap-qvl on the same quote and
 * collateral, which the peer parses from JSON beforehand. Both must accept the quote before the measurement starts.
 */
import { createRequire } from 'node:module';
import { parseReferenceManifest } from '../attestation/gpu/rim.ts';
import { verifyGpuEvidence } from '../attestation/gpu/verify-gpu.ts';
import { verifyGpuReference } from '../attestation/gpu/verify-reference.ts';
import { formatCollateral, parseCollateral, prepareCollateral, verifyPreparedQuote } from '../attestation/index.ts';
import { parseQuote } from '../attestation/quote/quote.ts';
import { createSimulatedPlatform } from '../attestation/simulate/platform.ts';
import { buildGpuEvidence, gpuNonce, gpuNowMs } from '../test/support/attestation/gpu-evidence.ts';
import { buildReference } from '../test/support/attestation/gpu-reference.ts';
import { readOptions } from './command-line.ts';
import { type Measurement, runBench, timeCalls } from './in-process.ts';

readOptions('node bench/attestation.ts, without options', {});

interface Peer {
  QuoteVerifier: new (
    root: Buffer,
  ) => { verify(quote: Buffer, collateral: unknown, nowSeconds: number): { status: string } };
}

const nowMs = Date.now();
const platform = await createSimulatedPlatform(nowMs);
const quote = await platform.quote(new Uint8Array(64).fill(1));
const text = formatCollateral(platform.collateral);
const prepared = await prepareCollateral(platform.collateral, [platform.rootCa]);
const require = createRequire(import.meta.url);
const { QuoteVerifier } = require('@phala/dcap-qvl') as Peer;
const { version: peerVersion } = require('@phala/dcap-qvl/package.json') as { version: string };
const peer = new QuoteVerifier(Buffer.from(platform.rootCa));
const peerCollateral = JSON.parse(text) as unknown;
const verifyWithPeer = () => peer.verify(Buffer.from(quote), peerCollateral, Math.floor(nowMs / 1000));

if (!(await verifyPreparedQuote(quote, prepared, nowMs)).genuine) throw new Error('Cloister does not accept the quote');
if (verifyWithPeer().status !== 'UpToDate') throw new Error('the peer does not accept the quote');

const { root, ...gpuEvidence } = buildGpuEvidence();
const gpuExpectations = { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs };
const { gpu, reference, expectations } = await buildReference();
if (!(await verifyGpuEvidence(gpuEvidence, gpuExpectations)).authentic) throw new Error('the GPU is not authentic');
if ((await verifyGpuReference(gpu, reference, expectations)).verdict !== 'verified')
  throw new Error('the evidence is not verified');

const cloister = (label: string, runs: number, work: () => unknown): Measurement => ({
  scenario: 'attestation',
  label,
  of: 'cloister',
  measure: () => timeCalls(runs, work),
});
await runBench(
  {
    name: 'attestation',
    settings: { evidence: 'made by the simulators: shaped as real ones' },
    servers: { '@phala/dcap-qvl': [peerVersion] },
  },
  [
    cloister('parse a v4 quote', 20_000, () => parseQuote(quote)),
    cloister('verify a v4 quote', 500, () => verifyPreparedQuote(quote, prepared, nowMs)),
    {
      scenario: 'attestation',
      label: 'verify a v4 quote',
      of: '@phala/dcap-qvl',
      measure: () => timeCalls(200, verifyWithPeer),
    },
    cloister('verify a v4 quote, collateral from its JSON', 200, async () => {
      const fresh = await prepareCollateral(parseCollateral(text), [platform.rootCa]);
      return verifyPreparedQuote(quote, fresh, nowMs);
    }),
    cloister('verify a GPU report and its chain', 200, () => verifyGpuEvidence(gpuEvidence, gpuExpectations)),
    cloister('verify two reference manifests, OCSP, measurements', 100, () =>
      verifyGpuReference(gpu, reference, expectations),
    ),
    cloister('parse a reference manifest', 1_000, () => parseReferenceManifest(reference.driverRim!)),
  ],
);
