/** How an agent's findings become facts that can be compared with labels. Each agent has an adapter in `adapters/`. */
import type { Json } from '../../agents/agent/agent.ts';

/** A date (`2026`, `2026-03` or `2026-03-31`), a code or a name is a string. */
export type FieldValue = string | number | { readonly count: number; readonly unit: string };

export interface Fact {
  /** One of the agent's `kinds.json`. */
  readonly kind: string;
  /** Values by field. A field that the document does not give, or that the tool does not report, is left out. */
  readonly value: Readonly<Record<string, FieldValue>>;
}

export interface Reading {
  readonly facts: readonly Fact[];
  /** The score of the document, for agents that compute one; null if the agent found nothing to score. */
  readonly score?: number | null;
}

/**
 * Translates the results of an agent's tools into facts, without judging them: what a tool reports wrongly stays wrong.
 *
 * @param results by name of the tool
 * @param text the document, for turning offsets of the tools into lines
 */
export type Adapter = (results: Readonly<Record<string, Json>>, text: string) => Reading;
