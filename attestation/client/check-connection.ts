/** The check that the machine whose evidence was read also terminates the connection that it came over. For Node. */
import { AttestationError } from '../base/errors.ts';
import { parsedOrUndefined } from '../base/parsed.ts';
import { CheckList } from '../verify/checks.ts';
import {
  type ReadChannelProof,
  requireBoundChannel,
  requireSameMachine,
  type VerifiedMachine,
} from './bound-channel.ts';
import { askForChannelProof } from './channel-request.ts';
import { connectionChecks } from './evidence-check-table.ts';
import type { NewConnection, ObservedChannel } from './new-connection.ts';
import type { ParsedReport } from './parsed-report.ts';
import type { EvidenceCheck } from './verification.ts';

/** What a server answered when it was asked to prove a connection: not yet believed. */
export type ConnectionAnswer =
  | { readonly proof: ReadChannelProof; readonly nonce: string; readonly channel: ObservedChannel }
  | { readonly refusal: AttestationError };

/** @throws the network's errors */
export async function askAboutConnection(connection: NewConnection): Promise<ConnectionAnswer> {
  try {
    return { ...(await askForChannelProof(connection)), channel: connection.channel };
  } catch (error) {
    if (error instanceof AttestationError) return { refusal: error };
    throw error;
  }
}

/**
 * @param answer undefined where the server was not asked, because the policy accepts its TLS key alone
 * @param machine whose evidence it is; undefined where that cannot be read
 */
export async function checkConnection(
  answer: ConnectionAnswer | undefined,
  machine: VerifiedMachine | undefined,
): Promise<EvidenceCheck> {
  const list = new CheckList(connectionChecks);
  const isRefused = answer !== undefined && 'refusal' in answer;
  if (answer === undefined) list.skip('connection', 'the policy accepts the TLS key alone');
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
