/** Makes this process load the addon with sanitizers where the program asks for the addon: the program knows nothing of it. */
import { registerHooks } from 'node:module';

const addon = new URL('../../native/build/cloister.node', import.meta.url).href;
const sanitized = new URL('../../native/build/asan/cloister.node', import.meta.url).href;

/** The process must have been started with the sanitizers' libraries preloaded. */
export function loadSanitizedAddon(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      return resolved.url === addon ? { ...resolved, url: sanitized } : resolved;
    },
  });
}
