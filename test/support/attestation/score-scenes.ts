/** The servers whose scores the documentation shows: a simulated one, and a hypothetical one with TDX and a GPU. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEvidence } from '../../../attestation/client/evidence.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../../attestation/eventlog/replay.ts';
import { compositionEventName, replayStartLog, type StartEvent } from '../../../attestation/eventlog/start-log.ts';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { measurementsOf } from '../../../attestation/policy/policy.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';
import { runCloister } from '../cloister.ts';
import { type AttestedApp, startAttestedApp } from '../server/attested-app.ts';
import { startLogWith } from './attested-server.ts';
import { writeEventLog } from './event-log-writer.ts';
import { buildGpuEvidence, gpuNowMs } from './gpu-evidence.ts';
import { buildReference, measured, newestFields } from './gpu-reference.ts';
import { confidentialGpu, measuredGpu, serverGpuKeys } from './gpu-server.ts';

const source = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null };
const model = { id: 'tiny', files: [{ path: 'tiny.gguf', bytes: 1, sha256: 'ab'.repeat(32) }] };

/** A complete start log with digests of weights. @param gpu the measurement of the GPUs */
function startLog(gpu: object): StartEvent[] {
  const contents: Record<string, object> = { 'cloister.build': { source }, 'cloister.model': model };
  const composition = { name: compositionEventName, content: JSON.stringify({ models: [model] }) };
  const events = startLogWith('gpu', gpu).map(({ name, content }) => ({
    name,
    content: contents[name] === undefined ? content : JSON.stringify(contents[name]),
  }));
  return [composition, ...events];
}

export interface ScoreScene {
  readonly cwd: string;
  readonly app: AttestedApp;
  /** Of `cloister`: `score …`. */
  readonly line: string;
  close(): Promise<void>;
}

async function scene(app: AttestedApp, files: Record<string, string | Uint8Array>, flags: string): Promise<ScoreScene> {
  const cwd = mkdtempSync(join(tmpdir(), 'cloister-score-'));
  const origin = new URL(await app.listen()).origin;
  for (const [name, bytes] of Object.entries({ key: app.secret, ...files })) writeFileSync(join(cwd, name), bytes);
  return {
    cwd,
    app,
    line: `score ${origin} --key-file key ${flags}`.trim(),
    async close() {
      await app.close();
      rmSync(cwd, { recursive: true });
    },
  };
}

/** Verification of `npm start` without a root or a policy. */
export async function startSimulatedScene(): Promise<ScoreScene> {
  const app = await startAttestedApp();
  for (const event of startLog({ gpus: [] })) await app.platform.measure(event);
  return scene(app, {}, '');
}

/** The result of every check if Intel's and NVIDIA's roots replace those of the test, under a complete policy. */
export async function startPaperScene(): Promise<ScoreScene> {
  const platform = await paperPlatform();
  const gpu = await paperGpu();
  const app = await startAttestedApp({ enclave: { platform, deviceEvidence: gpu.deviceEvidence } });
  const gpus = { ...confidentialGpu, gpus: [await measuredGpu()] };
  for (const event of startLog(gpus)) await platform.measure(event);
  const report = await app.report('5e'.repeat(32));
  const { body } = parseQuote(parseEvidence(report.evidence).quote);
  const { mrTd, rtmr0, rtmr1, rtmr2 } = measurementsOf(body);
  const policy = {
    measurements: [{ mrTd, rtmr0, rtmr1, rtmr2 }],
    sources: [{ repoUrl: source.repositoryUrl, repoCommit: source.commit }],
    gpuRequired: true,
  };
  app.advance(60_000);
  const { reference, roots } = gpu;
  const files = {
    'root.pem': formatPemChain([platform.simulation!.rootCa]),
    'gpu-root.pem': formatPemChain(roots),
    'driver.xml': reference.driverRim!,
    'vbios.xml': reference.vbiosRim!,
    'a.der': reference.ocspResponses![0]!,
    'b.der': reference.ocspResponses![1]!,
    'policy.json': JSON.stringify(policy),
  };
  const gpuFlags =
    '--gpu-root gpu-root.pem --gpu-driver-rim driver.xml --gpu-vbios-rim vbios.xml --gpu-ocsp a.der,b.der';
  const at = new Date(gpuNowMs).toISOString();
  return scene(app, files, `--root root.pem ${gpuFlags} --policy policy.json --at ${at}`);
}

/** One GPU with one certificate chain, to which the manifests and OCSP responses apply; it signs every nonce. */
async function paperGpu() {
  const built = await buildReference({ gpu: { of: serverGpuKeys } });
  const { chainPem } = built.evidence;
  return {
    ...built,
    async deviceEvidence(nonce: Uint8Array) {
      const { report } = buildGpuEvidence({
        of: serverGpuKeys,
        report: { measurements: measured, fields: newestFields, nonce },
      });
      return { gpus: [{ report, chainPem }], switches: [] };
    },
  };
}

/** A simulated platform whose firmware wrote an event log. */
async function paperPlatform(): Promise<AttestedPlatform> {
  const { rootCa, collateral, quote } = await createSimulatedPlatform(gpuNowMs);
  const bootLog = writeEventLog([1, 2, 3].map((mrIndex) => ({ mrIndex, data: `register ${mrIndex - 1}` })));
  const [rtmr0, rtmr1, rtmr2] = await replayEventLog(parseEventLog(bootLog).events);
  const mrTd = new Uint8Array(48).fill(0xaa);
  const events: StartEvent[] = [];
  return {
    kind: 'simulated',
    quote: async (reportData) =>
      quote(reportData, { mrTd, rtmrs: [rtmr0, rtmr1, rtmr2, await replayStartLog(events)] }),
    async measure(event) {
      events.push(event);
    },
    get startLog() {
      return [...events];
    },
    bootLog,
    simulation: { rootCa, collateral },
  };
}

/** The JSON output of the command. */
export async function scoreOf({ line, cwd }: ScoreScene) {
  const { stdout, stderr, code } = await runCloister(`${line} --json`, { cwd });
  if (stderr !== '') throw new Error(stderr);
  return { code, score: JSON.parse(stdout) as import('../../../attestation/score/report.ts').ScoreJson };
}
