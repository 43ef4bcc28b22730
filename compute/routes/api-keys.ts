/** API keys of the account. Requires a dashboard session: a key can neither create nor revoke keys (C-085…C-092). */
import { AccountError } from '@cloister/accounts/base/errors';
import { Type } from '@cloister/server/schema/type';
import { ComputeError, notFound } from '../base/errors.ts';
import { closed } from '../base/schemas.ts';
import { type Call, created, type Operation, ok, operation } from '../http/operation.ts';
import { boolean, text, textOrNull, time } from '../schemas/basics.ts';
import { iso } from '../views/pods.ts';

const liveKey = Type.Object({ id: text, name: text, keyPreview: text, createdAt: time }, closed);

const newKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64 }),
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 16 })),
  },
  closed,
);

const createdKey = Type.Object({ id: text, name: text, key: textOrNull, created_at: time, message: text }, closed);

export function apiKeyOperations(base: string): Operation[] {
  const path = `${base}/api-keys`;
  const access = 'session';
  return [
    operation({
      method: 'GET',
      path,
      id: 'listApiKeys',
      summary: 'Live API keys of the account',
      access,
      answers: { 200: Type.Array(liveKey) },
      handle: async (call) =>
        ok(
          (await liveKeys(call)).map(({ id, name, preview, createdAt }) => ({
            id,
            name,
            keyPreview: preview,
            createdAt: iso(createdAt),
          })),
        ),
    }),
    operation({
      method: 'POST',
      path,
      id: 'createApiKey',
      summary: 'Creates an API key; its secret is shown only in this response',
      access,
      body: newKey,
      answers: { 201: createdKey },
      errors: [400, 409],
      secrets: ['key'],
      repeatedMessage:
        'the key was shown once, in the first response to this request, and is not stored: if it is lost, revoke it and create another',
      async handle(call) {
        const { name, scopes } = call.body;
        const now = await call.service.control.store.now();
        const account = await accountName(call, now);
        const { key, secret } = await call.service.accounts
          .createKey({ account, name, scopes, now })
          .catch(throwKeyLimit);
        return created({
          id: key.id,
          name: key.name,
          key: secret,
          created_at: iso(key.createdAt),
          message: 'store the key now: it is shown only once',
        });
      },
    }),
    operation({
      method: 'DELETE',
      path,
      id: 'revokeApiKey',
      summary: 'Revokes the key that ?id= names; takes effect with the next request',
      access,
      query: { id: Type.String({ maxLength: 128 }) },
      answers: { 200: Type.Object({ id: text, deleted: boolean, message: text }, closed) },
      errors: [400, 404],
      async handle(call) {
        const { id } = call.query;
        if (id === undefined)
          throw new ComputeError('INVALID_REQUEST', '`id` is missing: send the id of the key as ?id=');
        const isOwn = (await liveKeys(call)).some((key) => key.id === id);
        if (!isOwn) throw notFound('API key', 'list the API keys');
        const now = await call.service.control.store.now();
        await call.service.accounts.revokeKey(id, { now }).catch((error) => {
          if (error instanceof AccountError && error.code === 'ERR_KEY_UNKNOWN')
            throw notFound('API key', 'list the API keys');
          throw error;
        });
        return ok({ id, deleted: true, message: 'the key is revoked' });
      },
    }),
  ];
}

async function liveKeys(call: Call) {
  const now = await call.service.control.store.now();
  const keys = await call.service.accounts.listKeys({ account: await accountName(call, now) });
  return keys.filter(({ revokedAt, expiresAt }) => revokedAt === undefined && (expiresAt ?? Infinity) > now);
}

async function accountName({ service, accountId }: Call, now: number): Promise<string> {
  return (await service.accounts.readStanding({ accountId, now })).name;
}

/** Replaces the message of ERR_KEY_LIMIT, which contains the account's name. */
function throwKeyLimit(error: unknown): never {
  if (error instanceof AccountError && error.code === 'ERR_KEY_LIMIT') {
    throw new ComputeError('KEY_LIMIT', 'the account has 10 live keys, the maximum: revoke one first', {
      cause: error,
    });
  }
  throw error;
}
