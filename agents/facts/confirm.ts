/**
 * Compares the facts that a model listed with the documents. Numbers, dates and durations are reported only if a place in the documents
 * states them; what else the model says is marked as its judgement unless the document has the words. Pure.
 */
import type { AgentDocument } from '../agent/agent.ts';
import { type Fact, type FactField, type FactValue, statedKinds, type Vocabulary } from '../agent/vocabulary.ts';
import { type LeftOut, leftOut } from '../tools/left-out.ts';
import { type Range, type Span, spanOf } from '../tools/text/span.ts';
import { DocumentEvidence } from './document-evidence.ts';
import { type FoundPeriod, findDate, findDuration, findNumber } from './find-evidence.ts';
import { type FoundLine, NumberedLines } from './numbered-lines.ts';
import { readWrittenFacts, type WrittenFact } from './written-facts.ts';

export interface ConfirmedFact extends Fact {
  /** Fields that the document does not have in these words: the model's reading. */
  readonly judged: readonly string[];
  /** The number, date or duration that confirms the fact, or the line that the model named. */
  readonly at: Span;
}

export interface ConfirmedFacts {
  readonly facts: readonly ConfirmedFact[];
  readonly left_out: readonly LeftOut[];
  /** False if the model's list was cut off. */
  readonly complete: boolean;
}

const reasons = {
  line: 'the documents have no such line',
  number: 'the document does not state the number',
  date: 'the document does not state the date',
  duration: 'the document does not state the duration',
  identifier: 'the document does not have the identifier',
  repeated: 'the same fact was listed before',
  malformed: 'it is not in the agent’s vocabulary',
} as const;

type Doubt = keyof typeof reasons;

/** Names count as identifiers, too: those that look like one must stand in the document. */
const doubtOf: Readonly<Record<FactField['type'], Doubt>> = {
  number: 'number',
  date: 'date',
  duration: 'duration',
  code: 'identifier',
  name: 'identifier',
};

/**
 * @param answer of a model that was asked with `factsQuestion` and the numbered lines of the same documents
 * @param onFact called before each fact; may throw to stop
 */
export function confirmFacts(
  vocabulary: Vocabulary,
  documents: readonly AgentDocument[],
  answer: string,
  onFact: () => void = () => undefined,
): ConfirmedFacts {
  const stated = statedKinds(vocabulary);
  const { facts: written, malformed, complete } = readWrittenFacts(answer, stated);
  const lines = new NumberedLines(documents);
  const evidences = documents.map((document, index) => new DocumentEvidence(document, lines.lines[index]!));
  const facts = new Map<string, ConfirmedFact>();
  const doubts: Doubt[] = Array.from({ length: malformed }, () => 'malformed');
  for (const one of written) {
    onFact();
    const line = lines.find(one.line);
    const found = line === undefined ? 'line' : confirm(one, stated, line, evidences[line.document]!);
    const key = JSON.stringify([one.kind, Object.entries(one.value).sort()]);
    if (typeof found === 'string') doubts.push(found);
    else if (facts.has(key)) doubts.push('repeated');
    else facts.set(key, found);
  }
  return { facts: [...facts.values()], left_out: leftOut(doubts, reasons), complete };
}

function confirm(
  { kind, value }: WrittenFact,
  vocabulary: Vocabulary,
  named: FoundLine,
  evidence: DocumentEvidence,
): ConfirmedFact | Doubt {
  const judged: string[] = [];
  const confirmed: Record<string, FactValue> = {};
  let place: Range | undefined;
  for (const [name, content] of Object.entries(value)) {
    const field = vocabulary[kind]!.fields[name]!;
    const found = findValue(evidence, named.index, field, content);
    if (found === 'doubt') return doubtOf[field.type];
    confirmed[name] = inBusinessDays(content, found);
    if (found === 'judged') judged.push(name);
    else if (found !== 'written') place ??= found;
  }
  const { start, end } = place ?? named;
  return { kind, value: confirmed, judged, at: spanOf(evidence.message, { start, end }) };
}

/** The document decides whether days are business days. */
function inBusinessDays(content: FactValue, found: Found): FactValue {
  if (typeof content !== 'object' || typeof found === 'string' || !('isBusiness' in found)) return content;
  const unit = content.unit.replace(/^business /, '');
  return { ...content, unit: found.isBusiness ? `business ${unit}` : unit };
}

type Found = Range | FoundPeriod | 'written' | 'judged' | 'doubt';

function findValue(
  evidence: DocumentEvidence,
  line: number,
  { type, values, also, inferred }: FactField,
  content: FactValue,
): Found {
  const missing = inferred === true ? 'judged' : 'doubt';
  if (typeof content === 'number') return findNumber(evidence, line, content, also) ?? missing;
  if (typeof content === 'object') return findDuration(evidence, line, content, also) ?? missing;
  if (type === 'date') return findDate(evidence, line, content) ?? missing;
  if (isIdentifier(type, values, content)) return evidence.hasIdentifier(content) ? 'written' : missing;
  return evidence.hasWords(content) ? 'written' : 'judged';
}

/** Addresses, digests, numbers of vulnerabilities and of taxpayers: a model must not invent one. */
function isIdentifier(type: FactField['type'], values: FactField['values'], content: string): boolean {
  if (type === 'code') return values === undefined && /\d/.test(content);
  return content.length >= 8 && !/\s/.test(content) && content.replace(/\D/g, '').length >= 5;
}
