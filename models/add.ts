/** Turns what a person names (`hf:owner/name:file`, `url:https://…`, a path) into a catalogue entry with pinned digests. */
import { open, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type CatalogueEntry, idForFile, type ModelFile, type ModelFolders, type ModelSource } from './catalogue.ts';
import { type FileDigest, hashFile } from './digest.ts';
import { eachChunk, requireStatus } from './download.ts';
import { ModelError } from './errors.ts';
import { type GgufFacts, ggufHeadBytes, parseGgufHead } from './gguf-header.ts';
import {
  hubFileUrl,
  type RemoteOptions,
  type RemotePin,
  readRemoteBytes,
  readRemoteDigest,
  resolveHubFiles,
} from './hub.ts';
import { withRetries } from './retry.ts';
import { requireSafeUrl } from './safe-url.ts';
import { splitParts } from './split-gguf.ts';

export type Reference =
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string; readonly file: string | undefined }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'path'; readonly path: string };

/** Where the weights are, and what they say about themselves. */
export interface PinnedWeights {
  readonly source: ModelSource;
  readonly files: readonly ModelFile[];
  readonly facts: GgufFacts;
}

export interface PinOptions extends RemoteOptions {
  readonly hub: string;
  readonly folders: ModelFolders;
  /** For a single-file `url:`: spares reading the file once for its digest. */
  readonly sha256?: string | undefined;
}

const contextLengthFallback = 4096;

/** @throws {ModelError} ERR_REFERENCE_INVALID, ERR_URL_REFUSED */
export function parseReference(text: string, cwd: string): Reference {
  if (text.startsWith('hf:')) {
    const match = /^hf:([\w.-]+\/[\w.-]+)(?:@([^:\s]+))?(?::(\S.*))?$/.exec(text);
    const [, repository, revision = 'main', file] = match ?? [];
    if (repository !== undefined) return { kind: 'hub', repository, revision, file };
    throw new ModelError('ERR_REFERENCE_INVALID', `${JSON.stringify(text)} must be hf:owner/name[@revision]:file`);
  }
  if (text.startsWith('url:')) return { kind: 'url', url: requireSafeUrl(text.slice(4)).href };
  if (/^\w+:\/\//.test(text)) {
    throw new ModelError('ERR_REFERENCE_INVALID', `${JSON.stringify(text)} is an address: write url:${text}`);
  }
  return { kind: 'path', path: resolve(cwd, text) };
}

/** Finds out digest, size and parts. @throws {ModelError} as `hub.ts` and `digest.ts` */
export async function pinWeights(reference: Reference, options: PinOptions): Promise<PinnedWeights> {
  switch (reference.kind) {
    case 'hub':
      return pinHub(reference, options);
    case 'url':
      return pinUrls(reference, options);
    case 'path':
      return pinPaths(reference, options);
  }
}

/**
 * @param previous the entry with this id, whose other fields stay as they are
 * @param given what the person said explicitly
 */
export function buildEntry(
  { source, files, facts }: PinnedWeights,
  { previous, given }: { previous: CatalogueEntry | undefined; given: Partial<CatalogueEntry> },
): CatalogueEntry {
  const contextLength = given.contextLength ?? previous?.contextLength ?? facts.contextLength ?? contextLengthFallback;
  const fallback = {
    id: idForFile(files[0]!.path),
    kind: 'llama-text',
    name:
      (facts.name ?? basename(files[0]!.path))
        .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
        .trim()
        .slice(0, 200) || 'model',
    maxOutputTokens: contextLength,
    capabilities: ['streaming', 'structured_outputs', 'logprobs'],
    pricing: { promptPerMillion: 0, completionPerMillion: 0 },
    plans: ['*'],
  } as const;
  const entry = { ...fallback, ...previous, ...given, source, files, contextLength };
  return { ...entry, maxOutputTokens: Math.min(entry.maxOutputTokens, contextLength) };
}

async function pinHub(reference: Reference & { kind: 'hub' }, options: PinOptions): Promise<PinnedWeights> {
  const { hub } = options;
  const { repository } = reference;
  const { revision, files } = await resolveHubFiles({ ...reference, hub }, options);
  const head = await readRemoteHead(hubFileUrl(hub, { repository, revision, file: files[0]!.file }), options);
  return {
    source: { kind: 'hub', repository, revision, files: files.map(({ file }) => file) },
    // The revision is part of the path: a newer one never overwrites weights that are being served.
    files: files.map(({ file, sha256, bytes }) => ({
      path: `${repository}@${revision.slice(0, 12)}/${file}`,
      sha256,
      bytes,
    })),
    facts: parseGgufHead(head, `hf:${repository}:${reference.file}`),
  };
}

async function pinUrls({ url }: Reference & { kind: 'url' }, options: PinOptions): Promise<PinnedWeights> {
  const first = new URL(url);
  const urls = splitParts(first.pathname).map((path) => new URL(`${path}${first.search}`, first).href);
  if (options.sha256 !== undefined && urls.length > 1) {
    throw new ModelError('ERR_REFERENCE_INVALID', `--sha256 is for a single file, and ${url} has ${urls.length} parts`);
  }
  // Public addresses: the hub's token has no business there.
  const remote = { ...options, token: undefined };
  // Whichever part was named, only the first one tells what the model is.
  const head = await readRemoteHead(urls[0]!, remote);
  const facts = parseGgufHead(head, url);
  const files: ModelFile[] = [];
  for (const part of urls) {
    const path = decoded(new URL(part).pathname).slice(1);
    files.push({ path: `${first.hostname}/${path}`, ...(await pinUrl(part, remote)) });
  }
  return { source: { kind: 'url', urls }, files, facts };
}

/** The file name on disk; an address that cannot be decoded keeps its escapes. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function pinUrl(url: string, options: PinOptions): Promise<RemotePin> {
  const bytes = options.sha256 === undefined ? undefined : await readRemoteBytes(url, options);
  if (options.sha256 !== undefined && bytes !== undefined) return { sha256: options.sha256, bytes };
  const pin = await readRemoteDigest({ url, file: basename(new URL(url).pathname) }, options);
  if (options.sha256 === undefined || options.sha256 === pin.sha256) return pin;
  throw new ModelError('ERR_DIGEST_MISMATCH', `${url}: expected SHA-256 ${options.sha256}, found ${pin.sha256}`);
}

async function pinPaths({ path }: Reference & { kind: 'path' }, options: PinOptions): Promise<PinnedWeights> {
  const paths = splitParts(path);
  const facts = parseGgufHead(await readLocalHead(paths[0]!), paths[0]!);
  const files: ModelFile[] = [];
  for (const part of paths) {
    const { sha256, identity } = await hashLocal(part, options);
    files.push({ path: relativeTo(options.folders.catalogueFolder, part), sha256, bytes: identity.bytes });
  }
  return { source: { kind: 'path' }, files, facts };
}

async function hashLocal(path: string, { signal, onBytes }: PinOptions): Promise<FileDigest> {
  try {
    const { size: bytesTotal } = await stat(path);
    const report = (bytesDone: number): void => onBytes?.({ file: path, bytesDone, bytesTotal });
    return await hashFile(path, { signal, onBytes: report });
  } catch (error) {
    throw error instanceof ModelError ? error : unreadable(path, error as Error);
  }
}

/** Files beside the catalogue move with it; others keep their absolute path. */
function relativeTo(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

async function readLocalHead(path: string): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) throw new Error('not a regular file');
    await using file = await open(path);
    const head = Buffer.alloc(ggufHeadBytes);
    const { bytesRead } = await file.read(head, 0, ggufHeadBytes, 0);
    return head.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(path, error as Error);
  }
}

async function readRemoteHead(url: string, { client, token, ...retry }: RemoteOptions): Promise<Buffer> {
  return withRetries(
    async () => {
      const headers = { range: `bytes=0-${ggufHeadBytes - 1}` };
      const answer = await client.send({ method: 'GET', url, token, headers, signal: retry.signal });
      requireStatus(answer, [200, 206], client.clock);
      const chunks: Buffer[] = [];
      let bytes = 0;
      // A server without ranges sends the whole file: what was wanted is there, hang up.
      await eachChunk(answer, (chunk) => {
        chunks.push(chunk);
        bytes += chunk.length;
        return bytes >= ggufHeadBytes ? 'enough' : undefined;
      });
      return Buffer.concat(chunks).subarray(0, ggufHeadBytes);
    },
    { ...retry, clock: client.clock },
  );
}

function unreadable(path: string, cause: Error): ModelError {
  const forms = 'name a GGUF file, hf:owner/name[@revision]:file or url:https://…';
  return new ModelError('ERR_FILE_MISSING', `${path} cannot be read: ${cause.message}; ${forms}`, { cause });
}
