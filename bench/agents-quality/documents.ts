/** The labelled documents: one folder per agent. Labels use the vocabulary of the agent's `facts.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Agent } from '../../agents/agent/agent.ts';
import type { Fact, FactField, Vocabulary } from '../../agents/agent/vocabulary.ts';
import { agents } from '../../agents/registry.ts';

/** Developers of the tools read only the documents of `development`. */
export const sets = ['development', 'held-out'] as const;

export type DocumentSet = (typeof sets)[number];

const documentsFolder = join(import.meta.dirname, 'documents');

const Duration = Type.Object({ count: Type.Number(), unit: Type.String() }, { additionalProperties: false });
export const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Duration]));
const Labels = Type.Object(
  {
    layout: Type.String(),
    language: Type.String(),
    /** For contracts: how one-sided the document is. */
    risk: Type.Optional(Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Null()])),
    facts: Type.Array(
      Type.Object({ kind: Type.String(), value: Values, quote: Type.String() }, { additionalProperties: false }),
    ),
    /** Facts that are wrong if reported, because the document only appears to state them. */
    absent: Type.Array(
      Type.Object({ kind: Type.String(), value: Values, why: Type.String() }, { additionalProperties: false }),
    ),
    /** Kinds for which every fact is labelled, so that any other reported fact is wrong. */
    complete: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);

export type Labels = Static<typeof Labels>;

export interface LabelledDocument {
  readonly name: string;
  readonly text: string;
  readonly labels: Labels;
}

/** Agents that have documents. */
export function labelledAgents(): string[] {
  return readdirSync(documentsFolder).filter((slug) => existsSync(join(documentsFolder, slug, 'development')));
}

/** @throws Error if there is no such agent */
export function findAgent(slug: string): Agent {
  const agent = agents.find((each) => each.slug === slug);
  if (agent === undefined) throw new Error(`there is no agent ${slug}`);
  return agent;
}

/** @throws Error if there is no such agent */
export function readKinds(slug: string): Vocabulary {
  return findAgent(slug).facts;
}

/** @throws Error naming the document whose labels are malformed */
export function readDocuments(slug: string, set: DocumentSet): LabelledDocument[] {
  const folder = join(documentsFolder, slug, set);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort();
  return files
    .filter((file) => extname(file) !== '.json')
    .map((file) => {
      const name = file.slice(0, -extname(file).length);
      return { name, text: readFileSync(join(folder, file), 'utf8'), labels: readLabels(folder, name) };
    });
}

function readLabels(folder: string, name: string): Labels {
  try {
    const labels = readJson(join(folder, `${name}.facts.json`));
    Value.Assert(Labels, labels);
    return labels;
  } catch (error) {
    throw new Error(`the labels of ${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The faults in the labels of one document, as sentences; empty if there are none. */
export function labelProblems({ name, text, labels }: LabelledDocument, kinds: Vocabulary): string[] {
  const problems: string[] = [];
  for (const { quote } of labels.facts) {
    const count = text.split(quote).length - 1;
    if (count !== 1) problems.push(`${name}: the quote ${JSON.stringify(quote)} occurs ${count} times`);
  }
  return [...problems, ...valueProblems(name, labels, kinds)];
}

type LabelledValues = Pick<Labels, 'complete'> & Record<'facts' | 'absent', readonly Fact[]>;

/** The faults in the kinds, fields and values of labels, without their quotes. */
export function valueProblems(name: string, labels: LabelledValues, kinds: Vocabulary): string[] {
  const problems: string[] = [];
  for (const { kind, value } of [...labels.facts, ...labels.absent]) {
    const fields = kinds[kind]?.fields;
    if (fields === undefined) {
      problems.push(`${name}: the kind ${kind} is not defined`);
      continue;
    }
    for (const [field, content] of Object.entries(value)) {
      const problem = fields[field] === undefined ? 'is not defined' : contentProblem(content, fields[field]);
      if (problem !== undefined) problems.push(`${name}: ${kind}.${field} ${problem}: ${JSON.stringify(content)}`);
    }
  }
  for (const kind of labels.complete) {
    if (kinds[kind] === undefined) problems.push(`${name}: the complete kind ${kind} is not defined`);
  }
  return problems;
}

function contentProblem(content: unknown, { type, values }: FactField): string | undefined {
  switch (type) {
    case 'number':
      return typeof content === 'number' ? undefined : 'is not a number';
    case 'date':
      return typeof content === 'string' && /^\d{4}(-\d\d(-\d\d)?)?$/.test(content) ? undefined : 'is not a date';
    case 'duration':
      return typeof content === 'object' ? undefined : 'is not a duration';
    case 'code':
      return typeof content === 'string' && (values === undefined || values.includes(content))
        ? undefined
        : 'is not one of the values';
    default:
      return typeof content === 'string' ? undefined : 'is not a name';
  }
}
