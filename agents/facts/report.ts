/** What an answer reports: the model's facts that the documents confirm, joined with those of the tools. Pure. */
import type { Agent, AgentDocument, Json } from '../agent/agent.ts';
import type { LeftOut } from '../tools/left-out.ts';
import { combineFacts, type ReportedFact } from './combine.ts';
import { confirmFacts } from './confirm.ts';

export interface FactsReport {
  readonly facts: readonly ReportedFact[];
  readonly left_out: readonly LeftOut[];
  /** False if the model's list was cut off: request more tokens. */
  readonly complete: boolean;
}

export interface FactsSources {
  readonly documents: readonly AgentDocument[];
  /** What the model wrote. */
  readonly answer: string;
  /** Of the agent's tools for the same documents, by name. */
  readonly results: Readonly<Record<string, Json>>;
  /** Whether the model was shown all of the documents. */
  readonly showsAll: boolean;
}

/** @param onFact called before each fact of the list; may throw to stop */
export function reportFacts(
  agent: Pick<Agent, 'facts' | 'toolFacts' | 'computedFacts'>,
  { documents, answer, results, showsAll }: FactsSources,
  onFact?: () => void,
): FactsReport {
  const listed = confirmFacts(agent.facts, documents, answer, onFact);
  const found = agent.toolFacts(results, documents).facts;
  const { facts, unlisted } = combineFacts(agent, listed.facts, found, { isWhole: showsAll && listed.complete });
  const unlistedNote = { because: 'only the tools found it, and the model did not list it', facts: unlisted };
  return {
    facts,
    left_out: unlisted === 0 ? listed.left_out : [...listed.left_out, unlistedNote],
    complete: listed.complete,
  };
}
