/**
 * Prompts of agents' turns as the server makes them for a model with a small window, about texts in the given folders: JSON
 * lines of `{agent, prompt, lines}`. A text belongs to the agent that its path names. Started by evaluate.py.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptOf } from '@cloister/agents/agent/brief';
import { buildFindingsBlock } from '@cloister/agents/agent/findings-block';
import { reportsOf } from '@cloister/agents/agent/reports';
import { agents } from '@cloister/agents/registry';

const questions = ['Summarise this document.', 'What are the main points?', 'What should I know?'];

for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const path = join(folder, name);
    const agent = agents.find(({ slug }) => path.includes(slug));
    if (!name.endsWith('.txt') || agent === undefined) continue;
    for (const question of questions)
      console.log(JSON.stringify(turn(agent, readFileSync(path, 'utf8').trim(), question)));
  }
}

function turn(agent, text, question) {
  const reports = reportsOf(agent, [{ message: 0, text: `${text}\n\n${question}` }], () => {});
  const telling = reports.filter(({ isTelling }) => isTelling);
  const digests = telling.map(({ name, version, findings }) => ({ name, version, digest: findings.digest }));
  const block = buildFindingsBlock(digests, 'brief').text;
  const system = `<|im_start|>system\n${promptOf(agent, 'brief')}<|im_end|>\n`;
  const user = `<|im_start|>user\n${[text, block, question].join('\n\n')}<|im_end|>\n`;
  const lines = block.split('\n').slice(1);
  return {
    agent: agent.slug,
    prompt: `${system}${user}<|im_start|>assistant\n`,
    lines: lines.map((line) => line.slice('- '.length)),
  };
}
