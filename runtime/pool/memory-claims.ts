/**
 * Main memory that the models of one process have claimed. They load at the same time, in threads of their own, so the memory
 * that is free now does not show what the others will still take. Threads share the claims.
 */
import { RuntimeError } from './errors.ts';

/** Memory reserved for the operating system, Node and requests. */
export const reserveBytes = 256 * 1024 ** 2;

/** Plain data, which can be sent to threads. */
export interface MemoryClaims {
  /** `BigInt64Array`: the bytes available before the first claim, then one claim for each model. */
  readonly shared: SharedArrayBuffer;
}

/** A model's own claim. */
export interface MemoryClaim extends MemoryClaims {
  /** Of the model, from 0. */
  readonly index: number;
}

/** @param availableBytes main memory that this process may still use, before any model is loaded */
export function openMemoryClaims({ models, availableBytes }: { models: number; availableBytes: number }): MemoryClaims {
  const shared = new SharedArrayBuffer((1 + models) * BigInt64Array.BYTES_PER_ELEMENT);
  Atomics.store(new BigInt64Array(shared), 0, wholeBytes(availableBytes));
  return { shared };
}

/**
 * Claims memory for one model in place of its previous claim. Of two models that claim at the same moment and do not fit
 * together, both may be refused.
 * @param neededBytes of main memory
 * @param advice what the operator can do
 * @throws {RuntimeError} ERR_MEMORY_BUDGET with the numbers, if all claims together exceed the memory
 */
export function claimMemory({ shared, index }: MemoryClaim, neededBytes: number, advice: string): void {
  const claims = new BigInt64Array(shared);
  Atomics.store(claims, 1 + index, wholeBytes(neededBytes));
  let others = 0;
  for (let other = 0; other < claims.length - 1; other++) {
    if (other !== index) others += Number(Atomics.load(claims, 1 + other));
  }
  const available = Math.max(0, Number(Atomics.load(claims, 0)) - reserveBytes);
  if (others + neededBytes <= available) return;
  Atomics.store(claims, 1 + index, 0n);
  throw new RuntimeError(
    'ERR_MEMORY_BUDGET',
    `this model needs ${mebibytes(neededBytes)} of main memory; ${mebibytes(available)} were available at the start, of which ` +
      `other models claim ${mebibytes(others)}: ${advice}`,
    { details: { neededBytes, availableBytes: available - others } },
  );
}

/** Returns the claim of a model that was unloaded. */
export function releaseMemory({ shared, index }: MemoryClaim): void {
  Atomics.store(new BigInt64Array(shared), 1 + index, 0n);
}

/** @returns the bytes that a model has claimed; 0 before its first claim */
export function claimedBytes({ shared, index }: MemoryClaim): number {
  return Number(Atomics.load(new BigInt64Array(shared), 1 + index));
}

/** `1500 MiB`, rounded up. */
export function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

function wholeBytes(bytes: number): bigint {
  // Without a limit, the system reports 2^64.
  return BigInt(Math.ceil(Math.min(Math.max(0, bytes), Number.MAX_SAFE_INTEGER)));
}
