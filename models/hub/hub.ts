/** Reads file lists and digests from a Hugging Face hub or a mirror of it. */
import { createHash } from 'node:crypto';
import { requireSafeUrl, showUrl } from '../files/safe-url.ts';
import { splitParts } from '../gguf/split-gguf.ts';
import { ModelError } from '../interface/errors.ts';
import { eachChunk, type HttpAnswer, type HttpClient, readBytes, readText, requireStatus } from './download.ts';
import { type RetryOptions, withRetries } from './retry.ts';

export interface RemoteOptions {
  readonly client: HttpClient;
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** Called while a file is read for its digest. */
  readonly onBytes?: (progress: { file: string; bytesDone: number; bytesTotal: number }) => void;
  readonly onRetry?: NonNullable<RetryOptions['onRetry']>;
}

export interface RemotePin {
  readonly sha256: string;
  readonly bytes: number;
}

export interface HubPins {
  /** The commit of the requested revision. */
  readonly revision: string;
  readonly files: readonly (RemotePin & { readonly file: string })[];
}

export const hubDefault = 'https://huggingface.co';

const answerBytesMax = 32 * 1024 * 1024;

/** @returns the address of one file at one revision */
export function hubFileUrl(
  hub: string,
  { repository, revision, file }: { repository: string; revision: string; file: string },
): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return `${hub.replace(/\/+$/, '')}/${repository}/resolve/${encodeURIComponent(revision)}/${path}`;
}

/**
 * Resolves a revision (branch, tag or commit) to a commit, and a file name to the digests of the file or of all its parts.
 * @throws {ModelError} ERR_REFERENCE_INVALID listing the existing files if there is no such file; ERR_REMOTE_REFUSED; ERR_DOWNLOAD_FAILED
 */
export async function resolveHubFiles(
  { hub, repository, revision, file }: { hub: string; repository: string; revision: string; file: string | undefined },
  options: RemoteOptions,
): Promise<HubPins> {
  const { commit, names } = await listHubFiles({ hub, repository, revision }, options);
  if (file === undefined) throw noSuchFile(repository, names, 'name the file to add');
  const parts = splitParts(file);
  const missing = parts.find((part) => !names.includes(part));
  if (missing !== undefined) throw noSuchFile(repository, names, `no such file ${JSON.stringify(missing)}`);
  return { revision: commit, files: await pinHubFiles(parts, { hub, repository, revision: commit }, options) };
}

/** @param revision a commit that contains all `names` · @returns pins in the order of `names` */
export async function pinHubFiles(
  names: readonly string[],
  { hub, repository, revision }: { hub: string; repository: string; revision: string },
  options: RemoteOptions,
): Promise<HubPins['files']> {
  const files: HubPins['files'][number][] = [];
  for (const file of names) {
    const url = hubFileUrl(hub, { repository, revision, file });
    files.push({ file, ...(await resolvePin({ url, file, commit: revision }, options)) });
  }
  return files;
}

/**
 * Downloads a file to compute its digest, without storing it.
 * @throws {ModelError} ERR_DOWNLOAD_FAILED, ERR_REMOTE_REFUSED; ERR_DIGEST_MISMATCH if the file does not match `gitSha1`
 */
export async function readRemoteDigest(
  { url, file, gitSha1 }: { url: string; file: string; gitSha1?: string | undefined },
  { client, token, onBytes, ...retry }: RemoteOptions,
): Promise<RemotePin> {
  return withRetries(
    async () => {
      const answer = await client.send({ method: 'GET', url, token, signal: retry.signal });
      requireStatus(answer, [200], client.clock);
      const announced = Number(answer.headers['content-length'] ?? Number.NaN);
      const sha256 = createHash('sha256');
      // A git object consists of its kind and size, a zero byte, and the content.
      const sha1 = createHash('sha1').update(`blob ${announced}\0`);
      let bytes = 0;
      await eachChunk(answer, (chunk) => {
        sha256.update(chunk);
        sha1.update(chunk);
        bytes += chunk.length;
        onBytes?.({ file, bytesDone: bytes, bytesTotal: announced || bytes });
        return undefined;
      });
      if (announced >= 0 && announced !== bytes) {
        throw new ModelError('ERR_DOWNLOAD_FAILED', `${showUrl(url)} sent ${bytes} of ${announced} bytes; try again`);
      }
      const found = sha1.digest('hex');
      if (gitSha1 !== undefined && found !== gitSha1) {
        const what = `${showUrl(url)} does not match its repository: expected git object ${gitSha1}, found ${found}`;
        throw new ModelError('ERR_DIGEST_MISMATCH', what);
      }
      return { sha256: sha256.digest('hex'), bytes };
    },
    { ...retry, clock: client.clock },
  );
}

/** @returns the size of a file that the server announces, if any */
export async function readRemoteBytes(
  url: string,
  { client, token, ...retry }: RemoteOptions,
): Promise<number | undefined> {
  return withRetries(
    async () => {
      const answer = await client.send({ method: 'HEAD', url, token, signal: retry.signal });
      requireStatus(answer, [200, 405, 501], client.clock);
      answer.body.resume();
      return answer.status === 200 ? parseBytes(answer.headers['content-length']) : undefined;
    },
    { ...retry, clock: client.clock },
  );
}

/**
 * Resolves a revision (branch, tag or commit) to a commit, and lists its files.
 * @throws {ModelError} ERR_REMOTE_REFUSED, ERR_DOWNLOAD_FAILED
 */
export async function listHubFiles(
  { hub, repository, revision }: { hub: string; repository: string; revision: string },
  options: RemoteOptions,
): Promise<{ commit: string; names: readonly string[] }> {
  const base = requireSafeUrl(hub).href.replace(/\/+$/, '');
  const url = `${base}/api/models/${repository}/revision/${encodeURIComponent(revision)}`;
  return parseRevision(await readRemoteText(url, options), url);
}

/** Reads a small file or answer. @throws {ModelError} ERR_REMOTE_REFUSED, ERR_DOWNLOAD_FAILED */
export async function readRemoteText(url: string, { client, token, ...retry }: RemoteOptions): Promise<string> {
  return withRetries(
    async () => {
      const answer = await client.send({ method: 'GET', url, token, signal: retry.signal });
      requireStatus(answer, [200], client.clock);
      return readText(answer, answerBytesMax);
    },
    { ...retry, clock: client.clock },
  );
}

/**
 * Reads a small file and verifies its digest.
 * @throws {ModelError} ERR_REMOTE_REFUSED, ERR_DOWNLOAD_FAILED, ERR_DIGEST_MISMATCH
 */
export async function readRemoteFile(
  url: string,
  { sha256, bytes }: RemotePin,
  { client, token, ...retry }: RemoteOptions,
): Promise<Buffer> {
  const content = await withRetries(
    async () => {
      const answer = await client.send({ method: 'GET', url, token, signal: retry.signal });
      requireStatus(answer, [200], client.clock);
      return readBytes(answer, bytes);
    },
    { ...retry, clock: client.clock },
  );
  const found = createHash('sha256').update(content).digest('hex');
  if (found === sha256) return content;
  throw new ModelError('ERR_DIGEST_MISMATCH', `${showUrl(url)}: expected SHA-256 ${sha256}, found ${found}`);
}

function parseRevision(text: string, url: string): { commit: string; names: readonly string[] } {
  try {
    const { sha, siblings } = JSON.parse(text) as { sha: unknown; siblings: { rfilename: unknown }[] };
    if (typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha)) {
      return { commit: sha, names: siblings.map(({ rfilename }) => String(rfilename)) };
    }
  } catch {
    // Reported below, like any other unexpected answer.
  }
  throw new ModelError('ERR_REMOTE_REFUSED', `${showUrl(url)} did not answer like a model hub; check CLOISTER_HUB`);
}

/** For large files, the hub's headers contain SHA-256 and size. Small files are in git, which has SHA-1 only, so they are downloaded. */
async function resolvePin(
  { url, file, commit }: { url: string; file: string; commit: string },
  options: RemoteOptions,
): Promise<RemotePin> {
  const { headers } = await head(url, options);
  const answeredCommit = headers['x-repo-commit'];
  if (answeredCommit !== undefined && answeredCommit !== commit) {
    const what = `${showUrl(url)} answered for commit ${answeredCommit}`;
    throw new ModelError('ERR_REMOTE_CHANGED', `${what} instead of ${commit}; check CLOISTER_HUB`);
  }
  const etag = String(headers['x-linked-etag'] ?? headers.etag ?? '').replace(/^(?:W\/)?"(.*)"$/, '$1');
  const bytes = parseBytes(headers['x-linked-size']);
  if (/^[0-9a-f]{64}$/.test(etag) && bytes !== undefined) return { sha256: etag, bytes };
  return readRemoteDigest({ url, file, gitSha1: /^[0-9a-f]{40}$/.test(etag) ? etag : undefined }, options);
}

/**
 * Follows redirects within the hub (a renamed repository); the redirect to its storage is the answer.
 * @returns the merged headers of all answers; later ones take precedence
 */
async function head(url: string, { client, token, ...retry }: RemoteOptions): Promise<Pick<HttpAnswer, 'headers'>> {
  return withRetries(
    async () => {
      const follow = (next: URL, from: URL): boolean => next.origin === from.origin;
      const answer = await client.send({ method: 'HEAD', url, token, signal: retry.signal, follow });
      requireStatus(answer, [200, 301, 302, 303, 307, 308], client.clock);
      answer.body.resume();
      return { headers: { ...answer.redirectHeaders, ...answer.headers } };
    },
    { ...retry, clock: client.clock },
  );
}

function parseBytes(header: string | string[] | undefined): number | undefined {
  const bytes = typeof header === 'string' && /^\d{1,16}$/.test(header) ? Number(header) : undefined;
  return bytes !== undefined && bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

function noSuchFile(repository: string, names: readonly string[], reason: string): ModelError {
  const weights = names.filter((name) => /\.(?:gguf|onnx)$/.test(name)).slice(0, 40);
  const choices =
    weights.length === 0 ? 'the repository has no .gguf or .onnx file' : `choose one of: ${weights.join(', ')}`;
  const printable = `hf:${repository}: ${reason}; ${choices}`.replace(/[^\x20-\x7e]/g, '?');
  return new ModelError('ERR_REFERENCE_INVALID', printable);
}
