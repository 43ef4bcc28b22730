/**
 * Adds the parts of a line that a document prints only in parts: commercial paper and the current portion of long-term debt together are
 * short-term debt. Pure.
 */
import type { ListedFact } from '../agent/agent.ts';
import type { Fact, Vocabulary } from '../agent/vocabulary.ts';
import type { ConfirmedFact } from './confirm.ts';

export interface AddedParts {
  /** Without the parts of the sums. */
  readonly facts: readonly ConfirmedFact[];
  /** Each has the place of its first part. */
  readonly sums: readonly ListedFact[];
}

const partsMax = 3;
/** Parts stand in one statement. UTF-16 units. */
const apartMax = 4_000;
/** Amounts that differ by less are one figure, rounded in one of two places. */
const roundingShare = 0.02;

export function addParts(vocabulary: Vocabulary, listed: readonly ConfirmedFact[]): AddedParts {
  const parts = new Set<ConfirmedFact>();
  const sums: ListedFact[] = [];
  const divisible = listed.filter((fact) => amountField(vocabulary, fact) !== undefined);
  for (const facts of Map.groupBy(divisible, (fact) => lineOf(vocabulary, fact)).values()) {
    const name = amountField(vocabulary, facts[0]!)!;
    if (!areOfOneStatement(facts)) continue;
    const amounts = facts.map(({ value }) => value[name] as number);
    if (!areDifferent(amounts)) continue;
    const total = amounts.reduce((sum, amount) => sum + amount);
    const printed = facts.find((_, index) => isNear(amounts[index]!, total - amounts[index]!));
    for (const fact of facts) if (fact !== printed) parts.add(fact);
    const { kind, value, at } = facts[0]!;
    if (printed === undefined) sums.push({ kind, value: { ...value, [name]: Number(total.toPrecision(15)) }, at });
  }
  return { facts: listed.filter((fact) => !parts.has(fact)), sums };
}

/** The field of the amount, if the fact is of a line that may be printed in parts. */
function amountField(vocabulary: Vocabulary, { kind, value }: Fact): string | undefined {
  const fields = Object.entries(vocabulary[kind]!.fields);
  const isLine = fields.some(([name, { inParts }]) => inParts?.includes(String(value[name])));
  return isLine ? fields.find(([name, { type }]) => type === 'number' && name in value)?.[0] : undefined;
}

/** Equal for the parts of one line. */
function lineOf(vocabulary: Vocabulary, fact: ConfirmedFact): string {
  const amount = amountField(vocabulary, fact);
  const others = Object.entries(fact.value).filter(([name]) => name !== amount);
  return JSON.stringify([fact.kind, others.sort(), fact.at.message]);
}

function areOfOneStatement(facts: readonly ConfirmedFact[]): boolean {
  const starts = facts.map(({ at }) => at.start);
  return facts.length > 1 && facts.length <= partsMax && Math.max(...starts) - Math.min(...starts) <= apartMax;
}

function areDifferent(amounts: readonly number[]): boolean {
  return amounts.every((one, index) => amounts.slice(index + 1).every((other) => !isNear(one, other)));
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= roundingShare * Math.max(Math.abs(one), Math.abs(other));
}
