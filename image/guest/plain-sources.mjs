/**
 * Loaded first in every thread of the guest: of a module of ours, Node gets what the image's build left of it when it blanked
 * out the types (`image/plain-sources.ts`). Without it each thread would compile Node's stripper, 2.8 MB of
 * WebAssembly, and run it over every file that it loads. What is missing there ends the start.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(import.meta.dirname, '../..');
const app = `${pathToFileURL(folder)}/`;
const packages = `${app}node_modules/`;
const plainFolder = join(folder, 'native/build/plain/');
const isOurs = (url) => url?.startsWith(app) && !url.startsWith(packages);

registerHooks({
  // Our imports name a file. Node would look for links and for the package around each.
  resolve(specifier, context, nextResolve) {
    const isPath = specifier.startsWith('../../server/guest/') || specifier.startsWith('../../server/');
    if (!isPath || !specifier.endsWith('.ts') || !isOurs(context.parentURL)) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts') || !isOurs(url)) return nextLoad(url, context);
    return { format: 'module', source: readFileSync(plainFolder + url.slice(app.length)), shortCircuit: true };
  },
});
