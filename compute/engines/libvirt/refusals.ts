/** Classifies a libvirt host's refusals by their text. */
import { Refusal } from '../answers.ts';
import { type EngineError, type RefusalReason, refused } from '../errors.ts';

/** The host's text stays in `cause`, since it contains paths and devices. */
export function hostRefusal(refusal: Refusal): EngineError {
  const known = reasons.find(([words]) => words.test(refusal.words));
  return refused(known?.[1] ?? 'engine_refused', known?.[2] ?? 'the host refused the machine', refusal);
}

const reasons: readonly (readonly [RegExp, RefusalReason, string])[] = [
  [/vfio|hostdev|pci device/, 'devices_missing', 'the machine does not provide the requested GPUs'],
  [/launch ?security|tdx/, 'not_confidential', 'the host refused to start a trust domain'],
  [
    /cannot allocate|no space left|not enough|in use/,
    'resources_missing',
    'the machine lacks free memory, disk space or ports',
  ],
];

/** @returns undefined if the machine does not exist · @throws every other error */
export function ignoreNoDomain(error: unknown): undefined {
  const gone = /failed to get domain|domain not found|domain is not running|no domain with matching/;
  if (error instanceof Refusal && gone.test(error.words)) return undefined;
  throw error;
}
