/**
 * Whether a server can open what is sealed to its attested key: sends a sealed body that no model answers, and opens what
 * comes back. Costs nothing and tells the server nothing but the API key.
 */
import { openResponse, sealRequest } from '../sealed/client.ts';
import { responseNonceHeader } from '../sealed/protocol.ts';

export interface SealedProbe {
  /** Sends to servers that the policy accepts only, and leaves bodies as they are: `attestedFetch` without `seal`. */
  readonly send: (request: Request) => Promise<Response>;
  readonly sealingKey: Uint8Array;
  readonly apiKey: string;
}

/** @param origin `https://host[:port]` · @returns whether the answer came sealed and opened, and what was found */
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
    if (!isSealed) return { status: 'fail', detail: `the answer, status ${answer.status}, came unsealed` };
    return { status: 'pass', detail: `a sealed request had a sealed answer, status ${answer.status}` };
  } catch (error) {
    return { status: 'fail', detail: (error as Error).message };
  }
}
