/** Checks that the machine in the evidence terminates the connection that delivered it. For Node. */
import { AttestationError } from '../base/errors.ts';
import { parsedOrUndefined } from '../base/parsed.ts';
import { CheckList } from '../verify/checks.ts';
import {
  type ReadChannelProof,
  requireBoundChannel,
  requireSameMachine,
  type VerifiedMachine,
} from './bound-channel.ts';
import { requestChannelProof } from './channel-request.ts';
import { connectionChecks } from './evidence-check-table.ts';
import type { NewConnection, ObservedChannel } from './new-connection.ts';
import type { ParsedReport } from './parsed-report.ts';
import type { EvidenceCheck } from './verification.ts';

/** A server's response to the request for a proof of the connection, not verified yet. */
export type ConnectionProofResult =
  | { readonly proof: ReadChannelProof; readonly nonce: string; readonly channel: ObservedChannel }
  | { readonly refusal: AttestationError };

/** Returns a refusal as a value, so that the check can report it. @throws network errors */
export async function requestConnectionProof(connection: NewConnection): Promise<ConnectionProofResult> {
  try {
    return { ...(await requestChannelProof(connection)), channel: connection.channel };
  } catch (error) {
    if (error instanceof AttestationError) return { refusal: error };
    throw error;
  }
}

/**
 * @param answer undefined if the policy accepts the TLS key alone, so that no proof was requested
 * @param machine from the evidence; undefined if that is malformed
 */
export async function checkConnection(
  answer: ConnectionProofResult | undefined,
  machine: VerifiedMachine | undefined,
): Promise<EvidenceCheck> {
  const list = new CheckList(connectionChecks);
  const isRefused = answer !== undefined && 'refusal' in answer;
  if (answer === undefined) list.skip('connection', 'not required: the policy accepts the TLS key alone');
  else if (isRefused && answer.refusal.code === 'ERR_EVIDENCE_UNAVAILABLE') {
    list.skip('connection', answer.refusal.message);
  } else {
    await list.run('connection', [{ id: 'evidence-format', ...(machine && { value: machine }) }], (verified) => {
      if (isRefused) throw answer.refusal;
      const { proof, nonce, channel } = answer;
      requireSameMachine(proof, verified);
      requireBoundChannel(proof, { nonce, channel });
    });
  }
  return { ...list.all()[0]!, required: answer !== undefined };
}

/** @returns undefined if the report or its quote is malformed: the verification reports why */
export function machineOf(parsed: ParsedReport): VerifiedMachine | undefined {
  const [report, quote] = [parsedOrUndefined(parsed.report), parsedOrUndefined(parsed.quote)];
  return report === undefined || quote === undefined ? undefined : { keysetDigest: report.keysetDigest, quote };
}
