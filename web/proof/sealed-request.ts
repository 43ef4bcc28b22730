/** Requests whose bodies only the verified server can read, and the proof of each answer. */
import { checkReceipt, type EvidenceCheck, openResponse, sealRequest } from '@cloister/attestation/browser';
import { errorOf, send } from '../api/request.ts';
import { pinnedVerification, proveServer, type ServerProof } from './server-proof.ts';

export interface SentRequest {
  readonly response: Response;
  /** The exact body before sealing. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Undefined if the body was not sealed, because the server has no evidence. */
  readonly proof: ServerProof | undefined;
}

/**
 * Sends a body as JSON, sealed to the server's attested key if there is one.
 * @throws {ApiError} for an error of the API · {AttestationError} if the sealed exchange was tampered with
 */
export async function sendSealed(path: string, body: unknown, signal: AbortSignal): Promise<SentRequest> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const proof = await proofForSealing();
  const request = new Request(new URL(path, location.href), {
    ...{ method: 'POST', body: bytes, signal },
    headers: { 'content-type': 'application/json' },
  });
  const response = await exchange(request, proof);
  if (!response.ok) throw await errorOf(response);
  return { response, body: bytes, proof };
}

async function exchange(request: Request, proof: ServerProof | undefined): Promise<Response> {
  const key = proof?.verification.sealingKey;
  if (key === undefined) return await send(request);
  const sealed = await sealRequest(request, key);
  return await openResponse(await send(sealed.request), sealed.exchange!);
}

/** @throws {Error} if the server has evidence that does not hold: nothing is sent to it */
async function proofForSealing(): Promise<ServerProof | undefined> {
  const proof = await proveServer().catch(() => undefined);
  if (proof === undefined || proof.verification.acceptable) return proof;
  throw new Error('the evidence of this server does not hold, so nothing was sent: open the proof for the reason');
}

export interface AnswerProof {
  readonly checks: readonly EvidenceCheck[];
  /** The receipt's exact text, to keep. */
  readonly receipt: string;
}

/** Fetches the receipt of an answer and compares it with the exact bytes. @throws {ApiError} if there is no receipt */
export async function proveAnswer(answer: {
  readonly receiptId: string;
  readonly request: Uint8Array<ArrayBuffer>;
  readonly response: Uint8Array<ArrayBuffer>;
}): Promise<AnswerProof> {
  const evidence = await pinnedVerification(await proveServer());
  const reply = await send(`/v1/aci/receipts/${encodeURIComponent(answer.receiptId)}`);
  if (!reply.ok) throw await errorOf(reply);
  const receipt = await reply.text();
  const { checks } = await checkReceipt({
    ...{ receipt, evidence, request: answer.request, response: answer.response },
  });
  return { checks, receipt };
}
