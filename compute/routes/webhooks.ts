/** Webhooks: the addresses that receive an account's events. */
import { randomBytes } from 'node:crypto';
import { Type } from '@cloister/server/schema/type';
import { ComputeError, notFound } from '../base/errors.ts';
import { closed } from '../base/schemas.ts';
import { type Call, created, type Operation, ok, operation } from '../http/operation.ts';
import { boolean, integer, text, textOrNull, time } from '../schemas/basics.ts';
import { addWebhook, findWebhook, listDeadLetters, listWebhooks, removeWebhook } from '../store/webhooks.ts';
import { iso } from '../views/pods.ts';
import { guardDestination } from '../webhooks/guard.ts';

const webhook = Type.Object({ id: text, url: text, created_at: time }, closed);
const newWebhook = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_000 }) }, closed);
const createdWebhook = Type.Object({ ...webhook.properties, secret: textOrNull }, closed);
const deadLetter = Type.Object({ event_id: text, attempts: integer, reason: text, at: time }, closed);
const secretBytes = 32;

export function webhookOperations(base: string): Operation[] {
  const path = `${base}/webhooks`;
  const access = 'pods';
  return [
    operation({
      method: 'GET',
      path,
      id: 'listWebhooks',
      summary: 'Webhooks of the account',
      access,
      answers: { 200: Type.Object({ webhooks: Type.Array(webhook) }, closed) },
      async handle({ service, accountId }) {
        const rows = await listWebhooks(service.control.store.db, accountId);
        return ok({ webhooks: rows.map(({ id, url, created_at }) => ({ id, url, created_at: iso(created_at) })) });
      },
    }),
    operation({
      method: 'POST',
      path,
      id: 'addWebhook',
      summary:
        'Adds an https address that receives events, signed as Standard Webhooks; the secret is shown only in this response',
      access,
      body: newWebhook,
      answers: { 201: createdWebhook },
      errors: [400, 409],
      secrets: ['secret'],
      async handle({ service: { control, secrets, guard }, accountId, body }) {
        const { url } = body;
        await guardDestination(url, guard).catch(throwUnresolved);
        const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
        const seal = (id: string) => secrets.seal(secret, { purpose: `webhook:${id}` });
        const row = await addWebhook(control.store, { accountId, url, seal });
        return created({ id: row.id, url, created_at: iso(row.created_at), secret });
      },
    }),
    operation({
      method: 'DELETE',
      path: `${path}/:id`,
      id: 'deleteWebhook',
      summary: 'Deletes a webhook',
      access,
      answers: { 200: Type.Object({ success: boolean }, closed) },
      errors: [404],
      async handle({ service, accountId, parameters: { id = '' } }) {
        await removeWebhook(service.control.store, { id, accountId });
        return ok({ success: true });
      },
    }),
    operation({
      method: 'GET',
      path: `${path}/:id/dead-letters`,
      id: 'listDeadLetters',
      summary: 'Events whose delivery failed after all retries; the feed still contains them',
      access,
      answers: { 200: Type.Object({ dead_letters: Type.Array(deadLetter) }, closed) },
      errors: [404],
      async handle(call) {
        const id = await requireOwn(call);
        const letters = await listDeadLetters(call.service.control.store.db, id);
        return ok({ dead_letters: letters.map(({ at, ...letter }) => ({ ...letter, at: iso(at) })) });
      },
    }),
  ];
}

async function requireOwn({ service, accountId, parameters: { id = '' } }: Call): Promise<string> {
  const webhook = await findWebhook(service.control.store.db, id);
  if (webhook?.account_id === accountId) return id;
  throw notFound('webhook', 'list the webhooks');
}

function throwUnresolved(error: unknown): never {
  if (error instanceof ComputeError) throw error;
  throw new ComputeError('INVALID_REQUEST', '`url` contains a host name that cannot be resolved', { cause: error });
}
