/**
 * Module hooks that every thread of the guest loads first. For the program's own modules, Node loads the sources whose types
 * the image's build replaced by blanks (`image/plain-sources.ts`). Otherwise each thread would compile Node's type stripper,
 * 2.8 MB of WebAssembly, and run it over every file. A missing file stops the start.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(import.meta.dirname, '../..');
const app = `${pathToFileURL(folder)}/`;
const packages = `${app}node_modules/`;
const plainFolder = join(folder, 'native/build/plain/');
const isProgram = (url) => url?.startsWith(app) && !url.startsWith(packages);

registerHooks({
  // The program's imports name files directly, so skip Node's search for links and packages.
  resolve(specifier, context, nextResolve) {
    const isPath = specifier.startsWith('../../server/guest/') || specifier.startsWith('../../server/');
    if (!isPath || !specifier.endsWith('.ts') || !isProgram(context.parentURL)) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts') || !isProgram(url)) return nextLoad(url, context);
    return { format: 'module', source: readFileSync(plainFolder + url.slice(app.length)), shortCircuit: true };
  },
});
