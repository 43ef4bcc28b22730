/** Brings an image to the engine. A stranger's is always fetched with their own credentials, whoever fetched it before. */
import { Refusal } from '../answers.ts';
import type { ContainerImage } from '../engine.ts';
import { EngineError } from '../errors.ts';
import { parseImageReference, type RegistryPolicy, requireAllowedRegistry } from '../image-reference.ts';
import type { Question } from '../question.ts';
import type { DockerApi, RegistryAuth } from './docker-api.ts';
import { unlessGone } from './remove-container.ts';
import type { ImageDetails } from './templates.ts';

const architecture = 'amd64';

/**
 * @returns the image as the engine has it now
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE, ERR_ENGINE_UNREACHABLE
 */
export async function fetchImage(
  api: DockerApi,
  image: ContainerImage,
  policy: RegistryPolicy,
  { reading, fetching }: { reading: Question; fetching: Question },
): Promise<ImageDetails> {
  const reference = parseImageReference(image.image);
  if (image.source === 'tenant') requireAllowedRegistry(reference, policy);
  const look = (): Promise<ImageDetails | undefined> =>
    api.send<ImageDetails>(reading, { method: 'GET', path: `/images/${reference.full}/json` }).catch(unlessGone);
  try {
    // Asked for every image: an engine that hangs is noticed at this question, not when the time to fetch is over.
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
 * @returns the credentials as the engine takes them
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE where they were stored for another registry: they go to no other
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

async function pull(api: DockerApi, spec: ContainerImage, full: string, question: Question): Promise<void> {
  const { registry, digest, tag, repository } = parseImageReference(spec.image);
  const registryAuth = registryAuthFor(spec);
  let failure: string | undefined;
  await api.readAll(
    question,
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

function sameRegistry(stored: string, asked: string): boolean {
  const host = (text: string): string => {
    const name = text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split('/')[0]!;
    return name === 'index.docker.io' || name === 'registry-1.docker.io' ? 'docker.io' : name;
  };
  return host(stored) === host(asked);
}

function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('ERR_IMAGE_UNAVAILABLE', message, cause === undefined ? {} : { cause });
}
