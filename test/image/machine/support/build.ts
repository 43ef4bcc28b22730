/**
 * Runs once before the image's tests: builds the image and the simulator's initial RAM disk, if this machine can.
 * CLOISTER_IMAGE names the folder of a built image, CLOISTER_IMAGE_BASE a base image, CLOISTER_IMAGE_CA (default:
 * NODE_EXTRA_CA_CERTS) the CA certificates for the npm registry; with CLOISTER_IMAGE_BUILDER=docker, BuildKit does the second build.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type BuildOptions, baseImageSteps, buildSteps, localBase, publicBase } from '../../../../image/build-steps.ts';
import { findProgram } from '../../../../image/host.ts';

const root = join(import.meta.dirname, '../../../..');
const simulator = join(import.meta.dirname, '../simulator');

export interface BuiltImage {
  /** Folder of the artifacts. */
  readonly folder: string;
  /** Whether the image was built from these sources, not given by CLOISTER_IMAGE. */
  readonly isOwn: boolean;
  /** Archive to append to the initial RAM disk; undefined if it cannot be built here. */
  readonly simulator: string | undefined;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The image, or the reason why it cannot be built. */
    image: BuiltImage | string;
  }
}

export default function setup(project: TestProject): void {
  const image = build();
  if (typeof image === 'string') console.log(`The image's tests are skipped: ${image}.`);
  project.provide('image', image);
}

function build(): BuiltImage | string {
  const { PATH, CLOISTER_IMAGE } = process.env;
  if (findProgram(['qemu-system-x86_64'], PATH) === undefined) return 'qemu-system-x86_64 is not here';
  if (findProgram(['buildah'], PATH) === undefined) {
    if (CLOISTER_IMAGE === undefined) return 'neither CLOISTER_IMAGE nor buildah is here';
    return { folder: CLOISTER_IMAGE, isOwn: false, simulator: undefined };
  }
  const options = chooseBase(join(root, '.cloister'));
  if (typeof options === 'string') return options;
  const folder = CLOISTER_IMAGE ?? join(root, '.cloister/image');
  mkdirSync(folder, { recursive: true });
  const isOwn = CLOISTER_IMAGE === undefined;
  const wanted = isOwn ? buildSteps({ ...options, output: folder, target: 'artifacts' }) : [];
  return runSteps(wanted) ?? { folder, isOwn, simulator: buildSimulator(options) };
}

/**
 * Builds the image again into `folder`, without cached steps after the locked inputs. BuildKit needs a local base image in its
 * own store: `buildah push <image> docker-archive:<file>:<image>`, then `docker load`.
 * @returns the reason of a failure, or undefined
 */
export function buildAgain(folder: string): string | undefined {
  const options = chooseBase(join(root, '.cloister'));
  if (typeof options === 'string') return options;
  const builder = process.env.CLOISTER_IMAGE_BUILDER === 'docker' ? 'docker' : options.builder;
  return runSteps(buildSteps({ ...options, builder, output: folder, target: 'artifacts', rebuild: randomUUID() }));
}

type Options = Omit<BuildOptions, 'output' | 'target'>;

/** Chooses the named base image, the public one if it can be pulled, or a local one from Debian's archive. */
export function chooseBase(folder: string): Options | string {
  const { PATH, CLOISTER_IMAGE_BASE, CLOISTER_IMAGE_CA, NODE_EXTRA_CA_CERTS } = process.env;
  const caFile = CLOISTER_IMAGE_CA ?? NODE_EXTRA_CA_CERTS;
  const options = { builder: 'buildah', gpu: 'none', isCached: true, caFile } as const;
  if (CLOISTER_IMAGE_BASE !== undefined) {
    return { ...options, base: CLOISTER_IMAGE_BASE, isBaseLocal: CLOISTER_IMAGE_BASE.startsWith('localhost/') };
  }
  const has = (...words: string[]) => spawnSync('buildah', words, { stdio: 'ignore' }).status === 0;
  if (has('inspect', '--type', 'image', localBase)) return { ...options, isBaseLocal: true };
  if (has('pull', '--quiet', '--policy', 'missing', publicBase)) return options;
  if (findProgram(['mmdebstrap'], PATH) === undefined)
    return `${publicBase} cannot be pulled, and mmdebstrap is not here`;
  mkdirSync(folder, { recursive: true });
  return runSteps(baseImageSteps({ output: folder })) ?? { ...options, isBaseLocal: true };
}

function buildSimulator(options: Options): string | undefined {
  const output = join(root, '.cloister/image-simulator');
  const unused = mkdtempSync(join(tmpdir(), 'cloister-inputs-'));
  try {
    mkdirSync(output, { recursive: true });
    const inputs = buildSteps({ ...options, output: unused, target: 'inputs' });
    const own = ['bud', '--isolation', 'chroot', '--layers', '--pull-never', '--tag', 'cloister-simulator'];
    const args = [...own, '--output', `type=local,dest=${output}`, simulator];
    const failed = runSteps([...inputs, { program: 'buildah', args }]);
    if (failed !== undefined) console.log(`The simulated TDX guest is left out: ${failed}.`);
    const cpio = join(output, 'simulator.cpio');
    return failed === undefined && existsSync(cpio) ? cpio : undefined;
  } finally {
    rmSync(unused, { recursive: true, force: true });
  }
}

/** @returns the reason of a failure, or undefined */
function runSteps(steps: ReturnType<typeof buildSteps>): string | undefined {
  for (const { program, args, env } of steps) {
    const options = { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    if (status !== 0) return `${program} ${args[0]} ended with ${status}:\n${`${stdout}${stderr}`.slice(-4000)}`;
  }
  return undefined;
}
