/** A thread of agents' tools: no model, no network, nothing kept between two tasks. */
import type { Agent } from '../../models/agents/agent.ts';
import { rankPassages } from '../../models/agents/passages.ts';
import { agentDirectory } from '../../models/agents/registry.ts';
import { reportsOf } from '../../models/agents/reports.ts';
import { RuntimeError } from '../../runtime/errors.ts';
import { servePool } from '../../runtime/pool-worker.ts';
import type { ToolThreadResult, ToolThreadTask } from './tool-tasks.ts';

const agents = agentDirectory();

export default servePool<ToolThreadTask, ToolThreadResult, undefined>(async () => ({
  facts: undefined,
  run: async (task, { isCancelled }) => ({ result: resultOf(task, isCancelled) }),
  close: async () => undefined,
}));

function resultOf(task: ToolThreadTask, isCancelled: () => boolean): ToolThreadResult {
  if (task.kind === 'rank') return rankPassages(task);
  return reportsOf(findAgent(task.slug), task.documents, () => {
    if (isCancelled()) throw new RuntimeError('ERR_CANCELLED', 'the caller went away');
  });
}

function findAgent(slug: string): Agent {
  const agent = agents.get(slug);
  if (agent === undefined) throw new TypeError(`no agent has the slug ${slug}`);
  return agent;
}
