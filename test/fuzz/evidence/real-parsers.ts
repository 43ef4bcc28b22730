/** The parsers with evidence from real machines; empty without the vectors. */
import { fromHex, toHex } from '../../../attestation/base/bytes.ts';
import { parseCollateral } from '../../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../../attestation/collateral/intel-root.ts';
import { prepareCollateral } from '../../../attestation/collateral/prepare.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { parseGpuReport } from '../../../attestation/gpu/gpu-report.ts';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '../../../attestation/gpu/nvidia-roots.ts';
import { parseReferenceManifest } from '../../../attestation/gpu/rim.ts';
import { verifyGpuEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { verifyPreparedQuote } from '../../../attestation/verify/index.ts';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import { hasVectors, vectorBytes } from '../../support/vectors.ts';
import { type EvidenceParser, jsonWords, latin1, meaningOfManifest, pemWords, xmlWords } from './parser.ts';

export async function realEvidenceParsers(): Promise<EvidenceParser[]> {
  if (!hasVectors) return [];
  const dcap = (file: string) => vectorBytes(`tdx-dcap-qvl/${file}`);
  const gpu = (file: string) => vectorBytes(`gpu-nvidia-attestation-sdk/${file}`);
  const collateral = dcap('tdx_quote_collateral.json');
  const prepared = await prepareCollateral(parseCollateral(latin1(collateral)), [intelRootCa]);
  const nowMs = Date.parse('2025-06-20T00:00:00Z');
  const chainPem = latin1(gpu('hopperCertChain.txt'));
  const report = fromHex(latin1(gpu('hopperAttestationReport.txt')).trim())!;
  const anchors = [parseCertificate(nvidiaDeviceRootCa)];
  return [
    {
      ...{ name: 'real-quote', good: dcap('tdx_quote'), parse: parseQuote, words: pemWords },
      async accepts(bytes) {
        const { genuine, quote } = await verifyPreparedQuote(bytes, prepared, nowMs);
        return genuine ? toHex(quote!.signedBytes) : undefined;
      },
    },
    { name: 'real-quote-v5', good: dcap('tdx_quote_outdated'), parse: parseQuote, words: pemWords },
    {
      ...{ name: 'real-collateral', good: collateral, words: [...jsonWords, ...pemWords] },
      parse: (bytes) => parseCollateral(latin1(bytes)),
    },
    {
      ...{ name: 'real-event-log', good: vectorBytes('ccel-trustee/CCEL_data_grub'), parse: parseEventLog },
      words: [Uint8Array.of(255, 255, 255, 255)],
    },
    {
      ...{ name: 'real-gpu-report', good: report, parse: parseGpuReport, words: [Uint8Array.of(0x11, 0x60)] },
      async accepts(bytes) {
        const wanted = { anchors, nonce: report.subarray(4, 36), nowMs: Date.UTC(2026, 0, 1) };
        const { authentic, report: parsed } = await verifyGpuEvidence({ report: bytes, chainPem }, wanted);
        return authentic ? toHex(parsed!.signedBytes) : undefined;
      },
    },
    {
      ...{ name: 'real-rim', good: gpu('NV_GPU_DRIVER_GH100_550.144.03.xml'), words: xmlWords },
      parse: parseReferenceManifest,
      accepts: (bytes) => meaningOfManifest(bytes, [parseCertificate(nvidiaManifestRootCa)]),
    },
  ];
}
