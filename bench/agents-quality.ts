/**
 * `npm run eval:agents`: compares the findings of the agents' tools with the labels of the documents in
 * `bench/agents-quality/documents/`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askServer } from './agents-quality/ask-server.ts';
import {
  type DocumentSet,
  type LabelledDocument,
  labelledAgents,
  readDocuments,
  sets,
} from './agents-quality/documents.ts';
import { evaluateAgent, evaluateDocument, type Judgement } from './agents-quality/evaluate.ts';
import {
  judgeAnswers,
  recordedJudgements,
  recordedPublicJudgement,
  writeQuestions,
} from './agents-quality/listed-facts.ts';
import { type AgentJudgements, renderKinds, renderPage, renderTable } from './agents-quality/page.ts';
import {
  missingDocuments,
  type PublicEntry,
  readManifest,
  readPublicDocument,
  sourceOf,
} from './agents-quality/public-documents.ts';
import { readPublicResult, renderBatch, summarizePublic, writePublicResult } from './agents-quality/public-page.ts';
import { renderVocabularyPage } from './agents-quality/vocabulary-page.ts';
import { readOptions } from './command-line.ts';

const help = `npm run eval:agents -- [options]

  --agent SLUG    this agent only, with a table of its kinds of facts
  --set SET       ${sets.join(' or ')}: this set only
  --public FOLDER only the public documents, from this folder; --write also records their results
  --answers FOLDER   judge answers of a model to "agent_facts", FOLDER/<agent>/<document>.json, joined with the tools
  --server URL       first ask this server, https://host/v1/confidential, for those that FOLDER lacks; API_KEY is its key
  --questions FOLDER write what a model is asked about each document, or with --public about each public one
  --list          every missed and every wrong fact, by document: of held-out documents only with --set held-out
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
/** By default without the held-out documents, whose missed facts the authors of tools must not read. */
const listed = sets.filter((set) => set === (options.set ?? 'development'));
if (options.questions !== undefined) await writeAllQuestions(options.questions, options.public);
else if (options.answers !== undefined) {
  if (options.server !== undefined) await askForAnswers(options.server, options.answers);
  evaluateAnswers(options.answers);
} else if (options.public !== undefined) await evaluatePublic(options.public);
else await evaluateSets();

function evaluateAnswers(folder: string): void {
  const results = slugs.map((slug) => ({
    slug,
    bySet: judgeSets((set) => judgeAnswers(folder, slug, readDocuments(slug, set))),
  }));
  for (const set of chosen) console.log(`${set}\n\n${renderTable(results, set)}\n`);
  if (options.agent !== undefined) console.log(`${renderKinds(results[0]!)}\n`);
  if (!options.list) return;
  for (const { bySet } of results) {
    for (const judgement of listed.flatMap((set) => bySet[set])) {
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
  if (options.list) for (const judgement of listedJudgements(results)) listJudgement(judgement);
  if (!options.write) return;
  writeFileSync(referencePage('agents-facts'), renderVocabularyPage());
  writeFileSync(referencePage('agents-quality'), renderPage(results, readPublicResult(), recordedJudgements));
}

async function evaluatePublic(folder: string): Promise<void> {
  const found = await readPublic(folder);
  const judgements = found.flatMap(({ entry: { agent, chosen }, document }) => {
    const tools = evaluateDocument(agent, document);
    const listed = recordedPublicJudgement(agent, document);
    if (options.list) {
      listJudgement(tools);
      if (listed !== undefined) listJudgement(listed, ', with the list');
    }
    if (listed !== undefined) return [{ agent, chosen, tools, listed }];
    console.log(`${document.name} has no recorded list and is left out`);
    return [];
  });
  const result = summarizePublic(judgements, { recorded: today(), commit: currentCommit() });
  for (const batch of result.batches) console.log(`public, chosen on ${batch.chosen}\n\n${renderBatch(batch)}\n`);
  if (!options.write) return;
  if (judgements.length < readManifest().length) throw new Error('--write needs all public documents and their lists');
  writePublicResult(result);
  await evaluateSets();
}

async function readPublic(folder: string): Promise<{ entry: PublicEntry; document: LabelledDocument }[]> {
  const manifest = readManifest().filter(({ agent }) => slugs.includes(agent));
  const missing = missingDocuments(folder, manifest);
  for (const entry of missing) console.log(`${entry.file} is missing: download ${sourceOf(entry)}`);
  const found = manifest.filter((entry) => !missing.includes(entry));
  return await Promise.all(found.map(async (entry) => ({ entry, document: await readPublicDocument(folder, entry) })));
}

async function writeAllQuestions(folder: string, publicFolder: string | undefined): Promise<void> {
  const found = publicFolder === undefined ? undefined : await readPublic(publicFolder);
  for (const slug of slugs) {
    const own = () => chosen.flatMap((set) => readDocuments(slug, set));
    const documents = found?.filter(({ entry }) => entry.agent === slug).map(({ document }) => document) ?? own();
    writeQuestions(folder, slug, documents);
  }
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

function listedJudgements(results: readonly AgentJudgements[]): Judgement[] {
  return results.flatMap(({ bySet }) => listed.flatMap((set) => bySet[set]));
}

function listJudgement({ document, missed, wrong }: Judgement, how = ''): void {
  console.log(`${document.name}${how}`);
  for (const { kind, value } of missed) console.log(`  missed  ${kind} ${JSON.stringify(value)}`);
  for (const { kind, value } of wrong) console.log(`  wrong   ${kind} ${JSON.stringify(value)}`);
}
