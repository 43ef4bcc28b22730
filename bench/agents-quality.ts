/**
 * `npm run eval:agents`: compares the findings of the agents' tools with the labels of the documents in
 * `bench/agents-quality/documents/`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askServer } from './agents-quality/ask-server.ts';
import { type DocumentSet, labelledAgents, sets } from './agents-quality/documents.ts';
import { evaluateAgent, evaluateDocument, type Judgement } from './agents-quality/evaluate.ts';
import { judgeAnswers, recordedJudgements, writeQuestions } from './agents-quality/listed-facts.ts';
import { type AgentJudgements, renderKinds, renderPage, renderTable } from './agents-quality/page.ts';
import { missingDocuments, readManifest, readPublicDocument, sourceOf } from './agents-quality/public-documents.ts';
import {
  readPublicResult,
  renderPublicTable,
  summarizePublic,
  writePublicResult,
} from './agents-quality/public-page.ts';
import { renderVocabularyPage } from './agents-quality/vocabulary-page.ts';
import { readOptions } from './command-line.ts';

const help = `npm run eval:agents -- [options]

  --agent SLUG    this agent only, with a table of its kinds of facts
  --set SET       ${sets.join(' or ')}: this set only
  --public FOLDER only the public documents, from this folder; --write also records their results
  --answers FOLDER   judge answers of a model to "agent_facts", FOLDER/<agent>/<document>.json, joined with the tools
  --server URL       first ask this server, https://host/v1/confidential, for those that FOLDER lacks; API_KEY is its key
  --questions FOLDER write what a model is asked about each document
  --list          every missed and every wrong fact, by document
  --write         write docs/reference/agents-quality.md and agents-facts.md`;

const options = readOptions(help, {
  agent: { type: 'string' },
  set: { type: 'string' },
  public: { type: 'string' },
  questions: { type: 'string' },
  answers: { type: 'string' },
  server: { type: 'string' },
  list: { type: 'boolean' },
  write: { type: 'boolean' },
});

const slugs = options.agent === undefined ? labelledAgents() : [options.agent];
const chosen = sets.filter((set) => options.set === undefined || options.set === set);
if (options.questions !== undefined) {
  for (const slug of slugs) for (const set of chosen) writeQuestions(options.questions, slug, set);
} else if (options.answers !== undefined) {
  if (options.server !== undefined) await askForAnswers(options.server, options.answers);
  evaluateAnswers(options.answers);
} else if (options.public !== undefined) await evaluatePublic(options.public);
else await evaluateSets();

function evaluateAnswers(folder: string): void {
  const results = slugs.map((slug) => ({ slug, bySet: judgeSets((set) => judgeAnswers(folder, slug, set)) }));
  for (const set of chosen) console.log(`${set}\n\n${renderTable(results, set)}\n`);
  if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
  if (!options.list) return;
  for (const { bySet } of results) {
    for (const judgement of Object.values(bySet).flat()) {
      listJudgement(judgement);
      for (const { because, facts } of judgement.report.left_out) console.log(`  left out ${facts}: ${because}`);
    }
  }
}

function judgeSets<Judged>(judge: (set: DocumentSet) => readonly Judged[]) {
  const judged = (set: DocumentSet) => (chosen.includes(set) ? judge(set) : []);
  return { development: judged('development'), 'held-out': judged('held-out') };
}

async function askForAnswers(url: string, folder: string): Promise<void> {
  const { API_KEY: key } = process.env;
  if (key === undefined) throw new Error('set API_KEY to a key of the server');
  for (const slug of slugs) for (const set of chosen) await askServer({ url, key }, { folder, slug, set });
}

function referencePage(name: string): string {
  return join(import.meta.dirname, '..', 'docs', 'reference', `${name}.md`);
}

async function evaluateSets(): Promise<void> {
  const results = slugs.map(judgeAgent);
  for (const set of chosen) console.log(`${set}\n\n${renderTable(results, set)}\n`);
  if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
  if (options.list) for (const judgement of judgementsOf(results)) listJudgement(judgement);
  if (!options.write) return;
  writeFileSync(referencePage('agents-facts'), renderVocabularyPage());
  writeFileSync(referencePage('agents-quality'), renderPage(results, readPublicResult(), recordedJudgements));
}

async function evaluatePublic(folder: string): Promise<void> {
  const manifest = readManifest().filter(({ agent }) => slugs.includes(agent));
  const missing = missingDocuments(folder, manifest);
  for (const entry of missing) console.log(`${entry.file} is missing: download ${sourceOf(entry)}`);
  const bySlug = new Map<string, Judgement[]>();
  for (const entry of manifest.filter((each) => !missing.includes(each))) {
    const judgement = evaluateDocument(entry.agent, await readPublicDocument(folder, entry));
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

function judgeAgent(slug: string): AgentJudgements {
  return { slug, bySet: judgeSets((set) => evaluateAgent(slug, set)) };
}

function judgementsOf(results: readonly AgentJudgements[]): Judgement[] {
  return results.flatMap(({ bySet }) => Object.values(bySet).flat());
}

function listJudgement({ document, missed, wrong }: Judgement): void {
  console.log(document.name);
  for (const { kind, value } of missed) console.log(`  missed  ${kind} ${JSON.stringify(value)}`);
  for (const { kind, value } of wrong) console.log(`  wrong   ${kind} ${JSON.stringify(value)}`);
}
