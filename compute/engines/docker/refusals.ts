/** What a Docker engine's refusals mean, told by its words: statuses differ between engines and versions. */
import type { Refusal } from '../answers.ts';
import { EngineError, type RefusalReason, refused } from '../errors.ts';

/** What the engine's refusal means, for the caller and for tenants; the engine's words stay in `cause`. */
export function engineRefusal(refusal: Refusal): EngineError {
  const known = refusals.find(({ words }) => words.test(refusal.words));
  if (known?.reason === 'image') {
    return new EngineError('ERR_IMAGE_UNAVAILABLE', 'the image is not on the engine', { cause: refusal });
  }
  return refused(known?.reason ?? 'engine_refused', known?.message ?? 'the engine refused the pod', refusal);
}

const refusals: readonly { words: RegExp; reason: RefusalReason | 'image'; message: string }[] = [
  { words: /no such image|image not known|unable to find image/, reason: 'image', message: '' },
  // Before the words about the start command, which it shares: this is the operator's to repair.
  {
    words: /container-init binary|oci runtime .*not (found|compatible)|runtime .*not installed/,
    reason: 'engine_refused',
    message: 'the machine is not set up to start pods',
  },
  {
    words: /device driver|unresolvable cdi|cdi device|nvidia-container|stat.*nvidia/,
    reason: 'devices_missing',
    message: 'the machine does not give the GPUs that were asked for',
  },
  {
    words: /already allocated|address already in use|no space left|cannot allocate memory|insufficient/,
    reason: 'resources_missing',
    message: 'the machine has no room: memory, disk or ports',
  },
  {
    words: /executable file not found|no command specified|no command or entrypoint|permission denied|no such file/,
    reason: 'settings_refused',
    message: 'the start command cannot be run in this image',
  },
];
