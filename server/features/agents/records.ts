/** What a start measures and receipts say of each agent: digests of its prompt and of the code of its tools. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { agentsFolder } from '@cloister/agents/registry';
import type { MeasuredAgent } from '../../enclave/measured-start.ts';

/** By slug. */
export type AgentPrints = ReadonlyMap<string, MeasuredAgent>;

/** Reads the files. @throws where an agent has no folder of its slug with `index.ts` and `prompt.md` */
export function readAgentPrints(slugs: Iterable<string>, folder: string = agentsFolder): AgentPrints {
  return new Map([...slugs].map((slug) => [slug, readAgentPrint(slug, folder)]));
}

/**
 * `promptSha256` is what `sha256sum prompt.md` gives. `toolsSha256` is that of the lines which `sha256sum` gives over the
 * agent's index.ts and every file that it imports, and those import, below the folder of agents, by path from there.
 */
function readAgentPrint(slug: string, folder: string): MeasuredAgent {
  const lines = [...importedFiles(join(folder, slug, 'index.ts'))]
    .map(([path, bytes]) => ({ path: relative(folder, path), bytes }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`);
  return {
    id: slug,
    promptSha256: sha256(readFileSync(join(folder, slug, 'prompt.md'))),
    toolsSha256: sha256(Buffer.from(lines.join(''))),
  };
}

function importedFiles(entry: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    const bytes = readFileSync(path);
    files.set(path, bytes);
    const imports = bytes.toString().matchAll(/\bfrom '(\.{1,2}\/[^']+)'/g);
    for (const [, target] of imports) waiting.push(join(dirname(path), target!));
  }
  return files;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
