/** Credentials of image registries. No response contains a password (C-084). */
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';
import { EngineError } from '../engines/errors.ts';
import { parseImageReference, requireAllowedRegistry } from '../engines/image-reference.ts';
import { created, type Operation, ok, operation } from '../http/operation.ts';
import type { Inventory } from '../inventory/configuration.ts';
import { boolean, integer, text, time } from '../schemas/basics.ts';
import { addRegistry, findRegistry, listRegistries, type RegistryRow, removeRegistry } from '../store/registries.ts';
import { iso } from '../views/pods.ts';

const credential = Type.Object({ id: text, name: text, registry: text, username: text, created_at: time }, closed);

const field = Type.String({ minLength: 1, maxLength: 255 });
const newCredential = Type.Object(
  { name: field, registry: field, username: field, password: Type.String({ minLength: 1, maxLength: 4096 }) },
  closed,
);

export function dockerCredentialOperations(base: string): Operation[] {
  const path = `${base}/docker-credentials`;
  const access = 'docker-credentials';
  return [
    operation({
      method: 'GET',
      path,
      id: 'listDockerCredentials',
      summary: 'Credentials of image registries',
      access,
      answers: { 200: Type.Object({ credentials: Type.Array(credential), total: integer }, closed) },
      async handle({ service, accountId }) {
        const rows = await listRegistries(service.control.store.db, accountId);
        return ok({ credentials: rows.map(toJson), total: rows.length });
      },
    }),
    operation({
      method: 'POST',
      path,
      id: 'addDockerCredential',
      summary: 'Stores a credential; its password is encrypted and never returned',
      access,
      body: newCredential,
      answers: { 201: credential },
      errors: [400, 409],
      async handle({ service: { control, secrets, stock }, accountId, body }) {
        const { password, registry, ...entry } = body;
        const seal = (id: string) => secrets.seal(password, { purpose: `registry:${id}` });
        const host = requireRegistry(registry, stock.inventory);
        return created(toJson(await addRegistry(control.store, { accountId, ...entry, registry: host, seal })));
      },
    }),
    operation({
      method: 'GET',
      path: `${path}/:id`,
      id: 'getDockerCredential',
      summary: 'One credential, without its password',
      access,
      answers: { 200: credential },
      errors: [404],
      handle: async ({ service, accountId, parameters: { id = '' } }) =>
        ok(toJson(await findRegistry(service.control.store.db, { id, accountId }))),
    }),
    operation({
      method: 'DELETE',
      path: `${path}/:id`,
      id: 'deleteDockerCredential',
      summary: 'Deletes a credential; later deploys that name it are refused',
      access,
      answers: { 200: Type.Object({ id: text, deleted: boolean, message: text }, closed) },
      errors: [404],
      async handle({ service, accountId, parameters: { id = '' } }) {
        await removeRegistry(service.control.store, { id, accountId });
        return ok({ id, deleted: true, message: 'the credential is deleted' });
      },
    }),
  ];
}

/** @returns the host of a public registry, or of one that an engine lists · @throws {ComputeError} INVALID_REQUEST */
function requireRegistry(text: string, { engines }: Inventory): string {
  try {
    const reference = parseImageReference(`${text.replace(/^https:\/\//, '').replace(/\/(v[12]\/?)?$/, '')}/image`);
    if (reference.repository !== 'image' && reference.repository !== 'library/image') throw invalid();
    const listed = engines.flatMap(({ registries }) => (registries ?? []) as readonly string[]);
    if (!listed.includes(reference.registry)) requireAllowedRegistry(reference, {});
    return reference.registry;
  } catch (error) {
    if (error instanceof EngineError) throw invalid();
    throw error;
  }
}

function invalid(): ComputeError {
  return new ComputeError('INVALID_REQUEST', '`registry` must be the host of a public registry, such as ghcr.io');
}

function toJson({ id, name, registry, username, created_at }: RegistryRow): ReadonlyStatic<typeof credential> {
  return { id, name, registry, username, created_at: iso(created_at) };
}
