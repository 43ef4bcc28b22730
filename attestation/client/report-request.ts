/** The request for a report: path, nonce, retries and size limit. Opens no connection. */
import { reportCharactersMax } from '../aci/report.ts';
import { AttestationError } from '../base/errors.ts';
import { boundedBody } from './bounded-body.ts';

export const reportPath = '/v1/aci/attestation';
/** A response header: `sha256:…` of the keyset of the server that answers. */
export const keysetDigestHeader = 'x-aci-keyset-digest';

/** Servers limit the quotes per minute and client address. A longer Retry-After than this is an error. */
const waitMsMax = 30_000;
const attemptsMax = 8;

/** @returns 32 random bytes as 64 lowercase hexadecimal digits */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Requests a report, and retries after a 429 response as its Retry-After header says.
 * @param send sends the request; called once per attempt
 * @returns the exact bytes
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE if the server sends no report or one that is too large · errors of
 *   `send` · the signal's reason
 */
export async function requestReport(
  send: () => Promise<Response>,
  { signal }: { signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    const waitMs = response.status === 429 ? retryAfterMs(response) : undefined;
    if (waitMs === undefined || waitMs > waitMsMax || attempt === attemptsMax) return readReport(response);
    await response.body?.cancel();
    await pause(waitMs, signal);
  }
}

function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(text) ? 1000 * Number(text) : undefined;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

async function readReport(response: Response): Promise<Uint8Array> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw unavailable(`the server answered ${response.status} to the request for its report`);
  }
  return boundedBody(response, { what: 'the report', bytesMax: reportCharactersMax });
}

function unavailable(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message);
}
