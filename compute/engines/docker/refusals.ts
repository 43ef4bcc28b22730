/** Classifies a Docker engine's refusals by their text, since statuses differ between engines and versions. */
import type { Refusal } from '../answers.ts';
import { EngineError, type RefusalReason, refused } from '../errors.ts';

/** Maps a refusal to an error that tenants may see; the engine's text stays in `cause`. */
export function engineRefusal(refusal: Refusal): EngineError {
  const known = refusals.find(({ words }) => words.test(refusal.words));
  if (known?.reason === 'image') {
    return new EngineError('ERR_IMAGE_UNAVAILABLE', 'the image is not present on the engine', { cause: refusal });
  }
  return refused(known?.reason ?? 'engine_refused', known?.message ?? 'the engine refused the pod', refusal);
}

const refusals: readonly { words: RegExp; reason: RefusalReason | 'image'; message: string }[] = [
  { words: /no such image|image not known|unable to find image/, reason: 'image', message: '' },
  // Must precede the pattern of the start command, which matches too: the operator must fix this one.
  {
    words: /container-init binary|oci runtime .*not (found|compatible)|runtime .*not installed/,
    reason: 'engine_refused',
    message: 'the machine is not set up to start pods',
  },
  {
    words: /device driver|unresolvable cdi|cdi device|nvidia-container|stat.*nvidia/,
    reason: 'devices_missing',
    message: 'the machine does not provide the requested GPUs',
  },
  {
    words: /already allocated|address already in use|no space left|cannot allocate memory|insufficient/,
    reason: 'resources_missing',
    message: 'the machine lacks free memory, disk space or ports',
  },
  {
    words: /executable file not found|no command specified|no command or entrypoint|permission denied|no such file/,
    reason: 'settings_refused',
    message: 'the start command cannot be run in this image',
  },
];
