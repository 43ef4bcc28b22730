/**
 * What the agents' tools write about the texts in the given folders. Their lines, for `corpus/digest-lines.txt`; with `--turns`
 * the texts and, for every agent with much to say, the block that a small model is shown, for `corpus/turns.jsonl`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFindingsBlock } from '@cloister/agents/agent/findings-block';
import { reportsOf } from '@cloister/agents/agent/reports';
import { agents } from '@cloister/agents/registry';

const lineUnitsMax = 300;
const blockLinesMin = 4;

const folders = process.argv.slice(2).filter((word) => word !== '--turns');
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);
if (process.argv.includes('--turns')) printTurns();
else printLines();

function printTurns() {
  for (const text of texts) {
    const blocks = agents.map((agent) => blockLines(agent, text)).filter((lines) => lines.length >= blockLinesMin);
    console.log(JSON.stringify({ text, blocks }));
  }
}

function blockLines(agent, text) {
  const telling = reportsOf(agent, [{ message: 0, text }], () => {}).filter(({ isTelling }) => isTelling);
  const digests = telling.map(({ name, version, findings }) => ({ name, version, digest: findings.digest }));
  const block = buildFindingsBlock(digests, 'brief')?.text ?? '';
  return block
    .split('\n')
    .slice(1)
    .map((line) => line.slice('- '.length));
}

function printLines() {
  const lines = new Set();
  for (const text of texts) {
    for (const { tools } of agents) {
      for (const tool of tools) for (const line of tool.run([{ message: 0, text }]).digest) lines.add(line);
    }
  }
  console.log('# Lines of the agents’ tools about texts that we wrote; `node digest-lines.mjs <folder…>` prints them.');
  for (const line of [...lines].filter((one) => one.length <= lineUnitsMax).sort())
    console.log(line.replace(/\s+/g, ' '));
}
