/** The thread that fuzzes: it tells what it finds, and counts its steps where the one that watches can see them. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseCollateral } from '../../attestation/collateral/collateral.ts';
import { intelRootCa } from '../../attestation/collateral/intel-root.ts';
import {
  buildJudged,
  changeQuoteStructure,
  changeSignedDocument,
  changeVersions,
  flipOneBit,
} from '../support/evidence-mutations.ts';
import { fuzzStep } from '../support/fuzz-step.ts';
import { buildFuzzTargets } from '../support/fuzz-targets.ts';
import { compare, type JudgedEvidence } from '../support/oracle.ts';
import { Random } from '../support/random.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

export interface FuzzJob {
  readonly name: string;
  /** The number of the first step. */
  readonly from: number;
  readonly seconds: number;
  /** One 32-bit counter of steps. */
  readonly progress: SharedArrayBuffer;
}

export type FuzzMessage = { kind: 'finding'; text: string } | { kind: 'note'; text: string };

const verifiedEvery = 16;
const job = workerData as FuzzJob;
const steps = new Int32Array(job.progress);
const endMs = Date.now() + 1000 * job.seconds;

if (job.name === 'oracle') await fuzzOracle();
else await fuzzParsers();

async function fuzzParsers(): Promise<void> {
  const all = await buildFuzzTargets();
  const targets = job.name === 'parser' ? all : all.filter(({ name }) => name === job.name);
  if (targets.length === 0) throw new RangeError(`there is no target ${job.name}: ${all.map(({ name }) => name)}`);
  for (let step = job.from; Date.now() < endMs; step++) {
    for (const target of targets) {
      const finding = await fuzzStep(target, step, step % verifiedEvery === 0);
      Atomics.add(steps, 0, 1);
      if (finding === undefined) continue;
      const input = Buffer.from(finding.input).toString('base64');
      tell('finding', `${finding.target}, step ${finding.step}: ${finding.what}\n  input: ${input}`);
    }
  }
}

async function fuzzOracle(): Promise<void> {
  const random = new Random(job.from);
  const evidence = [await buildJudged(), await buildJudged({ form: { version: 5, body: '1.5' } }), ...realEvidence()];
  const differences = new Map<string, number>();
  while (Date.now() < endMs) {
    const one = random.pick(evidence);
    const { what, evidence: changed } = await random.pick([
      () => flipOneBit(one, random),
      () => flipOneBit(one, random),
      () => changeQuoteStructure(one, random),
      () => changeSignedDocument(random),
      () => changeVersions(random),
    ])();
    const { wrong, explainedBy } = await compare(changed);
    Atomics.add(steps, 0, 1);
    for (const row of explainedBy) differences.set(row, (differences.get(row) ?? 0) + 1);
    if (wrong !== undefined)
      tell('finding', `${what}: ${wrong}\n  quote: ${Buffer.from(changed.quote).toString('base64')}`);
  }
  tell('note', `differences: ${[...differences].map(([row, count]) => `${count} × ${row}`).join(', ')}`);
}

function realEvidence(): JudgedEvidence[] {
  if (!hasVectors) {
    tell('note', `real evidence is left out${vectorsNote}`);
    return [];
  }
  const collateral = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
  const nowMs = Date.parse('2025-06-20T00:00:00Z');
  return [{ quote: vectorBytes('tdx-dcap-qvl/tdx_quote'), collateral, rootCa: intelRootCa, nowMs }];
}

function tell(kind: FuzzMessage['kind'], text: string): void {
  parentPort!.postMessage({ kind, text } satisfies FuzzMessage);
}
