/** Fetches an image to the engine. A tenant's image is always fetched with the tenant's credentials, even if it is present. */
import { Refusal } from '../answers.ts';
import type { ContainerImage } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { parseImageReference, type RegistryPolicy, requireAllowedRegistry } from '../image-reference.ts';
import type { DockerApi, RegistryAuth } from './docker-api.ts';
import { ignoreNotFound } from './remove-container.ts';
import type { ImageDetails } from './templates.ts';

const architecture = 'amd64';

/**
 * @returns the engine's current version of the image
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE, ERR_ENGINE_UNREACHABLE
 */
export async function fetchImage(
  api: DockerApi,
  image: ContainerImage,
  policy: RegistryPolicy,
  { reading, fetching }: { reading: EngineCall; fetching: EngineCall },
): Promise<ImageDetails> {
  const reference = parseImageReference(image.image);
  if (image.source === 'tenant') requireAllowedRegistry(reference, policy);
  const look = (): Promise<ImageDetails | undefined> =>
    api.send<ImageDetails>(reading, { method: 'GET', path: `/images/${reference.full}/json` }).catch(ignoreNotFound);
  try {
    // Queried for every image: an engine that hangs fails this short request instead of the long fetch.
    const present = await look();
    const isUsable = present !== undefined && image.source === 'operator';
    if (!isUsable) await pull(api, image, reference.full, fetching);
    const fetched = isUsable ? present : await look();
    if (fetched === undefined) throw unavailable('image could not be fetched');
    if (fetched.Architecture !== architecture) throw unavailable(`image must be for linux/${architecture}`);
    return fetched;
  } catch (error) {
    throw error instanceof Refusal ? unavailable('image could not be fetched', error) : error;
  }
}

/**
 * @returns the credentials in the form of the engine's API
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE if they belong to another registry, which must not receive them
 */
export function registryAuthFor({ image, credentials }: ContainerImage): RegistryAuth | undefined {
  if (credentials === undefined) return undefined;
  const { registry } = parseImageReference(image);
  if (!sameRegistry(credentials.registry, registry)) {
    throw unavailable('image is not in the registry of the credentials');
  }
  const { username, password } = credentials;
  return { username, password, serveraddress: registry };
}

async function pull(api: DockerApi, spec: ContainerImage, full: string, call: EngineCall): Promise<void> {
  const { registry, digest, tag, repository } = parseImageReference(spec.image);
  const registryAuth = registryAuthFor(spec);
  let failure: string | undefined;
  await api.readAll(
    call,
    {
      method: 'POST',
      path: '/images/create',
      query: {
        fromImage: digest === undefined ? `${registry}/${repository}` : full,
        tag: digest === undefined ? (tag ?? 'latest') : '',
        platform: `linux/${architecture}`,
      },
      ...(registryAuth === undefined ? {} : { registryAuth }),
    },
    (line) => {
      const { error } = (line ?? {}) as { error?: unknown };
      if (typeof error === 'string') failure = error;
    },
  );
  if (failure !== undefined) throw unavailable('image could not be fetched', new Error('the pull failed'));
}

function sameRegistry(stored: string, requested: string): boolean {
  const host = (text: string): string => {
    const name = text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split('/')[0]!;
    return name === 'index.docker.io' || name === 'registry-1.docker.io' ? 'docker.io' : name;
  };
  return host(stored) === host(requested);
}

function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('ERR_IMAGE_UNAVAILABLE', message, cause === undefined ? {} : { cause });
}
