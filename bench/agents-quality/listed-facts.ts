/** Evaluates the facts that a model lists (`response_format: {"type": "agent_facts"}`): writes the questions and judges the answers. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NumberedLines } from '../../agents/facts/numbered-lines.ts';
import { factsQuestion } from '../../agents/facts/question.ts';
import { type FactsReport, reportFacts } from '../../agents/facts/report.ts';
import { findAgent, type LabelledDocument, readDocuments } from './documents.ts';
import { type Judgement, judgeReading, toolResults } from './evaluate.ts';

/** The answers of a large general-purpose model, which the page shows. */
export const recordedAnswers = {
  ours: join(import.meta.dirname, 'answers'),
  public: join(import.meta.dirname, 'public/answers'),
};

/** Per agent `system.txt` and `schema.json`, and per document `<document>.txt`, the user's message. */
export function writeQuestions(folder: string, slug: string, documents: readonly LabelledDocument[]): void {
  const agent = findAgent(slug);
  const { instruction, schema } = factsQuestion(agent.facts);
  const target = join(folder, slug);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'system.txt'), `${agent.prompt.trimEnd()}\n\n${instruction}\n`);
  writeFileSync(join(target, 'schema.json'), `${schema}\n`);
  for (const { name, text } of documents) {
    const shown = new NumberedLines([{ message: 0, text }]).show(0, { start: 0, end: text.length });
    writeFileSync(join(target, `${name}.txt`), `${shown}\n`);
  }
}

export interface ListedJudgement extends Judgement {
  readonly report: FactsReport;
}

/** @param folder with the answers as JSON: `<agent>/<document>.json`; documents without one are left out */
export function judgeAnswers(folder: string, slug: string, labelled: readonly LabelledDocument[]): ListedJudgement[] {
  const agent = findAgent(slug);
  return labelled.flatMap((document) => {
    const path = answerPath(folder, slug, document);
    if (!existsSync(path)) return [];
    const documents = [{ message: 0, text: document.text }];
    const answer = readFileSync(path, 'utf8');
    const results = toolResults(agent, documents);
    const report = reportFacts(agent, { documents, answer, results, showsAll: true });
    const facts = report.facts.map(({ kind, value }) => ({ kind, value }));
    return [{ ...judgeReading(document, { facts }, agent.facts), report }];
  });
}

/** Of the held-out documents with a recorded answer. */
export function recordedJudgements(slug: string): ListedJudgement[] {
  return judgeAnswers(recordedAnswers.ours, slug, readDocuments(slug, 'held-out'));
}

/** Of a public document; undefined without a recorded answer. */
export function recordedPublicJudgement(slug: string, document: LabelledDocument): ListedJudgement | undefined {
  return judgeAnswers(recordedAnswers.public, slug, [document])[0];
}

export function answerPath(folder: string, slug: string, { name }: Pick<LabelledDocument, 'name'>): string {
  return join(folder, slug, `${name}.json`);
}
