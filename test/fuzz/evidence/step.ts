/** One fuzzing step: a mutation determined by the step's number is parsed, and occasionally verified. */
import { AttestationError } from '../../../attestation/base/errors.ts';
import { Random } from '../../support/random.ts';
import { mutate } from '../mutation/bytes.ts';
import type { EvidenceParser } from './parser.ts';

/** A parser that exceeds this time for an input of at most a megabyte counts as hanging. */
export const parseMsMax = 1000;

export interface FuzzFinding {
  readonly target: string;
  /** The number that reproduces the mutation. */
  readonly step: number;
  readonly what: string;
  readonly input: Uint8Array;
}

/** @returns the finding, or undefined */
export async function fuzzStep(
  target: EvidenceParser,
  step: number,
  isVerified: boolean,
): Promise<FuzzFinding | undefined> {
  const input = mutate(target.good, target.words, new Random(Math.imul(step, 0x9e37_79b1)));
  const found = (what: string): FuzzFinding => ({ target: target.name, step, what, input });
  const start = performance.now();
  const crash = refusalOf(() => target.parse(input));
  const tookMs = performance.now() - start;
  if (crash !== undefined) return found(`crash: ${crash}`);
  if (tookMs > parseMsMax) return found(`hang: ${Math.round(tookMs)} ms`);
  if (!isVerified || target.accepts === undefined) return undefined;
  try {
    const meaning = await target.accepts(input);
    if (meaning === undefined || meaning === (await target.accepts(target.good))) return undefined;
    return found('accepted with another meaning');
  } catch (error) {
    return error instanceof AttestationError ? undefined : found(`crash in verifying: ${String(error)}`);
  }
}

/** Returns a description of a thrown error that is not a documented rejection. */
function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof AttestationError ? undefined : error instanceof Error ? (error.stack ?? '') : String(error);
  }
}
