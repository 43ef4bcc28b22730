/** What goes to the threads of agents' tools, and what comes back. */
import type { AgentDocument } from '../../models/agents/agent.ts';
import type { Ranking, RankingTask } from '../../models/agents/passages.ts';
import type { ToolReport } from '../../models/agents/reports.ts';

export interface ToolTask {
  readonly slug: string;
  readonly documents: readonly AgentDocument[];
}

export type ToolThreadTask = ({ readonly kind: 'run' } & ToolTask) | ({ readonly kind: 'rank' } & RankingTask);
export type ToolThreadResult = readonly ToolReport[] | Ranking;
