/** Resolves an image to its digest without fetching it: each node fetches its own copy. */
import { Refusal } from '../answers.ts';
import type { DockerApi, RegistryAuth } from '../docker/docker-api.ts';
import { registryAuthFor } from '../docker/fetch-image.ts';
import type { ContainerImage } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { parseImageReference, type RegistryPolicy, requireAllowedRegistry } from '../image-reference.ts';

interface Distribution {
  readonly Descriptor: { readonly digest: string };
  readonly Platforms?: readonly { readonly architecture: string; readonly os: string }[];
}

/**
 * Queries the registry through the manager. An operator's image on `localhost` is used as named, from the nodes.
 * @returns the image with its digest, so that the checked image is the one that runs
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE
 */
export async function findImage(
  api: DockerApi,
  image: ContainerImage,
  policy: RegistryPolicy,
  call: EngineCall,
): Promise<{ image: string; registryAuth: RegistryAuth | undefined }> {
  const reference = parseImageReference(image.image);
  if (image.source === 'tenant') requireAllowedRegistry(reference, policy);
  const registryAuth = registryAuthFor(image);
  if (image.source === 'operator' && reference.registry === 'localhost') return { image: image.image, registryAuth };
  const found = await api
    .send<Distribution>(call, {
      method: 'GET',
      path: `/distribution/${reference.full}/json`,
      ...(registryAuth === undefined ? {} : { registryAuth }),
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof Refusal)) throw cause;
      throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'image could not be fetched', { cause });
    });
  const platforms = found.Platforms ?? [];
  if (platforms.length > 0 && !platforms.some(({ os, architecture }) => os === 'linux' && architecture === 'amd64')) {
    throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'image must be for linux/amd64');
  }
  const [name] = reference.full.split('@');
  return { image: `${name}@${found.Descriptor.digest}`, registryAuth };
}
