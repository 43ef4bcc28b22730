/** Writes the guest's configuration disk and model disks. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import type { CatalogueEntry, ModelFolders } from '@cloister/models/catalogue/catalogue';
import { erofsBlockBytes, layOutErofs } from './erofs.ts';
import { ImageError } from './errors.ts';
import { buildTar } from './tar.ts';
import { VerityTree } from './verity.ts';

/** Files of the configuration disk. */
export interface GuestConfiguration {
  /** JSON settings of `cloister serve`. */
  readonly settings: Uint8Array;
  readonly catalogue?: Uint8Array | undefined;
  /** Lines `address`, `gateway`, `nameserver`; without it, the guest uses DHCP. */
  readonly network?: Uint8Array | undefined;
  /** Operator key and secret names, formatted by `guest/provision-request.ts` of the server. */
  readonly provision?: Uint8Array | undefined;
  /** Which nodes a node of a fleet asks, joins and gives secrets to. */
  readonly fleetPolicy?: Uint8Array | undefined;
}

/** Distinguishes model trees from other hash trees. It is not secret. */
const modelSalt = createHash('sha256').update('cloister model').digest();

/** Writes a configuration disk. @returns its SHA-256 in hexadecimal, for the kernel command line */
export function writeConfigDisk(
  path: string,
  { settings, catalogue, network, provision, fleetPolicy }: GuestConfiguration,
): string {
  const disk = buildTar({
    'settings.json': settings,
    ...(catalogue === undefined ? {} : { 'catalogue.json': catalogue }),
    ...(network === undefined ? {} : { network }),
    ...(provision === undefined ? {} : { 'provision.json': provision }),
    ...(fleetPolicy === undefined ? {} : { 'fleet-policy.json': fleetPolicy }),
  });
  writeFileSync(path, disk);
  return createHash('sha256').update(disk).digest('hex');
}

export interface ModelDiskOptions {
  readonly entries: readonly CatalogueEntry[];
  readonly folders: ModelFolders;
  readonly locate: (entry: CatalogueEntry, file: CatalogueEntry['files'][number], folders: ModelFolders) => string;
  readonly signal: AbortSignal;
}

/**
 * Writes a disk with the files of these models, and its kernel parameter to `<path>.words`. Each file is verified against
 * the catalogue's digest while it is copied. The same models give the same bytes.
 * @returns the kernel parameter
 * @throws {ImageError} ERR_MODEL_CHANGED if a file does not match the catalogue
 */
export async function writeModelDisk(path: string, options: ModelDiskOptions): Promise<string> {
  const { entries, folders, locate, signal } = options;
  const sources = new Map(
    entries.flatMap((entry) =>
      entry.files.map((file) => [
        file.path,
        { source: locate(entry, file, folders), sha256: file.sha256, bytes: file.bytes },
      ]),
    ),
  );
  const layout = layOutErofs([...sources].map(([inside, { bytes }]) => ({ path: inside, bytes })));
  const temporary = `${path}.part`;
  const disk = openSync(temporary, 'w');
  try {
    const write = (index: number, block: Uint8Array) =>
      writeSync(disk, block, 0, block.length, index * erofsBlockBytes);
    const tree = new VerityTree({ dataBlocks: layout.blocks, salt: modelSalt, write });
    const put = (index: number, blocks: Uint8Array) => {
      write(index, blocks);
      tree.add(blocks);
    };
    put(0, layout.head);
    for (const file of layout.files) await copyFile({ ...sources.get(file.path)!, ...file }, { put, signal });
    const words = `cloister.model=${tree.finish()}:${layout.blocks}:${modelSalt.toString('hex')}`;
    closeSync(disk);
    renameSync(temporary, path);
    writeFileSync(`${path}.words`, `${words}\n`);
    return words;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Copies a file in whole blocks and pads the last one with zeros. */
async function copyFile(
  file: { source: string; path: string; sha256: string; bytes: number; block: number },
  { put, signal }: { put: (index: number, blocks: Uint8Array) => void; signal: AbortSignal },
): Promise<void> {
  const hash = createHash('sha256');
  let block = file.block;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file.source, {
    highWaterMark: 1024 * 1024,
    signal,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % erofsBlockBytes);
    if (whole > 0) put(block, bytes.subarray(0, whole));
    block += whole / erofsBlockBytes;
    rest = Buffer.from(bytes.subarray(whole));
    if ((block - file.block) * erofsBlockBytes + rest.length > file.bytes) throw changed(file.path);
  }
  const copied = (block - file.block) * erofsBlockBytes + rest.length;
  if (copied !== file.bytes || hash.digest('hex') !== file.sha256) throw changed(file.path);
  if (rest.length > 0) put(block, Buffer.concat([rest, Buffer.alloc(erofsBlockBytes - rest.length)]));
}

function changed(path: string): ImageError {
  return new ImageError('ERR_MODEL_CHANGED', `${path} does not match the catalogue's digest: pull it again`);
}
