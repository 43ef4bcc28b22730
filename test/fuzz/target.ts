/**
 * What a fuzz target is. Each file in `targets/` exports `targets`; the seed corpus of the target `NAME` is the folder
 * `corpus/NAME/`. Nothing else registers a target: the runner lists the folder.
 */
import type { Random } from '../support/random.ts';

export interface FuzzTarget {
  /** As `--target` takes it; also the name of the corpus folder. */
  readonly name: string;
  /** What is tested, in one line for `--list`. */
  readonly summary: string;
  /** The target calls the native addon; `npm run fuzz:asan` runs it. */
  readonly isNative?: boolean;
  /** A test of its own runs the target in CI; the smoke run omits it. */
  readonly hasOwnTest?: boolean;
  /** Tokens of the format that the default generator inserts. */
  readonly words?: readonly Uint8Array[];
  /** Makes one input. Default: one to four byte mutations of a corpus entry. */
  readonly generate?: (source: GeneratorSource) => Uint8Array;
  /** CPU time of the whole process that one input may take. Default: 1,000. */
  readonly cpuMsMax?: number;
  /** Resident memory that the process may gain over its start. Default: 160 MiB after, 256 MiB during an input. */
  readonly growthBytesMax?: { readonly after: number; readonly during: number };
  /** Called once in each process that runs the target. */
  readonly open: () => FuzzSubject | Promise<FuzzSubject>;
}

/** An opened target. */
export interface FuzzSubject {
  /** Seeds that cannot be committed, in addition to the corpus. */
  readonly seeds?: readonly Uint8Array[];
  /** Calls the code under test. Throws what the code throws, or an error that names the violated property. */
  readonly run: (input: Uint8Array) => unknown;
  /** Whether `error` is a documented refusal. Any other error is a finding. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly close?: () => Promise<void>;
}

export interface GeneratorSource {
  /** At least one entry. */
  readonly corpus: readonly Uint8Array[];
  readonly words: readonly Uint8Array[];
  readonly random: Random;
}

/** Accepts errors of one class, restricted to `codes` where given. */
export function refusalsOf(
  ErrorClass: abstract new (...parameters: never[]) => Error & { readonly code: string },
  ...codes: readonly string[]
): (error: unknown) => boolean {
  return (error) => error instanceof ErrorClass && (codes.length === 0 || codes.includes(error.code));
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Decodes as the servers do not: invalid UTF-8 becomes U+FFFD, so that every input reaches the code under test. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A word for seeds and mutations: what a caller writes must not come back in a refusal. */
export const canary = 'canary7f3a';

/** Runs `read`, and fails where its refusal repeats the canary. */
export async function withoutEcho(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!String(error).includes(canary)) throw error;
    throw new Error('the refusal repeats what the caller wrote', { cause: error });
  }
}
