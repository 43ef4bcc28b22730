/** Redirects the program's load of the addon to the one with sanitizers, without a change of the program. */
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
