/** Pins local files, which stay in place: one GGUF file with all its parts, or a model folder. */
import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { ModelFile } from '../catalogue/catalogue.ts';
import { parseJsonObject } from '../files/json-fields.ts';
import { readGgufFacts } from '../gguf/gguf-file.ts';
import type { GgufFacts } from '../gguf/gguf-header.ts';
import { splitParts } from '../gguf/split-gguf.ts';
import { ModelError } from '../interface/errors.ts';
import { readExternalFiles } from '../onnx/external.ts';
import { type FileDigest, hashFile } from './digest.ts';
import { findFolderModel } from './model-folder.ts';
import { factsOfGguf, type LocalPinOptions, type PinnedWeights, type Reference } from './pin.ts';

/** More files than any model has; stops the search in other folders, such as a home folder. */
const namesMax = 10_000;

/** @throws {ModelError} ERR_FILE_MISSING, ERR_REFERENCE_INVALID, ERR_FILE_CHANGED, ERR_ABORTED */
export async function pinPath(
  { path }: Reference & { kind: 'path' },
  options: LocalPinOptions,
): Promise<PinnedWeights> {
  const stats = await readStats(path);
  if (stats.isDirectory()) return pinFolder(path, undefined, options);
  if (/(?:^|\/)model_index\.json$|\.onnx$/.test(path)) return pinFolder(...folderAndFile(path), options);
  return pinGguf(path, options);
}

/** A graph may be one folder below the other files of its model. */
function folderAndFile(path: string): [folder: string, file: string] {
  const folder = dirname(path);
  if (basename(folder) !== 'onnx') return [folder, basename(path)];
  return [dirname(folder), `onnx/${basename(path)}`];
}

async function pinFolder(folder: string, file: string | undefined, options: LocalPinOptions): Promise<PinnedWeights> {
  const names = await listNames(folder);
  const readJson = async (name: string) => parseJsonObject(await readFile(join(folder, name), 'utf8'), name);
  const model = await findFolderModel({ names, readJson }, file);
  if (model === undefined) throw noModel(folder);
  const files: ModelFile[] = [];
  for (const name of withExternalFiles(folder, model.files)) files.push(await pinFile(join(folder, name), options));
  return { stem: basename(folder), source: { kind: 'path' }, files, facts: model.facts };
}

/** Adds the external weight files of the graphs. */
function withExternalFiles(folder: string, names: readonly string[]): ReadonlySet<string> {
  const graphs = names.filter((name) => name.endsWith('.onnx'));
  const others = graphs.flatMap((graph) =>
    readExternalFiles(join(folder, graph)).map((name) => join(dirname(graph), name)),
  );
  return new Set([...names, ...others]);
}

/** Follows symbolic links, which the cache of Hugging Face's tools uses. */
async function listNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    if (names.length >= namesMax) throw noModel(folder);
    if ((await stat(join(folder, name)).catch(() => undefined))?.isFile()) names.push(name);
  }
  return names;
}

async function pinGguf(path: string, options: LocalPinOptions): Promise<PinnedWeights> {
  const paths = splitParts(path);
  const facts = factsOfGguf(await readFacts(paths[0]!));
  const files: ModelFile[] = [];
  for (const part of paths) files.push(await pinFile(part, options));
  return { stem: basename(files[0]!.path), source: { kind: 'path' }, files, facts };
}

async function pinFile(path: string, options: LocalPinOptions): Promise<ModelFile> {
  const { sha256, identity } = await hashLocal(path, options);
  return { path: relativeTo(options.folders.catalogueFolder, path), sha256, bytes: identity.bytes };
}

async function hashLocal(path: string, { signal, onBytes }: LocalPinOptions): Promise<FileDigest> {
  try {
    const { size: bytesTotal } = await stat(path);
    const report = (bytesDone: number): void => onBytes?.({ file: path, bytesDone, bytesTotal });
    return await hashFile(path, { signal, onBytes: report });
  } catch (error) {
    throw error instanceof ModelError ? error : unreadable(path, error as Error);
  }
}

/** Files in the catalogue's folder get a relative path, so that they can move with it; others get an absolute path. */
function relativeTo(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

async function readFacts(path: string): Promise<GgufFacts> {
  try {
    if (!(await stat(path)).isFile()) throw new Error('not a regular file');
    return await readGgufFacts(path);
  } catch (error) {
    throw error instanceof ModelError ? error : unreadable(path, error as Error);
  }
}

async function readStats(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error as Error);
  }
}

function unreadable(path: string, cause: Error): ModelError {
  const forms = 'specify a GGUF file, a model folder, hf:owner/name[@revision]:file or url:https://…';
  return new ModelError('ERR_FILE_MISSING', `${path} cannot be read: ${cause.message}; ${forms}`, { cause });
}

function noModel(folder: string): ModelError {
  const wanted = 'neither model_index.json nor model.onnx or onnx/model.onnx; specify a GGUF file or a graph in it';
  return new ModelError('ERR_REFERENCE_INVALID', `${folder} holds ${wanted}`);
}
