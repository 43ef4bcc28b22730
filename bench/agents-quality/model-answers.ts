/** Facts that a model listed: writes what it is asked, and judges what it answered. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../../agents/agent/vocabulary.ts';
import { combineFacts } from '../../agents/facts/combine.ts';
import { type ConfirmedFacts, confirmFacts } from '../../agents/facts/confirm.ts';
import { NumberedLines } from '../../agents/facts/numbered-lines.ts';
import { factsQuestion } from '../../agents/facts/question.ts';
import { type DocumentSet, findAgent, type LabelledDocument, readDocuments, readKinds } from './documents.ts';
import { type Judgement, judgeReading, readingOf } from './evaluate.ts';

/** Per agent `system.txt` and `schema.json`, and per document the user's message. */
export function writeQuestions(folder: string, slug: string, set: DocumentSet): number {
  const agent = findAgent(slug);
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
  /** Of the tools alone, for the same documents. */
  readonly tools: readonly Judgement[];
  /** Of the confirmed facts of the model. */
  readonly model: readonly Judgement[];
  /** As an answer reports them. */
  readonly both: readonly Judgement[];
  readonly confirmed: ReadonlyMap<string, ConfirmedFacts>;
}

/** Of the documents for which the folder has an answer: `<slug>/<document>.json`. */
export function judgeAnswers(folder: string, slug: string, set: DocumentSet): AnswerJudgements {
  const kinds = readKinds(slug);
  const answered = readDocuments(slug, set).filter(({ name }) => existsSync(answerPath(folder, slug, name)));
  const confirmed = new Map(answered.map(({ name, text }) => [name, confirm(folder, slug, { name, text })]));
  const judge = (factsOf: (document: LabelledDocument) => readonly Fact[]) =>
    answered.map((document) => judgeReading(document, { facts: factsOf(document).map(onlyValue) }, kinds));
  const byTools = ({ text }: LabelledDocument) => readingOf(slug, text).facts;
  const byModel = ({ name }: LabelledDocument) => confirmed.get(name)!.facts;
  return {
    tools: judge(byTools),
    model: judge(byModel),
    both: judge(
      (document) => combineFacts(findAgent(slug), byModel(document), byTools(document), { isWhole: true }).facts,
    ),
    confirmed,
  };
}

function onlyValue({ kind, value }: Fact): Fact {
  return { kind, value };
}

function confirm(folder: string, slug: string, { name, text }: Pick<LabelledDocument, 'name' | 'text'>) {
  const answer = readFileSync(answerPath(folder, slug, name), 'utf8');
  return confirmFacts(readKinds(slug), [{ message: 0, text }], answer);
}

function answerPath(folder: string, slug: string, name: string): string {
  return join(folder, slug, `${name}.json`);
}
