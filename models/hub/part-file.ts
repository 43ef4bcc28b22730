/**
 * An incomplete download: `<target>.part` has the bytes at their final offsets, `<target>.part.json` records which bytes arrived.
 * The state never records more bytes than were written; the final digest detects a wrong state.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeFileAtomically } from '../files/atomic-file.ts';
import { ModelError } from '../interface/errors.ts';

export interface PartPlan {
  /** Path of the complete file. */
  readonly target: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly segmentBytes: number;
}

/** A range of the file that one request fetches. */
export interface Segment {
  /** Offset of its first byte. */
  readonly start: number;
  /** Offset after its last byte. */
  readonly end: number;
  /** Bytes written from `start` on. */
  done: number;
}

export class PartFile {
  readonly path: string;
  readonly segments: readonly Segment[];
  /** ETag of the server; undefined before the first answer, or if it sends none. */
  etag: string | undefined;
  readonly #plan: PartPlan;
  readonly #file: FileHandle;
  #saving: Promise<void> = Promise.resolve();
  #saveQueued = false;

  private constructor(plan: PartPlan, file: FileHandle, { etag, done }: PartState) {
    this.path = partPath(plan);
    this.etag = etag;
    this.#plan = plan;
    this.#file = file;
    this.segments = Array.from({ length: segmentCount(plan) }, (_, index) => {
      const start = index * plan.segmentBytes;
      const end = Math.min(plan.bytes, start + plan.segmentBytes);
      return { start, end, done: Math.min(done[index] ?? 0, end - start) };
    });
  }

  /**
   * Resumes the part of an earlier run, or starts a new one if none matches the plan.
   * @throws {ModelError} ERR_PULL_RUNNING if another process writes the same file
   */
  static async open(plan: PartPlan): Promise<PartFile> {
    await mkdir(dirname(plan.target), { recursive: true });
    await acquireLock(plan);
    try {
      const file = await open(partPath(plan), constants.O_RDWR | constants.O_CREAT, 0o644);
      const complete = (await file.stat()).size === plan.bytes;
      const state = complete ? await readState(plan) : undefined;
      if (state === undefined) {
        await file.truncate(0);
        await file.truncate(plan.bytes);
      }
      return new PartFile(plan, file, state ?? { etag: undefined, done: [] });
    } catch (error) {
      await releaseLock(plan);
      throw error;
    }
  }

  get bytesDone(): number {
    return this.segments.reduce((sum, { done }) => sum + done, 0);
  }

  /** Appends to a segment. */
  async write(segment: Segment, chunk: Buffer): Promise<void> {
    const at = segment.start + segment.done;
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, written, chunk.length - written, at + written);
      written += bytesWritten;
    }
    segment.done += chunk.length;
  }

  /** Writes the state. Calls during a running save share one further save. */
  async save(): Promise<void> {
    if (this.#saveQueued) return this.#saving;
    this.#saveQueued = true;
    this.#saving = this.#saving
      .catch(() => {})
      .then(async () => {
        this.#saveQueued = false;
        const done = this.segments.map((segment) => segment.done);
        await this.#file.datasync();
        const { bytes, sha256, segmentBytes } = this.#plan;
        const state = { version: 1, bytes, sha256, segmentBytes, etag: this.etag, done };
        await writeFileAtomically(statePath(this.#plan), `${JSON.stringify(state)}\n`);
      });
    return this.#saving;
  }

  /** Discards all bytes, because the file on the server has changed. */
  async restart(etag: string | undefined): Promise<void> {
    for (const segment of this.segments) segment.done = 0;
    this.etag = etag;
    await this.save();
  }

  /** Saves and closes the part for a later run. */
  async suspend(): Promise<void> {
    try {
      await this.save();
    } finally {
      await this.#close();
    }
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
    await rm(statePath(this.#plan), { force: true });
    await this.#close();
  }

  /** Renames the complete part to its target, durably. */
  async commit(): Promise<void> {
    await this.#file.sync();
    await rename(this.path, this.#plan.target);
    await rm(statePath(this.#plan), { force: true });
    await this.#close();
    await syncFolder(dirname(this.#plan.target));
  }

  async #close(): Promise<void> {
    await this.#file.close();
    await releaseLock(this.#plan);
  }
}

interface PartState {
  readonly etag: string | undefined;
  readonly done: readonly number[];
}

/** @returns undefined if there is no state, or it belongs to another plan */
async function readState(plan: PartPlan): Promise<PartState | undefined> {
  try {
    const state = JSON.parse(await readFile(statePath(plan), 'utf8')) as Record<string, unknown>;
    const { version, bytes, sha256, segmentBytes, etag, done } = state;
    const fits = version === 1 && bytes === plan.bytes && sha256 === plan.sha256 && segmentBytes === plan.segmentBytes;
    if (!fits || !Array.isArray(done) || done.length !== segmentCount(plan)) return undefined;
    if (!done.every((count) => Number.isSafeInteger(count) && count >= 0)) return undefined;
    return { etag: typeof etag === 'string' ? etag : undefined, done };
  } catch {
    return undefined;
  }
}

/** Prevents that a second writer changes a file that another one has verified. The lock of a process that ended is taken over. */
async function acquireLock(plan: PartPlan): Promise<void> {
  const path = lockPath(plan);
  if (await createLock(path)) return;
  if (!(await isAbandoned(path))) throw pullRunning(plan, path);
  // If two processes see an abandoned lock, the second would delete the new lock of the first. Therefore only the process
  // with the takeover lock deletes an abandoned lock, after it checks the lock again.
  const takeover = `${path}.takeover`;
  if (!(await createLock(takeover))) throw pullRunning(plan, takeover);
  try {
    if (!(await isAbandoned(path))) throw pullRunning(plan, path);
    await rm(path, { force: true });
    if (!(await createLock(path))) throw pullRunning(plan, path);
  } finally {
    await rm(takeover, { force: true });
  }
}

/** In a container, a restarted process can have the process id of the previous run. */
const runId = randomUUID();

/** @returns false if the lock exists */
async function createLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${runId}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return true;
  // The lock was just created; its process has not written its id yet.
  if (text === '') return false;
  const [owner, run] = text.trim().split(' ');
  return Number(owner) === process.pid ? run !== runId : !isRunning(Number(owner));
}

function pullRunning({ target }: PartPlan, lock: string): ModelError {
  return new ModelError(
    'ERR_PULL_RUNNING',
    `another process is downloading ${target}; if this is wrong, delete ${lock}`,
  );
}

async function releaseLock(plan: PartPlan): Promise<void> {
  await rm(lockPath(plan), { force: true });
}

function isRunning(processId: number): boolean {
  if (!Number.isSafeInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function segmentCount({ bytes, segmentBytes }: PartPlan): number {
  return Math.ceil(bytes / segmentBytes);
}

function partPath({ target }: PartPlan): string {
  return `${target}.part`;
}

function statePath({ target }: PartPlan): string {
  return `${target}.part.json`;
}

function lockPath({ target }: PartPlan): string {
  return `${target}.part.lock`;
}
