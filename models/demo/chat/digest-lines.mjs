/** Prints the lines that the agents' tools write about the texts in the given folders, for `corpus/digest-lines.txt`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../../agents/registry.ts';

const lineUnitsMax = 300;

const texts = process.argv.slice(2).flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);
const lines = new Set();
for (const text of texts) {
  for (const { tools } of agents) {
    for (const tool of tools) for (const line of tool.run([{ message: 0, text }]).digest) lines.add(line);
  }
}
console.log('# Lines of the agents’ tools about texts that we wrote; `node digest-lines.mjs <folder…>` prints them.');
for (const line of [...lines].filter((one) => one.length <= lineUnitsMax).sort())
  console.log(line.replace(/\s+/g, ' '));
