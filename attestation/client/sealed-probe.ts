/**
 * Probes whether a server can decrypt bodies sealed to its attested key: sends a sealed invalid request and opens the error
 * response. Costs nothing, and discloses nothing to the server but the API key.
 */
import { openResponse, sealRequest } from '../sealed/client.ts';
import { responseNonceHeader } from '../sealed/protocol.ts';

export interface SealedProbe {
  /** Must send to acceptable servers only and leave bodies unchanged: `attestedFetch` without `seal`. */
  readonly send: (request: Request) => Promise<Response>;
  readonly sealingKey: Uint8Array;
  readonly apiKey: string;
}

/** @param origin `https://host[:port]` · @returns whether the response was sealed and could be opened, with a detail for display */
export async function probeSealing(
  origin: string,
  { send, sealingKey, apiKey }: SealedProbe,
): Promise<{ status: 'pass' | 'fail'; detail: string }> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const request = new Request(new URL('/v1/chat/completions', origin), { method: 'POST', headers, body: '{}' });
  try {
    const sealed = await sealRequest(request, sealingKey);
    const answer = await send(sealed.request);
    const isSealed = answer.headers.has(responseNonceHeader);
    await (await openResponse(answer, sealed.exchange!)).arrayBuffer();
    if (!isSealed) return { status: 'fail', detail: `the response, status ${answer.status}, was not sealed` };
    return { status: 'pass', detail: `a sealed request got a sealed response, status ${answer.status}` };
  } catch (error) {
    return { status: 'fail', detail: (error as Error).message };
  }
}
