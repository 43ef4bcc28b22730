/** Digests of each agent's prompt and of the code of its tools, for the start log and for receipts. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { agentsFolder } from '@cloister/agents/registry';
import type { MeasuredAgent } from '../../enclave/measured-start.ts';

/** TypeScript in a checkout, JavaScript in the installed package. */
const entryFile = `index${extname(import.meta.filename)}`;

const factsFiles = ['report', 'question'].map((name) => `facts/${name}${extname(import.meta.filename)}`);

/** Measured agents by slug. */
export type AgentPrints = ReadonlyMap<string, MeasuredAgent>;

/** Reads the files. @throws if an agent has no folder named by its slug with `index.ts` and `prompt.md` */
export function readAgentPrints(slugs: Iterable<string>, folder: string = agentsFolder): AgentPrints {
  return new Map([...slugs].map((slug) => [slug, readAgentPrint(slug, folder)]));
}

/**
 * `promptSha256` is the output of `sha256sum prompt.md`. `toolsSha256` is the digest of the lines that `sha256sum` prints for the
 * agent's index.ts, of `facts/report.ts` and `facts/question.ts` (which ask a model for facts and confirm them), and of all files
 * below the folder of agents that these import, directly or not, sorted by their path from that folder.
 */
function readAgentPrint(slug: string, folder: string): MeasuredAgent {
  const entries = [join(slug, entryFile), ...factsFiles].map((path) => join(folder, path));
  const lines = [...importedFiles(entries.filter(existsSync))]
    .map(([path, bytes]) => ({ path: relative(folder, path), bytes }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`);
  return {
    id: slug,
    promptSha256: sha256(readFileSync(join(folder, slug, 'prompt.md'))),
    toolsSha256: sha256(Buffer.from(lines.join(''))),
  };
}

function importedFiles(entries: readonly string[]): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const waiting = [...entries];
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
