/** Verifies the signature of a webhook as Stripe makes it: `t=SECONDS,v1=HEX`, over the time and the bytes of the body. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServerError } from '../http/errors.ts';

/** An older or later signature may be a replay. */
export const toleranceSeconds = 300;
/** Far above the few signatures that a header has while secrets change. */
const partsMax = 16;
const headerCharactersMax = 2048;

export interface SignedBody {
  /** The value of `Stripe-Signature`. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
  /** One of them has signed; several while the sender's secret changes. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Compares in constant time. A header may have several signatures; one that matches is enough.
 * @throws {ServerError} ERR_KEY_MISSING without a signature, ERR_KEY_INVALID if none matches or the time is not close to `now`
 * @see https://docs.stripe.com/webhooks#verify-manually
 */
export function verifyWebhookSignature({ signature, body, secrets, now }: SignedBody): void {
  if (signature === undefined) throw new ServerError('ERR_KEY_MISSING', 'send the signature in `Stripe-Signature`');
  const { time, digests } = parseSignature(signature);
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(body).digest());
  let matches = false;
  for (const digest of digests) {
    for (const one of expected) matches = timingSafeEqual(digest, one) || matches;
  }
  if (!matches) throw new ServerError('ERR_KEY_INVALID', 'the signature is wrong');
  if (Math.abs(now / 1000 - Number(time)) <= toleranceSeconds) return;
  const message = `the signature must be at most ${toleranceSeconds} seconds old: compare the clocks`;
  throw new ServerError('ERR_KEY_INVALID', message);
}

/** Signatures of other schemes than `v1` are ignored, as Stripe requires. */
function parseSignature(header: string): { time: string; digests: readonly Buffer[] } {
  const parts = header.length > headerCharactersMax ? [] : header.split(',', partsMax + 1);
  const times = parts.flatMap((part) => /^\s*t=(\d{1,12})\s*$/.exec(part)?.[1] ?? []);
  const digests = parts.flatMap((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1] ?? []);
  const [time] = times;
  if (time === undefined || times.length > 1 || digests.length === 0 || parts.length > partsMax) {
    throw new ServerError('ERR_KEY_INVALID', '`Stripe-Signature` must have the form `t=SECONDS,v1=SHA256`');
  }
  return { time, digests: digests.map((hex) => Buffer.from(hex, 'hex')) };
}
