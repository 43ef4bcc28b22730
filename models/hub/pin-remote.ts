/** Pins remote files: files of a repository on a model hub, or files at URLs. */
import { basename, posix } from 'node:path';
import type { ModelFile } from '../catalogue/catalogue.ts';
import { parseJsonObject } from '../files/json-fields.ts';
import { ggufHeadBytes, parseGgufHead } from '../gguf/gguf-header.ts';
import { splitParts } from '../gguf/split-gguf.ts';
import { ModelError } from '../interface/errors.ts';
import { parseExternalFiles } from '../onnx/external.ts';
import { eachChunk, requireStatus } from './download.ts';
import {
  type HubPins,
  hubFileUrl,
  listHubFiles,
  pinHubFiles,
  type RemoteOptions,
  type RemotePin,
  readRemoteBytes,
  readRemoteDigest,
  readRemoteFile,
  readRemoteText,
  resolveHubFiles,
} from './hub.ts';
import { findFolderModel, requireName } from './model-folder.ts';
import { factsOfGguf, type PinnedWeights, type PinOptions, type Reference } from './pin.ts';
import { withRetries } from './retry.ts';

/** Graphs without their weights are a few MiB. */
const graphBytesMax = 32 * 1024 * 1024;

type HubReference = Reference & { kind: 'hub' };

/**
 * Pins the given GGUF file, or the model that the repository contains.
 * @throws {ModelError} ERR_REFERENCE_INVALID listing the possible files; ERR_REMOTE_REFUSED; ERR_DOWNLOAD_FAILED
 */
export async function pinHub(reference: HubReference, options: PinOptions): Promise<PinnedWeights> {
  const { repository, file } = reference;
  const { hub } = options;
  const isFolderModel = file === undefined || /(?:^|\/)model_index\.json$|\.onnx$/.test(file);
  if (isFolderModel) {
    const folder = await pinHubFolder(reference, options);
    if (folder !== undefined) return folder;
  }
  const pins = await resolveHubFiles({ ...reference, hub }, options);
  const head = await readRemoteHead(hubFileUrl(hub, { ...pins, repository, file: pins.files[0]!.file }), options);
  const facts = factsOfGguf(parseGgufHead(head, `hf:${repository}:${file}`));
  return { stem: basename(pins.files[0]!.file), ...inCatalogue(pins, repository), facts };
}

async function pinHubFolder(reference: HubReference, options: PinOptions): Promise<PinnedWeights | undefined> {
  const { repository, file } = reference;
  const { hub } = options;
  const { commit: revision, names } = await listHubFiles({ ...reference, hub }, options);
  const readJson = async (name: string) => {
    const text = await readRemoteText(hubFileUrl(hub, { repository, revision, file: name }), options);
    return parseJsonObject(text, name);
  };
  const model = await findFolderModel({ names, readJson }, file);
  if (model === undefined) return undefined;
  const place = { hub, repository, revision };
  const files = await pinHubFiles(model.files, place, options);
  const more = await namesInGraphs(files, { ...place, names }, options);
  const pins = { revision, files: [...files, ...(await pinHubFiles(more, place, options))] };
  return { stem: basename(repository), ...inCatalogue(pins, repository), facts: model.facts };
}

/**
 * Finds the external weight files of the graphs. A graph with external weights is small, so larger graphs are not read; a
 * file that is missed is not pinned, and the loader refuses to open it.
 * @throws {ModelError} ERR_REFERENCE_INVALID if a file is missing; ERR_MODEL_LOAD if a graph is not an ONNX file
 */
async function namesInGraphs(
  files: HubPins['files'],
  { names, hub, ...place }: { names: readonly string[]; hub: string; repository: string; revision: string },
  options: RemoteOptions,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { file, ...pin } of files) {
    if (!file.endsWith('.onnx') || pin.bytes > graphBytesMax) continue;
    const graph = await readRemoteFile(hubFileUrl(hub, { ...place, file }), pin, options);
    for (const name of parseExternalFiles(graph, file)) {
      found.add(requireName(names, posix.join(posix.dirname(file), name)));
    }
  }
  return [...found].filter((name) => !files.some(({ file }) => file === name));
}

/** The path contains the revision, so that a newer revision never overwrites weights in use. */
function inCatalogue({ revision, files }: HubPins, repository: string): Pick<PinnedWeights, 'source' | 'files'> {
  return {
    source: { kind: 'hub', repository, revision, files: files.map(({ file }) => file) },
    files: files.map(({ file, sha256, bytes }) => ({
      path: `${repository}@${revision.slice(0, 12)}/${file}`,
      sha256,
      bytes,
    })),
  };
}

/** @throws {ModelError} ERR_REFERENCE_INVALID, ERR_REMOTE_REFUSED, ERR_DIGEST_MISMATCH, ERR_DOWNLOAD_FAILED */
export async function pinUrls({ url }: Reference & { kind: 'url' }, options: PinOptions): Promise<PinnedWeights> {
  const first = new URL(url);
  const urls = splitParts(first.pathname).map((path) => new URL(`${path}${first.search}`, first).href);
  if (options.sha256 !== undefined && urls.length > 1) {
    throw new ModelError('ERR_REFERENCE_INVALID', `--sha256 is for a single file, and ${url} has ${urls.length} parts`);
  }
  // The hub's token must not be sent to other servers.
  const remote = { ...options, token: undefined };
  // Only the first part contains the metadata, whichever part was specified.
  const head = await readRemoteHead(urls[0]!, remote);
  const facts = factsOfGguf(parseGgufHead(head, url));
  const files: ModelFile[] = [];
  for (const part of urls) {
    const path = decoded(new URL(part).pathname).slice(1);
    files.push({ path: `${first.hostname}/${path}`, ...(await pinUrl(part, remote)) });
  }
  return { stem: basename(files[0]!.path), source: { kind: 'url', urls }, files, facts };
}

/** The file name on disk; a path that cannot be decoded keeps its escapes. */
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

async function readRemoteHead(url: string, { client, token, ...retry }: RemoteOptions): Promise<Buffer> {
  return withRetries(
    async () => {
      const headers = { range: `bytes=0-${ggufHeadBytes - 1}` };
      const answer = await client.send({ method: 'GET', url, token, headers, signal: retry.signal });
      requireStatus(answer, [200, 206], client.clock);
      const chunks: Buffer[] = [];
      let bytes = 0;
      // A server without range support sends the whole file; stop reading when the head is complete.
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
