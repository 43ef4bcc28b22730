/** Reads the facts of a model's answer, which may end in the middle of one. Pure. */
import type { FactField, FactValue, Vocabulary } from '../agent/vocabulary.ts';
import { isCalendarDay } from '../tools/text/dates.ts';
import { durationUnits, nameUnitsMax } from './question.ts';

export interface WrittenFact {
  readonly kind: string;
  readonly line: number;
  readonly value: Readonly<Record<string, FactValue>>;
}

export interface WrittenFacts {
  readonly facts: readonly WrittenFact[];
  /** How many objects are not facts of the vocabulary. */
  readonly malformed: number;
  /** Whether the answer ends with the list. */
  readonly complete: boolean;
}

/** No list has more facts; an answer of 65,000 tokens has about 1,300. */
const factsMax = 2_000;

export function readWrittenFacts(answer: string, vocabulary: Vocabulary): WrittenFacts {
  const facts: WrittenFact[] = [];
  let malformed = 0;
  const { objects, complete } = objectsIn(answer);
  for (const text of objects.slice(0, factsMax)) {
    const fact = readFact(text, vocabulary);
    if (fact === undefined) malformed += 1;
    else facts.push(fact);
  }
  return { facts, malformed, complete: complete && objects.length <= factsMax };
}

/** The objects of the answer's list that are complete, and whether the list itself is. */
function objectsIn(answer: string): { readonly objects: readonly string[]; readonly complete: boolean } {
  const objects: string[] = [];
  const list = /"facts"\s{0,1000}:\s{0,1000}\[/.exec(answer);
  if (list === null) return { objects, complete: false };
  let depth = 0;
  let start = 0;
  let isString = false;
  for (let at = list.index + list[0].length; at < answer.length && objects.length <= factsMax; at += 1) {
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
      if (depth === 0) objects.push(answer.slice(start, at + 1));
    } else if (character === ']' && depth === 0) return { objects, complete: true };
    if (depth < 0) break;
  }
  return { objects, complete: false };
}

function readFact(text: string, vocabulary: Vocabulary): WrittenFact | undefined {
  const { kind, line, value } = parse(text) ?? {};
  const fields = typeof kind === 'string' && Object.hasOwn(vocabulary, kind) ? vocabulary[kind]!.fields : undefined;
  if (fields === undefined || !Number.isSafeInteger(line) || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const read: Record<string, FactValue> = {};
  for (const [name, content] of entries) {
    const own = Object.hasOwn(fields, name) ? readValue(content, fields[name]!) : undefined;
    if (own === undefined) return undefined;
    read[name] = own;
  }
  return entries.length === 0 ? undefined : { kind: kind as string, line: line as number, value: read };
}

function readValue(content: unknown, { type, values }: FactField): FactValue | undefined {
  switch (type) {
    case 'number':
      return typeof content === 'number' && Number.isFinite(content) ? content : undefined;
    case 'date':
      return typeof content === 'string' && isDate(content) ? content : undefined;
    case 'duration': {
      const { count, unit } = (content ?? {}) as { count?: unknown; unit?: unknown };
      const isUnit = durationUnits.some((one) => one === unit);
      return typeof count === 'number' && isUnit ? { count, unit: unit as string } : undefined;
    }
    case 'code':
      return typeof content === 'string' && (values?.includes(content) ?? isText(content)) ? content : undefined;
    case 'name':
      return typeof content === 'string' && isText(content) ? content : undefined;
  }
}

/** As long as the schema allows. */
function isText(content: string): boolean {
  return content.trim() !== '' && content.length <= nameUnitsMax;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  return year !== undefined && isCalendarDay(Number(year), Number(month ?? 1), Number(day ?? 1));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
