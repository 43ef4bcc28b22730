/** Messages to and from the threads of agents' tools. */
import type { AgentDocument } from '@cloister/agents/agent/agent';
import type { Ranking, RankingTask } from '@cloister/agents/agent/passages';
import type { ToolReport } from '@cloister/agents/agent/reports';
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

export interface FilesTask {
  readonly files: readonly FileSource[];
}

export type ToolThreadTask =
  | ({ readonly kind: 'run' } & ToolTask)
  | ({ readonly kind: 'call' } & ToolCallTask)
  | ({ readonly kind: 'rank' } & RankingTask)
  | ({ readonly kind: 'read' } & FilesTask);
export type ToolThreadResult = readonly ToolReport[] | ToolReport | Ranking | readonly FileText[] | UnreadFile;
