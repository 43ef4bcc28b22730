/**
 * Every parser of evidence with a good input and, for signed formats, the trust anchors that accept it. A parser must return or
 * reject with a code within the time limit, and a verifier must accept only the good input's meaning.
 */
import { toHex } from '../../../attestation/base/bytes.ts';
import { formatCollateral, parseCollateral, splitSignedAnswer } from '../../../attestation/collateral/collateral.ts';
import { parsePckPlatform } from '../../../attestation/collateral/pck-extension.ts';
import { prepareCollateral } from '../../../attestation/collateral/prepare.ts';
import { parseQeIdentity, parseTcbInfo } from '../../../attestation/collateral/tcb-info.ts';
import { parseCcelTable } from '../../../attestation/eventlog/ccel-table.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../../attestation/eventlog/replay.ts';
import { parseGpuReport } from '../../../attestation/gpu/gpu-report.ts';
import { parseReferenceManifest } from '../../../attestation/gpu/rim.ts';
import { verifyGpuEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { parseTdReport } from '../../../attestation/quote/td-report.ts';
import { verifyPreparedQuote, verifyQuote } from '../../../attestation/verify/index.ts';
import { type Certificate, parseCertificate } from '../../../attestation/x509/certificate.ts';
import { verifyChain, verifyCrl } from '../../../attestation/x509/chain.ts';
import { parseCrl } from '../../../attestation/x509/crl.ts';
import { parseOcspResponse } from '../../../attestation/x509/ocsp.ts';
import { parsePemChain } from '../../../attestation/x509/pem.ts';
import { requireNotRevokedByOcsp } from '../../../attestation/x509/revocation.ts';
import { writeEventLog } from '../../support/attestation/event-log-writer.ts';
import { buildGpuEvidence, gpuNonce, gpuNowMs } from '../../support/attestation/gpu-evidence.ts';
import { buildReference } from '../../support/attestation/gpu-reference.ts';
import { buildEvidence, evidenceNowMs } from '../../support/attestation/simulated-evidence.ts';
import { channelParser } from './channel-parser.ts';
import { fleetParser } from './fleet-parser.ts';
import {
  bytesOf,
  derWords,
  type EvidenceParser,
  jsonWords,
  latin1,
  meaningOfManifest,
  pemWords,
  xmlWords,
} from './parser.ts';
import { realEvidenceParsers } from './real-parsers.ts';

export async function buildEvidenceParsers(): Promise<readonly EvidenceParser[]> {
  const real = await realEvidenceParsers();
  return [
    ...(await quoteTargets()),
    ...(await x509Targets()),
    ...eventLogTargets(),
    ...(await gpuTargets()),
    await channelParser(),
    await fleetParser(),
    ...real,
  ];
}

async function quoteTargets(): Promise<EvidenceParser[]> {
  const { quote, collateral, rootCa } = await buildEvidence();
  const newer = await buildEvidence({ form: { version: 5, body: '1.5' } });
  const answer = bytesOf(`{"tcbInfo":${collateral.tcbInfo},"signature":"${'ab'.repeat(64)}"}`);
  const quoteTarget = async (name: string, evidence: typeof newer): Promise<EvidenceParser> => {
    const prepared = await prepareCollateral(evidence.collateral, [evidence.rootCa]);
    return {
      ...{ name, good: evidence.quote, parse: parseQuote, words: pemWords },
      async accepts(bytes) {
        const { genuine, quote: parsed } = await verifyPreparedQuote(bytes, prepared, evidenceNowMs);
        return genuine ? toHex(parsed!.signedBytes) : undefined;
      },
    };
  };
  return [
    await quoteTarget('quote-v4', { quote, collateral, rootCa }),
    await quoteTarget('quote-v5', newer),
    { name: 'td-report', good: Uint8Array.from([0x81, ...new Uint8Array(1023)]), parse: parseTdReport, words: [] },
    {
      name: 'collateral',
      good: bytesOf(formatCollateral(collateral)),
      parse: (bytes) => parseCollateral(latin1(bytes)),
      words: [...jsonWords, ...pemWords],
      async accepts(bytes) {
        const parsed = parseCollateral(latin1(bytes));
        const { genuine } = await verifyQuote(quote, parsed, [rootCa], evidenceNowMs);
        return genuine
          ? parsed.tcbInfo + parsed.qeIdentity + toHex(parsed.pckCrl) + toHex(parsed.rootCaCrl)
          : undefined;
      },
    },
    {
      name: 'tcb-info',
      good: bytesOf(collateral.tcbInfo),
      parse: (bytes) => parseTcbInfo(latin1(bytes)),
      words: jsonWords,
    },
    {
      name: 'qe-identity',
      good: bytesOf(collateral.qeIdentity),
      parse: (bytes) => parseQeIdentity(latin1(bytes)),
      words: jsonWords,
    },
    {
      name: 'signed-answer',
      good: answer,
      parse: (bytes) => splitSignedAnswer(latin1(bytes), 'tcbInfo'),
      words: jsonWords,
    },
  ];
}

async function x509Targets(): Promise<EvidenceParser[]> {
  const { quote, collateral, rootCa } = await buildEvidence();
  const root = parseCertificate(rootCa);
  const [signer] = parsePemChain(collateral.tcbInfoIssuerChain, 'chain') as [Uint8Array];
  const [pck, ca] = parsePemChain(parseQuote(quote).pckChainPem, 'chain') as [Uint8Array, Uint8Array];
  const issuer = parseCertificate(ca);
  const chainOf = async (certificates: readonly Certificate[]) => {
    const chain = await verifyChain(certificates, [root]);
    return chain.certificates.map(({ tbs }) => toHex(tbs)).join();
  };
  const ocsp = await buildReference();
  const gpuChain = ocsp.gpu.chain!;
  return [
    {
      ...{ name: 'certificate', good: signer, parse: parseCertificate, words: derWords },
      accepts: async (bytes) => chainOf([parseCertificate(bytes)]),
    },
    {
      ...{ name: 'pck-certificate', good: pck, words: derWords },
      parse: (bytes) => parsePckPlatform(parseCertificate(bytes)),
      accepts: async (bytes) => chainOf([parseCertificate(bytes), issuer]),
    },
    {
      ...{ name: 'crl', good: collateral.pckCrl, parse: parseCrl, words: derWords },
      async accepts(bytes) {
        const crl = parseCrl(bytes);
        await verifyCrl(crl, issuer);
        return toHex(crl.tbs);
      },
    },
    {
      ...{ name: 'pem', good: bytesOf(collateral.tcbInfoIssuerChain), words: pemWords },
      parse: (bytes) => parsePemChain(bytes, 'chain'),
      accepts: async (bytes) => chainOf(parsePemChain(bytes, 'chain').map(parseCertificate)),
    },
    {
      ...{ name: 'ocsp', good: ocsp.responses[0]!, parse: parseOcspResponse, words: derWords },
      async accepts(bytes) {
        const response = parseOcspResponse(bytes);
        await requireNotRevokedByOcsp(gpuChain, [response], gpuNowMs);
        return toHex(response.tbs);
      },
    },
  ];
}

function eventLogTargets(): EvidenceParser[] {
  const log = writeEventLog([1, 2, 3, 4, 1].map((mrIndex, index) => ({ mrIndex, data: `event ${index}` })));
  return [
    {
      ...{ name: 'event-log', good: log, parse: parseEventLog, words: [Uint8Array.of(255, 255, 255, 255)] },
      async accepts(bytes) {
        const { events } = parseEventLog(bytes);
        const rtmrs = (await replayEventLog(events)).map(toHex).join();
        const expected = (await replayEventLog(parseEventLog(log).events)).map(toHex).join();
        if (rtmrs !== expected) return undefined;
        // No-action events and events of MRTD extend no register, so the registers prove only the other events.
        const proven = events.filter(({ mrIndex, type }) => mrIndex > 0 && type !== 3);
        return [1, 2, 3, 4]
          .map((register) => proven.filter(({ mrIndex }) => mrIndex === register).map((event) => toHex(event.digest)))
          .join();
      },
    },
    { name: 'ccel-table', good: ccelTable(), parse: parseCcelTable, words: [] },
  ];
}

/** Builds the ACPI table with its checksum. */
function ccelTable(): Uint8Array {
  const table = new Uint8Array(56);
  table.set(bytesOf('CCEL'));
  table.set([56, 0, 0, 0], 4);
  table[36] = 2;
  table[9] = (256 - (table.reduce((sum, byte) => sum + byte, 0) % 256)) % 256;
  return table;
}

async function gpuTargets(): Promise<EvidenceParser[]> {
  const { report, chainPem, root } = buildGpuEvidence();
  const { reference, expectations } = await buildReference();
  return [
    {
      ...{
        name: 'gpu-report',
        good: report,
        parse: parseGpuReport,
        words: [Uint8Array.of(0x11, 0x60), Uint8Array.of(1, 1, 51, 0)],
      },
      async accepts(bytes) {
        const wanted = { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs };
        const { authentic, report: parsed } = await verifyGpuEvidence({ report: bytes, chainPem }, wanted);
        return authentic ? toHex(parsed!.signedBytes) : undefined;
      },
    },
    {
      ...{ name: 'rim', good: reference.driverRim!, parse: parseReferenceManifest, words: xmlWords },
      accepts: (bytes) => meaningOfManifest(bytes, expectations.rimAnchors),
    },
  ];
}
