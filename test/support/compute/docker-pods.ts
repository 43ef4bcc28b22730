/** Fixtures shared by the tests of container engines: a podman with an image, a registry, the SSH kit, and specs of pods. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerEngine, type DockerEngineOptions } from '../../../compute/engines/docker/docker-engine.ts';
import type { SshKit } from '../../../compute/engines/docker/templates.ts';
import type { ContainerImage, PodSpec } from '../../../compute/engines/engine.ts';
import { importBusybox, onPath, type Podman, startPodman } from './podman.ts';
import { type RegistryImage, startRegistry, type TestRegistry } from './registry.ts';
import { makeSshKey } from './ssh-login.ts';

export interface DockerPods {
  readonly podman: Podman;
  readonly registry: TestRegistry;
  readonly kit: SshKit;
  readonly templateKey: Buffer;
  /** An image with only busybox. */
  readonly baseImage: string;
  readonly folder: string;
  readonly key: { readonly public: string; readonly private: string };
  readonly signal: AbortSignal;
  /** An engine on the private podman. */
  make(options?: Partial<DockerEngineOptions>): DockerEngine;
  image(fields?: Partial<ContainerImage>): ContainerImage;
  /** Also prepares the image. */
  spec(engine: DockerEngine, podId: string, fields?: Partial<PodSpec>, of?: Partial<ContainerImage>): Promise<PodSpec>;
  /** Destroys all pods of an engine. */
  clear(engine: DockerEngine): Promise<void>;
  remove(): Promise<void>;
}

/** The contents of every registry in these tests. */
const password = { username: 'ada', password: 'correct-horse' };
const templateKey = Buffer.alloc(32, 7);

/** @returns the fixtures, or why they cannot run */
export async function startDockerPods(): Promise<DockerPods | { readonly missing: string }> {
  const absent = ['busybox', 'dropbear', 'dropbearkey', 'patchelf'].filter((program) => !onPath(program));
  if (absent.length > 0) return { missing: `${absent.join(', ')} not installed` };
  const folder = mkdtempSync(join(tmpdir(), 'cloister-compute-'));
  const layer = busyboxLayer(folder);
  const images: RegistryImage[] = [
    { name: 'team/open', layer },
    { name: 'team/closed', layer, user: password },
    { name: 'team/arm', layer, architecture: 'arm64' },
  ];
  const registry = await startRegistry(images);
  const podman = await startPodman(registry.host);
  if ('missing' in podman) {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
    return podman;
  }
  const kit = buildSshKit(folder);
  const base = importBusybox(podman);
  const signal = AbortSignal.timeout(900_000);
  const key = makeSshKey();
  const image = (fields: Partial<ContainerImage> = {}): ContainerImage => ({
    kind: 'standard',
    owner: 'acc-1',
    image: base,
    source: 'operator',
    ...fields,
  });
  return {
    podman,
    registry,
    kit,
    templateKey,
    baseImage: base,
    folder,
    key,
    signal,
    image,
    make: (options = {}) =>
      new DockerEngine({
        name: 'podman',
        endpoint: { transport: 'unix', socketPath: podman.socketPath },
        machine: 'm-1',
        publicHost: '127.0.0.1',
        instance: 'test',
        templates: { key: templateKey, kit, now: Date.now },
        registries: { allowed: [registry.host] },
        ...options,
      }),
    async spec(engine, podId, fields = {}, of = {}) {
      const prepared = fields.image ?? (await engine.prepare(image(of), { signal, machine: 'm-1' }));
      return { ...basicSpec(podId, key.public), ...fields, image: prepared };
    },
    async clear(engine) {
      for (const { podId } of await engine.list({ signal })) await engine.destroy(podId, { signal });
    },
    async remove() {
      await podman.remove();
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A small standard pod, without an image. */
export function basicSpec(podId: string, publicKey: string): Omit<PodSpec, 'image'> {
  return {
    podId,
    kind: 'standard',
    machine: 'm-1',
    hostname: 'my-pod',
    sshKeys: [publicKey],
    ports: [],
    gpuCount: 0,
    limits: { cpus: 1, memoryBytes: 2 ** 28 },
  };
}

/** Builds the kit as an operator would. */
export function buildSshKit(folder: string): SshKit {
  const path = join(folder, 'kit.tar');
  execFileSync(join(import.meta.dirname, '../../../compute/ssh-kit/build.sh'), [path]);
  const archive = readFileSync(path);
  return { archive, sha256: createHash('sha256').update(archive).digest('hex') };
}

/** Builds and unpacks the kit. @returns the folder, as nodes of a Swarm have it */
export function unpackSshKit(folder: string): string {
  buildSshKit(folder);
  execFileSync('tar', ['-C', folder, '-xf', join(folder, 'kit.tar')]);
  return join(folder, '.cloister');
}

function busyboxLayer(folder: string): Buffer {
  const root = mkdtempSync(join(folder, 'layer-'));
  mkdirSync(join(root, 'bin'));
  execFileSync('cp', [execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(root, 'bin/busybox')]);
  execFileSync('ln', ['-s', 'busybox', join(root, 'bin/sleep')]);
  return execFileSync('tar', ['-C', root, '--sort=name', '--mtime=@0', '-c', '.'], { maxBuffer: 64 * 2 ** 20 });
}
