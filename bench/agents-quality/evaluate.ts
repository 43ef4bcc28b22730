/** Runs an agent's tools on labelled documents and counts correct, missed and wrong facts. */
import type { Agent, AgentDocument, Json, ToolFacts } from '../../agents/agent/agent.ts';
import type { Fact, Vocabulary } from '../../agents/agent/vocabulary.ts';
import { compareFacts } from '../../agents/facts/compare.ts';

import { type DocumentSet, findAgent, type LabelledDocument, readDocuments, readKinds } from './documents.ts';

export interface Judgement {
  readonly document: LabelledDocument;
  /** Labels that no reported fact matches completely. */
  readonly missed: readonly Fact[];
  /** Reported facts that a label declares absent, or that match no label of a complete kind. */
  readonly wrong: readonly Fact[];
  /** Labels of different facts. */
  readonly labels: number;
  /** Reported facts that the labels cover. */
  readonly judged: number;
  readonly score: number | null | undefined;
}

export interface Figures {
  readonly documents: number;
  readonly labels: number;
  readonly recall: number;
  readonly judged: number;
  readonly precision: number;
  /** Wrong facts that state a number, a date or a duration. */
  readonly wrongNumbers: number;
  /** Wrong facts of critical severity. */
  readonly criticalFalseAlarms: number;
  /**
   * The share of all pairs of a low-risk and a high-risk document whose scores are in this order; undefined without such pairs.
   */
  readonly rankedPairs: number | undefined;
}

export type Reading = ReturnType<ToolFacts>;

/** @throws Error if the labels cannot be read, or there is no such agent */
export function evaluateAgent(slug: string, set: DocumentSet): Judgement[] {
  const kinds = readKinds(slug);
  return readDocuments(slug, set).map((document) => judgeReading(document, readingOf(slug, document.text), kinds));
}

/** @throws Error if there is no such agent */
export function evaluateDocument(slug: string, document: LabelledDocument): Judgement {
  return judgeReading(document, readingOf(slug, document.text), readKinds(slug));
}

/** The findings of an agent's tools in a text, without duplicates. @throws Error if there is no such agent */
export function factsOf(slug: string, text: string): Fact[] {
  return withoutRepeats(readingOf(slug, text).facts);
}

/** What an agent's tools report for a text. @throws Error if there is no such agent */
export function readingOf(slug: string, text: string): Reading {
  const agent = findAgent(slug);
  const documents = [{ message: 0, text }];
  return agent.toolFacts(toolResults(agent, documents), documents);
}

/** By name of the tool. */
export function toolResults({ tools }: Agent, documents: readonly AgentDocument[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool.run(documents).result]));
}

export function judgeReading(document: LabelledDocument, reading: Reading, kinds: Vocabulary): Judgement {
  const labels = withoutRepeats(document.labels.facts);
  const found = withoutRepeats(reading.facts);
  const complete = new Set(document.labels.complete);
  const missed = labels.filter((label) => !found.some((fact) => compareFacts(fact, label, kinds).whole));
  const right = found.filter((fact) => labels.some((label) => compareFacts(fact, label, kinds).compatible));
  const wrong = found.filter(
    (fact) =>
      !right.includes(fact) &&
      (complete.has(fact.kind) || document.labels.absent.some((label) => compareFacts(fact, label, kinds).whole)),
  );
  return { document, missed, wrong, labels: labels.length, judged: right.length + wrong.length, score: reading.score };
}

function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const byContent = new Map<string, Fact>();
  for (const { kind, value } of facts) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    byContent.set(JSON.stringify([kind, entries]), { kind, value });
  }
  return [...byContent.values()];
}

export function countJudgements(judgements: readonly Judgement[]): Figures {
  const labels = sum(judgements, (each) => each.labels);
  const judged = sum(judgements, (each) => each.judged);
  const wrong = judgements.flatMap((each) => each.wrong);
  return {
    documents: judgements.length,
    labels,
    recall: 1 - sum(judgements, (each) => each.missed.length) / Math.max(1, labels),
    judged,
    precision: 1 - wrong.length / Math.max(1, judged),
    wrongNumbers: wrong.filter(statesNumber).length,
    criticalFalseAlarms: wrong.filter(({ value }) => value.severity === 'critical').length,
    rankedPairs: shareOfRankedPairs(judgements),
  };
}

/** Whether a fact states a number, a date or a duration. */
export function statesNumber({ value }: Fact): boolean {
  return Object.values(value).some((content) => typeof content !== 'string' || /^\d{4}(-\d\d(-\d\d)?)?$/.test(content));
}

function shareOfRankedPairs(judgements: readonly Judgement[]): number | undefined {
  const scores = (risk: string) =>
    judgements.filter(({ document }) => document.labels.risk === risk).map(({ score }) => score ?? 0);
  const pairs = scores('low').flatMap((low) => scores('high').map((high) => low < high));
  return pairs.length === 0 ? undefined : pairs.filter(Boolean).length / pairs.length;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
