/** Converts an agent's findings to facts that can be compared with labels. Each agent has an adapter in `adapters/`. */
import type { Json } from '../../agents/agent/agent.ts';

import type { Fact } from '../../agents/agent/vocabulary.ts';

export type { Fact, FactValue as FieldValue } from '../../agents/agent/vocabulary.ts';

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
