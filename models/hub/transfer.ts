/** Downloads one file into its part: several ranges in parallel; each is retried from the last received byte. */
import { showUrl } from '../files/safe-url.ts';
import { ModelError } from '../interface/errors.ts';
import type { Progress } from './digest.ts';
import { eachChunk, type HttpAnswer, type HttpClient, requireStatus } from './download.ts';
import type { PartFile, Segment } from './part-file.ts';
import { type RetryOptions, withRetries } from './retry.ts';

export interface PullOptions {
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly onRetry?: NonNullable<RetryOptions['onRetry']>;
  /** Parallel requests for one file. */
  readonly connections?: number;
  /** Bytes per request. A part with another value is restarted. */
  readonly segmentBytes?: number;
}

export interface PullProgress extends Progress {
  readonly phase: 'download' | 'verify';
}

/** One file with its pinned digest. */
export interface PinnedDownload {
  /** For progress and messages. */
  readonly file: string;
  readonly url: string;
  /** Sent to the origin of `url` only. */
  readonly token?: string | undefined;
  /** Absolute path. */
  readonly target: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `whole`: the server does not support ranges. `changed`: the file on the server has changed. */
type Outcome = 'done' | 'whole' | 'changed';

/** Maximum restarts because the file changed during the download. */
const restartsMax = 2;
const connectionsDefault = 4;

export class Transfer {
  readonly #part: PartFile;
  readonly #download: PinnedDownload;
  readonly #options: PullOptions;
  readonly #client: HttpClient;
  #bytesDone: number;
  /** Target of the hub's last redirect, reused for further ranges. It is signed and expires. */
  #location: string | undefined;
  #changedEtag: string | undefined;

  constructor(part: PartFile, download: PinnedDownload, options: PullOptions) {
    this.#part = part;
    this.#download = download;
    this.#options = options;
    this.#client = options.client;
    this.#bytesDone = part.bytesDone;
  }

  /** @throws {ModelError} ERR_DOWNLOAD_FAILED, ERR_ABORTED, ERR_REMOTE_REFUSED, ERR_REMOTE_CHANGED, ERR_URL_REFUSED */
  async run(): Promise<void> {
    for (let restarts = 0; restarts <= restartsMax; restarts++) {
      const outcome = await this.#fetchRanges();
      if (outcome === 'done') return;
      if (outcome === 'whole') return this.#fetchWhole();
      await this.#part.restart(this.#changedEtag);
      this.#bytesDone = 0;
    }
    throw this.#remoteChanged(`changed ${restartsMax + 1} times during the download`);
  }

  /** One connection tests whether ranges work; then the others start. The first one that fails or cannot continue stops all. */
  async #fetchRanges(): Promise<Outcome> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    const pending = this.#part.segments.filter((segment) => bytesLeft(segment) > 0).values();
    const answered = Promise.withResolvers<void>();
    let verdict: { outcome: Outcome } | { failure: unknown } | undefined;
    const connect = async (): Promise<void> => {
      try {
        for (const segment of pending) {
          const outcome = await this.#fetchSegment(segment, { signal, onAnswer: answered.resolve });
          if (outcome === 'done') continue;
          verdict ??= { outcome };
          break;
        }
      } catch (failure) {
        verdict ??= { failure };
      }
      if (verdict !== undefined) stop.abort();
      answered.resolve();
    };
    const { connections = connectionsDefault } = this.#options;
    const others = Array.from({ length: connections - 1 }, () => answered.promise.then(connect));
    await Promise.all([connect(), ...others]);
    if (verdict !== undefined && 'failure' in verdict) throw verdict.failure;
    return verdict?.outcome ?? 'done';
  }

  async #fetchSegment(
    segment: Segment,
    { signal, onAnswer }: { signal: AbortSignal; onAnswer: () => void },
  ): Promise<Outcome> {
    const outcome = await withRetries(
      async () => {
        const answer = await this.#requestRange(segment, signal);
        const judged = this.#judge(answer, segment);
        if (judged !== 'done') {
          answer.body.destroy();
          return judged;
        }
        onAnswer();
        await this.#receive(answer, segment);
        return 'done';
      },
      { ...this.#options, clock: this.#client.clock, signal },
    );
    if (outcome === 'done') await this.#part.save();
    return outcome;
  }

  async #requestRange(segment: Segment, signal: AbortSignal): Promise<HttpAnswer> {
    const { etag } = this.#part;
    const headers = {
      range: `bytes=${segment.start + segment.done}-${segment.end - 1}`,
      ...(isStrong(etag) ? { 'if-range': etag } : {}),
    };
    const location = this.#location;
    const { url, token } = location === undefined ? this.#download : { url: location, token: undefined };
    let answer: HttpAnswer;
    try {
      answer = await this.#client.send({ method: 'GET', url, token, headers, signal });
    } catch (error) {
      this.#location = undefined;
      throw error;
    }
    if (location !== undefined && [400, 401, 403, 404, 410].includes(answer.status)) {
      answer.body.destroy();
      if (this.#location === location) this.#location = undefined;
      return this.#requestRange(segment, signal);
    }
    requireStatus(answer, [200, 206], this.#client.clock);
    if (new URL(answer.url).origin !== new URL(this.#download.url).origin) this.#location = answer.url;
    return answer;
  }

  /** @returns `done` if the body is the requested range */
  #judge({ status, headers, body, url }: HttpAnswer, segment: Segment): Outcome {
    const { bytes } = this.#download;
    const { etag } = this.#part;
    if (etag !== undefined && headers.etag !== undefined && headers.etag !== etag) {
      this.#changedEtag = headers.etag;
      return 'changed';
    }
    if (status === 200) {
      this.#requireLength(headers['content-length'], body);
      return 'whole';
    }
    const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    if (total !== undefined && total !== '*' && Number(total) !== bytes) {
      body.destroy();
      throw this.#remoteChanged(`now has ${total} bytes; ${bytes} are pinned`);
    }
    if (Number(start) !== segment.start + segment.done || Number(end) !== segment.end - 1) {
      body.destroy();
      const got = JSON.stringify(headers['content-range'] ?? 'nothing').slice(0, 100);
      throw new ModelError('ERR_DOWNLOAD_FAILED', `${showUrl(url)} sent a different range than requested: ${got}`);
    }
    this.#part.etag ??= headers.etag;
    return 'done';
  }

  async #receive(answer: HttpAnswer, segment: Segment): Promise<void> {
    await eachChunk(answer, async (chunk) => {
      if (chunk.length > bytesLeft(segment)) {
        throw new ModelError('ERR_DOWNLOAD_FAILED', `${showUrl(answer.url)} sent more bytes than it announced`);
      }
      await this.#part.write(segment, chunk);
      this.#report(chunk.length);
    });
    this.#requireNothingLeft(answer, bytesLeft(segment));
  }

  /** Downloads the whole file over one connection; a retry starts from the first byte. */
  async #fetchWhole(): Promise<void> {
    const { url, token } = this.#download;
    const { clock } = this.#client;
    const fetchOnce = async (): Promise<void> => {
      await this.#part.restart(undefined);
      this.#bytesDone = 0;
      const answer = await this.#client.send({ method: 'GET', url, token, signal: this.#options.signal });
      requireStatus(answer, [200], clock);
      this.#requireLength(answer.headers['content-length'], answer.body);
      const segments = this.#part.segments.values();
      let segment = segments.next().value;
      await eachChunk(answer, async (chunk) => {
        for (let taken = 0; taken < chunk.length; ) {
          if (segment !== undefined && bytesLeft(segment) === 0) segment = segments.next().value;
          if (segment === undefined)
            throw this.#remoteChanged(`sends more than the pinned ${this.#download.bytes} bytes`);
          const piece = chunk.subarray(taken, taken + bytesLeft(segment));
          await this.#part.write(segment, piece);
          taken += piece.length;
        }
        this.#report(chunk.length);
      });
      this.#requireNothingLeft(answer, this.#download.bytes - this.#bytesDone);
    };
    await withRetries(fetchOnce, { ...this.#options, clock });
  }

  #report(bytes: number): void {
    this.#bytesDone += bytes;
    const { file, bytes: bytesTotal } = this.#download;
    this.#options.onProgress?.({ phase: 'download', file, bytesDone: this.#bytesDone, bytesTotal });
  }

  #requireLength(length: string | undefined, body: HttpAnswer['body']): void {
    const { bytes } = this.#download;
    if (length === undefined || Number(length) === bytes) return;
    body.destroy();
    throw this.#remoteChanged(`now has ${length} bytes; ${bytes} are pinned`);
  }

  #requireNothingLeft({ url }: HttpAnswer, bytes: number): void {
    if (bytes === 0) return;
    throw new ModelError(
      'ERR_DOWNLOAD_FAILED',
      `${showUrl(url)}: the connection was lost ${bytes} bytes before the end; try again`,
    );
  }

  #remoteChanged(what: string): ModelError {
    return new ModelError('ERR_REMOTE_CHANGED', `${showUrl(this.#download.url)} ${what}; add the model again`);
  }
}

function bytesLeft({ start, end, done }: Segment): number {
  return end - start - done;
}

/** A weak validator may not be used in `If-Range` (RFC 9110 §13.1.5). */
function isStrong(etag: string | undefined): etag is string {
  return etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag);
}
