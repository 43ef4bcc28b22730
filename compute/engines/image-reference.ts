/** Names of container images, and the policy on registries that tenants' images may come from. */
import { EngineError } from './errors.ts';

export interface ImageReference {
  /** Host, with the port if the name contains one. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:…` */
  readonly digest: string | undefined;
  /** The complete name, with defaults filled in. */
  readonly full: string;
}

/** The registries that tenants' images may come from. */
export interface RegistryPolicy {
  /** `host` or `host:port`; by default any public name on its standard port. */
  readonly allowed?: readonly string[];
}

const dockerHub = 'docker.io';
const component = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const tagForm = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestForm = /^sha256:[a-f0-9]{64}$/;
const hostForm = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/;
const publicName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
/** Suffixes of private names, which resolve to the host itself or to its network. */
const privateSuffixes = [
  '.local',
  '.localhost',
  '.localdomain',
  '.internal',
  '.intranet',
  '.lan',
  '.home.arpa',
  '.test',
  '.corp',
];
const charsMax = 512;

/** @throws {EngineError} ERR_IMAGE_UNAVAILABLE if the text is not an image name */
export function parseImageReference(text: string): ImageReference {
  const invalid = (): EngineError =>
    new EngineError('ERR_IMAGE_UNAVAILABLE', 'image must be an image name such as docker.io/library/debian:12');
  if (text.length > charsMax) throw invalid();
  const [named = '', digest, ...more] = text.split('@');
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const path = colon === -1 ? named : named.slice(0, colon);
  const written = colon === -1 ? undefined : named.slice(colon + 1);
  const first = path.slice(0, Math.max(0, path.indexOf('/')));
  const hasRegistry = first === 'localhost' || first.includes('.') || first.includes(':');
  const registry = hasRegistry ? first.toLowerCase() : dockerHub;
  const rest = hasRegistry ? path.slice(first.length + 1) : path;
  const repository = registry === dockerHub && !rest.includes('/') ? `library/${rest}` : rest;
  const valid =
    more.length === 0 &&
    hostForm.test(registry) &&
    repository.split('/').every((part) => component.test(part)) &&
    (written === undefined || tagForm.test(written)) &&
    (digest === undefined || digestForm.test(digest));
  if (!valid) throw invalid();
  const tag = written ?? (digest === undefined ? 'latest' : undefined);
  const full = `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  return { registry, repository, tag, digest, full };
}

/**
 * Rejects addresses, ports and private names, with which a tenant could make the host send requests to its own network.
 * A public name may still resolve to a private address; to prevent that, configure the allowed registries or filter on the host.
 * @throws {EngineError} ERR_IMAGE_UNAVAILABLE
 */
export function requireAllowedRegistry({ registry }: ImageReference, policy: RegistryPolicy): void {
  if (policy.allowed !== undefined) {
    if (policy.allowed.includes(registry)) return;
    throw new EngineError(
      'ERR_IMAGE_UNAVAILABLE',
      'image must come from one of the registries that this service allows',
    );
  }
  const isPublic = publicName.test(registry) && !privateSuffixes.some((suffix) => registry.endsWith(suffix));
  if (!isPublic) throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'image must come from a public registry');
}
