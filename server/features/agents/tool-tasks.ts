/** Messages to and from the threads of agents' tools. */
import type { AgentDocument } from '@cloister/agents/agent/agent';
import type { Ranking, RankingTask } from '@cloister/agents/agent/passages';
import type { ToolReport } from '@cloister/agents/agent/reports';
import type { FactsReport, FactsSources } from '@cloister/agents/facts/report';
import type { FileSource, FileText, UnreadFile } from '@cloister/agents/files/file-text';

export interface ToolTask {
  readonly slug: string;
  readonly documents: readonly AgentDocument[];
}

/** A call of one tool by the model. */
export interface ToolCallTask extends ToolTask {
  /** Name of a tool of the agent. */
  readonly tool: string;
}

/** A model's list of facts, to be confirmed in the documents. */
export interface FactsTask extends FactsSources {
  readonly slug: string;
}

export interface FilesTask {
  readonly files: readonly FileSource[];
}

export type ToolThreadTask =
  | ({ readonly kind: 'run' } & ToolTask)
  | ({ readonly kind: 'call' } & ToolCallTask)
  | ({ readonly kind: 'confirm' } & FactsTask)
  | ({ readonly kind: 'rank' } & RankingTask)
  | ({ readonly kind: 'read' } & FilesTask);
export type ToolThreadResult =
  | readonly ToolReport[]
  | ToolReport
  | FactsReport
  | Ranking
  | readonly FileText[]
  | UnreadFile;
