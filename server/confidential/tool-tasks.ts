/** What goes to the threads of agents' tools, and what comes back. */
import type { AgentDocument } from '../../models/agents/agent.ts';
import type { Ranking, RankingTask } from '../../models/agents/passages.ts';
import type { ToolReport } from '../../models/agents/reports.ts';

export interface ToolTask {
  readonly slug: string;
  readonly documents: readonly AgentDocument[];
}

/** One tool alone, called by the model. */
export interface ToolCallTask extends ToolTask {
  /** Name of a tool of the agent. */
  readonly tool: string;
}

export type ToolThreadTask =
  | ({ readonly kind: 'run' } & ToolTask)
  | ({ readonly kind: 'call' } & ToolCallTask)
  | ({ readonly kind: 'rank' } & RankingTask);
export type ToolThreadResult = readonly ToolReport[] | ToolReport | Ranking;
