/** Reads the memory of a running process through /proc/<pid>/mem and looks for byte patterns in it. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export interface Pattern {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Hit {
  readonly pattern: string;
  /** `JavaScript heap`, `[heap]`, `[stack]`, a file, or `anonymous`: heaps of threads, their stacks, large blocks. */
  readonly area: string;
  readonly address: number;
  /** The bytes that begin with the pattern. */
  readonly bytes: Buffer;
}

/**
 * V8 requests its pages at random addresses of 46 bits (`OS::GetRandomMmapAddr`); mappings placed by the kernel are at higher
 * addresses.
 */
const javaScriptHeapEnd = 0x4000_0000_0000;

interface Area {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const pieceBytes = 16 * 1024 * 1024;
/** Pieces overlap by this much, at least a pattern and its printed context, so that no match at their ends is missed. */
const overlapBytes = 4096;

/** @returns why the memory of the process cannot be read, or undefined if it can */
export function whyUnreadable(pid: number): string | undefined {
  try {
    const [area] = writableAreas(pid);
    const memory = openSync(`/proc/${pid}/mem`, 'r');
    try {
      readSync(memory, Buffer.alloc(1), 0, 1, area!.start);
    } finally {
      closeSync(memory);
    }
    return undefined;
  } catch (error) {
    // The server is not dumpable, so this requires CAP_SYS_PTRACE.
    return `/proc/${pid}/mem cannot be read (${(error as NodeJS.ErrnoException).code}): run as root with CAP_SYS_PTRACE`;
  }
}

/** Every position in resident, writable memory at which a pattern begins. */
export function findInMemory(pid: number, patterns: readonly Pattern[]): Hit[] {
  const hits: Hit[] = [];
  const piece = Buffer.alloc(pieceBytes);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const area of writableAreas(pid)) {
      for (let at = area.start; at < area.end; at += pieceBytes - overlapBytes) {
        const bytes = readPiece(memory, piece.subarray(0, Math.min(pieceBytes, area.end - at)), at);
        for (const pattern of patterns) {
          for (const hit of findInPiece(bytes, pattern, { area: area.name, start: at })) hits.push(hit);
        }
      }
    }
  } finally {
    closeSync(memory);
  }
  return hits;
}

/** Empty if the area was unmapped in the meantime, or belongs to a device. */
function readPiece(memory: number, piece: Buffer, address: number): Buffer {
  try {
    return piece.subarray(0, readSync(memory, piece, 0, piece.length, address));
  } catch {
    return piece.subarray(0, 0);
  }
}

function* findInPiece(
  bytes: Buffer,
  { name, bytes: wanted }: Pattern,
  { area, start }: { area: string; start: number },
): Generator<Hit> {
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    // A match that begins in the overlap is found in the next piece.
    if (at >= pieceBytes - overlapBytes) return;
    yield { pattern: name, area, address: start + at, bytes: Buffer.from(bytes.subarray(at, at + 256)) };
  }
}

function writableAreas(pid: number): Area[] {
  const areas: Area[] = [];
  // A line `start-end rw-p offset device inode name`, followed by one fact per line, for example `Rss: 12 kB`.
  for (const text of readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \S+ *(.*)$/m.exec(text);
    if (match === null || /^Rss: +0 kB$/m.test(text)) continue;
    const [start, end] = [match[1]!, match[2]!].map((address) => Number.parseInt(address, 16)) as [number, number];
    areas.push({ name: match[3] || (start < javaScriptHeapEnd ? 'JavaScript heap' : 'anonymous'), start, end });
  }
  return areas;
}
