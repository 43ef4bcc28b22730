/**
 * `npm run eval:agents`: compares the findings of the agents' tools with the labels of the documents in
 * `bench/agents-quality/documents/`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentSet, labelledAgents, sets } from './agents-quality/documents.ts';
import { evaluateAgent, type Judgement } from './agents-quality/evaluate.ts';
import { type AgentJudgements, renderKinds, renderPage, renderTable } from './agents-quality/page.ts';
import { readOptions } from './command-line.ts';

const help = `npm run eval:agents -- [options]

  --agent SLUG    this agent only, with a table of its kinds of facts
  --set SET       ${sets.join(' or ')}: this set only
  --list          every missed and every wrong fact, by document
  --write         write docs/reference/agents-quality.md`;

const options = readOptions(help, {
  agent: { type: 'string' },
  set: { type: 'string' },
  list: { type: 'boolean' },
  write: { type: 'boolean' },
});
const pagePath = join(import.meta.dirname, '..', 'docs', 'reference', 'agents-quality.md');

const slugs = options.agent === undefined ? labelledAgents() : [options.agent];
const chosen = sets.filter((set) => options.set === undefined || options.set === set);
const results = await Promise.all(slugs.map(judgeAgent));
for (const set of chosen) console.log(`${set}\n\n${renderTable(results, set)}\n`);
if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
if (options.list) for (const judgement of allJudgements()) listJudgement(judgement);
if (options.write) writeFileSync(pagePath, renderPage(results));

async function judgeAgent(slug: string): Promise<AgentJudgements> {
  const judge = (set: DocumentSet) => (chosen.includes(set) ? evaluateAgent(slug, set) : []);
  return { slug, bySet: { development: await judge('development'), 'held-out': await judge('held-out') } };
}

function allJudgements(): Judgement[] {
  return results.flatMap(({ bySet }) => Object.values(bySet).flat());
}

function listJudgement({ document, missed, wrong }: Judgement): void {
  console.log(document.name);
  for (const { kind, value } of missed) console.log(`  missed  ${kind} ${JSON.stringify(value)}`);
  for (const { kind, value } of wrong) console.log(`  wrong   ${kind} ${JSON.stringify(value)}`);
}
