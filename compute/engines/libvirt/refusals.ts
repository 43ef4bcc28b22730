/** What a libvirt host's refusals mean, told by its words. */
import { Refusal } from '../answers.ts';
import { type EngineError, type RefusalReason, refused } from '../errors.ts';

/** The host's words stay in `cause`: they name paths and devices. */
export function hostRefusal(refusal: Refusal): EngineError {
  const known = reasons.find(([words]) => words.test(refusal.words));
  return refused(known?.[1] ?? 'engine_refused', known?.[2] ?? 'the host refused the machine', refusal);
}

const reasons: readonly (readonly [RegExp, RefusalReason, string])[] = [
  [/vfio|hostdev|pci device/, 'devices_missing', 'the machine does not give the GPUs that were asked for'],
  [/launch ?security|tdx/, 'not_confidential', 'the host refused to start a trust domain'],
  [
    /cannot allocate|no space left|not enough|in use/,
    'resources_missing',
    'the machine has no room: memory, disk or ports',
  ],
];

/** @returns undefined where there is no such machine @throws everything else */
export function unlessNotThere(error: unknown): undefined {
  const gone = /failed to get domain|domain not found|domain is not running|no domain with matching/;
  if (error instanceof Refusal && gone.test(error.words)) return undefined;
  throw error;
}
