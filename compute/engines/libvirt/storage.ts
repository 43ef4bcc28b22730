/** Disks of pods, through libvirt's storage pools, which also work on remote hosts. */
import { creationInProgress, Refusal } from '../answers.ts';
import type { PodSpec } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { buildSeed } from './cloud-init.ts';
import { diskNames, overlayXml } from './domain-xml.ts';
import type { BaseImage, LibvirtHost } from './libvirt-host.ts';
import { withFiles } from './private-files.ts';
import type { Virsh } from './virsh.ts';

/**
 * Time limit of overwriting a disk. A retry starts from the beginning, so the usual time limit does not apply and the caller's
 * signal normally ends it.
 */
const wipeMsMax = 3_600_000;

export class Storage {
  readonly #virsh: Virsh;
  readonly #host: LibvirtHost;
  readonly #instance: string;
  readonly #temporaryFolder: string | undefined;

  constructor(
    virsh: Virsh,
    { host, instance, temporaryFolder }: { host: LibvirtHost; instance: string; temporaryFolder: string | undefined },
  ) {
    this.#virsh = virsh;
    this.#host = host;
    this.#instance = instance;
    this.#temporaryFolder = temporaryFolder;
  }

  /** @returns path and size of a base image @throws {EngineError} ERR_IMAGE_UNAVAILABLE */
  async findImage(name: string, call: EngineCall): Promise<BaseImage & { path: string; capacityBytes: number }> {
    const image = Object.hasOwn(this.#host.images, name) ? this.#host.images[name] : undefined;
    if (image === undefined) throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'image is not configured on this host');
    const where = ['--pool', image.pool, image.volume];
    try {
      const path = (await this.#virsh(call, ['vol-path', ...where])).trim();
      const info = await this.#virsh(call, ['vol-info', '--bytes', ...where]);
      return { ...image, path, capacityBytes: Number(/Capacity:\s+(\d+)/.exec(info)?.[1]) };
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'image is not present on the host', { cause });
    }
  }

  /**
   * Marks the pod as being created; of concurrent callers only one succeeds.
   * @throws {EngineError} ERR_OUTCOME_UNKNOWN if it is already marked
   */
  async begin(podId: string, call: EngineCall): Promise<void> {
    const { making } = diskNames(this.#instance, podId);
    const args = ['--pool', this.#host.pool, '--name', making, '--capacity', '512b', '--format', 'raw'];
    await this.#virsh(call, ['vol-create-as', ...args]).catch((cause: unknown) => {
      throw cause instanceof Refusal && /exists/.test(cause.words) ? creationInProgress(cause) : cause;
    });
  }

  /** Removes the mark of {@link begin}: the pod is created. */
  async end(podId: string, call: EngineCall): Promise<void> {
    const { making } = diskNames(this.#instance, podId);
    await this.#virsh(call, ['vol-delete', '--pool', this.#host.pool, making]).catch(ignoreNoVolume);
  }

  /** @returns when the creation of the pod began, in milliseconds since 1970; undefined if it is not being created */
  async begunAt(podId: string, call: EngineCall): Promise<number | undefined> {
    const { making } = diskNames(this.#instance, podId);
    const xml = await this.#virsh(call, ['vol-dumpxml', '--pool', this.#host.pool, making]).catch(ignoreNoVolume);
    const seconds = /<mtime>(\d+)/.exec(xml ?? '')?.[1];
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  }

  /** Creates the overlay and the seed. */
  async create(spec: PodSpec, imageName: string, call: EngineCall): Promise<void> {
    const { pool } = this.#host;
    const { disk, seed } = diskNames(this.#instance, spec.podId);
    const base = await this.findImage(imageName, { ...call, changes: false });
    const bytes = Math.max(base.capacityBytes, spec.limits.diskBytes ?? 0);
    const image = buildSeed(spec);
    const files = { 'overlay.xml': overlayXml(disk, bytes, base), 'seed.iso': image };
    const use = async (path: (name: string) => string): Promise<void> => {
      await this.#virsh(call, ['vol-create', '--pool', pool, path('overlay.xml')]);
      const size = ['--capacity', `${image.length}b`, '--format', 'raw'];
      await this.#virsh(call, ['vol-create-as', '--pool', pool, '--name', seed, ...size]);
      await this.#virsh(call, ['vol-upload', '--pool', pool, '--vol', seed, '--file', path('seed.iso')]);
    };
    await withFiles(files, use, { parent: this.#temporaryFolder });
  }

  /** Erases the existing disks of a pod. */
  async erase(podId: string, call: EngineCall): Promise<void> {
    const { disk, seed, making } = diskNames(this.#instance, podId);
    const present = await this.list(call);
    for (const name of [disk, seed, making].filter((one) => present.includes(one))) {
      const where = ['--pool', this.#host.pool, name];
      if (this.#host.wipeDisks) {
        await this.#virsh({ ...call, timeoutMs: wipeMsMax }, ['vol-wipe', ...where]).catch(ignoreNoVolume);
      }
      await this.#virsh(call, ['vol-delete', ...where]).catch(ignoreNoVolume);
    }
  }

  /** @returns names of all volumes in the pool */
  async list(call: EngineCall): Promise<readonly string[]> {
    const { pool } = this.#host;
    // A pool caches its list; a refresh finds files that other programs created or removed.
    await this.#virsh(call, ['pool-refresh', pool]).catch(ignoreBusyPool);
    const text = await this.#virsh(call, ['vol-list', pool]);
    return text.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []);
  }

  async freeBytes(call: EngineCall): Promise<number | undefined> {
    const info = await this.#virsh(call, ['pool-info', '--bytes', this.#host.pool]);
    const bytes = Number(/Available:\s+(\d+)/.exec(info)?.[1]);
    return Number.isNaN(bytes) ? undefined : bytes;
  }
}

/** A pool cannot be refreshed while a disk is overwritten. Its cached list then suffices: it contains all volumes of pods. */
function ignoreBusyPool(error: unknown): void {
  if (error instanceof Refusal && /asynchronous jobs/.test(error.words)) return;
  throw error;
}

function ignoreNoVolume(error: unknown): undefined {
  const gone = /failed to get vol|storage vol(ume)? not found|no storage vol/;
  if (error instanceof Refusal && gone.test(error.words)) return undefined;
  throw error;
}
