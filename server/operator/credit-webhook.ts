/**
 * `POST /webhooks/credits`: a payment service reports a payment, which is credited to an account. It needs the service's
 * signature; no key or token is accepted.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Accounts } from '@cloister/accounts/store';
import { parseJson } from '../bodies/parse-json.ts';
import { bodyReader } from '../http/body-reader.ts';
import { errorReply } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { Type } from '../schema/type.ts';
import type { OperatorHandler } from './operator-server.ts';
import { readRequestBytes } from './request-bytes.ts';
import { verifyWebhookSignature } from './webhook-signature.ts';

const path = '/webhooks/credits';
/** Several times the size of Stripe's events. */
const bodyBytesMax = 256 * 1024;
const secretsMax = 4;
const microDollarsPerCent = 10_000;

export interface CreditWebhookDependencies {
  readonly accounts: Pick<Accounts, 'credit'>;
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reads one secret per line; two lines while a secret is replaced. @throws {ServerError} ERR_START */
export function readWebhookSecrets(file: string): readonly string[] {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ServerError('ERR_START', `--credits-webhook-secret-file: ${file} cannot be read (${code})`, { cause });
  }
  const secrets = content.split('\n').flatMap((line) => line.trim() || []);
  const isSound = secrets.every((secret) => /^[\x21-\x7e]{16,256}$/.test(secret));
  if (isSound && secrets.length >= 1 && secrets.length <= secretsMax) return secrets;
  const form = `1 to ${secretsMax} lines, each a secret of at least 16 characters without spaces`;
  throw new ServerError('ERR_START', `--credits-webhook-secret-file: ${file} must have ${form}`);
}

const eventHead = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,57}$' }),
  type: Type.String({ maxLength: 200 }),
});

/** A Checkout session of Stripe: https://docs.stripe.com/api/checkout/sessions/object. */
const session = Type.Object({
  amount_total: Type.Integer({ minimum: 1, maximum: 1e11 }),
  currency: Type.String({ maxLength: 10 }),
  payment_status: Type.String({ maxLength: 40 }),
  client_reference_id: Type.Optional(Type.String({ maxLength: 200 })),
  metadata: Type.Optional(Type.Object({ cloister_account: Type.Optional(Type.String({ maxLength: 500 })) })),
});
const paidEvent = Type.Object({ data: Type.Object({ object: session }) });

/** A payment by a delayed method completes its session unpaid, and succeeds later. */
const paidTypes = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);

/** Answers `POST /webhooks/credits`. The sender repeats an event until it gets a status of success. */
export function creditWebhookHandler({ accounts, secrets, now }: CreditWebhookDependencies): OperatorHandler {
  return async (request, response) => {
    if (request.url !== path) return false;
    try {
      if (request.method !== 'POST') {
        const details = { allow: 'POST' };
        throw new ServerError('ERR_METHOD_NOT_ALLOWED', 'the method is not allowed: use POST', { details });
      }
      const body = await readRequestBytes(request, { bytesMax: bodyBytesMax });
      const signature = request.headersDistinct['stripe-signature'];
      if (signature !== undefined && signature.length > 1)
        throw new ServerError('ERR_KEY_INVALID', 'send one `Stripe-Signature` header');
      verifyWebhookSignature({ signature: signature?.[0], body, secrets, now: now() });
      const credited = await creditEvent(parseJson(body), { accounts, now: now() });
      send(response, { status: 200, headers: {}, body: { received: true, credited } });
    } catch (error) {
      send(response, errorReply(error, path));
    }
    return true;
  };
}

/**
 * Books the payment of an event once: its id is the reference of the credit.
 * @returns whether this call has added a credit; false for repeated events and for those that report no payment
 * @throws {ServerError} ERR_REQUEST_INVALID · @throws {AccountError} as `Accounts.credit`
 */
async function creditEvent(
  event: unknown,
  { accounts, now }: Pick<CreditWebhookDependencies, 'accounts'> & { now: number },
): Promise<boolean> {
  const { id, type } = bodyReader.read(eventHead, event);
  if (!paidTypes.has(type)) return false;
  const { object } = bodyReader.read(paidEvent, event).data;
  if (object.payment_status !== 'paid') return false;
  const account = object.metadata?.cloister_account ?? object.client_reference_id;
  if (account === undefined) {
    const fields = '`client_reference_id` or `metadata.cloister_account`';
    throw new ServerError('ERR_REQUEST_INVALID', `${fields} must have the name of an account`);
  }
  if (object.currency !== 'usd') throw new ServerError('ERR_REQUEST_INVALID', '`currency` must be `usd`');
  const microDollars = object.amount_total * microDollarsPerCent;
  const { alreadyBooked } = await accounts.credit({ account, microDollars, reference: `stripe:${id}`, now });
  return !alreadyBooked;
}

function send(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
): void {
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
