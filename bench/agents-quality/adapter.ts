/** Converts an agent's findings to facts that can be compared with labels. Each agent has an adapter in `adapters/`. */
import type { Json } from '../../agents/agent/agent.ts';

/** A date (`2026`, `2026-03` or `2026-03-31`), a code or a name is a string. */
export type FieldValue = string | number | { readonly count: number; readonly unit: string };

export interface Fact {
  /** One of the agent's `kinds.json`. */
  readonly kind: string;
  /** Values by field. A field that the document or the tool does not state is omitted. */
  readonly value: Readonly<Record<string, FieldValue>>;
}

export interface Reading {
  readonly facts: readonly Fact[];
  /** The score of the document, for agents that compute one; null if the agent found nothing to score. */
  readonly score?: number | null;
}

/**
 * Converts the results of an agent's tools to facts, without correcting them: an error of a tool remains an error.
 * @param results by name of the tool
 * @param text the document, for converting the tools' offsets to lines
 */
export type Adapter = (results: Readonly<Record<string, Json>>, text: string) => Reading;
