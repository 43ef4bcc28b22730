/**
 * A program that mounts a directory that behaves like the kernel's configfs-tsm, through /dev/fuse, so that real system calls
 * are made: `node fuse-tsm.ts <mount point> <JSON of TsmBehaviour>`. Prints "ready"; ends when it is unmounted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

export interface TsmBehaviour {
  /** Path of a quote; the written report data replaces its own. */
  readonly quotePath: string;
  /** Errors (as positive numbers) of the next reads of `outblob`, or of creating an entry, in order. */
  readonly outblobErrors?: readonly number[];
  readonly mkdirErrors?: readonly number[];
}

const fuseOpcodes = {
  lookup: 1,
  forget: 2,
  getAttributes: 3,
  setAttributes: 4,
  mkdir: 9,
  rmdir: 11,
  open: 14,
  read: 15,
  write: 16,
  release: 18,
  flush: 25,
  init: 26,
  openDirectory: 27,
  releaseDirectory: 29,
  access: 34,
  interrupt: 36,
  batchForget: 42,
} as const;

const enoent = 2;
const einval = 22;
const efbig = 27;
const enosys = 38;
const root = 1n;
const reportDataAt = 48 + 520;

const files = {
  provider: { mode: 0o100444, size: 4096 },
  generation: { mode: 0o100444, size: 4096 },
  inblob: { mode: 0o100200, size: 0 },
  outblob: { mode: 0o100444, size: 0 },
} as const;
type FileName = keyof typeof files;

interface Entry {
  generation: number;
  inblob: Buffer;
  written: Buffer | undefined;
}

interface Node {
  entry: Entry;
  /** Undefined for the entry's directory. */
  file?: FileName;
}

class Refusal extends Error {
  readonly errno: number;
  constructor(errno: number) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}

/** A file system of one folder, whose folders are reports. */
class TsmFolder {
  readonly #quote: Buffer;
  readonly #outblobErrors: number[];
  readonly #mkdirErrors: number[];
  readonly #nodes = new Map<bigint, Node>();
  readonly #children = new Map<string, bigint>();
  #next = 2n;

  constructor({ quotePath, outblobErrors = [], mkdirErrors = [] }: TsmBehaviour) {
    this.#quote = readFileSync(quotePath);
    this.#outblobErrors = [...outblobErrors];
    this.#mkdirErrors = [...mkdirErrors];
  }

  /** @returns the body of the answer; undefined if the kernel expects none */
  answer(opcode: number, node: bigint, body: Buffer): Buffer | undefined {
    switch (opcode) {
      case fuseOpcodes.init:
        return initAnswer();
      case fuseOpcodes.forget:
      case fuseOpcodes.batchForget:
      case fuseOpcodes.interrupt:
        return undefined;
      case fuseOpcodes.lookup:
        return this.#entryOf(this.#find(node, nameAt(body, 0)));
      case fuseOpcodes.getAttributes:
      case fuseOpcodes.setAttributes:
        return Buffer.concat([Buffer.alloc(16), this.#attributes(node)]);
      case fuseOpcodes.mkdir:
        return this.#mkdir(nameAt(body, 8));
      case fuseOpcodes.rmdir:
        return this.#rmdir(nameAt(body, 0));
      case fuseOpcodes.open:
      case fuseOpcodes.openDirectory:
        return openAnswer();
      case fuseOpcodes.read:
        return this.#read(node, body);
      case fuseOpcodes.write:
        return this.#write(node, body);
      case fuseOpcodes.flush:
        return this.#flush(node);
      case fuseOpcodes.release:
      case fuseOpcodes.releaseDirectory:
      case fuseOpcodes.access:
        return Buffer.alloc(0);
      default:
        throw new Refusal(enosys);
    }
  }

  #mkdir(name: string): Buffer {
    const error = this.#mkdirErrors.shift();
    if (error !== undefined) throw new Refusal(error);
    const entry: Entry = { generation: 0, inblob: Buffer.alloc(0), written: undefined };
    const id = this.#add(`${root}/${name}`, { entry });
    for (const file of Object.keys(files) as FileName[]) this.#add(`${id}/${file}`, { entry, file });
    return this.#entryOf(id);
  }

  /** As in configfs, the files are removed with their directory. */
  #rmdir(name: string): Buffer {
    const id = this.#find(root, name);
    for (const file of Object.keys(files)) this.#children.delete(`${id}/${file}`);
    this.#children.delete(`${root}/${name}`);
    return Buffer.alloc(0);
  }

  #read(id: bigint, body: Buffer): Buffer {
    const { entry, file } = this.#nodes.get(id)!;
    const offset = Number(body.readBigUInt64LE(8));
    return this.#contentOf(entry, file!).subarray(offset, offset + body.readUInt32LE(16));
  }

  #contentOf(entry: Entry, file: FileName): Buffer {
    if (file === 'provider') return Buffer.from('tdx_guest\n');
    if (file === 'generation') return Buffer.from(`${entry.generation}\n`);
    const error = this.#outblobErrors.shift();
    if (error !== undefined) throw new Refusal(error);
    if (entry.inblob.length !== 64) throw new Refusal(einval);
    const quote = Buffer.from(this.#quote);
    entry.inblob.copy(quote, reportDataAt);
    return quote;
  }

  #write(id: bigint, body: Buffer): Buffer {
    const { entry } = this.#nodes.get(id)!;
    const data = body.subarray(40, 40 + body.readUInt32LE(16));
    if (data.length > 64) throw new Refusal(efbig);
    entry.written = Buffer.from(data);
    const answer = Buffer.alloc(8);
    answer.writeUInt32LE(data.length, 0);
    return answer;
  }

  /** A write takes effect on close. */
  #flush(id: bigint): Buffer {
    const entry = this.#nodes.get(id)?.entry;
    if (entry?.written !== undefined) {
      entry.inblob = entry.written;
      entry.written = undefined;
      entry.generation++;
    }
    return Buffer.alloc(0);
  }

  #add(path: string, node: Node): bigint {
    const id = this.#next++;
    this.#nodes.set(id, node);
    this.#children.set(path, id);
    return id;
  }

  #find(parent: bigint, name: string): bigint {
    const id = this.#children.get(`${parent}/${name}`);
    if (id === undefined) throw new Refusal(enoent);
    return id;
  }

  #entryOf(id: bigint): Buffer {
    const head = Buffer.alloc(40);
    head.writeBigUInt64LE(id, 0);
    return Buffer.concat([head, this.#attributes(id)]);
  }

  #attributes(id: bigint): Buffer {
    const file = this.#nodes.get(id)?.file;
    const { mode, size } = file === undefined ? { mode: 0o040755, size: 0 } : files[file];
    const attributes = Buffer.alloc(88);
    attributes.writeBigUInt64LE(id, 0);
    attributes.writeBigUInt64LE(BigInt(size), 8);
    attributes.writeUInt32LE(mode, 60);
    attributes.writeUInt32LE(1, 64);
    attributes.writeUInt32LE(4096, 80);
    return attributes;
  }
}

function initAnswer(): Buffer {
  const answer = Buffer.alloc(64);
  answer.writeUInt32LE(7, 0);
  answer.writeUInt32LE(31, 4);
  answer.writeUInt32LE(64 * 1024, 20);
  answer.writeUInt32LE(1, 24);
  return answer;
}

/** Reads and writes arrive unbuffered, regardless of the reported size of the file. */
function openAnswer(): Buffer {
  const answer = Buffer.alloc(16);
  answer.writeUInt32LE(1, 8);
  return answer;
}

function nameAt(body: Buffer, at: number): string {
  return body.toString('utf8', at, body.indexOf(0, at));
}

async function serve(mountPoint: string, behaviour: TsmBehaviour): Promise<void> {
  const folder = new TsmFolder(behaviour);
  const device = await open('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const mount = spawn('mount', ['-i', '-n', '-t', 'fuse', '-o', options, 'cloister-test', mountPoint], {
    stdio: ['ignore', 'inherit', 'inherit', device.fd],
  });
  const [code] = await once(mount, 'exit');
  if (code !== 0) process.exit(1);
  console.log('ready');
  const request = Buffer.alloc(128 * 1024);
  while (true) {
    // Fails once the folder is unmounted.
    const { bytesRead } = await device.read(request, 0, request.length, null).catch(() => process.exit(0));
    const opcode = request.readUInt32LE(4);
    let body: Buffer | undefined = Buffer.alloc(0);
    let error = 0;
    try {
      body = folder.answer(opcode, request.readBigUInt64LE(16), request.subarray(40, bytesRead));
    } catch (refusal) {
      error = refusal instanceof Refusal ? -refusal.errno : -enosys;
    }
    if (body === undefined) continue;
    const head = Buffer.alloc(16);
    head.writeUInt32LE(16 + body.length, 0);
    head.writeInt32LE(error, 4);
    request.copy(head, 8, 8, 16);
    await device.write(Buffer.concat([head, body]), 0, 16 + body.length, null);
  }
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2]!, JSON.parse(process.argv[3]!));
