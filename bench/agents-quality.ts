/**
 * `npm run eval:agents`: compares the findings of the agents' tools with the labels of the documents in
 * `bench/agents-quality/documents/`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentSet, labelledAgents, sets } from './agents-quality/documents.ts';
import { evaluateAgent, evaluateDocument, type Judgement } from './agents-quality/evaluate.ts';
import { judgeAnswers, writeQuestions } from './agents-quality/model-answers.ts';
import { type AgentJudgements, renderKinds, renderPage, renderTable } from './agents-quality/page.ts';
import { missingDocuments, readManifest, readPublicDocument, sourceOf } from './agents-quality/public-documents.ts';
import {
  readPublicResult,
  renderPublicTable,
  summarizePublic,
  writePublicResult,
} from './agents-quality/public-page.ts';
import { readOptions } from './command-line.ts';

const help = `npm run eval:agents -- [options]

  --agent SLUG    this agent only, with a table of its kinds of facts
  --set SET       ${sets.join(' or ')}: this set only
  --public FOLDER only the public documents, from this folder; --write also records their results
  --questions FOLDER  write what a model is asked about each document, as "system" and "user" messages
  --answers FOLDER    judge a model's answers to these, FOLDER/<agent>/<document>.json, instead of the tools alone
  --list          every missed and every wrong fact, by document
  --write         write docs/reference/agents-quality.md`;

const options = readOptions(help, {
  agent: { type: 'string' },
  set: { type: 'string' },
  public: { type: 'string' },
  questions: { type: 'string' },
  answers: { type: 'string' },
  list: { type: 'boolean' },
  write: { type: 'boolean' },
});
const pagePath = join(import.meta.dirname, '..', 'docs', 'reference', 'agents-quality.md');

const slugs = options.agent === undefined ? labelledAgents() : [options.agent];
const chosen = sets.filter((set) => options.set === undefined || options.set === set);
if (options.questions !== undefined) {
  for (const slug of slugs) for (const set of chosen) writeQuestions(options.questions, slug, set);
} else if (options.answers !== undefined) await evaluateAnswers(options.answers);
else if (options.public !== undefined) await evaluatePublic(options.public);
else await evaluateSets();

async function evaluateAnswers(folder: string): Promise<void> {
  for (const set of chosen) {
    const bySlug = await Promise.all(slugs.map(async (slug) => ({ slug, ...(await judgeAnswers(folder, slug, set)) })));
    for (const by of ['tools', 'model', 'both'] as const) {
      const results = bySlug.map((each) => ({
        slug: each.slug,
        bySet: { development: [], 'held-out': [], [set]: each[by] },
      }));
      console.log(`${set}, ${by}\n\n${renderTable(results, set)}\n`);
      if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
      if (options.list && by === 'model') for (const judgement of judgementsOf(results)) listJudgement(judgement);
    }
    if (!options.list) continue;
    for (const { confirmed } of bySlug) {
      for (const [name, { left_out, complete }] of confirmed) console.log(name, complete ? '' : 'cut off', left_out);
    }
  }
}

async function evaluateSets(): Promise<void> {
  const results = await Promise.all(slugs.map(judgeAgent));
  for (const set of chosen) console.log(`${set}\n\n${renderTable(results, set)}\n`);
  if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
  if (options.list) for (const judgement of judgementsOf(results)) listJudgement(judgement);
  if (options.write) writeFileSync(pagePath, renderPage(results, readPublicResult()));
}

async function evaluatePublic(folder: string): Promise<void> {
  const manifest = readManifest().filter(({ agent }) => slugs.includes(agent));
  const missing = missingDocuments(folder, manifest);
  for (const entry of missing) console.log(`${entry.file} is missing: download ${sourceOf(entry)}`);
  const bySlug = new Map<string, Judgement[]>();
  for (const entry of manifest.filter((each) => !missing.includes(each))) {
    const judgement = await evaluateDocument(entry.agent, await readPublicDocument(folder, entry));
    bySlug.set(entry.agent, [...(bySlug.get(entry.agent) ?? []), judgement]);
  }
  const result = summarizePublic(bySlug, { ...readPublicResult(), recorded: today(), commit: currentCommit() });
  console.log(`public\n\n${renderPublicTable(result)}\n`);
  if (options.list) for (const judgement of [...bySlug.values()].flat()) listJudgement(judgement);
  if (!options.write) return;
  if (missing.length > 0 || options.agent !== undefined) throw new Error('--write needs all public documents');
  writePublicResult(result);
  await evaluateSets();
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function currentCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

async function judgeAgent(slug: string): Promise<AgentJudgements> {
  const judge = (set: DocumentSet) => (chosen.includes(set) ? evaluateAgent(slug, set) : []);
  return { slug, bySet: { development: await judge('development'), 'held-out': await judge('held-out') } };
}

function judgementsOf(results: readonly AgentJudgements[]): Judgement[] {
  return results.flatMap(({ bySet }) => Object.values(bySet).flat());
}

function listJudgement({ document, missed, wrong }: Judgement): void {
  console.log(document.name);
  for (const { kind, value } of missed) console.log(`  missed  ${kind} ${JSON.stringify(value)}`);
  for (const { kind, value } of wrong) console.log(`  wrong   ${kind} ${JSON.stringify(value)}`);
}
