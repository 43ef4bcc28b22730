/** The routes of sessions and keys in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeChange, describeRead, inPath, ref } from '../../http/openapi-operations.ts';
import { createdKeyAnswer, keyAnswer, keyListAnswer, newKeyBody, sessionAnswer, signInBody } from './schema.ts';

export const sessionBodies = { SignIn: signInBody, NewKey: newKeyBody } as const;

export const sessionAnswers = {
  Session: sessionAnswer,
  Key: keyAnswer,
  KeyList: keyListAnswer,
  CreatedKey: createdKeyAnswer,
} as const;

const deleted: JsonObject = { type: 'object', properties: { deleted: { const: true } } };

export const sessionPaths: JsonObject = {
  '/sessions': describeChange('post', {
    id: 'openSession',
    summary: 'Signs a person in: sets a cookie for the pages of this server.',
    body: 'SignIn',
    schema: ref('Session'),
    access: 'open',
  }),
  '/session': {
    ...describeRead('readSession', 'The session of the page.', { schema: ref('Session'), access: 'session' }),
    ...describeChange('delete', {
      id: 'endSession',
      summary: 'Signs out.',
      schema: deleted,
      access: 'session',
    }),
  },
  '/keys': {
    ...describeRead('listKeys', 'The keys of the account, also the revoked ones.', {
      schema: ref('KeyList'),
      access: 'session',
    }),
    ...describeChange('post', {
      id: 'createKey',
      summary: 'Creates a key.',
      body: 'NewKey',
      status: 201,
      schema: ref('CreatedKey'),
      access: 'session',
    }),
  },
  '/keys/{id}': describeChange('delete', {
    id: 'revokeKey',
    summary: 'Revokes a key from the next request.',
    parameters: [inPath('id')],
    schema: ref('Key'),
    access: 'session',
  }),
};
