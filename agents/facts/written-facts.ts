/** Reads the facts of a model's answer, which may end in the middle of one. Pure. */
import type { FactValue, Vocabulary } from '../agent/vocabulary.ts';

export interface WrittenFact {
  readonly kind: string;
  readonly line: number;
  readonly value: Readonly<Record<string, FactValue>>;
}

export interface WrittenFacts {
  readonly facts: readonly WrittenFact[];
  /** Objects that are no facts of the vocabulary. */
  readonly malformed: number;
  /** Whether the answer ends with the list. */
  readonly complete: boolean;
}

/** No list has more facts; a document of 200,000 characters has about 1,000. */
export const factsMax = 5_000;

export function readWrittenFacts(answer: string, vocabulary: Vocabulary): WrittenFacts {
  const facts: WrittenFact[] = [];
  let malformed = 0;
  for (const text of objectsIn(answer)) {
    if (facts.length + malformed === factsMax) return { facts, malformed, complete: false };
    const fact = readFact(text, vocabulary);
    if (fact === undefined) malformed += 1;
    else facts.push(fact);
  }
  return { facts, malformed, complete: /\]\s*\}\s*(?:```\s*)?$/.test(answer.slice(-40)) };
}

/** The complete objects of the answer's list. */
function* objectsIn(answer: string): Generator<string> {
  const list = answer.indexOf('[');
  if (list < 0) return;
  let depth = 0;
  let start = 0;
  let isString = false;
  for (let at = list + 1; at < answer.length; at += 1) {
    const character = answer[at]!;
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) yield answer.slice(start, at + 1);
    } else if (character === ']' && depth === 0) return;
    if (depth < 0) return;
  }
}

function readFact(text: string, vocabulary: Vocabulary): WrittenFact | undefined {
  const { kind, line, value } = parse(text) ?? {};
  const fields = typeof kind === 'string' && Object.hasOwn(vocabulary, kind) ? vocabulary[kind]!.fields : undefined;
  if (fields === undefined || !Number.isSafeInteger(line) || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const isKnown = entries.every(
    ([name, content]) => Object.hasOwn(fields, name) && isOfType(content, fields[name]!.type, fields[name]!.values),
  );
  if (!isKnown || entries.length === 0) return undefined;
  return { kind: kind as string, line: line as number, value: Object.fromEntries(entries) as WrittenFact['value'] };
}

function isOfType(content: unknown, type: string, values: readonly string[] | undefined): boolean {
  switch (type) {
    case 'number':
      return typeof content === 'number' && Number.isFinite(content);
    case 'date':
      return typeof content === 'string' && /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(content);
    case 'duration': {
      const { count, unit } = (content ?? {}) as { count?: unknown; unit?: unknown };
      return typeof count === 'number' && typeof unit === 'string';
    }
    case 'code':
      return typeof content === 'string' && (values === undefined || values.includes(content));
    default:
      return typeof content === 'string' && content.trim() !== '';
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
