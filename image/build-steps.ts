/** Commands that build an image with docker or buildah. Pure. */
import type { GpuKind } from './package-set.ts';

export type Builder = 'docker' | 'buildah';

export interface BuildOptions {
  readonly builder: Builder;
  readonly output: string;
  readonly gpu: GpuKind;
  /** A stage of Dockerfile.tdx. */
  readonly target: 'artifacts' | 'resolve' | 'resolve-nvidia' | 'inputs';
  readonly base?: string | undefined;
  /** Whether the base image is local and must not be pulled. */
  readonly isBaseLocal?: boolean;
  readonly mirror?: string | undefined;
  readonly caFile?: string | undefined;
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly isCached: boolean;
  /** Any text; a different one invalidates the cache of every step after the locked inputs. */
  readonly rebuild?: string | undefined;
}

export interface Step {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables in addition to the caller's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The base image that `baseImageSteps` builds, and the default of Dockerfile.tdx. */
export const localBase = 'localhost/cloister-base:trixie';
export const publicBase = 'docker.io/library/debian:trixie-slim';
const defaultMirror = 'http://deb.debian.org';

/** Builds a stage of Dockerfile.tdx in one step. */
export function buildSteps(options: BuildOptions): Step[] {
  const { builder, output, target, caFile, isCached } = options;
  const shared = [
    ...['-f', 'Dockerfile.tdx', '--target', target],
    ...buildArguments(options).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...(caFile === undefined ? [] : ['--secret', `id=ca,src=${caFile}`]),
    ...(isCached ? [] : ['--no-cache']),
    ...['--output', `type=local,dest=${output}`],
  ];
  // Secrets and local outputs need BuildKit, which docker before version 23 uses only with this variable.
  if (builder === 'docker')
    return [{ program: 'docker', args: ['build', ...shared, '.'], env: { DOCKER_BUILDKIT: '1' } }];
  // chroot isolation needs no container runtime and works inside containers that cannot nest others.
  const buildahOptions = ['--isolation', 'chroot', ...(isCached ? ['--layers'] : []), '--tag', `cloister-${target}`];
  const pull = options.isBaseLocal === true ? ['--pull-never'] : [];
  return [{ program: 'buildah', args: ['bud', ...buildahOptions, ...pull, ...shared, '.'] }];
}

/** Builds the base image from Debian's archive only, for machines without access to a container registry. */
export function baseImageSteps({ mirror = defaultMirror, output }: Pick<BuildOptions, 'mirror' | 'output'>): Step[] {
  const tar = `${output}/base.tar`;
  const container = 'cloister-base-build';
  const sources = ['debian trixie', 'debian-security trixie-security'].map((one) => `deb ${mirror}/${one} main`);
  return [
    { program: 'mkdir', args: ['-p', output] },
    { program: 'mmdebstrap', args: ['--variant=minbase', '--include=ca-certificates', 'trixie', tar, ...sources] },
    { program: 'buildah', args: ['from', '--name', container, 'scratch'] },
    { program: 'buildah', args: ['add', '--quiet', container, tar, '/'] },
    { program: 'buildah', args: ['config', '--cmd', 'bash', '--env', `PATH=${searchPath}`, container] },
    { program: 'buildah', args: ['commit', '--quiet', '--rm', container, localBase] },
    { program: 'rm', args: [tar] },
  ];
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function buildArguments(options: BuildOptions): [name: string, value: string][] {
  const { base, isBaseLocal, mirror, repository, commit, gpu, rebuild } = options;
  const all: readonly [string, string | undefined][] = [
    ['BASE', base ?? (isBaseLocal === true ? localBase : undefined)],
    ['DEBIAN_MIRROR', mirror],
    ['SOURCE_REPOSITORY', repository],
    ['SOURCE_COMMIT', commit],
    ['GPU', gpu === 'none' ? undefined : gpu],
    ['REBUILD', rebuild],
  ];
  return all.filter((one): one is [string, string] => one[1] !== undefined);
}
