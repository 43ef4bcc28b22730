/**
 * `node bench/attestation.ts`: what verifying costs on one core, beside @phala/dcap-qvl on the same quote and collateral.
 * Both sides must accept the quote before anything is timed.
 */
import { createRequire } from 'node:module';
import { parseReferenceManifest } from '../attestation/gpu/rim.ts';
import { verifyGpuEvidence } from '../attestation/gpu/verify-gpu.ts';
import { verifyGpuReference } from '../attestation/gpu/verify-reference.ts';
import { formatCollateral, parseCollateral, prepareCollateral, verifyPreparedQuote } from '../attestation/index.ts';
import { parseQuote } from '../attestation/quote/quote.ts';
import { createSimulatedPlatform } from '../attestation/simulate/platform.ts';
import { buildGpuEvidence, gpuNonce, gpuNowMs } from '../test/support/gpu-evidence.ts';
import { buildReference } from '../test/support/gpu-reference.ts';
import { describeMachine } from './machine.ts';
import { quantile } from './statistics.ts';

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
const { QuoteVerifier } = createRequire(import.meta.url)('@phala/dcap-qvl') as Peer;
const peer = new QuoteVerifier(Buffer.from(platform.rootCa));
const peerCollateral = JSON.parse(text) as unknown;
const verifyWithPeer = () => peer.verify(Buffer.from(quote), peerCollateral, Math.floor(nowMs / 1000));

if (!(await verifyPreparedQuote(quote, prepared, nowMs)).genuine) throw new Error('we do not accept the quote');
if (verifyWithPeer().status !== 'UpToDate') throw new Error('the peer does not accept the quote');

const { root, ...gpuEvidence } = buildGpuEvidence();
const gpuExpectations = { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs };
const { gpu, reference, expectations } = await buildReference();
if (!(await verifyGpuEvidence(gpuEvidence, gpuExpectations)).authentic) throw new Error('the GPU is not authentic');
if ((await verifyGpuReference(gpu, reference, expectations)).verdict !== 'verified')
  throw new Error('it is not verified');

const rows = [
  await time('parse a v4 quote', 20_000, () => parseQuote(quote)),
  await time('verify a v4 quote, collateral prepared', 1_000, () => verifyPreparedQuote(quote, prepared, nowMs)),
  await time('verify a v4 quote, collateral from its JSON', 500, async () => {
    const fresh = await prepareCollateral(parseCollateral(text), [platform.rootCa]);
    return verifyPreparedQuote(quote, fresh, nowMs);
  }),
  await time('@phala/dcap-qvl, collateral parsed from JSON before', 300, verifyWithPeer),
  await time('verify a GPU report and its chain', 500, () => verifyGpuEvidence(gpuEvidence, gpuExpectations)),
  await time('verify two reference manifests, OCSP, measurements', 300, () =>
    verifyGpuReference(gpu, reference, expectations),
  ),
  await time('parse a reference manifest', 2_000, () => parseReferenceManifest(reference.driverRim!)),
];
const machine = describeMachine();
console.log(`${machine.cpu}, Node ${machine.node}, commit ${machine.commit}, load ${machine.loadAverage}`);
console.table(Object.fromEntries(rows));

/** Microseconds: median and 99th percentile, after a tenth as many runs unmeasured. */
async function time(title: string, runs: number, work: () => unknown): Promise<[string, { p50: number; p99: number }]> {
  for (let run = 0; run < runs / 10; run++) await work();
  const micros: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    micros.push((performance.now() - start) * 1000);
  }
  const rounded = (q: number) => Math.round(quantile(micros, q) * 10) / 10;
  return [title, { p50: rounded(0.5), p99: rounded(0.99) }];
}
