/**
 * Interface of fuzz targets. Each file in `targets/` exports `targets`; the seed corpus of the target `NAME` is the folder
 * `corpus/NAME/`. The runner finds targets by listing the folder.
 */
import type { Random } from '../support/random.ts';

export interface FuzzTarget {
  /** Name for `--target` and of the corpus folder. */
  readonly name: string;
  /** One-line description for `--list`. */
  readonly summary: string;
  /** Whether the target calls the native addon; `npm run fuzz:asan` then runs it. */
  readonly isNative?: boolean;
  /** Whether a separate test runs the target in CI; the smoke run then omits it. */
  readonly hasOwnTest?: boolean;
  /** Tokens of the format that the default generator inserts. */
  readonly words?: readonly Uint8Array[];
  /** Generates one input. Default: one to four byte mutations of a corpus entry. */
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

/** Decodes invalid UTF-8 as U+FFFD, unlike the server, so that every input reaches the code under test. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A word for seeds and mutations, which must not occur in an error: errors do not repeat a caller's text. */
export const canary = 'canary7f3a';

/** Runs `read` and fails if its error contains the canary. */
export async function withoutEcho(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!String(error).includes(canary)) throw error;
    throw new Error("the error repeats the caller's text", { cause: error });
  }
}
