/** Facts that a model listed: writes what it is asked, and judges what it answered. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfirmedFacts, confirmFacts } from '../../agents/facts/confirm.ts';
import { NumberedLines } from '../../agents/facts/numbered-lines.ts';
import { factsQuestion } from '../../agents/facts/question.ts';
import { agents } from '../../agents/registry.ts';
import { type DocumentSet, type LabelledDocument, readDocuments, readKinds } from './documents.ts';
import { type Judgement, judgeReading, readingOf } from './evaluate.ts';

/** Per agent `system.txt` and `schema.json`, and per document the user's message. */
export function writeQuestions(folder: string, slug: string, set: DocumentSet): number {
  const agent = agents.find((each) => each.slug === slug)!;
  const { instruction, schema } = factsQuestion(agent.facts);
  const target = join(folder, slug);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'system.txt'), `${agent.prompt.trimEnd()}\n\n${instruction}\n`);
  writeFileSync(join(target, 'schema.json'), `${schema}\n`);
  const documents = readDocuments(slug, set);
  for (const { name, text } of documents) {
    const shown = new NumberedLines([{ message: 0, text }]).show(0, { start: 0, end: text.length });
    writeFileSync(join(target, `${name}.txt`), `${shown}\n`);
  }
  return documents.length;
}

export interface AnswerJudgements {
  /** Of the confirmed facts of the model. */
  readonly model: readonly Judgement[];
  /** Of the same documents, by the tools. */
  readonly tools: readonly Judgement[];
  /** By both together. */
  readonly both: readonly Judgement[];
  readonly confirmed: ReadonlyMap<string, ConfirmedFacts>;
}

/** Of the documents for which the folder has an answer: `<slug>/<document>.json`. */
export async function judgeAnswers(folder: string, slug: string, set: DocumentSet): Promise<AnswerJudgements> {
  const kinds = readKinds(slug);
  const answered = readDocuments(slug, set).filter(({ name }) => existsSync(answerPath(folder, slug, name)));
  const confirmed = new Map(answered.map(({ name, text }) => [name, confirm(folder, slug, { name, text })]));
  const tools = await Promise.all(answered.map(async ({ text }) => (await readingOf(slug, text)).facts));
  const judge = (document: LabelledDocument, facts: Judgement['missed']) => judgeReading(document, { facts }, kinds);
  const factsOf = ({ name }: LabelledDocument) =>
    confirmed.get(name)!.facts.map(({ kind, value }) => ({ kind, value }));
  return {
    model: answered.map((document) => judge(document, factsOf(document))),
    tools: answered.map((document, index) => judge(document, tools[index]!)),
    both: answered.map((document, index) => judge(document, [...factsOf(document), ...tools[index]!])),
    confirmed,
  };
}

function confirm(folder: string, slug: string, { name, text }: Pick<LabelledDocument, 'name' | 'text'>) {
  const answer = readFileSync(answerPath(folder, slug, name), 'utf8');
  return confirmFacts(readKinds(slug), [{ message: 0, text }], answer);
}

function answerPath(folder: string, slug: string, name: string): string {
  return join(folder, slug, `${name}.json`);
}
