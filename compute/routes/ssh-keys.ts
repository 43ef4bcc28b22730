/** The account's public SSH keys. */
import { Type } from '@cloister/server/schema/type';
import { notFound } from '../base/errors.ts';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';
import { parseSshPublicKey } from '../base/ssh-key.ts';
import { created, type Operation, ok, operation } from '../http/operation.ts';
import { boolean, text, time } from '../schemas/basics.ts';
import { addSshKey, listSshKeys, removeSshKey, type SshKeyRow } from '../store/ssh-keys.ts';
import { iso } from '../views/pods.ts';

const sshKey = Type.Object({ id: text, name: text, publicKey: text, createdAt: time }, closed);

const newSshKey = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\p{C}]+$',
      description: '1 to 64 printable characters',
    }),
    public_key: Type.String({ minLength: 1, maxLength: 16_384 }),
  },
  closed,
);

export function sshKeyOperations(base: string): Operation[] {
  const path = `${base}/ssh-keys`;
  const access = 'ssh-keys';
  return [
    operation({
      method: 'GET',
      path,
      id: 'listSshKeys',
      summary: 'SSH keys of the account, newest first',
      access,
      answers: { 200: Type.Array(sshKey) },
      handle: async ({ service, accountId }) =>
        ok((await listSshKeys(service.control.store.db, accountId)).map(toJson)),
    }),
    operation({
      method: 'POST',
      path,
      id: 'addSshKey',
      summary: 'Registers a public key for future deploys',
      access,
      body: newSshKey,
      answers: { 201: sshKey },
      errors: [400, 409],
      async handle({ service, accountId, body }) {
        const { name, public_key } = body;
        return created(
          toJson(await addSshKey(service.control.store, { accountId, name, key: parseSshPublicKey(public_key) })),
        );
      },
    }),
    operation({
      method: 'GET',
      path: `${path}/:id`,
      id: 'getSshKey',
      summary: 'One SSH key',
      access,
      answers: { 200: sshKey },
      errors: [404],
      async handle({ service, accountId, parameters: { id } }) {
        const key = (await listSshKeys(service.control.store.db, accountId)).find((one) => one.id === id);
        if (key === undefined) throw notFound('SSH key', 'list the SSH keys');
        return ok(toJson(key));
      },
    }),
    operation({
      method: 'DELETE',
      path: `${path}/:id`,
      id: 'deleteSshKey',
      summary: 'Deletes a key; running pods keep it',
      access,
      answers: { 200: Type.Object({ success: boolean }, closed) },
      errors: [404],
      async handle({ service, accountId, parameters: { id = '' } }) {
        await removeSshKey(service.control.store, { id, accountId });
        return ok({ success: true });
      },
    }),
  ];
}

function toJson({ id, name, public_key, created_at }: SshKeyRow): ReadonlyStatic<typeof sshKey> {
  return { id, name, publicKey: public_key, createdAt: iso(created_at) };
}
