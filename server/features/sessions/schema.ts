/** Bodies of the routes of sessions and keys, and their answers. */
import { scopes } from '@cloister/accounts/base/scopes';
import type { CallReader } from '../../bodies/call-reader.ts';
import { bodyReader, refusePlace } from '../../http/body-reader.ts';
import { choice, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

/** Longer than every secret of this server. */
const secret = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }));

export const signInBody = Type.Object({ link: secret, key: secret }, { description: 'One of `link` and `key`.' });

export const newKeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  scopes: Type.Optional(
    Type.Array(choice(scopes), { minItems: 1, maxItems: scopes.length, description: 'Default: every scope.' }),
  ),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: never.' })),
});

export type SignIn = { readonly link: string } | { readonly key: string };

export const signInReader: CallReader<SignIn, object> = {
  name: 'sign-in',
  read(body) {
    const { link, key } = bodyReader.read(signInBody, body);
    if (link !== undefined && key === undefined) return { link };
    if (key !== undefined && link === undefined) return { key };
    return refusePlace('link', 'must be given, or `key` in its place');
  },
};

export interface NewKeyCall {
  readonly name: string;
  readonly scopes: readonly string[] | undefined;
  readonly expiresInDays: number | undefined;
}

export const newKeyReader: CallReader<NewKeyCall, object> = {
  name: 'new-key',
  read(body) {
    const { name, scopes: named, expires_in_days: expiresInDays } = bodyReader.read(newKeyBody, body);
    return { name, scopes: named, expiresInDays };
  },
};

const textOrNull = Type.Union([text, Type.Null()]);
const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);

export const sessionAnswer = Type.Object({
  object: Type.Literal('session'),
  account: text,
  plan: text,
  scopes: Type.Array(text),
  can_manage_keys: Type.Boolean({ description: 'Whether a link opened the session.' }),
  expires_at: time,
});

export const keyAnswer = Type.Object({
  object: Type.Literal('key'),
  id: text,
  name: text,
  preview: text,
  scopes: Type.Array(text),
  created_at: time,
  expires_at: timeOrNull,
  last_used_on: textOrNull,
  revoked_at: timeOrNull,
});

export const createdKeyAnswer = Type.Object({
  ...keyAnswer.properties,
  secret: Type.String({ description: 'Shown only in this answer.' }),
});

export const keyListAnswer = Type.Object({ object: Type.Literal('list'), data: Type.Array(keyAnswer) });
